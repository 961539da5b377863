"""A message that shows a reply while it grows: on most platforms the only stage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic

import structlog

from apx.domain.errors import ChannelError, Unreachable
from channels.shared.failures import Flood, Rejected
from channels.shared.live_wire import S

if TYPE_CHECKING:
    from channels.shared.live_wire import Desk, Spot
    from channels.shared.message_id import MessageId

log = structlog.get_logger(__name__)

# An edit that was taken so long after one in doubt came behind it.
_SETTLED: Final = 5.0


class InMessage(Generic[S]):
    """A message with a button to stop, edited until the reply takes its place."""

    fades: Final = False

    def __init__(self, desk: Desk[S], spot: Spot) -> None:
        self._desk = desk
        self._spot = spot
        self._message: MessageId | None = None
        self._is_adopted = False
        # When it was first unknown whether the message is there, and what it says then.
        self._lost_at: float | None = None
        self._lost: S | None = None
        self._doubtful_since = 0.0
        self.is_doubtful = False

    async def put(self, words: S) -> None:
        """Send the message, or edit it."""
        if self._message is None:
            await self._adopt()
        try:
            await self._try(words)
        except Rejected as error:
            # One of ours that is gone was taken away: it is not put back.
            if not (self._is_adopted and self._desk.wire.is_lost(error)):
                raise
            self._message, self._is_adopted = None, False
            await self._try(words)

    async def settle(self) -> None:
        """Find out which message may be there: what is sent again soon is the same."""
        desk, spot, words = self._desk, self._spot, self._lost
        if self._message is not None or words is None or self._is_forgotten:
            return
        try:
            self._message = made = await desk.wire.put(spot, words, None)
        except (ChannelError, TimeoutError) as error:
            log.info("placeholder_unknown", turn=spot.turn, error=str(error))
        else:
            await desk.placeholders.made(spot.thread, spot.turn, made)

    def is_hopeless(self, error: Exception) -> bool:
        """Whether it is refused, or may be there without our knowing which it is."""
        if self._message is None and self._lost_at is not None and self._is_forgotten:
            return True
        return not isinstance(error, Unreachable | TimeoutError)

    @property
    def _is_forgotten(self) -> bool:
        """Whether what is sent again would be there twice."""
        passed = self._desk.pace.clock() - (self._lost_at or 0.0)
        return passed >= self._desk.wire.remembers

    async def _adopt(self) -> None:
        """Take over what a process that died left here."""
        desk, spot = self._desk, self._spot
        left = await desk.placeholders.adopted(spot.thread, spot.turn)
        if left is None:
            old = await desk.placeholders.passed(spot.thread, spot.turn)
            if old is not None:
                await desk.unbutton(old)
            return
        if desk.is_here(spot.thread, left):
            self._message, self._is_adopted = left, True

    async def _try(self, words: S) -> None:
        desk, spot, edits = self._desk, self._spot, self._message
        try:
            made = await desk.wire.put(spot, words, edits)
        except Flood as error:
            desk.pace.flood(error.retry_after, desk.wire.chat(spot.thread))
            raise
        except TimeoutError:
            self._doubt(words, edits)
            raise
        if desk.pace.clock() - self._doubtful_since >= _SETTLED:
            self.is_doubtful = False
        if edits is None:
            self._message = made
            await desk.placeholders.made(spot.thread, spot.turn, made)
            if self._lost_at is not None:  # then it may be there with earlier words
                await self._try(words)

    def _doubt(self, words: S, edits: MessageId | None) -> None:
        now = self._desk.pace.clock()
        self.is_doubtful = edits is not None
        self._doubtful_since = now
        if edits is None:
            self._lost = words
            if self._lost_at is None:
                self._lost_at = now
