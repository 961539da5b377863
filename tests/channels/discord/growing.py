"""What the tests of replies that grow share: one bot that shows them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apx.domain.turn import Part
from apx.testing import MemoryDrawer
from channels.discord.client import Client
from channels.discord.live import DiscordWire
from channels.discord.message import Message, payload
from channels.discord.pace import Pace
from channels.discord.places import Places
from channels.discord.threads import Threads
from channels.shared.layout import Layout
from channels.shared.live import Lives
from channels.shared.placeholders import Placeholders
from tests.channels.hand_time import HandTime
from tests.servers.discord import TOKEN
from tests.servers.discord.furnished import ANA, GENERAL

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.servers.discord import DiscordServer

BOT = "main"
POSTS = "/channels/*/messages"
GAP = DiscordWire.gap
EDITS = "/channels/*/messages/*"


@dataclass
class Outfit:
    """One bot's growing replies; a final text is sent as plainly as can be."""

    client: Client
    places: Places
    pace: Pace
    lives: Lives[str]
    drawer: MemoryDrawer
    time: HandTime

    def open(self, channel: int, turn: int = 5, reply_to: int | None = None):
        """Open a reply that grows."""
        return self.lives.open(self.places.thread(channel), turn, reply_to)

    async def deliver(self, text: str, channel: int, turn: int = 5, part: int = 51):
        """Say the final text where the growing one was, or anew; gives its id."""
        thread = self.places.thread(channel)
        said = Part(part, turn, 1, thread, text)
        shown = await self.lives.claim(said)
        message = payload(Message(text, edits=shown))
        if shown is None:
            made = await self.client.call(
                "POST",
                "/channels/{channel}/messages",
                json=message,
                channel=channel,
            )
            return int(made["id"])
        await self.client.call(
            "PATCH",
            "/channels/{channel}/messages/{message}",
            json=message,
            channel=channel,
            message=shown,
        )
        return shown

    async def asked(self):
        """Return when the server has seen all that was asked before."""
        await self.client.call("GET", "/users/@me")


@asynccontextmanager
async def outfit(drawer: MemoryDrawer | None = None) -> AsyncIterator[Outfit]:
    """Open a bot that shows replies, as a process that starts does."""
    drawer, time = drawer or MemoryDrawer(), HandTime()
    client, places = Client(TOKEN), Places(BOT, drawer)
    pace, layout = Pace(time, time.sleep), Layout()
    await places.load()
    await client.login()
    wire = DiscordWire(client, places, Threads(client, places), pace)
    lives = Lives(wire, pace, Placeholders(BOT, drawer, time), layout)
    try:
        yield Outfit(client, places, pace, lives, drawer, time)
    finally:
        await lives.close()
        layout.close()
        await client.close()


async def shown(discord: DiscordServer, channel: int, text: str):
    """Wait until the last message of a channel is this, and give it."""
    await discord.until(lambda: text in discord.texts(channel)[-1:])
    return discord.sent(channel)[-1]


async def placed(
    bot: Outfit, discord: DiscordServer, channel: int = GENERAL, turn: int = 5
):
    """Open a reply that stands in a message, and let it rest."""
    live = bot.open(channel, turn)
    live.show("Well")
    await shown(discord, channel, "Well")
    await bot.time.until_nap(GAP)
    await bot.time.move(GAP)
    return live


async def private(bot: Outfit, discord: DiscordServer) -> int:
    """Give Ana's private chat, known to the bot."""
    channel = discord.dm(ANA)
    await bot.places.keep_dm(channel, ANA)
    return channel
