"""Links, mentions, inline code, spoilers and emphasis, as stretches of a text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from channels.discord.splitting_spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOKEN: Final = re.compile(
    r"(?P<escape>\\[^\sA-Za-z0-9])"
    r"|(?P<whole>!?\[[^\[\]\n]*\]\([^\s()]*(?:\([^\s()]*\)[^\s()]*)*"
    r"(?:[ ]+\"[^\"\n]*\")?\)"
    r"|<[^<>\s]+>"
    r"|https?://[^\s<>]*[^\s<>*_~|`)\].,:;\"'!?])"
    r"|(?P<ticks>`++)"
    r"|(?P<empty>\n[ \t>]*\n)"
    r"|(?P<mark>\*{1,3}|__?|~~|\|\|)"
)
_TICKS: Final = re.compile("`+")
_EMPTY: Final = re.compile(r"\n[ \t>]*\n")
# Deeper ones are cut like words.
_DEEPEST: Final = 8
_FENCE: Final = "```"
_SPOILER: Final = "||"


class _Open(NamedTuple):
    """A mark that waits for its like."""

    mark: str
    start: int


def inline(text: str, fences: Sequence[Span]) -> tuple[list[Span], list[int]]:
    """Give what is not torn outside of code blocks, and which marks are escaped."""
    reader = _Reader(text)
    at = 0
    for fence in fences:
        reader.read(at, fence.start)
        reader.forget()
        at = fence.end
    reader.read(at, len(text))
    return reader.spans, reader.escaped


class _Reader:
    """Goes through a text once; a spoiler may go on behind a code block."""

    def __init__(self, text: str) -> None:
        self.spans: list[Span] = []
        self.escaped: list[int] = []
        self._text = text
        self._open: list[_Open] = []
        self._from = 0

    def read(self, start: int, end: int) -> None:
        """Read a stretch without code blocks."""
        ticks = _ticks(self._text, start, end)
        at = self._from = start
        while found := _TOKEN.search(self._text, at, end):
            at = found.end()
            if found.lastgroup == "escape":
                self.escaped.append(at - 1)
            elif found.lastgroup == "whole":
                self.spans.append(Span(found.start(), at))
            elif found.lastgroup == "ticks":
                at = self._code(found, ticks)
            elif found.lastgroup == "empty":
                self.forget()
                at -= 1  # The next empty line begins with this line end.
            else:
                self._mark(found)

    def forget(self) -> None:
        """Let nothing but a spoiler wait any longer."""
        self._open = [one for one in self._open if one.mark == _SPOILER]

    def _code(self, found: re.Match[str], ticks: dict[int, list[int]]) -> int:
        mark = found[0]
        starts = ticks[len(mark)]
        place = bisect_right(starts, found.start())
        if place == len(starts) or _EMPTY.search(
            self._text, found.end(), starts[place]
        ):
            return found.end()
        self._pair(_Open(mark, found.start()), starts[place])
        return starts[place] + len(mark)

    def _mark(self, found: re.Match[str]) -> None:
        text, mark = self._text, found[0]
        before = text[found.start() - 1 : found.start()] or " "
        after = text[found.end() : found.end() + 1] or " "
        opens, closes = not after.isspace(), not before.isspace()
        if mark[0] == "_":
            opens, closes = (
                opens and not before.isalnum(),
                closes and not after.isalnum(),
            )
        if closes and self._close(mark, found.start()):
            return
        if opens and len(self._open) < _DEEPEST:
            self._open.append(_Open(mark, found.start()))

    def _close(self, mark: str, at: int) -> bool:
        """End what a mark ends, and give up whatever began inside of it."""
        for number in range(len(self._open) - 1, -1, -1):
            if self._open[number].mark == mark:
                self._pair(self._open[number], at)
                del self._open[number:]
                return True
        if mark == "***":
            inner, outer = (self._open[-1:] or [_Open("", 0)])[0].mark, "**"
            if inner == "**":
                outer = "*"
            if inner in {"*", "**"} and self._close(inner, at):
                return self._close(outer, at + len(inner))
        return False

    def _pair(self, begun: _Open, at: int) -> None:
        size, mark = len(begun.mark), begun.mark
        first, last = begun.start + size + 1, at - 1
        opened = closed = mark
        if mark.startswith(_FENCE):
            first, last = 0, -1  # Opened again it would begin a block.
        elif begun.start < self._from:
            # There is code inside, whose marks have lines of their own.
            opened, closed = f"{mark}\n", f"\n{mark}"
        self.spans.append(Span(begun.start, at + size, first, last, opened, closed))


def _ticks(text: str, start: int, end: int) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for run in _TICKS.finditer(text, start, end):
        found[len(run[0])].append(run.start())
    return found
