"""The way back to whoever gave a command or pressed, while Discord keeps it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar

import structlog

from apx.domain.errors import ChannelError, Undeliverable, Unreachable
from channels.discord.failures import Rejected
from channels.discord.message import Message, payload
from channels.shared.failures import WrongToken
from channels.shared.waiting import Backoff, pause

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from concurrent.futures import Future

    from apx.ports import Clock, Door
    from channels.discord.client import Client
    from channels.discord.interactions_reading import Ticket
    from channels.discord.places import Places
    from channels.discord.settings import BotSettings
    from channels.discord.waits import Waits
    from channels.shared.answering import Answers, Tell
    from channels.shared.journal import Journal

log = structlog.get_logger(__name__)

T = TypeVar("T")

EPHEMERAL: Final = 1 << 6
# A token lasts 15 minutes; the last of them is for whatever takes its time.
_LIFETIME: Final = timedelta(minutes=14, seconds=30)
# Whoever is not acknowledged after 3 seconds is told that the bot does not respond.
_ACKNOWLEDGING: Final = 2.5
_ACKNOWLEDGED: Final = 40060
_UNKNOWN_MESSAGE: Final = 10008
_NO_TOKEN: Final = frozenset({10015, 10062, 50027})
_NOT_THERE: Final = frozenset({401, 403, 404})


@dataclass(frozen=True, slots=True)
class Hands:
    """What interactions need: the door, and the ways to show what came of it."""

    door: Door
    client: Client
    places: Places
    answers: Answers
    tell: Tell
    journal: Journal
    settings: BotSettings
    clock: Clock
    waits: Waits


class Over(ChannelError):
    """An interaction cannot be answered any more."""


class Reply:
    """What may be said to one interaction; each raises `Over` when that is past.

    It is acknowledged at once: `ring` does so beside the loop. A network that fails is
    tried again as long as there is a way back, for somebody looks at "thinking".
    """

    def __init__(
        self, hands: Hands, ticket: Ticket, ring: Callable[[], Future[None]]
    ) -> None:
        self._ring = ring
        self._ringing = ring()
        self._client = hands.client
        self._clock = hands.clock
        self._waits = hands.waits
        self._ticket = ticket
        self._until = hands.clock() + _LIFETIME
        self._is_over = False

    async def acknowledged(self) -> None:
        """Wait until Discord knows that we heard; what is lost is said again.

        Whether it knows or not, what was asked for is done.
        """
        loop = asyncio.get_running_loop()
        backoff = Backoff(min(self._waits.first, 0.1), self._waits.longest)
        until, is_again = loop.time() + _ACKNOWLEDGING, False
        while True:
            try:
                await asyncio.wrap_future(self._ringing)
            except (Unreachable, TimeoutError) as error:
                log.info("discord_acknowledging", error=type(error).__name__)
                await asyncio.sleep(backoff.next())
            except ChannelError as error:
                # The first time it was somebody else, who may have told all to read.
                is_done = getattr(error, "code", 0) == _ACKNOWLEDGED
                self._is_over = not (is_done and is_again)
                log.info("discord_not_acknowledged", error=str(error))
                return
            else:
                return
            if loop.time() >= until:
                return
            self._ringing, is_again = self._ring(), True

    async def show(self, message: Message) -> None:
        """Put a message in place of "thinking", or below if that was dismissed."""
        token, said = self._ticket.token, payload(message)
        try:
            await self._lasting(
                lambda: self._client.interactions.edit_original(token, said)
            )
        except Rejected as error:
            if error.code != _UNKNOWN_MESSAGE:
                raise
            await self.add(message, EPHEMERAL)

    async def add(self, message: Message, flags: int = 0) -> None:
        """Say one more message; with `EPHEMERAL` to whoever asked alone."""
        said = payload(message)
        said["flags"] |= flags
        token = self._ticket.token
        await self._lasting(lambda: self._client.interactions.followup(token, said))

    async def rebutton(self, components: tuple[dict[str, Any], ...]) -> None:
        """Put other buttons under the message whose button was pressed."""
        token, said = self._ticket.token, {"components": list(components)}
        await self._lasting(
            lambda: self._client.interactions.edit_original(token, said)
        )

    async def withdraw(self) -> None:
        """Take "thinking" away; if that fails, it was taken away or is past."""
        try:
            await self._lasting(
                lambda: self._client.interactions.delete_original(self._ticket.token)
            )
        except ChannelError as error:
            log.info("discord_not_withdrawn", error=type(error).__name__)

    async def _lasting(self, call: Callable[[], Awaitable[T]]) -> T:
        backoff = Backoff(self._waits.first, self._waits.longest)
        while not self._is_over and self._clock() < self._until:
            try:
                return await call()
            except WrongToken:
                break
            except (Unreachable, TimeoutError) as error:
                await asyncio.sleep(pause(error, backoff))
            except ChannelError as error:
                if not _is_past(error):
                    raise
                break
        self._is_over = True
        raise Over("Discord keeps the way back no longer")


def _is_past(error: ChannelError) -> bool:
    """Whether what is refused is the whole way back, not what was said on it."""
    if isinstance(error, Rejected) and error.code != _UNKNOWN_MESSAGE:
        return error.code in _NO_TOKEN or error.status in _NOT_THERE
    return isinstance(error, Undeliverable)
