"""What recall is made of: memory.db, its arrays, its embedders."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apx.memory.filling import Meter
from apx.memory.indexer import Indexer
from apx.memory.meaning import Meanings
from apx.memory.recall.engine import Engine
from apx.memory.recall.recalled import Patience, Recalled
from apx.memory.recall.showing import Showing
from apx.memory.reindexing import Reindexing
from apx.memory.spaces import Spaces
from apx.store.index import file
from apx.store.index.chunks import Chunks
from apx.store.index.vectors import VectorStore
from apx.wiring.embedders import Embedders

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime, tzinfo
    from pathlib import Path

    from apx.agent.spending import Budgets
    from apx.config import Config
    from apx.ports import Clock, Source
    from apx.store.database import Database
    from apx.store.history import History


@dataclass(frozen=True, slots=True)
class Place:
    """Where memory lives, in which zone, and whether its process stays for long."""

    home: Path
    stays: bool
    zone: tzinfo


@dataclass(slots=True)
class Recalling:
    """The rooms of recall; `source` is what a turn asks."""

    chunks: Chunks
    vectors: VectorStore
    engine: Engine
    indexer: Indexer
    embedders: Embedders
    spaces: Spaces
    reindexing: Reindexing
    source: Source
    clock: Clock
    index: Database
    meter: Meter
    patience: Patience
    passed_at: datetime | None = None

    async def keep_up(self) -> None:
        """Index what is new, embed what lacks a vector, save what is large."""
        await self.indexer.catch_up()
        await self.spaces.fill()
        await self.engine.save()
        self.passed_at = self.clock()


@asynccontextmanager
async def recalling(
    config: Config, place: Place, clock: Clock, history: History, budgets: Budgets
) -> AsyncIterator[Recalling]:
    """Open memory.db beside a ledger, and all that works on it."""
    async with AsyncExitStack() as stack:
        ledger_id = await history.ledger_id()
        index = await stack.enter_async_context(
            file.opened(place.home / "memory.db", ledger_id)
        )
        chunks, vectors = Chunks(index), VectorStore(index)
        engine = await stack.enter_async_context(
            Engine.open(place.home / "index", chunks, vectors)
        )
        embedders = Embedders(config, loads_models=place.stays, count=budgets.count)
        stack.push_async_callback(embedders.aclose)
        meanings = Meanings()
        stack.push_async_callback(meanings.aclose)
        meter = Meter(vectors, clock, config.memory.embeddings.daily_tokens, budgets)
        spaces = Spaces(vectors, engine, embedders, meter, meanings)
        indexer = Indexer(history, chunks, engine, place.zone)
        stack.push_async_callback(indexer.aclose)
        source = Recalled(
            chunks, engine, indexer, spaces, _showing(config, place), _patience(config)
        )
        reindexing = Reindexing(spaces, indexer, engine)
        stack.push_async_callback(reindexing.aclose)
        yield Recalling(
            chunks=chunks,
            vectors=vectors,
            engine=engine,
            indexer=indexer,
            embedders=embedders,
            spaces=spaces,
            reindexing=reindexing,
            source=source,
            clock=clock,
            index=index,
            meter=meter,
            patience=_patience(config),
        )


def _showing(config: Config, place: Place) -> Showing:
    memory = config.memory
    return Showing(
        floor=memory.recall.min_score,
        characters=memory.excerpt_chars,
        tokens=memory.block_tokens,
        zone=place.zone,
    )


def _patience(config: Config) -> Patience:
    """Wait for what may be late, but leave time for what comes after it."""
    budget = config.memory.broker_budget_ms / 1000
    return Patience(loading=budget / 2, vector=budget * 0.8)
