"""A time of our own for the tests of channels."""

from __future__ import annotations

import asyncio
import heapq
from itertools import count


class HandTime:
    """A clock that stands until it is moved, and those who sleep by it.

    One that `flows` is moved by whoever sleeps.
    """

    def __init__(self) -> None:
        self.now = 1_000.0
        self.flows = False
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._slept = asyncio.Event()

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        if self.flows:
            self.now += seconds
            await asyncio.sleep(0)
            return
        waking = asyncio.get_running_loop().create_future()
        entry = (self.now + seconds, next(self._numbers), waking)
        heapq.heappush(self._sleepers, entry)
        self._slept.set()
        await waking

    @property
    def naps(self) -> list[float]:
        """How long those who sleep still have to, the shortest first."""
        awaited = [at for at, _, waking in self._sleepers if not waking.done()]
        return [at - self.now for at in sorted(awaited)]

    async def until_nap(self, seconds: float) -> None:
        """Wait until somebody sleeps for about so long."""
        while not any(abs(nap - seconds) < 0.01 for nap in self.naps):
            self._slept.clear()
            await self._slept.wait()

    async def move(self, seconds: float) -> None:
        """Let time pass, waking everybody in their turn."""
        end = self.now + seconds
        await settled()
        while self._sleepers and self._sleepers[0][0] <= end:
            at, _, waking = heapq.heappop(self._sleepers)
            self.now = max(at, self.now)
            if not waking.done():
                waking.set_result(None)
                await settled()
        self.now = end


async def settled() -> None:
    """Give all tasks that need no network their turns."""
    loop = asyncio.get_running_loop()
    await asyncio.sleep(0)
    while loop._ready:  # type: ignore[attr-defined] # noqa: ASYNC110 -- no event tells
        await asyncio.sleep(0)
