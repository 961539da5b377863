"""The rooms of recall, open on a directory, as wiring builds them."""

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from apx.memory.filling import Meter
from apx.memory.indexer import Indexer
from apx.memory.meaning import Meanings
from apx.memory.recall.engine import Engine
from apx.memory.recall.recalled import Patience, Recalled
from apx.memory.recall.showing import Showing
from apx.memory.spaces import Spaces
from apx.store.index import file
from apx.store.index.chunks import Chunks
from apx.store.index.vectors import VectorStore


class NoEmbedders:
    """Nobody embeds."""

    async def choose(self, serving: str) -> None:
        """Give nobody."""

    async def named(self, provider: str) -> None:
        """Give nobody."""

    async def revive(self, identity: str) -> None:
        """Give nobody."""


@dataclass
class Rooms:
    """What a test reaches for."""

    chunks: Chunks
    vectors: VectorStore
    engine: Engine
    spaces: Spaces
    indexer: Indexer
    recalled: Recalled


@asynccontextmanager
async def rooms(
    path: Any,
    history: Any,
    embedders: Any = None,
    showing: Any = None,
    patience: Any = None,
) -> Any:
    """Open memory.db beside a ledger; close it all at the end."""
    async with file.opened(path / "memory.db", await history.ledger_id()) as database:
        chunks, vectors = Chunks(database), VectorStore(database)
        async with Engine.open(path / "index", chunks, vectors) as engine:
            meanings = Meanings()
            meter = Meter(vectors, lambda: None, 0)  # type: ignore[arg-type, return-value]
            who = embedders or NoEmbedders()
            spaces = Spaces(vectors, engine, who, meter, meanings)
            await spaces.start()
            indexer = Indexer(history, chunks, engine)
            recalled = Recalled(
                chunks,
                engine,
                indexer,
                spaces,
                showing or Showing(),
                patience or Patience(),
            )
            yield Rooms(chunks, vectors, engine, spaces, indexer, recalled)
            await meanings.aclose()
