"""Discord's numbers: how fast a bot may speak there.

discord.py waits by itself where Discord says so; this is what leaves room, so that
no final text has to wait for the edits of a reply that grows.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Final

from channels.shared import pace
from channels.shared.pace import Rate, Rates

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

# 50 calls a second in all, interactions and typing among them; five messages or edits
# in five seconds in a channel, a little longer as they do not arrive evenly.
_ALL: Final = Rate(40, 1.0, spare=15)
_CHANNEL: Final = Rate(5, 5.3, spare=2)
# Beside those: that it is typed is nothing that a text should wait for.
_TYPING: Final = Rate(5, 1.0)


class Pace(pace.Pace):
    """The gate of one bot of Discord; its chats are channels."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        super().__init__(Rates((_ALL,), _CHANNEL), clock, sleep)
        self._typed: deque[float] = deque(maxlen=_TYPING.most)

    def may_type(self) -> bool:
        """Whether it may be said now that something is typed; it is counted if so."""
        now, typed = self.clock(), self._typed
        if len(typed) == typed.maxlen and typed[0] > now - _TYPING.seconds:
            return False
        typed.append(now)
        return True
