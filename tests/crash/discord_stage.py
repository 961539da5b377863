"""A home on a loopback Discord, its lives one after the other, and what people see."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import asynccontextmanager, closing
from typing import TYPE_CHECKING, Any, Final

from apx.store.database import Database
from apx.store.drawers import ChannelDrawer
from apx.store.schema import LEDGER
from apx.store.verify import verify
from tests.crash import staging
from tests.crash.discord_child import HEARD
from tests.crash.staging import LINES, Scene, counted, paired
from tests.servers.discord import BOT, TOKEN, DiscordServer
from tests.servers.discord.furnished import ANA, BEN, GENERAL, HOME, furnish

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.servers.discord import Seen

CALL: Final = f"<@{BOT}>"
# They are the owner's, too.
ALSO: Final = tuple(700_000_000_000_000_000 + number for number in range(71, 82))


class Lives(staging.Lives):
    """Makes processes of a house on Discord."""

    def __init__(self) -> None:
        super().__init__("tests.crash.discord_child")


class Stage(Scene):
    """The servers, the home, the people, and how a play went.

    `dm` is the owner's private chat, `others` those of their other accounts and, last,
    of a stranger.
    """

    def __init__(self, home: Path, lives: staging.Lives) -> None:
        super().__init__(home)
        self.lives = lives
        self.discord = DiscordServer()
        self.token = TOKEN
        self.guilds = [str(HOME)]
        self.thread_mode = "auto"
        self.dm = 0
        self.others: tuple[int, ...] = ()
        self._heard = 0

    def furnish(self) -> None:
        """Put people and rooms into it."""
        furnish(self.discord)
        for number in ALSO:
            self.discord.user(number, "Ana")
        self.dm = self.discord.dm(ANA)
        self.others = tuple(self.discord.dm(user) for user in (*ALSO, BEN))

    def configure(self, *, more: Any = None, **memory: Any) -> None:
        """Write config.json."""
        bot = {
            "token": self.token,
            "guilds": self.guilds,
            "guild_context": True,
            "thread_mode": self.thread_mode,
            **(more or {}),
        }
        told = {"enabled": True, "base_url": self.discord.origin, "bots": [bot]}
        self.write({"discord": told}, **memory)

    async def live(self, point: str = "", chat: int = 0, **told: Any) -> None:
        """Have a life begin that ends at a point in a chat."""
        self._heard = self.said(HEARD)
        self._forget_starts()
        chat = chat or self.dm
        await self.lives.begin(home=self.home, point=point, chat=chat, **told)

    async def heard(self) -> None:
        """Wait until a life listens, and has heard what was said before."""
        await self.says(HEARD, self._heard)

    def _forget_starts(self) -> None:
        """Have a day go by for whoever spaces fresh sessions."""
        sql = "delete from drawer where key like 'identifies/%'"
        with closing(sqlite3.connect(self.home / "ledger.db")) as ledger, ledger:
            ledger.execute(sql)

    @property
    def chats(self) -> tuple[int, ...]:
        """All places with what the bot may have said in them."""
        rooms = [
            number
            for number, channel in self.discord.channels.items()
            if channel.guild is not None
        ]
        return (self.dm, *self.others, *rooms)

    def texts(self, chat: int) -> list[str]:
        """Give what the bot says in a channel, threads that began there included."""
        rooms = [chat, *self.discord.threads(chat)]
        return [text for room in rooms for text in self.discord.texts(room)]

    def seen(self, word: str, chat: int = 0) -> tuple[int, int]:
        """Count the messages of the bot that hold a word: without a mark, and with."""
        return counted(word, self.texts(chat or self.dm))

    async def answered(
        self, word: str, chat: int = 0, wanted: tuple[int, int] = (1, 0)
    ) -> None:
        """Wait until the bot said a word so often, and all of what it said of it."""

        def holds() -> bool:
            whole = not self.mind.is_long or set(self.lines) == set(range(LINES))
            return self.seen(word, chat) == wanted and whole

        await self.discord.until(holds, 45)

    def became(self, word: str, chat: int) -> str:
        """Say how a message ended."""
        is_told = self.is_told(word)
        return staging.became(*self.seen(word, chat), is_told=is_told)

    @property
    def lines(self) -> list[int]:
        """Give the numbers of the lines of a long answer, as they are seen."""
        return staging.numbers(self.texts(self.dm))

    def unexplained(self) -> list[str]:
        """Give what the bot said that answers nothing and explains nothing."""
        return staging.unexplained(
            text for chat in self.chats for text in self.discord.texts(chat)
        )

    def stoppable(self) -> list[Seen]:
        """Give what has a Stop button on anybody's screen."""
        sent = [one for chat in self.chats for one in self.discord.sent(chat)]
        return [one for one in sent if "Stop" in one.buttons]

    async def rest(self) -> None:
        """Wait until a life has nothing left to do, as far as its ledger says."""
        # After many lives that were too short, much is left to be read.
        await self.says(HEARD, self._heard, 240)
        await self.idle()

    async def ends_well(self) -> None:
        """Let one more life look around, and leave: nothing of it may be left to do."""
        await self.rest()
        await self.lives.leave()
        before = self._screens()
        await self.live()
        await self.rest()
        await self.lives.leave()
        assert before == self._screens()
        assert self.left == []
        assert self.discord.complaints == []
        assert await verify(self.home / "ledger.db") == []
        assert "Traceback" not in (self.home / "stderr").read_text()

    def _screens(self) -> dict[int, list[str]]:
        return {chat: list(self.discord.texts(chat)) for chat in self.chats}


@asynccontextmanager
async def staged(home: Path, lives: staging.Lives) -> AsyncIterator[Stage]:
    """Open a stage with its owner, a stranger, and a guild where both are."""
    await asyncio.to_thread(home.mkdir, 0o700)
    stage = Stage(home, lives)
    async with stage.discord, stage.model:
        stage.furnish()
        stage.configure()
        await paired(home, "discord", ANA, *ALSO)
        await _known(stage)
        try:
            yield stage
        finally:
            if lives.pid:
                await lives.kill()


async def _known(stage: Stage) -> None:
    """Have the bot know the private chats in which codes were entered."""
    async with Database.open(stage.home / "ledger.db", LEDGER) as database:
        drawer = ChannelDrawer(database, "discord")
        for user in (ANA, *ALSO):
            await drawer.put(f"dm/main/{stage.discord.dm(user)}", str(user))


__all__ = ["CALL", "GENERAL", "Lives", "Stage", "staged"]
