"""One reply while it grows: that it is typed, and what there is of it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog
from aiogram.methods import SendChatAction

from apx.domain.errors import ChannelError, Undeliverable, Unreachable
from channels.shared.failures import Flood
from channels.shared.waiting import Backoff, pause
from channels.telegram.failures import Migrated
from channels.telegram.live_last_words import AGAIN, LastWords
from channels.telegram.live_questions import Questions
from channels.telegram.live_stages import InDraft, InMessage, NoDrafts
from channels.telegram.live_view import View, drawn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.thread import Thread
    from channels.telegram.live_stages import Desk, Stage
    from channels.telegram.rendered import Rendered

log = structlog.get_logger(__name__)

# What Telegram shows as typing fades after five seconds.
_TYPING: Final = 4.5
_ACTION_PATIENCE: Final = 4.0
# After so long without a word something is shown, so that Stop can be pressed.
_QUIET: Final = 2.0
_GAP: Final = 1.0
# A draft fades after half a minute.
_REFRESH: Final = 20.0
# A part comes right after the end of its turn, unless others are before it.
_GRACE: Final = 15.0


class Live:
    """The `LiveReply` of one turn; `run` it, and `retire` it before its part comes."""

    def __init__(
        self, desk: Desk, thread: Thread, turn: int, reply_to: int | None = None
    ) -> None:
        self._desk = desk
        self._thread = thread
        self._turn = turn
        self._reply_to = reply_to
        self._view = View()
        self._shown: Rendered | None = None
        self._stage: Stage = self._chosen()
        self._questions = Questions(desk, thread, turn)
        self._timers: list[asyncio.Task[None]] = []
        self._changed = asyncio.Event()
        self._busy = asyncio.Lock()
        self._last = LastWords(desk, thread, turn, self._busy)
        self._quiet_until = 0.0
        self._is_due = False
        self._is_mute = False
        self._is_closed = False
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

    def close(self) -> None:
        """Type no more, edit no more."""
        if self._is_closed:
            return
        self._is_closed = True
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
        async with self._busy:
            pass

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
        place = self._desk.places.place(self._thread)
        action = SendChatAction(
            chat_id=place.chat_id, message_thread_id=place.topic, action="typing"
        )
        while True:
            pause = _TYPING
            try:
                await self._desk.client.call(action, _ACTION_PATIENCE)
            except Undeliverable:
                return
            except Flood as error:
                pause = max(pause, error.retry_after)
            except (ChannelError, TimeoutError) as error:
                log.debug("telegram_typing", error=str(error))
            await self._desk.pace.sleep(pause)

    async def _remind(self) -> None:
        await self._desk.pace.sleep(_QUIET)
        self._is_due = True
        while True:
            self._changed.set()
            await self._desk.pace.sleep(_REFRESH)
            if isinstance(self._stage, InDraft):
                self._shown = None

    async def _show(self) -> None:
        """Show the latest once a second at most; what came between is skipped."""
        while not self._is_closed and not self._is_mute:
            await self._changed.wait()
            self._changed.clear()
            if self._is_due or self._view.has_text:
                await self._put()
                await self._desk.pace.sleep(_GAP)

    async def _put(self) -> None:
        words = await self._laid_out()
        if words is None:
            return
        async with self._busy:
            if self._is_closed:
                return
            try:
                await self._stage.put(words)
                self._shown = words
                self._was_read = self._was_read or self._view.has_text
                self._backoff.reset()
            except NoDrafts:
                self._stage = self._in_message()
                self._changed.set()
            except (ChannelError, TimeoutError) as error:
                await self._bear(error)

    async def _laid_out(self) -> Rendered | None:
        """Give what is to be shown now; none if it is there already, or has to wait.

        What there is no room for is not laid out, and who asked first has room first.
        """
        pace, place = self._desk.pace, self._desk.places.place(self._thread)
        async with self._desk.turns:
            if pace.clock() < self._quiet_until or not pace.has_room(place.chat_id):
                self._changed.set()
                return None
            text, line, is_cut = self._view.source
            drawing = partial(drawn, text, line, is_cut=is_cut)
            words = await self._desk.layout.done(drawing)
            if words == self._shown:
                return None
            if pace.room(place.chat_id):
                return words
        self._changed.set()
        return None

    async def _bear(self, error: Exception) -> None:
        """Show later what could not be shown now, or nothing more."""
        log.info("telegram_live", turn=self._turn, error=str(error))
        if isinstance(error, Migrated):
            old = self._desk.places.place(self._thread).chat_id
            await self._desk.places.migrated(old, error.to_chat)
            self._stage = self._chosen()
        elif isinstance(error, Undeliverable) or self._is_hopeless(error):
            self._is_mute = True
        else:
            wait = pause(error, self._backoff)
            self._quiet_until = self._desk.pace.clock() + wait
        self._changed.set()

    def _is_hopeless(self, error: Exception) -> bool:
        """Whether a message is refused, or may be there without our knowing which."""
        if not isinstance(self._stage, InMessage):
            return False
        is_lost = isinstance(error, TimeoutError) and not self._stage.is_placed
        return is_lost or not isinstance(error, Unreachable | TimeoutError)

    async def _tidy(self) -> None:
        """Take buttons away that nobody waits for, and say if no reply will come."""
        await self._questions.tidy()
        await self._desk.pace.sleep(_GRACE)
        left = await self._desk.placeholders.stopped(self._thread, self._turn)
        is_draft = isinstance(self._stage, InDraft) and self._was_read
        if left is not None or is_draft:
            await self._last.said(self._view, left)

    def _chosen(self) -> Stage:
        is_private = not self._desk.places.is_group(self._thread)
        in_draft = is_private and self._desk.has_drafts
        if in_draft:
            return InDraft(self._desk, self._thread, self._turn)
        return self._in_message()

    def _in_message(self) -> InMessage:
        return InMessage(self._desk, self._thread, self._turn, self._reply_to)
