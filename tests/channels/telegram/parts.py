"""Doubles that the tests of this channel share: a drawer, and a time of our own."""

from __future__ import annotations

import asyncio
import heapq
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from apx.domain.turn import Part, PartState
from apx.testing import MemoryDrawer
from channels.telegram.client import Client
from channels.telegram.pace import Pace
from channels.telegram.places import Places
from channels.telegram.sending import Sender
from tests.servers.telegram import TOKEN
from tests.servers.telegram.furnished import ROOM

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

BOT = "main"


class HandTime:
    """A clock that stands until it is moved, and those who sleep by it.

    One that `flows` is moved by whoever sleeps.
    """

    def __init__(self) -> None:
        self.now = 1_000.0
        self.flows = False
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._slept = asyncio.Event()

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        if self.flows:
            self.now += seconds
            await asyncio.sleep(0)
            return
        waking = asyncio.get_running_loop().create_future()
        entry = (self.now + seconds, next(self._numbers), waking)
        heapq.heappush(self._sleepers, entry)
        self._slept.set()
        await waking

    @property
    def naps(self) -> list[float]:
        """How long those who sleep still have to, the shortest first."""
        awaited = [at for at, _, waking in self._sleepers if not waking.done()]
        return [at - self.now for at in sorted(awaited)]

    async def until_nap(self, seconds: float) -> None:
        """Wait until somebody sleeps for about so long."""
        while not any(abs(nap - seconds) < 0.01 for nap in self.naps):
            self._slept.clear()
            await self._slept.wait()

    async def move(self, seconds: float) -> None:
        """Let time pass, waking everybody in their turn."""
        end = self.now + seconds
        await settled()
        while self._sleepers and self._sleepers[0][0] <= end:
            at, _, waking = heapq.heappop(self._sleepers)
            self.now = max(at, self.now)
            if not waking.done():
                waking.set_result(None)
                await settled()
        self.now = end


async def settled() -> None:
    """Give all tasks that need no network their turns."""
    loop = asyncio.get_running_loop()
    await asyncio.sleep(0)
    while loop._ready:  # type: ignore[attr-defined] # noqa: ASYNC110 -- no event tells
        await asyncio.sleep(0)


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
