"""Long replies in several messages, each of them whole for itself."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from channels.discord.splitting_fences import fences, mended
from channels.discord.splitting_inline import inline
from channels.discord.splitting_spans import Span, Spans, closed, opened
from channels.shared.graphemes import borders
from channels.shared.seams import GAP, Rank, Seam, code_rank, rank
from channels.shared.units import offsets, units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LIMIT: Final = 2000
# Below, marks that are opened again would leave no room for words.
_LEAST: Final = 200

# What would begin something if it began a message.
_STARTS: Final = re.compile(r"(?:#{1,3}|-#|>{1,3}|[-*+]|\d{1,9}\.)\s")
# What would even be code there, although it was none where it stood.
_CODE: Final = re.compile(r"(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*+)*+(?:```|~~~)")
_TICKS: Final = "`~"
_MARKS: Final = frozenset("`*_~|")
_QUOTE: Final = re.compile(r"(?:[ \t]*+>)++[ \t]?")
_DEEPEST: Final = 8
_SPACE: Final = re.compile(r"\s*")
_QUOTED_SPACE: Final = re.compile(r"[\s>]*")


def split(text: str, limit: int = LIMIT) -> tuple[str, ...]:
    """Give parts of at most `limit` UTF-16 units, the same whenever asked.

    None is blank; together they are the text, without some of the space at the seams,
    and with the marks that close what goes on and open it again. A limit below 200 is
    taken for 200.
    """
    text = mended(text).strip("\n").rstrip()
    limit = max(limit, _LEAST)
    if units(text) <= limit:
        return (text,) if text.strip() else ()
    return tuple(part for part in _Cutter(text, limit).parts() if part.strip())


class _Cutter:
    """Cuts one text from its beginning to its end."""

    def __init__(self, text: str, limit: int) -> None:
        self._text = text
        self._limit = limit
        self._offsets = offsets(text)
        self._borders = bytearray(borders(text))
        blocks = list(fences(text))
        spans, escaped = inline(text, blocks)
        self._spans = Spans([*blocks, *spans])
        for place in escaped:
            self._borders[place] = 0

    def parts(self) -> Iterator[str]:
        """Give one part after the other."""
        start, lead = 0, ""
        while start < len(self._text):
            room = self._limit - units(lead)
            end = self._reach(start, room)
            if end >= len(self._text):
                yield lead + self._text[start:]
                return
            seam = self._seam(start, room, end)
            over = self._spans.over(seam.end)
            yield lead + self._text[start : seam.end].rstrip() + closed(over)
            start = self._next(seam)
            lead = self._lead(start)

    def _reach(self, start: int, room: int) -> int:
        """Give the last index that is at most `room` units behind `start`."""
        return bisect_right(self._offsets, self._offsets[start] + room) - 1

    def _next(self, seam: Seam) -> int:
        """Give where the next part begins: behind code of which only space is left."""
        for span in self._spans.over(seam.start):
            if span.is_code and not self._text[seam.start : span.last].strip():
                found = _SPACE.match(self._text, span.end)
                return found.end() if found else span.end
        return seam.start

    def _lead(self, start: int) -> str:
        """Write what is to stand before a part that begins in the middle."""
        over = self._spans.over(start)
        line = self._text.rfind("\n", 0, start) + 1
        quote = _QUOTE.match(self._text, line) if line < start else None
        if quote is None or quote.end() > start:
            return opened(over)
        marks = "> " * min(quote[0].count(">"), _DEEPEST)
        code = [span for span in over if span.is_code]
        if not code:
            return marks + opened(over)
        # In other code the mark is a letter like any other.
        return opened(over) + (marks if code[0].opened.startswith(">") else "")

    def _seam(self, start: int, room: int, end: int) -> Seam:
        """Find the best place that leaves a part from `start` to at most `end`.

        A better kind of place counts only in the second half; else parts would be many
        and small. What fits into a part of its own is rather not cut at all.
        """
        half = max(self._reach(start, room // 2), start + 1)
        last = self._offsets[start] + room
        late = self._fitting(start, self._gaps(half, end), last)
        whole = [gap for gap in late if not self._tears(gap)]
        if whole:
            return min(whole, key=lambda gap: (self._rank(gap, start), -gap.end))
        early = self._fitting(start, self._gaps(start + 1, half), last)
        whole = [gap for gap in early if not self._tears(gap)]
        if whole and self._is_small(whole[-1], end):
            return whole[-1]
        if late or early:
            chosen = late or early[-1:]
            return min(chosen, key=lambda gap: (self._rank(gap, start), -gap.end))
        return self._forced(start, end, last)

    def _gaps(self, first: int, end: int) -> Iterator[Seam]:
        for found in GAP.finditer(self._text, first, end + 2):
            if found.start() > end:
                return
            begin, behind = found.span()
            if behind > end and (space := _SPACE.match(self._text, behind)):
                behind = space.end()
            gap = Seam(begin, self._after(begin, behind))
            if not (self._borders[gap.end] and self._borders[gap.start]):
                continue
            is_line = gap.start and self._text[gap.start - 1] == "\n"
            if is_line or not self._is_code(gap.start):
                yield gap

    def _is_code(self, place: int) -> bool:
        """Whether code would begin if a part began there."""
        text = self._text[place : place + _LEAST // 2]
        if text[:1] in _TICKS:
            text = self._lead(place) + text
        return _CODE.match(text) is not None

    def _after(self, start: int, end: int) -> int:
        """Give where a line begins after space, with its indentation."""
        line = self._text.rfind("\n", start, end) + 1
        return line or end

    def _fitting(self, start: int, gaps: Iterable[Seam], last: int) -> list[Seam]:
        """Choose what leaves a part from `start` that ends in time and shows something.

        Discord shows no code of space alone, but its language as if that were the code.
        """
        seen: dict[Span, int] = {}
        fitting = []
        for gap in gaps:
            over = self._spans.over(gap.end)
            if over and over[-1].is_code and over[-1] not in seen:
                seen[over[-1]] = self._first_seen(start, over[-1])
            is_seen = not over or gap.end > seen.get(over[-1], 0)
            if is_seen and self._fits(gap, last):
                fitting.append(gap)
        return fitting

    def _first_seen(self, start: int, code: Span) -> int:
        """Give the first place of some code, from `start` on, that is not space."""
        space = _QUOTED_SPACE if code.opened.startswith(">") else _SPACE
        found = space.match(self._text, max(start, code.first - 1))
        return found.end() if found else start

    def _fits(self, gap: Seam, last: int) -> bool:
        over = self._spans.over(gap.end)
        if not all(span.may_be_cut(gap.end) for span in over):
            return False
        if not self._spans.allow(gap.start) or self._blurs(gap):
            return False
        return self._offsets[gap.end] + units(closed(over)) <= last

    def _blurs(self, gap: Seam) -> bool:
        """Whether a mark that is closed or opened there would be another one."""
        ends = closed(self._spans.over(gap.end))[:1]
        begins = opened(self._spans.over(gap.start))[-1:]
        if ends in _MARKS and self._text.endswith(ends, 0, gap.end):
            return True
        return begins in _MARKS and self._text.startswith(begins, gap.start)

    def _tears(self, gap: Seam) -> bool:
        """Whether a place is in the middle of a line that is one thing."""
        return any(not span.is_code for span in self._spans.over(gap.end))

    def _is_small(self, gap: Seam, end: int) -> bool:
        """Whether what is torn at `end` fits a part that begins at a place."""
        over = [span for span in self._spans.over(end) if not span.is_code]
        if not over:
            return True
        size = self._offsets[over[0].end] - self._offsets[gap.start]
        return size + units(self._lead(gap.start)) <= self._limit

    def _rank(self, gap: Seam, start: int) -> Rank:
        over = self._spans.over(gap.end)
        if over and over[-1].is_code:
            return code_rank(self._text, gap)
        found = rank(self._text, gap)
        if found <= Rank.LINE:
            line = self._text.rfind("\n", start, gap.end) + 1
            # A heading should not be the last that a message shows.
            return Rank.WORD if self._text.startswith("#", line) else found
        return Rank.POOR if _STARTS.match(self._text, gap.start) else found

    def _forced(self, start: int, end: int, last: int) -> Seam:
        """Cut a word; and a character only if it fills a whole part."""
        place = end
        while place > start:
            over = self._spans.over(place)
            torn = [span for span in over if not span.may_be_cut(place)]
            if torn and torn[0].start > start:
                place = torn[0].start
            elif self._offsets[place] + units(closed(over)) > last:
                place -= 1
            elif self._is_good(place):
                break
            else:
                place -= 1
        return self._torn(start, end) if place <= start else Seam(place, place)

    def _is_good(self, place: int) -> bool:
        """Whether a word may be cut there, if one must be."""
        if not self._borders[place] or self._is_code(place):
            return False
        return not self._blurs(Seam(place, place))

    def _torn(self, start: int, end: int) -> Seam:
        """Cut where it must be cut, with room for what is closed then."""
        room = units(closed(self._spans.over(end)))
        place = max(end - room, start + 1)
        border = self._borders.rfind(1, start + 1, place + 1)
        return Seam(*(2 * (border if border > start else place,)))
