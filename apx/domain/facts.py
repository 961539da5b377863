"""What a text claims to hold now, and when a newer claim replaces an older one."""
# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from apx.domain.fact_reading import Claim, plain_form, read
from apx.domain.fact_subjects import OWN, TOOLS, asked_tools, is_single
from apx.domain.fact_values import STRONG, differ, is_number
from apx.domain.fact_wording import compiled, speaks_of_self, wordings
from apx.domain.text import content_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apx.domain.fact_wording import Wording

_READ: Final = 2_000  # characters of a text that are looked at
_MARK: Final = "="
# A value in words, however it is written.
_WORDED: Final = frozenset({"name", "word", "noun", "thing", "place", "country"})
_NAMES: Final = frozenset({"name", "country"})
_LITTLE: Final = 1  # words that are in no newer text
_QUOTED: Final = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*>[^\n]*$"
    r'|"[^"\n]*"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』',
    re.DOTALL | re.MULTILINE,
)
_SENTENCE: Final = re.compile(r"(?:[^.!?;\n。！？；؟…]|[.](?=[\w-]))+[?？؟]*")
_TOKEN: Final = re.compile(r"[\w'-]+")
_TITLE: Final = re.compile(r"\b(Mr|Mrs|Ms|Dr|St|Prof)\.")
_QUESTION: Final = ("?", "？", "؟")


@dataclass(frozen=True, slots=True)
class Said:
    """The claims of a text, and the words that it has besides them."""

    claims: tuple[Claim, ...] = ()
    rest: frozenset[str] = frozenset()


def claims_of(text: str) -> tuple[Claim, ...]:
    """Give what a text says to hold; questions, plans and quotes claim nothing."""
    return said_in(text).claims


@lru_cache(maxsize=2_048)
def said_in(text: str) -> Said:
    """Give the claims of a text and what else it says."""
    claims: dict[Claim, None] = {}
    rest = ""
    for sentence in _SENTENCE.findall(_spoken(text)):
        found, left = _of_sentence(sentence.strip())
        claims |= dict.fromkeys(found)
        rest += " " + left
    if not claims:
        return Said()
    words = (term for term in content_terms(rest) if not term.startswith("~"))
    return Said(tuple(claims), frozenset(words))


def replaces(new: Claim, old: Claim) -> bool:
    """Whether what is claimed later takes back what was claimed before.

    Both are of the same person, or of things.
    """
    if new.subject != old.subject or old.is_end:
        return False
    if new.is_end:
        return new.value <= old.value or old.value <= new.value
    if old.kind == "name" and new.kind not in _NAMES:
        return False  # `my wife is tired` names nobody else
    if not _same_kind(new, old) or not differ(new.value, old.value):
        return False
    return new.is_change or _excludes(new, old)


def is_outdated(
    said: Said, gone: Iterable[Claim], asked: frozenset[str], newer: str
) -> bool:
    """Whether a text need not be shown when some of its claims are replaced.

    It must say little that the newer text does not, or that must be what was asked.
    """
    lost = set(gone)
    if any(claim.subject in asked for claim in lost):
        return True
    if not lost or lost != set(said.claims):
        return False
    return len(said.rest.difference(content_terms(newer))) <= _LITTLE


def asked_subjects(question: str) -> frozenset[str]:
    """Give the subjects of a person's own that a question asks for."""
    plain = plain_form(question[:_READ])
    return frozenset(
        subject
        for wording in _spoken_in(plain)
        for subject, pattern in wording.asked
        if compiled(pattern).search(plain)
    )


def asks_for_past(question: str) -> bool:
    """Whether a question wants what was, so that nothing in it is outdated."""
    plain = plain_form(question[:_READ])
    return any(wording.past.search(plain) for wording in wordings())


def subject_terms(text: str) -> list[str]:
    """Give the marked terms of what a text says about its speaker."""
    if not speaks_of_self(text):
        return []
    found = {
        claim.kind if claim.subject == "use" else claim.subject
        for claim in claims_of(text)
        if claim.subject == "use" or claim.whose
    }
    return sorted(_MARK + subject for subject in found & (OWN | TOOLS))


def asked_subject_terms(question: str) -> list[str]:
    """Give the marked terms of what a question asks about its speaker."""
    asked = asked_subjects(question)
    if "use" in asked:
        asked = asked.union(asked_tools(plain_form(question[:_READ])))
    return sorted(_MARK + subject for subject in asked & (OWN | TOOLS))


def _spoken(text: str) -> str:
    """Take out quotes, and the stops that end no sentence."""
    return _TITLE.sub(r"\1", _QUOTED.sub(" ", text[:_READ]))


def _of_sentence(sentence: str) -> tuple[list[Claim], str]:
    """Give the claims of a sentence, and its words that are in none."""
    plain = plain_form(sentence)
    if sentence.endswith(_QUESTION):
        return [], plain
    for wording in _spoken_in(plain):
        found, left = read(wording, sentence, plain)
        if found and not wording.unsure.search(plain):
            return found, left
    return [], plain


def _spoken_in(plain: str) -> Sequence[Wording]:
    """Give the languages that a text can be of, the likely ones first."""
    spoken = frozenset(_TOKEN.findall(plain) + _TOKEN.findall(plain.replace("'", "' ")))
    found = [one for one in wordings() if one.may_say(spoken, plain)]
    return sorted(found, key=lambda one: -len(one.signs & spoken))


def _same_kind(new: Claim, old: Claim) -> bool:
    if new.kind == old.kind:
        return True
    if new.is_change and is_number(new.kind) and is_number(old.kind):
        return True
    has_one = is_single(new.subject) or (new.is_change and new.subject in OWN)
    return has_one and all(k in _WORDED or is_number(k) for k in (new.kind, old.kind))


def _excludes(new: Claim, old: Claim) -> bool:
    """Whether two values cannot both hold, even if no change is spoken of."""
    # Several programs are in use, and who lives in a city lives in a country.
    is_wider = new.kind != old.kind and "country" in {new.kind, old.kind}
    if new.subject == "use" or is_wider:
        return False
    return old.kind in STRONG or is_number(old.kind) or is_single(new.subject)
