"""What is left of a reply that was stopped: its text, without a button."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import ChannelError, Unreachable
from channels.shared.failures import Flood
from channels.shared.message_id import MessageId
from channels.shared.waiting import Backoff, pause
from channels.telegram.live_view import stopped
from channels.telegram.sending_pieces import Message
from channels.telegram.sending_post import method, number

if TYPE_CHECKING:
    import asyncio

    from apx.domain.thread import Thread
    from channels.telegram.live_stages import Desk
    from channels.telegram.live_view import View
    from channels.telegram.places import Place

log = structlog.get_logger(__name__)

# How long it is tried to take the button of a turn without a reply away.
_LAST_WORDS: Final = 900.0
# What the network or Telegram's server failed at is tried again after so long.
AGAIN: Final = (1.0, 30.0)


class LastWords:
    """Says them, unless the reply comes after all: then it `is_retired`.

    `is_doubtful` says that they may still come late, and undo what follows.
    """

    def __init__(
        self, desk: Desk, thread: Thread, turn: int, busy: asyncio.Lock
    ) -> None:
        self._desk = desk
        self._thread = thread
        self._turn = turn
        self._busy = busy
        self.is_retired = False
        self.is_doubtful = False

    async def said(self, view: View, left: MessageId | None) -> None:
        """Leave what was read without a button, until it is so or a part comes."""
        text, _, is_cut = view.source
        drawing = partial(stopped, text, is_cut=is_cut)
        last = Message(
            await self._desk.layout.done(drawing),
            edits=None if left is None else left.message_id,
        )
        pace, backoff = self._desk.pace, Backoff(*AGAIN)
        until = pace.clock() + _LAST_WORDS
        while not self.is_retired and pace.clock() < until:
            try:
                place = self._desk.places.place(self._thread)
                await pace.enter(place.chat_id, until)
                async with self._busy:  # a part that comes now waits for the end of it
                    await self._say(place, last, left)
            except (Unreachable, TimeoutError) as error:
                log.info("telegram_live", turn=self._turn, error=str(error))
                if isinstance(error, TimeoutError) and left is None:
                    return
                await pace.sleep(pause(error, backoff))
            except ChannelError as error:
                log.info("telegram_live", turn=self._turn, error=str(error))
                return
            else:
                return

    async def _say(self, place: Place, last: Message, left: MessageId | None) -> None:
        """Say the last word, unless a part came or the message is not here any more."""
        desk = self._desk
        here = (desk.client.bot_id, place.chat_id)
        if self.is_retired or (left and (left.bot_id, left.chat_id) != here):
            return
        try:
            made = await desk.client.call(method(place, last))
        except Flood as error:
            desk.pace.flood(error.retry_after, place.chat_id)
            raise
        except TimeoutError:
            self.is_doubtful = left is not None
            raise
        self.is_doubtful = False
        if left is None:  # a part that is late takes its place
            name = MessageId(desk.client.bot_id, place.chat_id, number(made))
            await desk.placeholders.made(self._thread, self._turn, name)
            await desk.placeholders.stopped(self._thread, self._turn)
