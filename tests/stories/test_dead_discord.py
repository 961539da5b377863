"""A Discord that does not answer takes nobody else down."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from tests.crash.staging import Scene, paired
from tests.crash.telegram_stage import OWNER
from tests.servers.discord import TOKEN as DISCORD
from tests.servers.discord import DiscordServer
from tests.servers.discord.furnished import furnish
from tests.servers.telegram import TOKEN, TelegramServer
from tests.stories.scene import ended

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.cli.conftest import Command


class Platforms:
    """A home on two platforms, one of which is in trouble."""

    def __init__(self, apx: Command) -> None:
        self.apx = apx
        self.scene = Scene(apx.home)
        self.telegram = TelegramServer()
        self.discord = DiscordServer()

    def configure(self) -> None:
        """Write config.json."""
        here = {"token": TOKEN, "base_url": self.telegram.origin}
        self.scene.write(
            {
                "telegram": {"enabled": True, "bots": [here]},
                "discord": {
                    "enabled": True,
                    "base_url": self.discord.origin,
                    "bots": [{"token": DISCORD}],
                },
            }
        )

    async def others_answer(self, word: str) -> None:
        """Have Telegram and a command answer."""
        self.telegram.say(f"what is {word}?")
        await self.telegram.until(lambda: word in str(self.telegram.texts(OWNER)))
        said = await asyncio.to_thread(self.apx, "exec", f"what is {word}?")
        assert word in said

    async def status_tells(self, words: str, event: str) -> None:
        """Wait for an event in the log, and have the status tell what is wrong."""
        log = self.apx.home / "apx.log"
        async with asyncio.timeout(40):
            while not log.exists() or event not in log.read_text():  # noqa: ASYNC110 -- another process writes there
                await asyncio.sleep(0.05)
            # What is logged is known to the status a moment later.
            while words not in await asyncio.to_thread(self.apx, "status"):
                pass


@pytest.fixture
async def platforms(apx: Command) -> AsyncIterator[Platforms]:
    apx.home.mkdir(mode=0o700)
    made = Platforms(apx)
    async with made.telegram, made.discord, made.scene.model:
        made.telegram.user(OWNER, "Ana")
        furnish(made.discord)
        made.configure()
        await paired(apx.home, "telegram", OWNER)
        yield made


async def test_telegram_and_the_terminal_go_on(platforms: Platforms):
    """It is down, then its gateway says nothing, then it refuses the token."""
    apx, discord = platforms.apx, platforms.discord
    await discord.down()
    process = await asyncio.to_thread(apx.daemon)
    await platforms.others_answer("zq1x")
    await platforms.status_tells("no answer from the server", "discord_unreachable")

    discord.greet("nothing", 9)
    await discord.up()
    await discord.until(lambda: discord.lines)
    await platforms.others_answer("zq2x")

    await discord.drop(4004)
    refused = "the token in channels.discord.bots[0].token is refused"
    await platforms.status_tells(refused, refused)
    await platforms.others_answer("zq3x")

    process.terminate()
    assert await ended(process) == 0
    lines = (apx.home / "apx.log").read_text().splitlines()
    told = [json.loads(line) for line in lines]
    assert [one for one in told if "exception" in one or one["level"] == "error"] == []
    assert discord.complaints == []
