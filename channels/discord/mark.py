"""How far a bot has heard: all that is older is in good hands."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from channels.discord.raw import first_at

if TYPE_CHECKING:
    from apx.ports import Clock, Drawer

# Discord's clock and ours may differ so much.
_AHEAD: Final = timedelta(minutes=10)
_OFTEN: Final = 1.0


class Mark:
    """The id of a message; those that are under way are not behind it.

    It is on the disk a second later. A crash before that has a few messages asked for
    once more, which are known then.
    """

    def __init__(self, bot: str, drawer: Drawer, clock: Clock) -> None:
        self._key = f"seen/{bot}"
        self._drawer = drawer
        self._clock = clock
        self._newest = 0
        self._under_way: Counter[int] = Counter()
        self._kept_at = 0.0
        self._kept = 0

    async def load(self) -> None:
        """Read how far an earlier process was."""
        told = await self._drawer.get(self._key)
        self._newest = self._kept = int(told) if told.isdecimal() else 0

    @property
    def number(self) -> int:
        """Give the mark; 0 if nothing was ever heard."""
        if not self._under_way:
            return self._newest
        return max(min(self._newest, min(self._under_way) - 1), 0)

    def begin(self, number: int) -> None:
        """Take note that a message came.

        One that never ends stays before the mark: whoever is next asks for it again.
        """
        latest = first_at(self._clock() + _AHEAD)
        self._newest = max(self._newest, min(number, latest))
        self._under_way[number] += 1

    def end(self, number: int) -> None:
        """Take note that a message is in good hands."""
        self._under_way[number] -= 1
        if not self._under_way[number]:
            del self._under_way[number]
        now = self._clock().timestamp()
        if now - self._kept_at >= _OFTEN and self.number > self._kept:
            self._kept_at, self._kept = now, self.number
            self._drawer.put_soon(self._key, str(self._kept))

    async def begin_now(self) -> None:
        """Let all that was said before this moment be none of ours."""
        self._newest = max(self._newest, first_at(self._clock()))
        await self.keep()

    async def keep(self) -> None:
        """Write the mark down, once and for all."""
        self._kept = self.number
        await self._drawer.put(self._key, str(self._kept))
