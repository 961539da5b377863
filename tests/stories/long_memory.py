"""Homes that remember much, and the house that is opened on them in this process."""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from apx.config import Config
from apx.domain.recall import Query
from apx.domain.thread import Thread
from apx.store.database import Database
from apx.store.schema import LEDGER
from apx.wiring import opened
from tests.servers.embedders import SERVERS
from tests.stories.scene import engine

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncIterator, Mapping, Sequence

    from apx.domain.recall import Recall
    from apx.wiring import House
    from tests.servers.embedding import EmbeddingServer

LONG: Final = bool(os.environ.get("APX_LONG"))
MAIN: Final = Thread("terminal", "main")
OWN: Final = ("private:owner",)
# What the broker has, and a little for what comes around it.
MOST: Final = 0.85
_LOOK: Final = 0.005
_BEGAN: Final = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)
_NAMES: Final = ("Ada", "Bruno", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hugo")
_PLACES: Final = ("the cellar", "the attic", "the green shed", "the hall", "the van")


class Provider(Protocol):
    """Whoever has an address."""

    @property
    def base_url(self) -> str:
        """What config.json would hold."""
        ...


def fact(number: int) -> str:
    """Say something that no other number says."""
    name = _NAMES[number % len(_NAMES)]
    place = _PLACES[number % len(_PLACES)]
    return f"{name} keeps the key of cabinet c{number} in {place}"


def asked(number: int) -> str:
    """Ask for a fact; the words are there, and so is what a vector needs."""
    return f"who has the key of cabinet c{number}?"


def settings(
    servers: Mapping[str, Provider] | None = None,
    *,
    model: str = "offline",
    **embeddings: Any,
) -> dict[str, Any]:
    """Give a config.json in which these servers are the providers."""
    servers = servers or {}
    models = {kind: {"model": "tiny"} for kind in servers}
    return {
        "super_agent": {"model": model},
        "engines": {kind: engine(kind, one.base_url) for kind, one in servers.items()},
        "memory": {"embeddings": {**models, **embeddings}},
    }


@asynccontextmanager
async def serving(*kinds: str) -> AsyncIterator[dict[str, EmbeddingServer]]:
    """Start the servers of several providers."""
    servers = {kind: SERVERS[kind]() for kind in kinds}
    for server in servers.values():
        await server.__aenter__()
    try:
        yield servers
    finally:
        for server in servers.values():
            await server.__aexit__()


@asynccontextmanager
async def house(
    home: Path, config: Mapping[str, Any], what: str = "apx run"
) -> AsyncIterator[House]:
    """Open a home as `apx run` does, without what it does in the background."""
    checked = Config.model_validate(config)
    async with opened(checked, home, what) as found:
        yield found


async def said(home: Path, texts: Sequence[str], first: int = 1) -> None:
    """Have a home's log say that a person wrote these messages, long ago."""
    await asyncio.to_thread(home.mkdir, mode=0o700, exist_ok=True)
    told = [json.dumps({"text": text}) for text in texts]

    def job(tx: sqlite3.Connection) -> None:
        tx.executemany(
            "insert into event values (?, ?, 'begin', 'terminal:past', ?, 'owner',"
            " 'private:owner', ?, ?)",
            (
                (seq, f"past/{seq}", seq, f"{_BEGAN + timedelta(seconds=seq)}", body)
                for seq, body in enumerate(told, start=first)
            ),
        )

    async with Database.open(home / "ledger.db", LEDGER) as database:
        await database.write(job)


@dataclass(frozen=True, slots=True)
class Timed:
    """A recall as its caller saw it, in seconds.

    `waited` is how long threads of ours could run and no processor was free; `lag` is
    how late the loop was at worst.
    """

    recall: Recall
    seconds: float
    waited: float
    lag: float

    @property
    def ours(self) -> float:
        """What of the time is not the machine's fault.

        A thread that ended meanwhile takes its share of the sum along.
        """
        return self.seconds - max(self.waited, 0.0)

    def has(self, number: int) -> bool:
        """Whether the fact was found."""
        return bool(self.why(number))

    def why(self, number: int) -> str:
        """Say how the fact was found, and nothing if it was not."""
        whys = (m.why for m in self.recall.memories if m.text == fact(number))
        return next(whys, "")


async def recalled(
    found: House, text: str, thread: Thread = MAIN, **query: Any
) -> Timed:
    """Ask the broker of a house what a turn would be given."""
    loop = asyncio.get_running_loop()
    broker = found.memory.broker(found.config)
    wanted = Query(text, thread, OWN, found.memory.clock(), **query)
    worst = [0.0]
    watch = asyncio.ensure_future(_watched(worst))
    waited, began = _waited(), loop.time()
    recall = await broker.recall(wanted)
    seconds = loop.time() - began
    watch.cancel()
    return Timed(recall, seconds, _waited() - waited, worst[0])


async def _watched(worst: list[float]) -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _LOOK
        await asyncio.sleep(_LOOK)
        worst[0] = max(worst[0], loop.time() - due)


def _waited() -> float:
    """Sum up how long our threads have waited for a processor, where that is told."""
    total = 0
    for task in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError):  # a thread that has just ended
            total += int(task.read_text().split()[1])
    return total / 1e9
