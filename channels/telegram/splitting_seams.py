"""Where a long text is best cut: between paragraphs, lines, sentences, words."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from channels.shared.graphemes import borders
from channels.telegram.markdown_spans import offsets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from channels.telegram.markdown_page import Span

# Space, or nothing behind a stop of Chinese and Japanese, which have no spaces.
_GAP: Final = re.compile("\\s+|(?<=[。\uff01\uff1f])(?=\\S)")
_SENTENCE_ENDS: Final = re.compile("[.!?…。\uff01\uff1f][\"')\\]»”]?$")


class _Rank(IntEnum):
    """How good a place is; the smaller the better."""

    PARAGRAPH = 0
    LINE = 1
    CODE_LINE = 2
    SENTENCE = 3
    WORD = 4


@dataclass(frozen=True, slots=True)
class Seam:
    """Where a chunk ends and the next begins; what lies between is space."""

    end: int
    start: int


class Cuttable:
    """A text and all that says where it may be cut."""

    def __init__(self, text: str, spans: Sequence[Span]) -> None:
        self.text = text
        self._offsets = offsets(text)
        self._borders = borders(text)
        self._code = [span for span in spans if span.kind == "pre"]
        self._code_starts = [span.start for span in self._code]
        # A heading should not be the last that a message shows.
        self._headings = {
            span.end
            for span in spans
            if span.kind == "bold" and text[max(span.start - 1, 0)] in "\n" + text[0]
        }

    def reach(self, start: int, limit: int) -> int:
        """Give the last index that is at most `limit` units behind `start`."""
        return bisect_right(self._offsets, self._offsets[start] + limit) - 1

    def indented(self, start: int) -> int:
        """Step over space, but not over how far a line of code is indented."""
        found = re.compile(r"\s*").match(self.text, start)
        end = found.end() if found else start
        return self._after(start, end)

    def seam(self, start: int, half: int, end: int) -> Seam:
        """Find the best place that leaves a chunk from `start` to at most `end`.

        A better kind of place counts only in the second half; else chunks would be
        many and small.
        """
        gaps = list(self._gaps(start, end))
        late = [gap for gap in gaps if gap.end >= half]
        if late:
            return min(late, key=lambda gap: (self._rank(gap), -gap.end))
        if gaps:
            return gaps[-1]
        return self._between_clusters(start, end)

    def _gaps(self, start: int, end: int) -> Iterator[Seam]:
        for found in _GAP.finditer(self.text, start + 1):
            if found.start() > end:
                return
            gap = Seam(found.start(), self._after(found.start(), found.end()))
            if self._borders[gap.end] and self._borders[gap.start]:
                yield gap

    def _after(self, start: int, end: int) -> int:
        """Give where a line begins after space: in code, with its indentation."""
        line = self.text.rfind("\n", max(start - 1, 0), end) + 1
        return line if (line or not start) and self._is_code(line) else end

    def _is_code(self, index: int) -> bool:
        place = bisect_right(self._code_starts, index) - 1
        return place >= 0 and index < self._code[place].end

    def _rank(self, gap: Seam) -> _Rank:
        lines = self.text.count("\n", gap.end, gap.start)
        if lines and self._is_code(gap.end) and self._is_code(gap.start):
            return _Rank.CODE_LINE if lines == 1 else _Rank.LINE
        if gap.end in self._headings:
            return _Rank.WORD
        if lines:
            return _Rank.LINE if lines == 1 else _Rank.PARAGRAPH
        before = self.text[max(gap.end - 2, 0) : gap.end]
        return _Rank.SENTENCE if _SENTENCE_ENDS.search(before) else _Rank.WORD

    def _between_clusters(self, start: int, end: int) -> Seam:
        """Cut a word; and a character only if it fills a whole chunk."""
        place = self._borders.rfind(1, start + 1, end + 1)
        place = place if place > start else max(end, start + 1)
        return Seam(place, place)
