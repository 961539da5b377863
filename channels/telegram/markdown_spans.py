"""Spans as Telegram takes them: inside each other or apart, and none in code."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from channels.shared.units import offsets
from channels.telegram.rendered import Entity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from channels.telegram.markdown_page import Span

_CODE: Final = frozenset({"code", "pre"})
_STYLES: Final = frozenset({"bold", "italic", "underline", "strikethrough", "spoiler"})
_QUOTES: Final = ("blockquote", "expandable_blockquote")
_OUTER_FIRST: Final = (*_QUOTES, "text_link", *sorted(_STYLES), *sorted(_CODE))
_RANK: Final = {kind: rank for rank, kind in enumerate(_OUTER_FIRST)}


def entities(text: str, spans: Iterable[Span]) -> tuple[Entity, ...]:
    """Make entities of the spans of a text."""
    outer = _outermost(sorted(spans, key=_order))
    codes = [span for span in outer if span.kind in _CODE]
    cut = (piece for span in outer for piece in _around(span, codes))
    return in_units(text, sorted(trimmed(text, cut), key=_order))


def in_units(text: str, spans: Iterable[Span]) -> tuple[Entity, ...]:
    """Make entities of spans that are in order."""
    at = offsets(text)
    return tuple(
        Entity(s.kind, at[s.start], at[s.end] - at[s.start], s.url, s.language)
        for s in spans
    )


def trimmed(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Draw spans in to what is to be seen; code keeps how far it is indented."""
    spans = list(spans)
    indented = {_first_line(text, span) for span in spans if span.kind == "pre"}
    for span in spans:
        # Also a quote that begins with code.
        start, end = _first_line(text, span), span.end
        while start < end and start not in indented and text[start].isspace():
            start += 1
        while start < end and text[end - 1].isspace():
            end -= 1
        if start < end:
            yield span.over(start, end)


def _first_line(text: str, span: Span) -> int:
    """Give where the first line begins that is not empty."""
    first = span.start
    while first < span.end and text[first].isspace():
        first += 1
    return max(text.rfind("\n", span.start, first) + 1, span.start)


def _order(span: Span) -> tuple[int, int, int]:
    return span.start, -span.end, _RANK[span.kind]


def _outermost(spans: Iterable[Span]) -> list[Span]:
    """Leave out what is inside of its like: bold in bold is bold."""
    kept, reach = [], dict.fromkeys(_RANK, 0)
    for span in spans:
        if span.end > reach[span.kind]:
            reach[span.kind] = span.end
            kept.append(span)
    return kept


def _around(span: Span, codes: Sequence[Span]) -> Iterator[Span]:
    """Cut what lies over code into what is before, between and behind."""
    if span.kind not in _STYLES:
        yield span
        return
    start = span.start
    for code in _within(codes, span):
        yield span.over(start, code.start)
        start = code.end
    yield span.over(start, span.end)


def _within(codes: Sequence[Span], span: Span) -> Sequence[Span]:
    first = bisect_left(codes, span.start, key=_start)
    last = bisect_left(codes, span.end, key=_start)
    return codes[first:last]


def _start(span: Span) -> int:
    return span.start
