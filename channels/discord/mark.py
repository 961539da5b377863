"""How far a bot has heard: all that is older is in good hands."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from channels.discord.raw import first_at

if TYPE_CHECKING:
    from apx.ports import Clock, Drawer

# Discord's clock and ours may differ so much.
_AHEAD: Final = timedelta(minutes=10)
_OFTEN: Final = 1.0
_RECENT: Final = 200


class Mark:
    """The id of a message; those that are under way are not behind it.

    It is written down within a second, with the ids of the last ones: what nobody who
    may talk has said is known nowhere else when it is read once more. After a crash
    what came later is asked for again, too.
    """

    def __init__(
        self, bot: str, drawer: Drawer, clock: Clock, often: float = _OFTEN
    ) -> None:
        self._key = f"seen/{bot}"
        self._drawer = drawer
        self._clock = clock
        self._often = often
        self._newest = 0
        self._under_way: Counter[int] = Counter()
        self._kept = 0
        self._recent: deque[int] = deque(maxlen=_RECENT)
        self._known: frozenset[int] = frozenset()
        self._timer: asyncio.TimerHandle | None = None

    async def load(self) -> None:
        """Read how far an earlier process was."""
        told = await self._drawer.get(self._key)
        number, *recent = [int(word) for word in told.split()] or [0]
        self._newest = self._kept = number
        self._recent.extend(recent)
        self._known = frozenset(recent)

    def knows(self, number: int) -> bool:
        """Whether an earlier process was told of a message, as one of its last."""
        return number in self._known

    @property
    def number(self) -> int:
        """Give the mark; 0 if nothing was ever heard."""
        if not self._under_way:
            return self._newest
        return max(min(self._newest, min(self._under_way) - 1), 0)

    def begin(self, number: int) -> None:
        """Take note that a message came; until it ends the mark stays before it."""
        latest = first_at(self._clock() + _AHEAD)
        self._newest = max(self._newest, min(number, latest))
        self._under_way[number] += 1

    def end(self, number: int) -> None:
        """Take note that a message is in good hands."""
        self._under_way[number] -= 1
        if not self._under_way[number]:
            del self._under_way[number]
        self._recent.append(number)
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._often, self._keep_soon)

    async def begin_now(self) -> None:
        """Let all that was said before this moment be none of ours."""
        self._newest = max(self._newest, first_at(self._clock()))
        await self.keep()

    async def keep(self) -> None:
        """Write the mark down, once and for all."""
        if self._timer is not None:
            self._timer.cancel()
        self._kept = self.number
        await self._drawer.put(self._key, self._written())

    def _keep_soon(self) -> None:
        self._timer = None
        if self.number > self._kept:
            self._kept = self.number
            self._drawer.put_soon(self._key, self._written())

    def _written(self) -> str:
        return " ".join(map(str, (self._kept, *sorted(self._recent))))
