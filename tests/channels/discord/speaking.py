"""What the tests of sending share: one bot that speaks."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from apx.domain.turn import Part, PartState
from apx.testing import MemoryDrawer
from channels.discord.client import Client
from channels.discord.pace import Pace
from channels.discord.places import Own, Places
from channels.discord.sending import Sender
from channels.discord.threads import Threads
from channels.shared.message_id import MessageId
from tests.channels.hand_time import HandTime
from tests.servers.discord import TOKEN
from tests.servers.discord.furnished import ANA, GENERAL

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

BOT = "main"
POSTS = "/channels/*/messages"
EDITS = "/channels/*/messages/*"
BEGINS = "/channels/*/messages/*/threads"


@dataclass
class Outfit:
    """One bot's sending side."""

    client: Client
    places: Places
    threads: Threads
    pace: Pace
    sender: Sender
    drawer: MemoryDrawer
    time: HandTime
    noted: list[str] = field(default_factory=list)

    async def note(self, ids: str) -> None:
        self.noted.append(ids)

    async def deliver(self, part: Part) -> str:
        return await self.sender.deliver(part, self.note)

    def part(self, text: str, channel: int = GENERAL, **more) -> Part:
        """Make a part; `asked` is the message that it answers, in that channel."""
        if more.pop("is_repeat", False):
            more["state"] = PartState.UNKNOWN
        if asked := more.pop("asked", 0):
            where = more.pop("asked_in", channel)
            more["answers"] = str(MessageId(self.client.app_id, where, asked))
        thread = self.places.thread(channel)
        given = {"id": 51, "turn": 5, "number": 1} | more
        return Part(**given, thread=thread, text=text)

    async def own(self, parent: int, message: int, title: str = "") -> int:
        """Have a message begin a thread of its own."""
        await self.places.keep_own(message, Own(parent, ANA), title)
        return message


@asynccontextmanager
async def outfit(drawer: MemoryDrawer | None = None) -> AsyncIterator[Outfit]:
    """Open a bot's sending side, as a process that starts does."""
    drawer, time = drawer or MemoryDrawer(), HandTime()
    time.flows = True
    client, places = Client(TOKEN), Places(BOT, drawer)
    pace, threads = Pace(time, time.sleep), Threads(client, places)
    await places.load()
    await client.login()
    sender = Sender(client, places, threads, pace, drawer, BOT)
    try:
        yield Outfit(client, places, threads, pace, sender, drawer, time)
    finally:
        await sender.close()
        await client.close()
