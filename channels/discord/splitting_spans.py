"""What should not be torn when a text is cut, and how it is closed where it must be."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Span(NamedTuple):
    """A stretch of a text.

    It may be cut from `first` to `last`: what is before is then `closed`, and what
    follows `opened` again. Of one with nothing between these, all or nothing is shown.
    """

    start: int
    end: int
    first: int = 0
    last: int = -1
    opened: str = ""
    closed: str = ""
    is_code: bool = False

    def may_be_cut(self, place: int) -> bool:
        """Whether marks and words would both be left on either side."""
        return self.first <= place <= self.last


class Spans:
    """The spans of a text, which lie inside each other or apart."""

    def __init__(self, spans: Iterable[Span]) -> None:
        events: list[tuple[int, int, Span]] = []
        for span in spans:
            events += [(span.start + 1, 1, span), (span.end, 0, span)]
        # At one place: ends before beginnings, and the outer beginnings first.
        events.sort(key=lambda one: (one[0], one[1], -one[2].end))
        self._places = [-1]
        self._over: list[tuple[Span, ...]] = [()]
        for place, is_begin, span in events:
            over = self._over[-1]
            rest = (*over, span) if is_begin else tuple(s for s in over if s != span)
            if self._places[-1] == place:
                self._over[-1] = rest
            else:
                self._places.append(place)
                self._over.append(rest)

    def over(self, place: int) -> tuple[Span, ...]:
        """Give the spans that a cut there would go through, the outer ones first."""
        return self._over[bisect_right(self._places, place) - 1]

    def allow(self, place: int) -> bool:
        """Whether a cut there tears nothing that cannot be opened again."""
        return all(span.may_be_cut(place) for span in self.over(place))


def closed(over: Iterable[Span]) -> str:
    """Write what ends these, the inner ones first."""
    return "".join(span.closed for span in reversed(tuple(over)))


def opened(over: Iterable[Span]) -> str:
    """Write what begins these again."""
    return "".join(span.opened for span in over)
