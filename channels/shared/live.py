"""All replies of one bot that grow now, and how their parts take over from them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, Generic

import structlog

from apx.domain.errors import ChannelError
from channels.shared.live_reply import Live
from channels.shared.live_wire import Desk, S, Spot

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from apx.domain.thread import Thread
    from apx.domain.turn import Part
    from apx.ports import LiveReply
    from channels.shared.layout import Layout
    from channels.shared.live_wire import Wire
    from channels.shared.message_id import MessageId
    from channels.shared.pace import Pace
    from channels.shared.placeholders import Placeholders

log = structlog.get_logger(__name__)


class Lives(Generic[S]):
    """Opens replies that grow; each runs in a task of its own until it is closed."""

    def __init__(
        self, wire: Wire[S], pace: Pace, placeholders: Placeholders, layout: Layout
    ) -> None:
        self._desk = Desk(wire, pace, placeholders, layout)
        self._open: dict[tuple[Thread, int], Live[S]] = {}
        # Not a TaskGroup: a fault in what is only looked at must not end the bot.
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, thread: Thread, turn: int, reply_to: int | None) -> LiveReply:
        """Show a turn while it runs, as a reply to a message where that helps."""
        live = Live(self._desk, Spot(thread, turn, reply_to))
        self._open[thread, turn] = live
        task = self._begin(live.run(), f"live {thread} {turn}")
        task.add_done_callback(partial(self._forget, (thread, turn), live))
        return live

    async def claim(self, part: Part) -> int | None:
        """Give the message that a part takes the place of; nothing else edits it.

        Also where there is none, nothing of its turn is under way any more.
        """
        live = self._open.get((part.thread, part.turn))
        if live is not None:
            await live.retire()
        old = await self._desk.placeholders.passed(part.thread, part.turn)
        if old is not None:
            self._begin(self._desk.unbutton(old), f"unbutton {old}")
        message = await self._desk.placeholders.claimed(part)
        if message is None or not self._desk.is_here(part.thread, message):
            return None
        if live is not None and live.is_doubtful:
            return None if await self._removed(message) else message.message_id
        return message.message_id

    async def close(self) -> None:
        """End all at once, and leave what they show for the next process."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _removed(self, message: MessageId) -> bool:
        """Take away a message that an edit under way may still change."""
        try:
            await self._desk.wire.delete(message)
        except (ChannelError, TimeoutError) as error:
            # Rather edited once more than left there with its button.
            log.info("placeholder_left", error=str(error))
            return False
        return True

    def _begin(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            log.error("live_failed", task=task.get_name(), exc_info=fault)

    def _forget(self, key: tuple[Thread, int], live: Live[S], _: object) -> None:
        if self._open.get(key) is live:
            del self._open[key]
