"""How one sentence is read: which lines of a language it matches, and what they say."""
# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.fact_subjects import (
    HABIT,
    is_country,
    is_pronoun,
    is_subject,
    key_of,
    kind_of_tool,
    owner_of,
)
from apx.domain.fact_values import MOODS, NEGATED, is_name, values_of, words
from apx.domain.fact_wording import compiled
from apx.domain.text import normal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apx.domain.fact_wording import Line, Wording

    Values = dict[str, frozenset[str]]

_CLAUSE: Final = re.compile(
    r"[,،，、](?!\d)\s*|\s(?:and|but|und|et|y|e|en|и)\s(?=(?:i|i'm|i've|my|we|our|the|ich"
    r"|mein\w*|wir|je|j'\w+|mon|ma|yo|mi|me|eu|meu|minha|io|ik|mijn|я|мои|моя|мы)\b)"
)
# "I quit and joined Amazon", "remember that ...", "Lives in Paris".
_AGAIN: Final = re.compile(r" and (?=(?:joined|moved|live|work|started|left|quit)\b)")
_START: Final = re.compile(
    r"^(?:please )?(?:remember|note|fyi|update|recuerda|lembra|rappelle-toi|merk dir"
    r"|ricorda|onthoud|запомни|记住|記住|تذكر)(?:[,:]| that| que| dass| che| dat| что"
    r"| ان)*[\s,:]*(?=\S)"
)
_OMITTED: Final = re.compile(
    r"^(?:lives?|works?|moved|relocated|joined)(?= (?:to|in|at|for|[a-z]+ from)\b)"
)
_WORD: Final = re.compile(r"[^\W\d_][\w'’-]*")
# What stands at the end of a value and is no part of it.
_TAIL: Final = re.compile(r"[\s.:。!\"'»”)-]+$|(?<=[^\W\d])(?:了|です|だ|よ)$")
_HEAD: Final = re.compile(r"^[\s\"'«“(:=-]+")
_NAMED: Final = frozenset({"residence", "employer", "name", "partner"})
_WORDS: Final = 5
_HABIT_WORDS: Final = 2
# "Rome in September", "Acme in Berlin".
_PART: Final = re.compile(r"\s(?:in|on|at|en|em|im|nel|nella|am|au|à|в)\s")
_QUANTITY: Final = re.compile(
    r"^(?:(?:a lot|lots|plenty|a cup) of|too much|much|some|any|mucho|mucha|muito|muita"
    r"|beaucoup de|viel|molto|molta|veel|много) "
)
_SHAPED: Final = frozenset(
    {"address", "phone", "email", "age", "residence", "employer"}
)
_SHAPES: Final = {
    "phone": re.compile(r"[\d+()][\d ()/.-]{4,}"),
    "email": re.compile(r"\S+@\S+\.\w+"),
    "age": re.compile(r"\d{1,3}\b|[一二三四五六七八九十]+"),
}


@dataclass(frozen=True, slots=True)
class Claim:
    """That a subject has a value; `whose` says who must say it again.

    `i` is the speaker's own, `u` the listener's, empty that of a thing. An end, such
    as "I left Paris", takes a value away.
    """

    subject: str
    kind: str
    value: frozenset[str]
    whose: str = ""
    is_change: bool = False
    is_end: bool = False


def plain_form(text: str) -> str:
    """Give the form that the wording is written for."""
    return normal(text).replace("\u2019", "'")


def read(wording: Wording, sentence: str, plain: str) -> tuple[list[Claim], str]:
    """Give what a sentence claims, and its words that are in no claim."""
    composed = unicodedata.normalize("NFC", sentence)
    capitals = [word[0] for word in _WORD.finditer(composed) if word[0][0].isupper()]
    first = _WORD.search(composed)
    inner = capitals[1:] if first and capitals[:1] == [first[0]] else capitals
    names = frozenset(map(plain_form, inner))
    claims: list[Claim] = []
    left = []
    whole = _START.sub("", _AGAIN.sub(" and i ", plain))
    whole = _OMITTED.sub(lambda found: f"i {found[0].removesuffix('s')}", whole)
    for clause in filter(None, _CLAUSE.split(whole)):
        reading = _Clause(wording, clause, names, bool(capitals))
        found = reading.claims()
        claims += found
        left.append(reading.left if found else clause)
    return claims, " ".join(left)


def _is_worded(value: str) -> bool:
    """Whether a value is neither a number nor a date."""
    kinds = values_of(value, frozenset())
    return not kinds or not kinds.keys().isdisjoint({"word", "place", "thing"})


