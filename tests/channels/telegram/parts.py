"""What the tests of this channel share: one bot's sending side, and its replies."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from apx.domain.turn import Part, PartState
from apx.testing import MemoryDrawer
from channels.telegram.client import Client
from channels.telegram.pace import Pace
from channels.telegram.places import Places
from channels.telegram.sending import Sender
from tests.channels.hand_time import HandTime
from tests.servers.telegram import TOKEN
from tests.servers.telegram.furnished import ROOM

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

BOT = "main"


@dataclass
class Outfit:
    """One bot's sending side."""

    client: Client
    places: Places
    pace: Pace
    sender: Sender
    drawer: MemoryDrawer
    time: HandTime
    noted: list[str] = field(default_factory=list)

    async def note(self, ids: str) -> None:
        self.noted.append(ids)

    async def deliver(self, part: Part) -> str:
        return await self.sender.deliver(part, self.note)

    def part(self, text: str, chat: int, topic: int | None = None, **more) -> Part:
        thread = self.places.thread(chat, topic)
        if more.pop("is_repeat", False):
            more["state"] = PartState.UNKNOWN
        return Part(
            **{"id": 51, "turn": 5, "number": 1} | more, thread=thread, text=text
        )


@asynccontextmanager
async def outfit(
    origin: str,
    drawer: MemoryDrawer | None = None,
    token: str = TOKEN,
    session=None,
) -> AsyncIterator[Outfit]:
    """Open a bot's sending side, as a process that starts does."""
    drawer, time = drawer or MemoryDrawer(), HandTime()
    client = Client(token, origin, session)
    places, pace = Places(BOT, drawer), Pace(time, time.sleep)
    await places.load()
    sender = Sender(client, places, pace, drawer, BOT)
    try:
        yield Outfit(client, places, pace, sender, drawer, time)
    finally:
        await sender.close()
        await client.close()


# -- replies that grow


def opened(bot: Outfit, chat: int, turn: int = 5, topic: int | None = None):
    """Open a reply that grows."""
    return bot.sender.live(bot.places.thread(chat, topic), turn)


async def shown(telegram, chat: int, text: str):
    """Wait until the last message of a chat is this, and give it."""
    await telegram.until(lambda: text in telegram.texts(chat)[-1:])
    return telegram.sent(chat)[-1]


async def placed(
    bot: Outfit, telegram, chat: int = ROOM, turn: int = 5, topic: int | None = None
):
    """Open a reply that stands in a message, and let a second pass."""
    live = opened(bot, chat, turn, topic)
    live.show("Well")
    await shown(telegram, chat, "Well")
    await bot.time.until_nap(1)
    await bot.time.move(1)
    return live
