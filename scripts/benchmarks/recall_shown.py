"""What a turn is given, and how much of the evidence that holds."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from apx.domain.recall import Query
from apx.domain.text import estimate_tokens, flatten
from apx.domain.thread import Thread
from apx.memory.recall.recalled import Recalled
from apx.memory.recall.search import search
from apx.memory.recall.showing import Showing
from scripts.benchmarks.recall_engine import KEYS, Ours

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from apx.domain.chunk import Chunk
    from apx.domain.recall import Memory
    from apx.memory.recall.search import Answer, Asked, Meaning
    from scripts.benchmarks.recall_data import Corpus, Item
    from scripts.benchmarks.recall_engine import Embedded

WHOLE = 100_000
# How many hits, and how they are shown; the last three fill the block by tokens.
SETTINGS: Mapping[str, tuple[int, Showing]] = {
    "5 x 160": (5, Showing(characters=160)),
    "5 whole": (5, Showing(characters=WHOLE)),
    "10 whole": (10, Showing(characters=WHOLE)),
    "15 whole": (15, Showing(characters=WHOLE)),
    "block 256": (5, Showing(tokens=256)),
    "block 512": (5, Showing(tokens=512)),
    "block 1024": (5, Showing(tokens=1024)),
}
_ELSEWHERE = Thread.parse("bench:elsewhere")


@dataclass(frozen=True, slots=True)
class Turns:
    """The source that turns ask, over a shelf; the rooms around it are stand-ins."""

    store: Ours
    chunks: Mapping[int, Chunk]
    # A search takes longer than all that comes after it, and is asked again.
    answers: dict[tuple[int, bool], Answer] = field(default_factory=dict)

    @classmethod
    def of(cls, corpus: Corpus, embedded: Embedded | None) -> Turns:
        """Bring the chunks of a corpus in."""
        chunks = {row.id: row.chunk for row in corpus.rows}
        return cls(Ours.of(corpus.rows, embedded), chunks)

    def given(self, item: Item, limit: int, showing: Showing) -> Sequence[Memory]:
        """Give what the turn of a question is given."""
        query = Query(item.text, _ELSEWHERE, ("bench",), item.at, limit)
        rooms = cast("Any", _Rooms(self, item))
        source = Recalled(rooms, rooms, rooms, rooms, showing)
        return asyncio.run(source.fetch(query)).memories

    def search(self, item: Item, asked: Asked) -> Answer:
        """Search for a question, once with its vector and once without."""
        key = item.number, asked.meaning is not None
        if key not in self.answers:
            self.answers[key] = search([self.store.shelf], asked)
        return self.answers[key]


class _Rooms:
    """The chunks, the engine, the indexer and the spaces, as far as they are asked."""

    keys = KEYS

    def __init__(self, turns: Turns, item: Item) -> None:
        self._turns = turns
        self._item = item
        self.ready = asyncio.Event()
        self.ready.set()

    async def freshen(self) -> None:
        # Nothing is new, but the vector may come now.
        await asyncio.sleep(0)

    async def meaning(self, text: str) -> Meaning | None:
        del text
        return self._turns.store.meaning(self._item)

    async def find(self, asked: Asked, audiences: Sequence[str]) -> Answer:
        del audiences
        return self._turns.search(self._item, asked)

    async def read(self, ids: Iterable[int]) -> Mapping[int, Chunk]:
        return {one: self._turns.chunks[one] for one in ids}


def held(item: Item, chunks: Mapping[int, Chunk], given: Sequence[Memory]) -> float:
    """Give the share of the evidence's characters that a turn is given."""
    shown = {memory.ref: memory.shown or memory.text for memory in given}
    whole = [len(flatten(chunks[one].text)) for one in item.evidence]
    parts = [
        min(len(flatten(shown.get(f"turn {one}", "")).strip("…")), size)
        for one, size in zip(item.evidence, whole, strict=True)
    ]
    return sum(parts) / max(sum(whole), 1)


def evidence_held(
    corpus: Corpus, embedded: Embedded | None
) -> dict[str, tuple[float, float]]:
    """Give, by setting, the share of the evidence in the block, and its tokens."""
    turns = Turns.of(corpus, embedded)
    figures = {}
    for title, (limit, showing) in SETTINGS.items():
        shares, tokens = [], []
        for item in corpus.items:
            given = turns.given(item, limit, showing)
            shares.append(held(item, turns.chunks, given))
            tokens.append(sum(estimate_tokens(m.shown or m.text) for m in given))
        figures[title] = float(np.mean(shares)), float(np.mean(tokens))
    return figures


def printed(figures: dict[str, tuple[float, float]], name: str) -> None:
    """Print what each setting holds."""
    print(f"\nevidence held, {name}, all in one store: % of characters (tokens)")
    cells = [f"{t} {100 * share:.1f} ({n:.0f})" for t, (share, n) in figures.items()]
    print("  " + " · ".join(cells))
