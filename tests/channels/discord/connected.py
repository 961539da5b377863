"""A connection for tests: short waits, and ears that keep what they heard."""

from __future__ import annotations

import asyncio
import threading
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from discord.gateway import KeepAliveHandler

from apx.testing import MemoryDrawer, until
from channels.discord.client import Client
from channels.discord.connection import Connection, Place
from channels.discord.waits import Waits
from channels.shared.troubles import Troubles
from tests.servers.discord import TOKEN

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.servers.discord import DiscordServer

KEY = "channels.discord.bots[0].token"
SHORT = Waits(
    first=0.02, longest=0.1, token=0.05, connecting=0.6, silence=0.4, spaced=0.0
)


class RecordingEars:
    """Keeps what came, in its order."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, Any]] = []

    def ready(self, raw):
        self.heard.append(("ready", raw))

    def resumed(self):
        self.heard.append(("resumed", None))

    def guild(self, raw):
        self.heard.append(("guild", raw))

    def guild_gone(self, raw):
        self.heard.append(("guild_gone", raw))

    def thread(self, raw):
        self.heard.append(("thread", raw))

    def message(self, raw):
        self.heard.append(("message", raw))

    def edited(self, raw):
        self.heard.append(("edited", raw))

    def deleted(self, channel_id, message_ids):
        self.heard.append(("deleted", (channel_id, message_ids)))

    def interaction(self, raw):
        self.heard.append(("interaction", raw))

    def of(self, kind: str) -> list[Any]:
        return [raw for known, raw in self.heard if known == kind]

    def has(self, kind: str, times: int) -> bool:
        return len(self.of(kind)) >= times

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.heard]

    @property
    def texts(self) -> list[str]:
        return [raw["content"] for raw in self.of("message")]


@dataclass
class Connected:
    """A connection that runs, and all around it."""

    client: Client
    connection: Connection
    ears: RecordingEars
    troubles: Troubles
    drawer: MemoryDrawer
    failures: list[str] = field(default_factory=list)


def beating() -> int:
    """Count the threads that keep a connection alive, and do not end by themselves."""
    return sum(
        not thread._stop_ev.is_set()
        for thread in threading.enumerate()
        if isinstance(thread, KeepAliveHandler)
    )


def now() -> datetime:
    return datetime.now(UTC)


@asynccontextmanager
async def logged_in(token: str = TOKEN) -> AsyncIterator[Client]:
    """Open a client that Discord knows."""
    client = Client(token)
    try:
        await client.login()
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def connected(
    drawer: MemoryDrawer | None = None,
    waits: Waits = SHORT,
    token: str = TOKEN,
    ears: RecordingEars | None = None,
) -> AsyncIterator[Connected]:
    """Run a connection, and see that nothing of it fails where nobody looks."""
    drawer, ears = drawer or MemoryDrawer(), ears or RecordingEars()
    client, troubles = Client(token), Troubles(now)
    place = Place(client, troubles, waits, KEY)
    connection = Connection(place, ears, drawer, now)
    known = Connected(client, connection, ears, troubles, drawer)
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, told: known.failures.append(told["message"]))
    running = asyncio.create_task(connection.run())
    try:
        yield known
    finally:
        assert not running.done(), running
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
    assert known.failures == []
    assert beating() == 0


async def settled(known: Connected, discord: DiscordServer) -> None:
    """Wait until a session stands and its guilds are there."""
    await until(lambda: len(known.ears.of("guild")) >= 2 and discord.sessions())
