"""How facts are worded in each language: facts_words.txt, read once."""
# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from apx.domain.text import normal

if TYPE_CHECKING:
    from collections.abc import Sequence

_DENSE: Final = frozenset({"zh", "ja"})
# Words that have more written to them.
_JOINED: Final = _DENSE | {"ko"}
# A value and the words of a subject, by how a script parts its words. What is in the
# middle of a pattern is as short as may be.
_VALUE: Final = r"(?P<v>[^,;!?()\n，。；]{1,80})"
_SUBJECT_WORD: Final = r"(?!(?:the|my|our|your|that|mein\w*|mon|mi)\b)[^\s,;:()]+"
_SUBJECT: Final = rf"(?:{_SUBJECT_WORD} ){{0,4}}?{_SUBJECT_WORD}?"
_DENSE_SUBJECT: Final = r"[^\s,，。;:：はがを]{1,12}?"
# A question for one of these has a word of its answer.
_SHARED: Final = frozenset({"thing", "habit", "price"})
_NON_ASCII: Final = re.compile(r"[^\x00-\x7f]")
_NOTHING: Final = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Line:
    """One way to say something; `whose` is i, u, x or t, as facts_words.txt says."""

    subject: str
    whose: str
    is_change: bool
    is_end: bool
    hints: Sequence[str]
    pattern: str


@dataclass(slots=True)
class Wording:
    """All that is known of one language."""

    name: str
    signs: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    letters: re.Pattern[str] = _NOTHING
    now: re.Pattern[str] = _NOTHING
    filler: re.Pattern[str] = _NOTHING
    unsure: re.Pattern[str] = _NOTHING
    past: re.Pattern[str] = _NOTHING
    cut: re.Pattern[str] = _NOTHING
    hints: list[tuple[str, int]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)

    def may_say(self, words: frozenset[str], text: str) -> bool:
        """Whether a text can be of this language; cheap."""
        if not self.signs.isdisjoint(words):
            return True
        return not text.isascii() and self.letters.search(text) is not None

    @property
    def gap(self) -> str:
        """What stands for words that are left out."""
        return "" if self.name in _DENSE else " "

    def lines_for(self, text: str) -> list[Line]:
        """Give the lines of which a text has a hint."""
        found = {number for hint, number in self.hints if hint in text}
        return [self.lines[number] for number in sorted(found)]


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when it is first needed: most never are."""
    return re.compile(pattern)


@cache
def wordings() -> Sequence[Wording]:
    """Read the wording of all languages."""
    file = Path(__file__).with_name("facts_words.txt")
    found: list[Wording] = []
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("["):
            found.append(Wording(line[1:-1]))
        elif line and not line.startswith("#"):
            _take(found[-1], line if line.startswith("own") else _folded(line))
    return found


def _take(wording: Wording, text: str) -> None:
    name, rest = text.split(" ", 1)
    if rest.startswith("[") and name == "signs:":
        wording.letters = re.compile(rest)
    elif name in {"signs:", "own:"}:
        setattr(wording, name[:-1], frozenset(rest.split()))
    elif name.endswith(":"):
        setattr(wording, name[:-1], _words(rest, wording.name in _JOINED))
    elif name == "asked":
        subject, pattern = rest.split(" ", 1)
        wording.asked.append((subject, pattern))
    else:
        line = _line(name, rest, wording.name in _DENSE)
        wording.hints += [(hint, len(wording.lines)) for hint in line.hints]
        wording.lines.append(line)


def _line(subject: str, rest: str, is_dense: bool) -> Line:
    flags, hints, pattern = rest.split(" ", 2)
    head, value, tail = pattern.partition("~")
    if value:
        value = _VALUE if not tail else _VALUE.replace("80}", "80}?")
    words = _DENSE_SUBJECT if is_dense else _SUBJECT
    pattern = f"{head}{value}{tail}".replace("%", words)
    # In Korean and Arabic what belongs to a word is written with it, but at its end.
    edge = "" if is_dense else r"(?<![\w'-])"
    return Line(
        subject=subject,
        whose=flags[0],
        is_change="+" in flags,
        is_end="-" in flags,
        hints=hints.split(","),
        pattern=f"{edge}(?:{pattern})",
    )


def _words(choice: str, is_dense: bool) -> re.Pattern[str]:
    return re.compile(choice if is_dense else rf"(?<![\w'-])(?:{choice})(?![\w])")


def _folded(line: str) -> str:
    """Write a pattern in the `normal` form of texts, but for what is syntax."""
    return _NON_ASCII.sub(lambda letter: normal(letter[0]) or letter[0], line)


def speaks_of_self(text: str) -> bool:
    """Whether a text may say something of its speaker that has a name; cheap."""
    if not _own_words().isdisjoint(text.lower().split()):
        return True
    return not text.isascii() and _own_hints().search(normal(text)) is not None


@cache
def _own_words() -> frozenset[str]:
    return frozenset().union(*(wording.own for wording in wordings()))


@cache
def _own_hints() -> re.Pattern[str]:
    hints = {
        hint
        for wording in wordings()
        for line in wording.lines
        if not wording.own and line.subject not in _SHARED
        for hint in line.hints
    }
    return re.compile("|".join(map(re.escape, sorted(hints))))
