"""Long replies in several messages, each of them whole for itself."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from channels.shared.units import offsets
from channels.telegram.markdown_page import Span
from channels.telegram.markdown_spans import in_units, trimmed
from channels.telegram.rendered import Rendered, is_blank
from channels.telegram.splitting_seams import Cuttable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LIMIT: Final = 4096
# Telegram shows no more of them in a message.
_ENTITIES: Final = 100
# What is missed least, where a short text has more than that.
_LEAST_FIRST: Final = ("underline", "italic", "bold", "strikethrough", "code")


def split(rendered: Rendered, limit: int = LIMIT) -> tuple[Rendered, ...]:
    """Give chunks of at most `limit` UTF-16 units, the same whenever asked.

    None is blank; together they are the text, without some of the space at the seams.
    """
    if rendered.units <= limit and len(rendered.entities) <= _ENTITIES:
        return () if is_blank(rendered.text) else (rendered,)
    chunks = (chunk for chunk in _chunks(rendered, limit))
    return tuple(chunk for chunk in chunks if not is_blank(chunk.text))


@dataclass(slots=True)
class _Spans:
    """The spans of a text, looked through once from its beginning to its end."""

    spans: Sequence[Span]
    _next: int = 0
    _open: tuple[Span, ...] = ()

    def between(self, start: int, end: int) -> list[Span]:
        """Give those in the next chunk, cut at its borders."""
        first = self._next
        while self._next < len(self.spans) and self.spans[self._next].start < end:
            self._next += 1
        touched = [*self._open, *self.spans[first : self._next]]
        self._open = tuple(span for span in touched if span.end > end)
        return [
            span.over(max(span.start, start) - start, min(span.end, end) - start)
            for span in touched
            if span.end > start
        ]


def _chunks(rendered: Rendered, limit: int) -> Iterator[Rendered]:
    text, spans = rendered.text, _in_code_points(rendered)
    cuttable, passing = Cuttable(text, spans), _Spans(spans)
    starts = [span.start for span in spans]
    start = cuttable.indented(0)
    while start < len(text):
        end = cuttable.reach(start, limit)
        half = cuttable.reach(start, limit // 2)
        # A chunk may be a little shorter, so that it shows all of its entities.
        crowded = bisect_left(starts, start) + _ENTITIES
        if crowded < len(starts) and half < starts[crowded] < end:
            end = starts[crowded]
        if end >= len(text):
            yield _chunk(text[start:], passing.between(start, len(text)))
            return
        seam = cuttable.seam(start, half, end)
        yield _chunk(text[start : seam.end], passing.between(start, seam.end))
        start = cuttable.indented(seam.start)


def _chunk(text: str, spans: list[Span]) -> Rendered:
    """Make a message of a piece of text; spans may have become less than a word."""
    text = text.rstrip()
    within = (span.over(span.start, min(span.end, len(text))) for span in spans)
    return Rendered(text, in_units(text, _most_needed(list(trimmed(text, within)))))


def _most_needed(spans: list[Span]) -> list[Span]:
    """Leave out what Telegram would not show, rather looks than links."""
    for kind in _LEAST_FIRST:
        over = len(spans) - _ENTITIES
        if over <= 0:
            break
        places = [place for place, span in enumerate(spans) if span.kind == kind]
        dropped = set(places[-over:])
        spans = [span for place, span in enumerate(spans) if place not in dropped]
    return spans[:_ENTITIES]


def _in_code_points(rendered: Rendered) -> list[Span]:
    at = offsets(rendered.text)
    return [
        Span(
            entity.kind,
            bisect_left(at, entity.offset),
            bisect_left(at, entity.end),
            entity.url,
            entity.language,
        )
        for entity in rendered.entities
    ]
