"""Owns how the benchmark fills an index: through memory.db, as the indexer does."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Final, TypeVar

import index_corpus as corpus
from index_vectors import Model

from apx.domain.space import Filling, Usual
from apx.memory.recall.codes import Codes, packed
from apx.memory.recall.engine import Engine
from apx.store.index.chunks import Chunks
from apx.store.index.file import opened
from apx.store.index.vectors import VectorStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from pathlib import Path

T = TypeVar("T")

USUAL: Final = Usual(0.32, 0.1)  # measured of the made-up vectors

_LEDGER: Final = "benchmark"


@dataclass(slots=True)
class Spent:
    """CPU seconds of all threads, by what they were spent on."""

    seconds: dict[str, float] = field(default_factory=dict)
    worst: dict[str, float] = field(default_factory=dict)

    async def on(self, what: str, job: Coroutine[Any, Any, T]) -> T:
        """Wait for a job and add what it took."""
        began = time.process_time()
        result = await job
        took = time.process_time() - began
        self.seconds[what] = self.seconds.get(what, 0.0) + took
        self.worst[what] = max(self.worst.get(what, 0.0), took)
        return result


@dataclass(frozen=True, slots=True)
class Home:
    """An open index."""

    chunks: Chunks
    vectors: VectorStore
    engine: Engine


@asynccontextmanager
async def opened_home(home: Path, arrays: str = "index") -> AsyncIterator[Home]:
    """Open the index of a directory, with its arrays beside it."""
    async with opened(home / "memory.db", _LEDGER) as database:
        chunks, vectors = Chunks(database), VectorStore(database)
        async with Engine.open(home / arrays, chunks, vectors) as engine:
            yield Home(chunks, vectors, engine)


async def fill_texts(home: Path, blocks: int) -> dict[str, Any]:
    """Fill a new index with chunks; gives what each step took."""
    await asyncio.to_thread(home.mkdir, parents=True)
    spent = Spent()
    async with opened_home(home) as index:
        await index.engine.ready.wait()
        for block in range(blocks):
            chunks = corpus.chunks(block)
            end = (block + 1) * corpus.BLOCK
            taken = await spent.on("sqlite", index.chunks.take(chunks, (), end))
            await spent.on("shelf", index.engine.take(taken))
        await spent.on("save", index.engine.save())
    return asdict(spent)


async def fill_vectors(home: Path, blocks: int, dims: int) -> dict[str, Any]:
    """Fill a new space and let it serve; gives what each step took."""
    model, ids, spent = Model.of(dims), count(1), Spent()
    async with opened_home(home) as index:
        await index.engine.ready.wait()
        space = await index.vectors.begin(f"made up, {dims}", USUAL)
        await index.vectors.serve(space.id)
        await index.engine.serve(space.id)
        for block in range(blocks):
            audience = corpus.audience_of(block)
            data = packed(Codes.of(model.block(block)))
            rows = [(next(ids), audience, one) for one in data]
            filling = Filling(rows, (), rows[0][0], rows[-1][0])
            filled = await spent.on("sqlite", index.vectors.fill(space.id, filling))
            await spent.on("shelf", index.engine.take_vectors(space.id, filled))
        await spent.on("save", index.engine.save())
    return asdict(spent)
