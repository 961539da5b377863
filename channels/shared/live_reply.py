"""One reply while it grows: that it is typed, and what there is of it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final, Generic

import structlog

from apx.domain.errors import ChannelError, Undeliverable
from channels.shared.failures import Flood
from channels.shared.live_last_words import AGAIN, LastWords
from channels.shared.live_questions import Questions
from channels.shared.live_stages import InMessage
from channels.shared.live_view import View
from channels.shared.live_wire import NotHere, S
from channels.shared.waiting import Backoff, pause

if TYPE_CHECKING:
    from collections.abc import Sequence

    from channels.shared.live_wire import Desk, Spot, Stage

log = structlog.get_logger(__name__)

# After so long without a word something is shown, so that Stop can be pressed.
_QUIET: Final = 2.0
# What there was no room for is tried again after so long.
_NO_ROOM: Final = 1.0
# Where nothing new is to be seen, it is looked again so soon.
_NOTHING_NEW: Final = 0.2
# What fades does so after half a minute.
_REFRESH: Final = 20.0
# A part comes right after the end of its turn, unless others are before it.
_GRACE: Final = 15.0


class Live(Generic[S]):
    """The `LiveReply` of one turn; `run` it, and `retire` it before its part comes."""

    def __init__(self, desk: Desk[S], spot: Spot) -> None:
        self._desk = desk
        self._spot = spot
        self._view = View()
        self._shown: S | None = None
        self._stage: Stage[S] = desk.wire.stage(desk, spot)
        self._questions = Questions(desk, spot)
        self._timers: list[asyncio.Task[None]] = []
        self._changed = asyncio.Event()
        self._busy = asyncio.Lock()
        self._last = LastWords(desk, spot, self._busy)
        self._quiet_until = 0.0
        self._is_due = False
        self._is_mute = False
        self._is_closed = False
        self._is_crowded = False
        self._is_stopped = False
        self._was_read = False
        self._backoff = Backoff(*AGAIN)

    @property
    def is_doubtful(self) -> bool:
        """Whether an edit may still come late and undo what follows it."""
        return self._stage.is_doubtful or self._last.is_doubtful

    def show(self, text: str) -> None:
        """Append text to what is shown."""
        self._view.show(text)
        self._changed.set()

    def work(self, tools: Sequence[str]) -> None:
        """Say which tools are at work, under the text."""
        self._view.work(tools)
        self._changed.set()

    def notice(self, text: str) -> None:
        """Say something under the text."""
        self._view.notice(text)
        self._changed.set()

    def ask(self, question: str, number: str) -> None:
        """Ask in a message of its own, with buttons."""
        if not self._is_closed:
            self._questions.add(question, number)

    def close(self, *, is_stopped: bool = False) -> None:
        """Type no more, edit no more."""
        if self._is_closed:
            return
        self._is_closed, self._is_stopped = True, is_stopped
        # An edit that is under way is never given up: it could still arrive.
        ending = self._timers[:-1] if self._busy.locked() else self._timers
        for task in ending:
            task.cancel()
        self._questions.close()
        self._changed.set()

    async def retire(self) -> None:
        """Return once nothing of this is under way, nor ever will be."""
        self._last.is_retired = True
        self.close()
        await self._settle()

    async def run(self) -> None:
        """Show the reply until it is closed, then tidy up."""
        if not self._is_closed:
            async with asyncio.TaskGroup() as group:
                self._timers = [
                    group.create_task(self._type()),
                    group.create_task(self._remind()),
                    group.create_task(self._show()),
                ]
                group.create_task(self._questions.run())
        await self._tidy()

    async def _type(self) -> None:
        while True:
            pause = self._desk.wire.typing_period
            try:
                if self._is_typing:
                    await self._desk.wire.typing(self._spot.thread)
            except Undeliverable:
                return
            except Flood as error:
                pause = max(pause, error.retry_after)
            except (ChannelError, TimeoutError) as error:
                log.debug("live_typing", error=str(error))
            await self._desk.pace.sleep(pause)

    @property
    def _is_typing(self) -> bool:
        is_quiet = self._view.has_line or not self._view.has_text
        return is_quiet or self._desk.wire.types_beside_text

    async def _remind(self) -> None:
        await self._desk.pace.sleep(_QUIET)
        self._is_due = True
        while True:
            self._changed.set()
            await self._desk.pace.sleep(_REFRESH)
            if self._stage.fades:
                self._shown = None

    async def _show(self) -> None:
        """Show the latest, evenly; what came between is skipped."""
        while not self._is_closed and not self._is_mute:
            await self._changed.wait()
            self._changed.clear()
            if self._is_due or self._view.has_text:
                gap = await self._put()
                if not self._is_closed:
                    await self._desk.pace.sleep(gap)

    async def _put(self) -> float:
        """Show what there is now; gives how long to rest after that."""
        self._is_crowded = False
        words = await self._laid_out()
        if words is None:
            return _NO_ROOM if self._is_crowded else _NOTHING_NEW
        async with self._busy:
            if self._is_closed:
                return 0.0
            try:
                await self._stage.put(words)
                self._shown = words
                self._was_read = self._was_read or self._view.has_text
                self._backoff.reset()
            except NotHere:
                self._stage = InMessage(self._desk, self._spot)
                self._changed.set()
            except (ChannelError, TimeoutError) as error:
                await self._bear(error)
        return self._desk.wire.gap

    async def _laid_out(self) -> S | None:
        """Give what is to be shown now; none if it is there already, or has to wait.

        What there is no room for is not laid out, and who asked first has room first.
        """
        pace, chat_id = self._desk.pace, self._desk.wire.chat(self._spot.thread)
        async with self._desk.turns:
            if pace.clock() < self._quiet_until or not pace.has_room(chat_id):
                self._waits()
                return None
            text, line, is_cut = self._view.source
            drawing = partial(self._desk.wire.drawn, text, line, is_cut=is_cut)
            words = await self._desk.layout.done(drawing)
            if words == self._shown:
                return None
            if pace.room(chat_id):
                return words
        self._waits()
        return None

    def _waits(self) -> None:
        """Take note that there is something, but no room for it yet."""
        self._is_crowded = True
        self._changed.set()

    async def _bear(self, error: Exception) -> None:
        """Show later what could not be shown now, or nothing more."""
        log.info("live_reply", turn=self._spot.turn, error=str(error))
        if await self._desk.wire.has_moved(self._spot.thread, error):
            self._stage = self._desk.wire.stage(self._desk, self._spot)
        elif isinstance(error, Undeliverable) or self._stage.is_hopeless(error):
            self._is_mute = True
        else:
            wait = pause(error, self._backoff)
            self._quiet_until = self._desk.pace.clock() + wait
        self._changed.set()

    async def _settle(self) -> None:
        """Wait for what is under way; of what it left behind nobody must not know."""
        async with self._busy:
            if isinstance(self._stage, InMessage):
                await self._stage.settle()

    async def _tidy(self) -> None:
        """Take buttons away that nobody waits for, and say if no reply will come."""
        if not self._last.is_retired:
            await self._settle()
        await self._questions.tidy()
        if not self._is_stopped:
            await self._desk.pace.sleep(_GRACE)
        spot = self._spot
        left = await self._desk.placeholders.stopped(spot.thread, spot.turn)
        has_faded = self._stage.fades and self._was_read
        if left is not None or has_faded:
            await self._last.said(self._view, left)
