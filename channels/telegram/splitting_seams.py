"""Where a long text is best cut: between paragraphs, lines, sentences, words."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from channels.shared.graphemes import borders
from channels.shared.seams import GAP, Rank, Seam, code_rank, rank
from channels.shared.units import offsets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from channels.telegram.markdown_page import Span


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
        for found in GAP.finditer(self.text, start + 1):
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

    def _rank(self, gap: Seam) -> Rank:
        is_line = "\n" in self.text[gap.end : gap.start]
        if is_line and self._is_code(gap.end) and self._is_code(gap.start):
            return code_rank(self.text, gap)
        if gap.end in self._headings:
            return Rank.WORD
        return rank(self.text, gap)

    def _between_clusters(self, start: int, end: int) -> Seam:
        """Cut a word; and a character only if it fills a whole chunk."""
        place = self._borders.rfind(1, start + 1, end + 1)
        place = place if place > start else max(end, start + 1)
        return Seam(place, place)
