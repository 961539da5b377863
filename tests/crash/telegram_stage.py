"""A home on a loopback Telegram, its lives one after the other, and what people see."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from apx.store.verify import verify
from tests.crash import staging
from tests.crash.staging import LINES, REPEAT, Scene, counted, paired
from tests.servers.telegram import TOKEN, TelegramServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.servers.telegram import Seen

__all__ = ["REPEAT", "Lives", "Stage", "staged"]

# All of them are the owner's, but the stranger's.
OWNER: Final = 701
ALSO: Final = (702, 703, 704)
STRANGER: Final = 802
ROOM: Final = -1001000000903
CHATS: Final = (OWNER, *ALSO, STRANGER, ROOM)


class Lives(staging.Lives):
    """Makes processes of a house on Telegram."""

    def __init__(self) -> None:
        super().__init__("tests.crash.telegram_child")


class Stage(Scene):
    """The servers, the home, the people, and how a play went."""

    def __init__(self, home: Path, lives: staging.Lives) -> None:
        super().__init__(home)
        self.lives = lives
        self.telegram = TelegramServer()
        self.token = TOKEN
        self._polls = 0

    def configure(self, **memory: Any) -> None:
        """Write config.json."""
        bot = {
            "token": self.token,
            "base_url": self.telegram.origin,
            "groups": [str(ROOM)],
            "group_context": True,
        }
        self.write({"telegram": {"enabled": True, "bots": [bot]}}, **memory)

    async def live(self, point: str = "", chat: int = OWNER, **told: Any) -> None:
        """Have a life begin that ends at a point in a chat."""
        self._polls = self.telegram.polls
        await self.lives.begin(home=self.home, point=point, chat=chat, **told)

    def seen(
        self, word: str, chat: int = OWNER, topic: int | None = None
    ) -> tuple[int, int]:
        """Count the messages of the bot that hold a word: without a mark, and with."""
        return counted(word, self.telegram.texts(chat, topic))

    async def answered(
        self, word: str, chat: int = OWNER, wanted: tuple[int, int] = (1, 0)
    ) -> None:
        """Wait until the bot said a word so often, and all of what it said of it."""

        def holds() -> bool:
            whole = not self.mind.is_long or set(self.lines) == set(range(LINES))
            return self.seen(word, chat) == wanted and whole

        await self.telegram.until(holds, 45)

    @property
    def lines(self) -> list[int]:
        """Give the numbers of the lines of a long answer, as they are seen."""
        return staging.numbers(self.telegram.texts(OWNER))

    def unexplained(self) -> list[str]:
        """Give what the bot said that answers nothing and explains nothing."""
        return staging.unexplained(
            text for chat in CHATS for text in self.telegram.texts(chat)
        )

    def stoppable(self) -> list[Seen]:
        """Give what has a Stop button on anybody's screen."""
        sent = [one for chat in CHATS for one in self.telegram.sent(chat)]
        return [one for one in sent if "Stop" in one.buttons]

    async def rest(self) -> None:
        """Wait until a life has nothing left to do, as far as its ledger says."""
        # The second poll is the one after what came with the first was taken.
        await self.telegram.until(lambda: self.telegram.polls >= self._polls + 2)
        await self.idle()

    async def ends_well(self) -> None:
        """Let one more life look around, and leave: nothing of it may be left to do."""
        await self.rest()
        await self.lives.leave()
        before = {chat: self.telegram.texts(chat) for chat in CHATS}
        await self.live()
        await self.rest()
        await self.lives.leave()
        assert before == {chat: self.telegram.texts(chat) for chat in CHATS}
        assert self.left == []
        assert self.telegram.pending() == []
        assert self.telegram.complaints == []
        assert await verify(self.home / "ledger.db") == []
        assert "Traceback" not in (self.home / "stderr").read_text()


@asynccontextmanager
async def staged(home: Path, lives: staging.Lives) -> AsyncIterator[Stage]:
    """Open a stage with its owner, a stranger, and a room where both are."""
    await asyncio.to_thread(home.mkdir, 0o700)
    stage = Stage(home, lives)
    async with stage.telegram, stage.model:
        for account in (OWNER, *ALSO):
            stage.telegram.user(account, "Ana")
        stage.telegram.user(STRANGER, "Bob")
        stage.telegram.supergroup(ROOM, "Home")
        stage.configure()
        await paired(home, "telegram", OWNER, *ALSO)
        try:
            yield stage
        finally:
            if lives.pid:
                await lives.kill()
