"""Owns how hits become memories: which are good enough, and what of them is shown."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING, Final

from apx.domain.recall import Kind, Memory
from apx.domain.text import cut_bytes, estimate_tokens, flatten
from apx.domain.thread import Thread
from apx.memory.focus import EXCERPT, focus
from apx.memory.recall.fold import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from apx.domain.chunk import Chunk
    from apx.domain.recall import Query
    from apx.memory.recall.search import Scored

    Hit = tuple[Chunk, Scored]


_BYTES: Final = 3  # of a token, see estimate_tokens
# Of a hundred right hits, one scores this much below the best.
_FAR: Final = 5.0
# What an answer must say, and the question beside it hold, to be found by that.
_SOMETHING: Final = 4
_MOST_WORDS: Final = 0.5
# A date that the question names, borne by one in twenty messages or fewer.
_RARE_DATE: Final = 3.0
# However many tokens there is room for.
_MOST: Final = 100


@dataclass(frozen=True, slots=True)
class Showing:
    """What config.json says of hits: the floor, their size, and how many.

    `floor` is the least share of a question's words that a hit holds, unless it is
    alike enough, or says something itself and most words stand right beside it. With
    `tokens`, whole chunks fill so many tokens, and neither `characters` nor the query's
    limit counts. `zone` is the person's, for the days that a question names.
    """

    floor: float = 0.15
    characters: int = EXCERPT
    tokens: int = 0
    zone: tzinfo = UTC


@dataclass(frozen=True, slots=True)
class Judging:
    """What the question's words weigh, and the cosine that means something."""

    weights: Mapping[str, float]
    likeness: float = 1.0


def memories(
    hits: Iterable[Hit],
    judging: Judging,
    query: Query,
    showing: Showing,
) -> Sequence[Memory]:
    """Give the hits that are good enough, best first, as many as there is room for."""
    good = _good(hits, judging, showing)
    if showing.tokens:
        return _filled(fold(good, query, _MOST), showing.tokens)
    return [
        _memory(chunk, hit, focus(chunk.text, judging.weights, showing.characters))
        for chunk, hit in fold(good, query, query.limit)
    ]


def _good(hits: Iterable[Hit], judging: Judging, showing: Showing) -> Iterator[Hit]:
    messages: set[int] = set()
    least = -math.inf
    for chunk, hit in hits:
        if hit.score < least:
            return
        least = max(least, hit.score - _FAR)
        is_alike = hit.cosine >= judging.likeness
        is_beside = hit.held >= _MOST_WORDS and hit.content >= _SOMETHING
        # Beside means in another message, not in another part of the same.
        is_answer = is_beside and chunk.seq not in messages
        is_of_the_day = hit.dated >= _RARE_DATE
        if hit.share >= showing.floor or is_alike or is_answer or is_of_the_day:
            messages.add(chunk.seq)
            yield chunk, hit


def _filled(hits: Iterable[Hit], tokens: int) -> list[Memory]:
    """Show hits whole while there is room; the first one always, if need be cut."""
    kept: list[Memory] = []
    for chunk, hit in hits:
        text = flatten(chunk.text)
        left = tokens - estimate_tokens(text)
        if left < 0:
            if not kept:
                begun = cut_bytes(text, tokens * _BYTES)
                kept.append(_memory(chunk, hit, begun))
            break
        tokens = left
        kept.append(_memory(chunk, hit, text))
    return kept


def _memory(chunk: Chunk, hit: Scored, shown: str) -> Memory:
    is_note = chunk.kind is Kind.NOTE
    return Memory(
        kind=chunk.kind,
        text=chunk.text,
        at=chunk.at,
        channel=chunk.channel,
        ref=f"note {chunk.seq}" if is_note else f"turn {chunk.turn}",
        thread=Thread.parse(chunk.thread) if chunk.thread else None,
        score=round(hit.score, 3),
        why=hit.why,
        shown=shown,
        role=chunk.role,
        person=chunk.person,
        untrusted=chunk.untrusted,
    )
