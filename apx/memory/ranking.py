"""Which of the found chunks answer a query: a pure rule.

The score of a chunk is the share of the query's information that it holds: the sum
of the IDF of the query's words in it, over the sum for all words of the query. It
lies between 0 and 1 and means the same whatever the size of the store.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.message import Role
from apx.domain.recall import Kind, Memory
from apx.domain.text import normal, terms
from apx.domain.thread import Thread
from apx.memory.focus import focus

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from apx.domain.chunk import Chunk, Found

# What was deliberately kept first, then what people said; a question seldom
# answers another one.
_NOTE: Final = 1.3
_PERSON: Final = 1.1
_QUESTION: Final = 0.5


@dataclass(frozen=True, slots=True)
class Terms:
    """A query's words with what each is worth."""

    weights: Mapping[str, float]

    @classmethod
    def weigh(cls, words: Sequence[str], counts: Mapping[str, int], size: int) -> Terms:
        """Weigh words by how rare they are among `size` chunks (BM25's IDF)."""
        return cls(
            {
                word: math.log(1 + (size - count + 0.5) / (count + 0.5))
                for word in words
                if (count := min(counts.get(word, 0), size)) >= 0
            }
        )

    def share(self, text: str) -> float:
        """Say how much of the query a text holds, from 0 to 1."""
        there = self.weights.keys() & set(terms(text))
        total = sum(self.weights.values())
        return sum(self.weights[word] for word in there) / total if total else 0.0


def rank(
    query: str, found: Iterable[Found], words: Terms, floor: float
) -> list[Memory]:
    """Order chunks by their score; those below the floor or that ask the same go."""
    asked = normal(query)
    ranked = []
    for hit in found:
        share = words.share(hit.chunk.text)
        if share < floor or normal(hit.chunk.text) == asked:
            continue
        order = (share * _worth(hit.chunk), hit.rank, hit.chunk.seq)
        shown = focus(hit.chunk.text, words.weights)
        ranked.append((order, _memory(hit.chunk, share, order[0], shown)))
    ranked.sort(key=lambda entry: entry[0], reverse=True)
    return [memory for _, memory in ranked]


def _worth(chunk: Chunk) -> float:
    if chunk.kind is Kind.NOTE:
        return _NOTE
    worth = _PERSON if chunk.role is Role.USER else 1.0
    is_question = chunk.text.rstrip().endswith(("?", "\N{FULLWIDTH QUESTION MARK}"))
    return worth * _QUESTION if is_question else worth


def _memory(chunk: Chunk, share: float, score: float, shown: str) -> Memory:
    is_note = chunk.kind is Kind.NOTE
    return Memory(
        kind=chunk.kind,
        text=chunk.text,
        at=chunk.at,
        channel=chunk.channel,
        ref=f"note {chunk.seq}" if is_note else f"turn {chunk.turn}",
        thread=Thread.parse(chunk.thread) if chunk.thread else None,
        score=round(score, 3),
        why=f"lexical {share:.2f}",
        shown=shown,
    )
