"""The rooms of recall, open on a directory, as wiring builds them."""

from collections import Counter
from collections.abc import Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from apx.domain.chunk import Chunk
from apx.domain.errors import ProviderUnavailable
from apx.domain.message import Role
from apx.domain.recall import Kind, Query
from apx.domain.thread import Thread
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
from apx.testing import WordEmbedder

MAIN = Thread("terminal", "main")
OWNERS = "private:owner"
BEGAN = datetime(2026, 5, 1, 9, tzinfo=UTC)
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


class NoEmbedders:
    """Nobody embeds."""

    wanted = ""

    def is_wanted(self, identity: str, provider: str = "") -> bool:
        """Say no."""
        del identity, provider
        return False

    failures: ClassVar[dict[str, str]] = {}

    def forgive(self) -> None:
        """Nobody was down."""

    async def choose(self, serving: str) -> None:
        """Give nobody."""

    async def named(self, provider: str) -> None:
        """Give nobody."""

    async def revive(self, identity: str) -> None:
        """Give nobody."""


class Embedders:
    """Has embedders by their names, of which `wanted` is used."""

    def __init__(self, **known: Any) -> None:
        self.known: dict[str, Any] = known
        self.wanted = next(iter(known), "")
        self.failures: dict[str, str] = {}

    def forgive(self) -> None:
        """Nobody was down."""

    async def choose(self, serving: str) -> Any:
        """Give the one that is wanted."""
        del serving
        return self.known.get(self.wanted)

    def is_wanted(self, identity: str, provider: str = "") -> bool:
        """Compare with the one that is wanted."""
        wanted = self.known.get(provider or self.wanted)
        return bool(wanted and wanted.identity == identity)

    async def named(self, provider: str) -> Any:
        """Give one by its name."""
        return self.known.get(provider)

    async def revive(self, identity: str) -> Any:
        """Give one by its identity."""
        found = (one for one in self.known.values() if one.identity == identity)
        return next(found, None)


class Breaking(WordEmbedder):
    """Breaks down at one of its calls, counted from 1, and is well again then."""

    def __init__(self, at: int = 0) -> None:
        super().__init__()
        self.breaks_at = at

    async def _asked(self, texts: Sequence[str]) -> None:
        await super()._asked(texts)
        if len(self.calls) == self.breaks_at:
            raise ProviderUnavailable("down", provider="test", refused=True)

    @property
    def embedded(self) -> Counter[str]:
        """How often each fact was embedded, but for the call that broke."""
        whole = [c for n, c in enumerate(self.calls, 1) if n != self.breaks_at]
        return Counter(text for call in whole for text in call if "fact" in text)


@dataclass
class Rooms:
    """What a test reaches for."""

    database: Any
    chunks: Chunks
    vectors: VectorStore
    engine: Engine
    meanings: Meanings
    spaces: Spaces
    indexer: Indexer
    recalled: Recalled

    async def put(self, *said: Chunk, forgotten: Any = ()) -> list[int]:
        """Bring chunks into the index as a pass of the indexer would; gives the ids."""
        seq = await self.chunks.cursor() + 1
        # A note is forgotten by the `seq` that it came with.
        numbered = [
            one if one.kind is Kind.NOTE else replace(one, seq=seq + place)
            for place, one in enumerate(said)
        ]
        taken = await self.chunks.take(numbered, forgotten, seq + len(said))
        await self.engine.take(taken)
        return [one.id for one in taken.added]

    async def found(self, text: str, **changes: Any) -> list[str]:
        """Ask, and give the texts of what was found."""
        return [one.text for one in (await self.fetch(text, **changes)).memories]

    async def fetch(self, text: str, **changes: Any) -> Any:
        """Ask for what fits a text."""
        return await self.recalled.fetch(query(text, **changes))

    async def done(self, name: str = "state") -> list[Any]:
        """Give a column of all spaces, the oldest first."""
        return [getattr(space, name) for space in await self.vectors.spaces()]


def query(text: str, **changes: Any) -> Query:
    """Make a question of the owner."""
    return replace(Query(text, MAIN, (OWNERS,), NOW), **changes)


def said(text: str, minute: int = 0, **changes: Any) -> Chunk:
    """Make what a person said in the main thread, some minutes after it began."""
    chunk = Chunk(
        seq=minute + 1,
        kind=Kind.MESSAGE,
        role=Role.USER,
        text=text,
        at=BEGAN + timedelta(minutes=minute),
        turn=minute + 1,
        thread="terminal:main",
        channel="terminal",
        person="owner",
        audience=OWNERS,
    )
    return replace(chunk, **changes)


@asynccontextmanager
async def rooms(
    path: Any,
    history: Any,
    embedders: Any = None,
    showing: Any = None,
    patience: Any = None,
    *,
    daily: int = 0,
) -> Any:
    """Open memory.db beside a ledger; close it all at the end."""
    async with file.opened(path / "memory.db", await history.ledger_id()) as database:
        chunks, vectors = Chunks(database), VectorStore(database)
        async with Engine.open(path / "index", chunks, vectors) as engine:
            meanings = Meanings()
            meter = Meter(vectors, lambda: NOW, daily)
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
            try:
                yield Rooms(
                    database,
                    chunks,
                    vectors,
                    engine,
                    meanings,
                    spaces,
                    indexer,
                    recalled,
                )
            finally:
                await indexer.aclose()
                await meanings.aclose()


# What is asked of an embedder that is new, before it embeds any chunk.
CALIBRATION = 21


def facts(many: int, first: int = 0) -> list[Any]:
    """Give chunks that say so many facts, each with a word of its own."""
    return [said(f"fact{n} about boats", n) for n in range(first, first + many)]


async def filled(memory: Any) -> list[int]:
    """Give for each space how many vectors it has."""
    sizes = await memory.vectors.sizes()
    return [sizes.get(space.id, 0) for space in await memory.vectors.spaces()]