class _Clause:
    """A clause that is read in one language; `left` is what no claim covers."""

    def __init__(
        self, wording: Wording, clause: str, names: frozenset[str], is_cased: bool
    ) -> None:
        self._wording = wording
        self._names = names
        self._is_cased = is_cased
        self._lines = wording.lines_for(clause)
        if not self._lines:
            self._text = self.left = clause
            self._is_new = False
            return
        bare = wording.now.sub(wording.gap, clause)
        self._is_new = bare != clause
        bare = " ".join(wording.filler.sub(wording.gap, bare).split())
        self._text = bare
        self.left = bare

    def claims(self) -> list[Claim]:
        """Give the claims of the first line that fits, of a person before a thing."""
        ends: list[Claim] = []
        for line in self._lines:
            for found in compiled(line.pattern).finditer(self._text):
                claims = list(self._claims(line, found))
                if claims and not line.is_end:
                    return ends + claims
                ends += claims
        return ends

    def _claims(self, line: Line, found: re.Match[str]) -> Iterator[Claim]:
        groups = found.groupdict()
        value = self._value(groups.get("v") or "")
        if not value or NEGATED.match(value) or value in MOODS:
            return
        self.left = f"{self._text[: found.start()]} {self._text[found.end() :]}"
        is_change = line.is_change or self._is_new
        if line.subject in {"thing", "price"}:
            yield from self._of_thing(line, found, value, is_change=is_change)
        elif line.subject.startswith(HABIT):
            value = line.subject.partition(":")[2] or value
            yield from self._of_habit(line, value)
        elif line.subject == "use":
            yield from self._of_use(line, value, groups.get("f") or "", is_change)
        else:
            yield from self._of_person(line, groups.get("o") or "", value, is_change)

    def _value(self, raw: str) -> str:
        end = self._wording.cut.search(raw, 1)
        value = raw[: end.start()] if end else raw
        return _HEAD.sub("", _TAIL.sub("", value.strip()))

    def _of_person(
        self, line: Line, other: str, value: str, is_change: bool
    ) -> Iterator[Claim]:
        values = self._personal(line.subject, value)
        whose, subject = line.whose, line.subject
        if subject == "residence" and kind_of_tool(value):
            return
        if whose == "x":
            if not other.startswith("my ") and other not in self._others():
                return
            mine = other in {"user", "owner"}
            whose = "i" if mine or other.startswith("my ") else ""
            subject = subject if mine else f"{other} {subject}"
        for kind, data in values.items():
            yield Claim(subject, kind, data, whose, is_change, line.is_end)

    def _others(self) -> frozenset[str]:
        first = self._text.split()[0]
        started = {first} if self._is_cased else set()
        return self._names | started | {"user", "owner"}

    def _personal(self, subject: str, value: str) -> Values:
        if shape := _SHAPES.get(subject):
            found = shape.search(value)
            return {subject: frozenset({found[0].strip()})} if found else {}
        if subject in _NAMED:
            value = _PART.split(value, maxsplit=1)[0]
            if not is_name(value, self._names, self._is_cased) or not _is_worded(value):
                return {}
            return {"country" if is_country(value) else "name": words(value)}
        if subject == "birthday":
            return values_of(value, self._names)
        kind = "thing" if subject == "car" else "word"
        return {kind: words(value)} if len(value.split()) <= _WORDS else {}

    def _of_habit(self, line: Line, value: str) -> Iterator[Claim]:
        value = _QUANTITY.sub("", value)
        stems = words(value)
        if len(value.split()) > _HABIT_WORDS or is_pronoun(value):
            return
        state = frozenset({"no" if line.is_end else "yes"})
        subject = f"{HABIT} {' '.join(sorted(stems))}"
        yield Claim(subject, HABIT, state, "i", line.is_change or self._is_new)

    def _of_use(
        self, line: Line, value: str, old: str, is_change: bool
    ) -> Iterator[Claim]:
        if len(value.split()) > _WORDS:
            return
        kind = kind_of_tool(value) or kind_of_tool(old) or "?"
        if old:
            yield Claim("use", kind, words(old), "", is_end=True)
        yield Claim("use", kind, words(value), "", is_change, line.is_end)

    def _of_thing(
        self, line: Line, found: re.Match[str], value: str, *, is_change: bool
    ) -> Iterator[Claim]:
        groups = found.groupdict()
        mine, name = groups.get("my") or "", groups["s"]
        if (not mine and found.start()) or is_pronoun(name):
            return
        if line.subject == "thing" and not is_subject(name):
            return
        values = values_of(value, self._names)
        # Every German noun has a capital.
        if self._wording.name == "de" and "name" in values:
            values["noun"] = values.pop("name")
        whose = owner_of(mine, name)
        subject = key_of(name, whose)
        if line.subject == "price":
            values = {kind: data for kind, data in values.items() if kind == "money"}
            subject = key_of(f"price {name}", "")
        is_plain = not mine and not whose and not line.is_change
        if is_plain and not values.keys() - {"word"}:
            return
        if subject in _SHAPED and whose:
            is_low = (
                value[0].islower() and value.split(maxsplit=1)[0] not in self._names
            )
            values = (
                {} if is_low and subject in _NAMED else self._personal(subject, value)
            )
        for kind, data in values.items():
            yield Claim(subject, kind, data, whose, is_change)
