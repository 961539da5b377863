"""Says something unasked to where a person is, if they can be reached now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import ChannelError
from apx.domain.thread import Thread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.domain.heard import Notice
    from apx.ports import Channel
    from apx.store.threads import Threads

log = structlog.get_logger(__name__)

# Of a person's private threads so many are tried, the latest first.
_TRIED: Final = 5


class Notices:
    """Best effort: what must not be lost is in a table of its own."""

    def __init__(self, threads: Threads, channels: Mapping[str, Channel]) -> None:
        self._threads = threads
        self._channels = channels

    async def to_person(self, person: str, notice: Notice) -> bool:
        """Tell a person where they wrote last; false if nobody listens there."""
        for name in await self._threads.private_threads(person, _TRIED):
            if await self.to_thread(Thread.parse(name), notice):
                return True
        return False

    async def to_thread(self, thread: Thread, notice: Notice) -> bool:
        """Say it in a thread; false if it cannot be said now."""
        channel = self._channels.get(thread.channel)
        if channel is None or not channel.reaches(thread):
            return False
        try:
            await channel.tell(thread, notice)
        except (ChannelError, TimeoutError, OSError) as error:
            log.info("not_told", thread=str(thread), kind=type(error).__name__)
            return False
        return True
