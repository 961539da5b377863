"""Asks Telegram for one thing until it is done: before that, nothing else works."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import structlog

from apx.domain.errors import ChannelError, Unreachable
from channels.shared.failures import Answered, WrongToken
from channels.shared.troubles import REFUSED, SILENT, TOKEN, Troubles
from channels.shared.waiting import Backoff, pause
from channels.telegram.health import Health

if TYPE_CHECKING:
    from aiogram.methods import TelegramMethod

    from channels.telegram.client import Client
    from channels.telegram.waits import Waits

log = structlog.get_logger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Line:
    """A bot's line to Telegram, and how it is; `key` is where its token stands."""

    client: Client
    troubles: Troubles
    waits: Waits
    key: str

    def warn(self, kind: str, text: str) -> None:
        """Take note of a trouble, and log it once."""
        if self.troubles.has(kind, text):
            log.warning("telegram_trouble", trouble=text)

    async def unknown(self) -> None:
        """Wait for a token that is refused to be taken again."""
        self.warn(TOKEN, f"the token in {self.key} is refused")
        await asyncio.sleep(self.waits.token)
        await self.client.rebuild()

    async def unanswered(
        self, health: Health, error: Exception, backoff: Backoff, *, is_overdue: bool
    ) -> None:
        """Pause, and make the session anew if it was silent for too long.

        Raises `Exhausted` if that was done in vain. `is_overdue` says that the moment
        has passed that `health` gave.
        """
        seconds = pause(error, backoff)
        if isinstance(error, Answered):
            health.answered()
        elif isinstance(error, Unreachable):
            health.unasked()
        else:
            # Whoever waited for an answer has paused already.
            seconds = self.waits.first
            await self._unheard(health, is_overdue=is_overdue)
        await asyncio.sleep(seconds)

    async def _unheard(self, health: Health, *, is_overdue: bool) -> None:
        if health.unheard() or is_overdue:
            self.troubles.silent()
            log.warning("telegram_session_rebuilt")
            health.rebuilt()
            await self.client.rebuild()


async def insisted(line: Line, method: TelegramMethod[T]) -> T:
    """Have one thing done, or raise `Exhausted`."""
    health = Health(line.waits.silence, asyncio.get_running_loop().time)
    backoff = Backoff(line.waits.first, line.waits.longest)
    while True:
        deadline = asyncio.timeout_at(health.asking())
        try:
            async with deadline:
                done = await line.client.call(method)
        except WrongToken:
            health.answered()
            await line.unknown()
        except (Unreachable, TimeoutError) as error:
            if line.troubles.silent():
                log.warning("telegram_unreachable", error=type(error).__name__)
            is_overdue = deadline.expired()
            await line.unanswered(health, error, backoff, is_overdue=is_overdue)
        except ChannelError as error:
            health.answered()
            line.warn(REFUSED, str(error))
            await asyncio.sleep(backoff.next())
        else:
            line.troubles.over(REFUSED, SILENT, TOKEN)
            return done
