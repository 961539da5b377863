"""Where the code fences of a Markdown text are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

# A backtick after the opening ones means code within a line: ```like this```.
# `{3,}+` never gives one back, so that a long run costs one look.
_MARK: Final = re.compile(r"[ \t]*(`{3,}+(?!.*`)|~{3,}+)(.*)")


@dataclass(frozen=True, slots=True)
class _Mark:
    line: int
    sign: str
    length: int
    bare: bool


def fences(lines: Sequence[str]) -> dict[int, int]:
    """Map the first line of each closed fence to the line behind its last one.

    A fence that is never closed is none: one stray mark must not swallow whatever
    is written below it.
    """
    marks = list(_marks(lines))
    found: dict[int, int] = {}
    closers = _longest_closers(marks)
    opened: _Mark | None = None
    for mark, longest in zip(marks, closers, strict=True):
        if opened is None:
            if longest[mark.sign] >= mark.length:
                opened = mark
        elif mark.bare and mark.sign == opened.sign and mark.length >= opened.length:
            found[opened.line] = mark.line + 1
            opened = None
    return found


def _marks(lines: Sequence[str]) -> list[_Mark]:
    marks = []
    for number, line in enumerate(lines):
        if "```" not in line and "~~~" not in line:
            continue
        if found := _MARK.match(line):
            run = found[1]
            marks.append(_Mark(number, run[0], len(run), not found[2].strip()))
    return marks


def _longest_closers(marks: Sequence[_Mark]) -> list[dict[str, int]]:
    """For each mark, give the length of the longest closers behind it."""
    longest = {"`": 0, "~": 0}
    behind = []
    for mark in reversed(marks):
        behind.append(dict(longest))
        if mark.bare:
            longest[mark.sign] = max(longest[mark.sign], mark.length)
    return behind[::-1]
