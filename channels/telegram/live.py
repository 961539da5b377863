"""All replies of one bot that grow now, and how their parts take over from them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog
from aiogram.methods import DeleteMessage

from apx.domain.errors import ChannelError
from channels.telegram.live_placeholders import Placeholders
from channels.telegram.live_reply import Live
from channels.telegram.live_stages import Desk

if TYPE_CHECKING:
    from apx.domain.thread import Thread
    from apx.domain.turn import Part
    from apx.ports import Drawer, LiveReply
    from channels.telegram.client import Client
    from channels.telegram.pace import Pace
    from channels.telegram.places import MessageId, Places

log = structlog.get_logger(__name__)

_PATIENCE: Final = 10.0


class Lives:
    """Opens replies that grow; each runs in a task of its own until it is closed."""

    def __init__(
        self, client: Client, places: Places, pace: Pace, drawer: Drawer, bot: str
    ) -> None:
        self._desk = Desk(client, places, pace, Placeholders(bot, drawer, pace.clock))
        self._open: dict[tuple[Thread, int], Live] = {}
        # Not a TaskGroup: a fault in what is only looked at must not end the bot.
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, thread: Thread, turn: int, reply_to: int | None) -> LiveReply:
        """Show a turn while it runs, as a reply to a message where that helps."""
        live = self._open[thread, turn] = Live(self._desk, thread, turn, reply_to)
        task = asyncio.create_task(live.run(), name=f"live {thread} {turn}")
        self._tasks.add(task)
        task.add_done_callback(partial(self._ended, (thread, turn), live))
        return live

    async def claim(self, part: Part) -> int | None:
        """Give the message that a part takes the place of; nothing else edits it.

        Also where there is none, nothing of its turn is under way any more.
        """
        live = self._open.get((part.thread, part.turn))
        if live is not None:
            await live.retire()
        message = await self._desk.placeholders.claimed(part)
        if message is None or not self._is_here(part.thread, message):
            return None
        if live is not None and live.is_doubtful:
            await self._remove(message)
            return None
        return message.message_id

    async def close(self) -> None:
        """End all at once, and leave what they show for the next process."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _is_here(self, thread: Thread, message: MessageId) -> bool:
        place = self._desk.places.place(thread)
        here = (self._desk.client.bot_id, place.chat_id)
        return (message.bot_id, message.chat_id) == here

    async def _remove(self, message: MessageId) -> None:
        """Take away a message that an edit under way may still change."""
        bare = DeleteMessage(chat_id=message.chat_id, message_id=message.message_id)
        try:
            await self._desk.client.call(bare, _PATIENCE)
        except (ChannelError, TimeoutError) as error:
            log.info("telegram_placeholder_left", error=str(error))

    def _ended(
        self, key: tuple[Thread, int], live: Live, task: asyncio.Task[None]
    ) -> None:
        self._tasks.discard(task)
        if self._open.get(key) is live:
            del self._open[key]
        if not task.cancelled() and (fault := task.exception()) is not None:
            log.error("telegram_live_failed", turn=key[1], exc_info=fault)
