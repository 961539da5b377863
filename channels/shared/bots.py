"""Several bots of a platform as one channel: which of them a thread is of."""

from __future__ import annotations

import asyncio
import gc
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final, Protocol

import structlog

from apx.domain.errors import ApxError, Exhausted, Undeliverable, Unreachable
from channels.shared.troubles import STOPPED, Troubles
from channels.shared.waiting import Backoff

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from apx.domain.attachment import Attachment
    from apx.domain.heard import Notice
    from apx.domain.person import Account
    from apx.domain.thread import Thread
    from apx.domain.turn import Part
    from apx.ports import Clock, Door, LiveReply, Sent

log = structlog.get_logger(__name__)

_LIFETIME: Final = 86_400.0
# A bot that stopped is started again after so long, then twice that.
_FIRST: Final = 5.0
_LONGEST: Final = 60.0


class Voice(Protocol):
    """What one bot says, as a channel does."""

    async def deliver(self, part: Part, note: Sent) -> str:
        """Send a part."""
        ...

    async def tell(self, thread: Thread, notice: Notice) -> None:
        """Say something unasked."""
        ...

    def live(self, thread: Thread, turn: int, answers: str) -> LiveReply:
        """Open what the person watches while a turn runs."""
        ...


class Bot(Protocol):
    """One bot at work."""

    @property
    def sender(self) -> Voice:
        """Its voice."""
        ...

    @property
    def troubles(self) -> Troubles:
        """What is wrong with it."""
        ...

    @property
    def is_connected(self) -> bool:
        """Whether its platform knew it and answers."""
        ...

    async def run(self, door: Door) -> None:
        """Hear and answer until cancelled, or raise `Exhausted` in a group."""
        ...

    async def run_anew(self, door: Door) -> None:
        """Run again, over new connections."""
        ...

    def download(self, file: Attachment) -> AsyncGenerator[bytes, None]:
        """Give the bytes of an attachment."""
        ...

    async def has_member(self, thread: Thread, account: Account) -> bool:
        """Whether an account can read a thread of this bot, as is said now."""
        ...

    async def close(self) -> None:
        """Hang up."""
        ...


class Bots(ABC):
    """The `Channel` of a platform, whose package is imported when bots begin to run."""

    name: str
    lifetime: float | None = _LIFETIME
    first: float = _FIRST
    longest: float = _LONGEST

    def __init__(self, names: Sequence[str], clock: Clock) -> None:
        self._troubles = {name: Troubles(clock) for name in names}
        self._bots: dict[str, Bot] = {}

    @abstractmethod
    def load(self) -> None:
        """Import the platform's package, in a thread."""

    @abstractmethod
    def made(self) -> Mapping[str, Bot]:
        """Make all bots, by their names; one without a token that could be has trouble.

        Such a one is told of by `trouble`.
        """

    def trouble(self, name: str, kind: str, text: str) -> None:
        """Tell people of a bot that could not be made."""
        self._troubles[name].has(kind, text)

    @property
    def problems(self) -> Mapping[str, str]:
        """What is wrong with each bot; those that are well are not in it."""
        return {
            name: troubles.text
            for name, troubles in self._troubles.items()
            if troubles.text
        }

    async def run(self, door: Door) -> None:
        """Hear messages until cancelled, or raise `Exhausted`."""
        # A second of work or two: whoever asks something meanwhile is answered.
        await asyncio.to_thread(self.load)
        # What was imported stays. Else each full collection looks through all of it,
        # and holds the loop for a tenth of a second.
        gc.freeze()
        self._bots = dict(self.made())
        self._troubles |= {name: bot.troubles for name, bot in self._bots.items()}
        spent = False
        try:
            async with asyncio.TaskGroup() as group:
                for name, bot in self._bots.items():
                    group.create_task(self._kept(name, bot, door))
                await asyncio.Event().wait()
        except* Exhausted:
            spent = True
        finally:
            bots, self._bots = self._bots, {}
            for bot in bots.values():
                await bot.close()
        if spent:
            platform = self.name.capitalize()
            raise Exhausted(
                f"{platform} does not answer, and new connections do not help"
            )

    def reaches(self, thread: Thread) -> bool:
        """Whether the bot of a thread is connected."""
        bot = self._bots.get(_bot(thread))
        return bot is not None and bot.is_connected

    async def deliver(self, part: Part, note: Sent) -> str:
        """Send a part through the bot of its thread; gives the ids of its messages."""
        return await self._of(part.thread).sender.deliver(part, note)

    async def tell(self, thread: Thread, notice: Notice) -> None:
        """Say something unasked."""
        await self._of(thread).sender.tell(thread, notice)

    def live(self, thread: Thread, turn: int, answers: str) -> LiveReply:
        """Open what the person watches; nothing while the bot does not run."""
        bot = self._bots.get(_bot(thread))
        return Unseen() if bot is None else bot.sender.live(thread, turn, answers)

    async def fetch(
        self, thread: Thread, file: Attachment
    ) -> AsyncGenerator[bytes, None]:
        """Give the bytes of an attachment."""
        async for chunk in self._of(thread).download(file):
            yield chunk

    async def has_member(self, thread: Thread, account: Account) -> bool:
        """Whether an account can read a thread, as the platform says now."""
        if thread.channel != self.name or account.channel != self.name:
            return False
        return await self._of(thread).has_member(thread, account)

    async def _kept(self, name: str, bot: Bot, door: Door) -> None:
        """Run a bot for ever: whatever ends it ends no other."""
        backoff = Backoff(self.first, self.longest)
        runs = bot.run
        while True:
            [error] = await asyncio.gather(runs(door), return_exceptions=True)
            is_spent = _is_spent(error)
            # A new process does not help one server that is down, and costs the others.
            if is_spent and not any(one.is_connected for one in self._bots.values()):
                raise Exhausted(name)
            log.error("bot_stopped", channel=self.name, bot=name, exc_info=error)
            if not is_spent:
                bot.troubles.has(STOPPED, f"stopped: {_reason(error)}")
            await asyncio.sleep(backoff.next())
            runs = bot.run_anew

    def _of(self, thread: Thread) -> Bot:
        name = _bot(thread)
        if bot := self._bots.get(name):
            return bot
        if name not in self._troubles:
            raise Undeliverable(f"{thread}: config.json has no bot {name!r}")
        raise Unreachable(f"the bot {name} is not connected")


def _is_spent(error: object) -> bool:
    if isinstance(error, BaseExceptionGroup):
        return error.subgroup(Exhausted) is not None
    return isinstance(error, Exhausted)


def _reason(error: object) -> str:
    """Say what of many things it was; only errors of ours are in words for people."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) if isinstance(error, ApxError) else type(error).__name__


def _bot(thread: Thread) -> str:
    return thread.place.partition(":")[0]


class Unseen:
    """A reply that nobody can be shown while it grows."""

    def show(self, text: str) -> None:
        """Show nothing."""

    def work(self, tools: Sequence[str]) -> None:
        """Show nothing."""

    def notice(self, text: str) -> None:
        """Say nothing."""

    def ask(self, question: str, number: str) -> None:
        """Ask nothing: whoever waits for the answer gives up by itself."""

    def close(self, *, is_stopped: bool = False) -> None:
        """Nothing was opened."""
