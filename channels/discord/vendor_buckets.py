"""A rate limit of Discord that keeps waiting only those who may not call yet.

discord.py's own has the last caller of a full bucket sleep, answer in hand, until it is
empty again: up to a minute in which nobody knows that a message was sent, and after
which a deadline says that nobody ever will.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from discord import RateLimited
from discord.http import Ratelimit

if TYPE_CHECKING:
    from types import TracebackType


class Bucket(Ratelimit):
    """One bucket: whoever is done leaves at once, and a timer lets in the next."""

    __slots__ = ("_renewal",)

    def __init__(self, longest: float) -> None:
        super().__init__(longest)
        self._renewal: asyncio.TimerHandle | None = None

    async def acquire(self) -> None:
        """Wait for a turn; `RateLimited` if that would take too long."""
        self._last_request = self._loop.time()
        if self.is_expired():
            self.reset()  # type: ignore[no-untyped-call] # theirs
        while self.remaining <= 0:
            self._refuse_if_long()
            turn = self._loop.create_future()
            self._pending_requests.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                # Its turn may have come as it left: then it is somebody else's.
                if turn.done() and not turn.cancelled():
                    self._admit()
                raise
        self.remaining -= 1
        self.outgoing += 1

    async def __aexit__(
        self,
        type: type[BaseException] | None,  # noqa: A002 -- its name there
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.outgoing -= 1
        left = self._left()
        if self.remaining - self.outgoing > 0 or left <= 0:
            if self.remaining <= 0:
                self.reset()  # type: ignore[no-untyped-call] # theirs
            self._admit()
            return
        longest = self._max_ratelimit_timeout
        if longest is not None and left > longest:
            self._wake(len(self._pending_requests), exception=RateLimited(left))
        if self._renewal is None:
            self._renewal = self._loop.call_later(left, self._renew)

    def _left(self) -> float:
        return 0.0 if self.expires is None else self.expires - self._loop.time()

    def _refuse_if_long(self) -> None:
        longest, left = self._max_ratelimit_timeout, self._left()
        if longest is not None and left > longest:
            raise RateLimited(left)

    def _renew(self) -> None:
        self._renewal = None
        left = self._left()
        if left > 0:  # what came meanwhile began a new time
            self._renewal = self._loop.call_later(left, self._renew)
            return
        self.reset()  # type: ignore[no-untyped-call] # theirs
        self._admit()

    def _admit(self) -> None:
        self._wake(max(self.remaining, 0))
