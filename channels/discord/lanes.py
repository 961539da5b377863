"""What is to be done in each channel, one thing after the other."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

Job = Callable[[], Awaitable[None]]

# So many things wait in a channel at most.
_LONGEST: Final = 500


class Lanes:
    """A queue for each channel; none waits for another.

    What a job raises ends the group: it is for the job to know what it may strike.
    """

    def __init__(self, group: asyncio.TaskGroup, longest: int = _LONGEST) -> None:
        self._group = group
        self._longest = longest
        self._waiting: dict[int, deque[Job]] = {}
        self._idle = asyncio.Event()
        self._idle.set()

    def put(self, channel: int, job: Job) -> bool:
        """Have something done after all that waits; false if too much does."""
        lane = self._lane(channel)
        if len(lane) >= self._longest:
            return False
        lane.append(job)
        return True

    def ahead(self, channel: int, job: Job) -> None:
        """Have something done before all that waits, however much that is."""
        self._lane(channel).appendleft(job)

    def after(self, channel: int, job: Job) -> None:
        """Have something done after all that waits, however much that is."""
        self._lane(channel).append(job)

    async def done(self) -> None:
        """Wait until nothing is to be done in any channel."""
        await self._idle.wait()

    def _lane(self, channel: int) -> deque[Job]:
        lane = self._waiting.get(channel)
        if lane is None:
            lane = self._waiting[channel] = deque()
            self._idle.clear()
            self._group.create_task(self._run(channel, lane))
        return lane

    async def _run(self, channel: int, lane: deque[Job]) -> None:
        try:
            while lane:
                await lane.popleft()()
        finally:
            del self._waiting[channel]
            if not self._waiting:
                self._idle.set()
