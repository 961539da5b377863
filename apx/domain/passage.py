"""Finds a passage in texts, whatever their case, accents, line ends and Markdown."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING, Final

from apx.domain import folding
from apx.domain.errors import InputError
from apx.domain.text import clean, content_terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# What stands in the place of what was forgotten.
MARK: Final = "[forgotten]"

# Nothing reaches over it.
_BETWEEN: Final = "\uffff"
# JSON within JSON within JSON: an argument of a tool, quoted by another tool.
_LEVELS: Final = 3
_FEWEST_FREE: Final = 2
_TELLING: Final = 2
_TELLING_FREE: Final = 4
_OPENING: Final = frozenset('"\u201c\u201e\u00ab')
_CLOSING: Final = frozenset('"\u201d\u201c\u00bb')
_FEWEST: Final = 3


class Needle:
    """A passage that is looked for, and cut out where it stands.

    Raises `InputError` for one that is so short that it would be found everywhere.
    """

    def __init__(self, passage: str) -> None:
        passage = clean(passage).strip()
        self._plain = folding.plain(passage)
        self._folded = folding.folded(passage)[0].strip()
        self._squeezed = folding.squeezed(passage)
        self._letters = folding.letters(self._squeezed)
        free = len(folding.IS_FREE.findall(self._plain))
        others = sum(map(str.isalnum, self._plain)) - free
        if free < _FEWEST_FREE and others < _FEWEST:
            raise InputError(
                "forget: that is too short and would be found everywhere; say at least"
                " 3 letters or digits, or 2 Chinese, Japanese or Korean ones"
            )
        if _stands(self._plain, folding.plain(MARK)):
            raise InputError(
                f"forget: `{MARK}` stands in the place of what was forgotten"
            )

    def may_hold(self, text: str) -> bool:
        """Say no only where it is not; quick."""
        for _ in range(_LEVELS + 1):
            if self._letters in folding.letters(
                text
            ) and self._squeezed in folding.squeezed(text):
                return True
            if "\\" not in text:
                return False
            text = folding.unescaped(text)
        return False

    def may_hold_json(self, text: str) -> bool:
        """Say no only where no string of a JSON text holds it; quick."""
        return self.may_hold(_BETWEEN.join(folding.strings(json.loads(text))))

    def holds(self, text: str) -> bool:
        """Whether the passage stands in a text, as whole words."""
        return self.cut(text) != text

    def cut(self, text: str) -> str:
        """Put the mark in place of the passage; of the whole text where that fails."""
        return MARK.join(map(self._cut, text.split(MARK)))

    def cut_pieces(self, pieces: Sequence[str], joiner: str) -> list[str]:
        """Cut a text that was said in pieces; each keeps what is left of it."""
        whole = joiner.join(pieces)
        cut = self.cut(whole)
        if cut == whole:
            return list(pieces)
        found: list[str] = []
        spans, place = list(self._spans_between_marks(whole)), 0
        for piece in pieces:
            found.append(_rest(piece, place, spans))
            place += len(piece) + len(joiner)
        if self.cut(joiner.join(found)) != joiner.join(found):
            return [MARK, *("" for _ in found[1:])]
        return found

    def _cut(self, text: str) -> str:
        if not self.may_hold(text):
            return text
        for form in dict.fromkeys((text, unicodedata.normalize("NFC", text))):
            spans = list(self._spans(form))
            rest = _rest(form, 0, spans)
            if spans and not self._remains(rest):
                return rest
        return MARK if self._remains(text) else text

    def _remains(self, text: str) -> bool:
        for part in text.split(MARK):
            form = part
            for _ in range(_LEVELS):
                if _stands(self._plain, folding.plain(form)):
                    return True
                if "\\" not in form:
                    break
                form = folding.unescaped(form)
        return False

    def _spans_between_marks(self, text: str) -> Iterator[tuple[int, int]]:
        place = 0
        for part in text.split(MARK):
            yield from ((place + a, place + b) for a, b in self._spans(part))
            place += len(part) + len(MARK)

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Give the stretches of a text that say the passage, and nothing else."""
        folded, origins = folding.folded(text)
        wanted, place = self._folded, 0
        while (place := folded.find(wanted, place)) >= 0:
            last = place + len(wanted)
            first, end = origins[place], origins[last - 1] + 1
            is_whole = (not place or origins[place - 1] < first) and (
                last == len(folded) or origins[last] >= end
            )
            end = _absorbed(text, end)
            if is_whole and _ends_there(text, first, end):
                yield first, end
                place = last
            else:
                place += 1


