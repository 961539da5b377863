"""What is left of a reply that was stopped: its text, without a button."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, Generic

import structlog

from apx.domain.errors import ChannelError, Unreachable
from channels.shared.failures import Flood
from channels.shared.live_wire import S
from channels.shared.waiting import Backoff, pause

if TYPE_CHECKING:
    import asyncio

    from channels.shared.live_view import View
    from channels.shared.live_wire import Desk, Spot
    from channels.shared.message_id import MessageId

log = structlog.get_logger(__name__)

# How long it is tried to take the button of a turn without a reply away.
_LAST_WORDS: Final = 900.0
# What the network or the platform's server failed at is tried again after so long.
AGAIN: Final = (1.0, 30.0)


class LastWords(Generic[S]):
    """Says them, unless the reply comes after all: then it `is_retired`.

    `is_doubtful` says that they may still come late, and undo what follows.
    """

    def __init__(self, desk: Desk[S], spot: Spot, busy: asyncio.Lock) -> None:
        self._desk = desk
        self._spot = spot
        self._busy = busy
        self.is_retired = False
        self.is_doubtful = False

    async def said(self, view: View, left: MessageId | None) -> None:
        """Leave what was read without a button, until it is so or a part comes."""
        text, _, is_cut = view.source
        drawing = partial(self._desk.wire.stopped, text, is_cut=is_cut)
        words = await self._desk.layout.done(drawing)
        pace, backoff = self._desk.pace, Backoff(*AGAIN)
        until = pace.clock() + _LAST_WORDS
        while not self.is_retired and pace.clock() < until:
            try:
                await pace.enter(self._desk.wire.chat(self._spot.thread), until)
                async with self._busy:  # a part that comes now waits for the end of it
                    await self._say(words, left)
            except (Unreachable, TimeoutError) as error:
                log.info("live_reply", turn=self._spot.turn, error=str(error))
                if isinstance(error, TimeoutError) and left is None:
                    return
                await pace.sleep(pause(error, backoff))
            except ChannelError as error:
                log.info("live_reply", turn=self._spot.turn, error=str(error))
                return
            else:
                return

    async def _say(self, words: S, left: MessageId | None) -> None:
        """Say the last word, unless a part came or the message is not here any more."""
        desk, spot = self._desk, self._spot
        if self.is_retired or (left and not desk.is_here(spot.thread, left)):
            return
        try:
            made = await desk.wire.leave(spot, words, left)
        except Flood as error:
            desk.pace.flood(error.retry_after, desk.wire.chat(spot.thread))
            raise
        except TimeoutError:
            self.is_doubtful = left is not None
            raise
        self.is_doubtful = False
        if left is None:  # a part that is late takes its place
            await desk.placeholders.made(spot.thread, spot.turn, made)
            await desk.placeholders.stopped(spot.thread, spot.turn)
