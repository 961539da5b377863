"""What is said on Telegram is known on Discord, to the same person and nobody else."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.servers import OpenAIServer
from tests.servers.discord import BOT
from tests.servers.discord import TOKEN as DISCORD
from tests.servers.discord import furnished as at_discord
from tests.servers.telegram import TOKEN as TELEGRAM
from tests.servers.telegram import furnished as at_telegram

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.cli.conftest import Command
    from tests.servers.brain import Piece, Request
    from tests.servers.discord import DiscordServer
    from tests.servers.telegram import TelegramServer

CODE = re.compile(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b")
FACT = "the boiler's service contract is with Krambambuli and Sons"
TALK = "I am looking for a name for the new sailing boat"
ASKED = "who looks after the boiler?"
OTHER_THREADS = "# Hilos activos en otros canales"


class World:
    """Both platforms, a model that says little, and a home between them."""

    def __init__(
        self, apx: Command, telegram: TelegramServer, discord: DiscordServer
    ) -> None:
        self.apx = apx
        self.telegram = telegram
        self.discord = discord
        self.model = OpenAIServer(self._answer)
        self.here = discord.dm(at_discord.ANA)

    async def _answer(self, request: Request) -> AsyncIterator[Piece]:
        del request
        yield "Fine."

    def configure(self) -> None:
        telegram = {"token": TELEGRAM, "base_url": self.telegram.origin}
        discord = {"token": DISCORD, "guilds": [at_discord.HOME]}
        channels = {
            "telegram": {"enabled": True, "bots": [telegram]},
            "discord": {
                "enabled": True,
                "bots": [discord],
                "base_url": self.discord.origin,
            },
        }
        engine = {"base_url": self.model.base_url, "api_key": "k"}
        self.apx.config(
            json.dumps(
                {
                    "channels": channels,
                    "engines": {"openai": engine},
                    "super_agent": {"model": "openai:tiny"},
                }
            )
        )

    async def pair(self) -> None:
        """Make Ana of Telegram the owner, who links her account at Discord there."""
        said = await asyncio.to_thread(self.apx, "people", "pair")
        await self.on_telegram(CODE.findall(said)[0])
        await self.on_telegram("/link")
        code = CODE.findall(self.telegram.texts(at_telegram.ANA)[-1])[0]
        await self.on_discord(self.here, code)

    async def on_telegram(self, text: str) -> str:
        """Say something in the owner's private chat; gives the reply."""
        before = len(self.telegram.texts(at_telegram.ANA))
        self.telegram.say(text, at_telegram.ANA)
        await self.telegram.until(
            lambda: len(self.telegram.texts(at_telegram.ANA)) > before
        )
        return self.telegram.texts(at_telegram.ANA)[-1]

    async def on_discord(self, channel: int, text: str) -> str:
        """Say something at Discord; gives the reply."""
        before = len(self.discord.texts(channel))
        self.discord.say(channel, at_discord.ANA, text)
        await self.discord.until(lambda: len(self.discord.texts(channel)) > before)
        return self.discord.texts(channel)[-1]

    async def prompt(self, channel: int, calling: str = "") -> str:
        """Ask about the boiler; gives what the model was shown but its rules."""
        await self.on_discord(channel, f"{calling} {ASKED}")
        *_, request = (one for one in self.model.requests if ASKED in str(one.body))
        return "\n".join(message.text for message in request.messages[1:])

    async def indexed(self, word: str) -> None:
        """Ask until what was said can be found."""
        found = ""
        while word not in found:
            found = await asyncio.to_thread(self.apx, "memory", "search", word)


@pytest.fixture
async def world(apx: Command) -> AsyncIterator[World]:
    async with at_telegram.furnished() as telegram, at_discord.furnished() as discord:
        world = World(apx, telegram, discord)
        async with world.model:
            world.configure()
            await asyncio.to_thread(apx.daemon)
            yield world
            assert telegram.complaints == []
            assert discord.complaints == []


async def test_one_memory_behind_both(world: World) -> None:
    """Recalled in the linked private chat, with its source; in no guild's channel."""
    await world.pair()
    await world.on_telegram(FACT)
    await world.on_telegram("/new")
    await world.on_telegram(TALK)
    async with asyncio.timeout(40):
        await world.indexed("Krambambuli")

    private = await world.prompt(world.here)
    room = await world.prompt(at_discord.GENERAL, f"<@{BOT}>")

    assert "Krambambuli" in private
    assert "[telegram]" in private
    others = private[private.index(OTHER_THREADS) :]
    assert "sailing boat" in others
    for secret in ("Krambambuli", "sailing boat", OTHER_THREADS):
        assert secret not in room
