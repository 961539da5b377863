"""The Telegram channel: its bots side by side, and which of them a thread is of."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import ApxError, Exhausted, Undeliverable, Unreachable
from channels.shared.troubles import STOPPED, TOKEN, Troubles
from channels.shared.waiting import Backoff
from channels.telegram.waits import Waits

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from apx.domain.attachment import Attachment
    from apx.domain.heard import Notice
    from apx.domain.person import Account
    from apx.domain.thread import Thread
    from apx.domain.turn import Part
    from apx.ports import Clock, Door, Drawer, LiveReply, Sent
    from channels.telegram.bot import Bot
    from channels.telegram.settings import BotSettings

log = structlog.get_logger(__name__)

_LIFETIME: Final = 86_400.0
_FETCHED: Final = 20 << 20
_INSIDE: Final = frozenset({"creator", "administrator", "member"})
_WAITS: Final = Waits()


class TelegramChannel:
    """Several bots as one channel; aiogram is imported when they begin to run."""

    name = "telegram"
    lifetime: float | None = _LIFETIME

    def __init__(
        self,
        bots: Sequence[BotSettings],
        drawer: Drawer,
        clock: Clock,
        waits: Waits = _WAITS,
    ) -> None:
        self._settings = tuple(bots)
        self._drawer = drawer
        self._clock = clock
        self._waits = waits
        self._troubles = {bot.name: Troubles(clock) for bot in bots}
        self._bots: dict[str, Bot] = {}

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
        await asyncio.to_thread(_load)
        self._bots = self._made()
        spent = False
        try:
            async with asyncio.TaskGroup() as group:
                for bot in self._bots.values():
                    group.create_task(self._kept(bot, door))
                await asyncio.Event().wait()
        except* Exhausted:
            spent = True
        finally:
            bots, self._bots = self._bots, {}
            for bot in bots.values():
                await bot.close()
        if spent:
            raise Exhausted("Telegram does not answer, and new connections do not help")

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
        return _Unseen() if bot is None else bot.sender.live(thread, turn, answers)

    async def fetch(
        self, thread: Thread, file: Attachment
    ) -> AsyncGenerator[bytes, None]:
        """Give the bytes of an attachment."""
        async for chunk in self._of(thread).client.download(file.ref, _FETCHED):
            yield chunk

    async def has_member(self, thread: Thread, account: Account) -> bool:
        """Whether an account can read a thread, as Telegram says now."""
        if thread.channel != self.name or account.channel != self.name:
            return False
        bot = self._of(thread)
        place = bot.places.place(thread)
        if not place.is_group:
            return account.user == str(place.chat_id)
        if not account.user.isdecimal():
            return False
        return await _is_inside(bot, place.chat_id, int(account.user))

    def _made(self) -> dict[str, Bot]:
        from channels.shared.failures import WrongToken  # noqa: PLC0415 -- as said
        from channels.telegram.bot import Bot  # noqa: PLC0415 -- loaded by then

        made: dict[str, Bot] = {}
        for position, settings in enumerate(self._settings):
            key = f"channels.telegram.bots[{position}].token"
            try:
                bot = Bot(settings, self._drawer, self._clock, self._waits, key)
            except WrongToken:
                text = f"the token in {key} is refused"
                self._troubles[settings.name].has(TOKEN, text)
            else:
                self._troubles[settings.name] = bot.troubles
                made[settings.name] = bot
        return made

    async def _kept(self, bot: Bot, door: Door) -> None:
        """Run a bot for ever: whatever ends it ends no other."""
        backoff = Backoff(self._waits.conflict, self._waits.longest)
        runs = bot.run
        while True:
            [error] = await asyncio.gather(runs(door), return_exceptions=True)
            is_spent = _is_spent(error)
            # A new process does not help one server that is down, and costs the others.
            if is_spent and not any(one.is_connected for one in self._bots.values()):
                raise Exhausted(bot.settings.name)
            log.error("telegram_bot_stopped", bot=bot.settings.name, exc_info=error)
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


def _load() -> None:
    """Import aiogram: a command that only asks what is wrong never needs it."""
    from channels.telegram.vendor import loaded  # noqa: PLC0415 -- as said

    loaded()  # before anything imports aiogram
    from channels.telegram import bot  # noqa: F401, PLC0415 -- so that nobody waits


async def _is_inside(bot: Bot, chat: int, user: int) -> bool:
    from aiogram.methods import GetChatMember  # noqa: PLC0415 -- loaded by then

    from channels.shared.failures import Rejected  # noqa: PLC0415 -- as said

    try:
        member = await bot.client.call(GetChatMember(chat_id=chat, user_id=user))
    except (Rejected, Undeliverable):
        return False
    is_restricted = getattr(member, "is_member", False)  # only those have it
    return str(member.status) in _INSIDE or bool(is_restricted)


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


class _Unseen:
    """A reply that nobody can be shown while it grows."""

    def show(self, text: str) -> None:
        """Show nothing."""

    def work(self, tools: Sequence[str]) -> None:
        """Show nothing."""

    def notice(self, text: str) -> None:
        """Say nothing."""

    def ask(self, question: str, number: str) -> None:
        """Ask nothing: whoever waits for the answer gives up by itself."""

    def close(self) -> None:
        """Nothing was opened."""
