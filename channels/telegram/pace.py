"""Telegram's numbers: how fast a bot may speak there."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from channels.shared import pace
from channels.shared.pace import Rate, Rates
from channels.telegram.places import is_group

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

# 30 messages a second in all, one a second in a chat, 20 a minute in a group; a little
# less than allowed, as what we send evenly does not arrive evenly. Nor does what leaves
# in a heap: a busy loop writes its end late, and the next heap falls into the same
# second. So few at a time that a fifth of a second does not matter.
_ALL: Final = Rate(29, 1.0, spare=10)
_EVENLY: Final = Rate(5, 0.2, spare=1)
# One a second on average; a reply in three pieces need not drip.
_CHAT: Final = Rate(3, 3.2, spare=1)
_GROUP: Final = Rate(20, 61.0, spare=5)
# In a group edits begin swiftly, and are few after that: they count as messages.
_RATES: Final = Rates((_ALL, _EVENLY), _CHAT, _GROUP, swift=4, slow=5.0)


class Pace(pace.Pace):
    """The gate of one bot of Telegram."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        super().__init__(_RATES, clock, sleep)

    def is_group(self, chat_id: int) -> bool:
        """Whether a chat has the rate of groups."""
        return is_group(chat_id)
