"""Owns which of several hits say the same, or what a newer one took back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from apx.domain.recall import Kind
from apx.domain.text import normal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apx.domain.chunk import Chunk
    from apx.domain.recall import Query
    from apx.memory.recall.search import Scored

    Hit = tuple[Chunk, Scored]

# Texts that share this much of their words say the same.
_ALIKE: Final = 0.9
# A message of up to this many times a note's length says no more than the note.
_AROUND: Final = 2


def fold(hits: Iterable[Hit], query: Query, enough: int) -> Sequence[Hit]:
    """Give the first hits, but what only asks the same, and of near equals only one.

    A note stays rather than a message, else the newer one.
    """
    asked = normal(query.text)
    kept: list[_Said] = []
    for chunk, hit in hits:
        new = _Said.of(chunk, hit)
        if new.text == asked:
            continue
        twin = next((n for n, one in enumerate(kept) if _alike(new, one)), None)
        if twin is not None:
            kept[twin] = _better(kept[twin], new)
        elif len(kept) == enough:
            break
        else:
            kept.append(new)
    return [(one.chunk, one.hit) for one in kept]


@dataclass(frozen=True, slots=True)
class _Said:
    chunk: Chunk
    hit: Scored
    text: str
    words: frozenset[str]

    @classmethod
    def of(cls, chunk: Chunk, hit: Scored) -> _Said:
        text = normal(chunk.text)
        return cls(chunk, hit, text, frozenset(text.split()))

    @property
    def is_note(self) -> bool:
        return self.chunk.kind is Kind.NOTE


def _alike(one: _Said, other: _Said) -> bool:
    if len(one.words & other.words) >= _ALIKE * len(one.words | other.words):
        return True
    return _is_most_of(one, other) or _is_most_of(other, one)


def _is_most_of(note: _Said, said: _Said) -> bool:
    """Whether a message says a note and little else, as the one that asked for it."""
    inside = note.is_note and note.text in said.text
    return inside and len(said.text) <= _AROUND * len(note.text)


def _better(kept: _Said, new: _Said) -> _Said:
    """Give the better text the place and the score of the one that is kept."""
    is_better = (new.is_note, new.chunk.at) > (kept.is_note, kept.chunk.at)
    return replace(new, hit=kept.hit) if is_better else kept
