"""A loop whose time is moved by hand, and a connection that says one thing."""

import asyncio
from typing import Any

from aiogram.client.session.base import BaseSession

from tests.channels.hand_time import settled


class Leaps:
    """Time of the running loop that jumps from one timer to the next.

    Only for what needs no network: whoever waits for that would be too late.
    """

    def __init__(self):
        loop: Any = asyncio.get_running_loop()
        self._loop = loop
        self._real, self._more = loop.time, 0.0
        loop.time = lambda: self._real() + self._more

    async def move(self, seconds):
        """Let time pass; everybody wakes in their turn."""
        end = self._loop.time() + seconds
        await settled()
        while (at := self._next()) is not None and at <= end:
            self._more += max(at - self._loop.time(), 0.0)
            await asyncio.sleep(0)
            await settled()
        self._more += max(end - self._loop.time(), 0.0)

    def _next(self):
        timers = [one.when() for one in self._loop._scheduled if not one.cancelled()]
        return min(timers, default=None)


class Scripted(BaseSession):
    """A connection on which every question ends in the same way."""

    def __init__(self, ending):
        super().__init__()
        self.ending = ending
        self.asked = 0

    async def make_request(self, bot, method, timeout=None):  # noqa: ASYNC109 -- its name
        del bot, timeout
        self.asked += 1
        await asyncio.sleep(0)  # as no network answers at once
        await asyncio.sleep(0)
        return await self.ending(method)

    async def close(self):
        """Nothing was opened."""

    async def stream_content(self, *args, **more):
        del args, more
        for chunk in list[bytes]():
            yield chunk
