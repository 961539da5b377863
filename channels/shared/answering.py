"""Hands messages to the door, and says once what is to be answered at once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import (
    ApxError,
    ChannelError,
    HomeError,
    StoreError,
    Undeliverable,
    Unreachable,
)
from apx.domain.heard import Notice
from channels.shared.failures import Flood, HalfSaid, Rejected
from channels.shared.waiting import Backoff, pause

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from apx.domain.heard import Heard
    from apx.domain.thread import Thread
    from apx.ports import Door
    from channels.shared.journal import Journal
    from channels.shared.waiting import Waits

    Tell = Callable[[Thread, Notice], Awaitable[None]]
    Late = Callable[[Exception], Awaitable[None]]

log = structlog.get_logger(__name__)

# All that a message may strike: what it is must never end whoever hears the others.
FAILURES: Final = (
    ApxError,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
_REPEAT: Final = "(may be a repeat)"
LOST: Final = "An answer of mine may not have arrived; please ask again."
_TRIES: Final = 8


@dataclass(slots=True)
class _Slot:
    """How far a message is; `is_late` says that nobody waits for it any more."""

    number: int
    taken: asyncio.Event
    is_late: bool = False


class Answers:
    """The way of messages through the door, and of its answers back."""

    def __init__(
        self,
        door: Door,
        tell: Tell,
        journal: Journal,
        group: asyncio.TaskGroup,
        waits: Waits,
    ) -> None:
        self._door = door
        self._tell = tell
        self._journal = journal
        self._group = group
        self._waits = waits

    async def hear(self, number: int, heard: Heard, late: Late) -> None:
        """Have the message of an update taken, and answered if it is to be.

        Returns once nothing of it can be lost. A command that takes long goes on by
        itself: /stop must be heard meanwhile. `late` is told if it fails then.
        """
        slot = _Slot(number, asyncio.Event())
        work = self._group.create_task(self._tried(slot, heard, late))
        await asyncio.wait({work}, timeout=self._waits.hold)
        if not (work.done() or heard.text.startswith("/")):
            taken = self._group.create_task(slot.taken.wait())
            await asyncio.wait({work, taken}, return_when=asyncio.FIRST_COMPLETED)
            taken.cancel()
        if work.done():
            if error := work.result():
                raise error
            return
        slot.is_late = True
        await self._gone_on(number, heard.caller.thread, work)

    async def _gone_on(
        self, number: int, thread: Thread, work: asyncio.Task[Exception | None]
    ) -> None:
        """Write down that an answer comes late: whoever tried again would do it twice.

        One that has come meanwhile needs no such note.
        """
        backoff = Backoff(self._waits.first, self._waits.longest)
        while not work.done():
            try:
                await self._journal.go_on(number, thread)
            except (StoreError, HomeError, OSError) as error:
                log.warning("answer_not_noted", error=type(error).__name__)
                await asyncio.wait({work}, timeout=backoff.next())
            else:
                return

    async def settle(self) -> None:
        """Say where an earlier process may have owed an answer."""
        for thread in await self._journal.lost():
            self.say(thread, Notice(LOST))

    def say(self, thread: Thread, notice: Notice) -> None:
        """Say something beside all else; if it is in vain, nobody is told."""
        self._group.create_task(self._quietly(thread, notice))

    async def _quietly(self, thread: Thread, notice: Notice) -> None:
        try:
            await self._said(thread, notice)
        except FAILURES as error:
            log.warning("notice_failed", error=type(error).__name__)

    async def _tried(self, slot: _Slot, heard: Heard, late: Late) -> Exception | None:
        try:
            await self._answered(slot, heard)
        except FAILURES as error:
            if not slot.is_late:
                return error
            await late(error)
        return None

    async def _answered(self, slot: _Slot, heard: Heard) -> None:
        number = slot.number
        is_repeat = self._journal.is_under_way(number)
        answer = await self._door.hear(heard)
        if answer:
            buttons = await self._door.buttons(heard)
            notice = Notice(answer, buttons)
            await self._journal.begin(number)
            slot.taken.set()
            await self._said(
                heard.caller.thread, _repeated(notice) if is_repeat else notice
            )
        slot.taken.set()
        if self._journal.is_under_way(number):
            await self._journal.end(number)

    async def _said(self, thread: Thread, notice: Notice) -> None:
        """Say something again and again until it is said, or in vain."""
        backoff = Backoff(self._waits.first, self._waits.longest)
        for _ in range(_TRIES):
            try:
                await self._tell(thread, notice)
            except HalfSaid as error:
                notice = error.rest
                await asyncio.sleep(pause(error, backoff))
            except Flood as error:
                await asyncio.sleep(error.retry_after)
            except (ChannelError, TimeoutError) as error:
                if isinstance(error, Rejected | Undeliverable):
                    log.warning("answer_refused", error=type(error).__name__)
                    return
                # Unless it surely was not sent, it may have arrived.
                if not isinstance(error, Unreachable):
                    notice = _repeated(notice)
                await asyncio.sleep(backoff.next())
            else:
                return
        log.warning("answer_given_up", thread=str(thread))


def _repeated(notice: Notice) -> Notice:
    if _REPEAT in notice.text:
        return notice
    return replace(notice, text=f"{notice.text}\n\n{_REPEAT}")