class Names(Needle):
    """Ids that are looked for: another one that begins or ends alike is none."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = [name.lower() for name in names]
        every = "|".join(map(_ended, names))
        # Behind a letter only where that is of an escape of JSON.
        before = r"(?:(?<![a-z0-9_-])|(?<=\\[bfnrt]))"
        self._pattern = re.compile(f"{before}(?:{every})", re.IGNORECASE)

    def may_hold(self, text: str) -> bool:
        """Say no only where it is not; quick."""
        text = text.lower()
        return any(name in text for name in self._names)

    def _cut(self, text: str) -> str:
        return self._pattern.sub(MARK, text) if self.may_hold(text) else text

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        yield from (found.span() for found in self._pattern.finditer(text))


def _ended(name: str) -> str:
    """Give an id and its end; text of some scripts goes on without a space."""
    end = "[a-z0-9_-]" if name.isascii() else r"[\w-]"
    return f"{re.escape(name)}(?!{end})"


def _rest(text: str, place: int, spans: Sequence[tuple[int, int]]) -> str:
    """Leave out what spans of a larger text, which has it at a place, take of one.

    The mark is put where a span begins.
    """
    parts, last = [], 0
    for first, end in spans:
        begin, stop = max(first - place, 0), min(end - place, len(text))
        if begin >= stop:
            continue
        parts += [text[last:begin], MARK if first >= place else ""]
        last = stop
    return "".join([*parts, text[last:]])


def _absorbed(text: str, end: int) -> int:
    """Take along the accents and invisible signs that follow."""
    while (
        end < len(text)
        and text[end] not in folding.MARKUP
        and not folding.fold(text[end])
    ):
        end += 1
    return end


def _ends_there(text: str, first: int, end: int) -> bool:
    before = first - 1
    while (
        before >= 0
        and text[before] not in folding.MARKUP
        and not folding.fold(text[before])
    ):
        before -= 1
    after = text[end] if end < len(text) else ""
    if after and unicodedata.category(after).startswith("M"):
        return False
    return not (
        (before >= 0 and _runs_on(text[before], text[first]))
        or (after and _runs_on(text[end - 1], after))
    )


def _runs_on(one: str, other: str) -> bool:
    """Whether two neighbours are of one word, in a script that parts words."""
    return all(
        (c.isalnum() or unicodedata.category(c).startswith("M"))
        and not folding.IS_FREE.match(c)
        for c in (one, other)
    )


def _stands(wanted: str, plain: str) -> bool:
    place = plain.find(wanted)
    while place >= 0:
        if _ends_there(plain, place, place + len(wanted)):
            return True
        place = plain.find(wanted, place + 1)
    return False


def is_quoted(text: str) -> bool:
    """Whether a text stands between quotation marks, and so means itself alone."""
    return text[:1] in _OPENING and text[-1:] in _CLOSING and len(text) > _TELLING


def is_telling(text: str) -> bool:
    """Whether a text says something of its own; one word may stand anywhere."""
    words = [word for word in text.split() if content_terms(word)]
    is_long = len(folding.IS_FREE.findall(folding.plain(text))) >= _TELLING_FREE
    return len(words) >= _TELLING or is_long or any(map(str.isdecimal, text))
