"""Sends the outbox: what a turn ended with reaches its person, once or marked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

import structlog

from apx.domain.errors import ChannelError, Undeliverable, Unreachable
from apx.domain.thread import Thread
from apx.domain.turn import PartState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.domain.turn import Part
    from apx.ports import Channel, Clock
    from apx.store.outbox import Outbox

log = structlog.get_logger(__name__)

# A part that its platform refuses, or that nobody knows of, is tried so often.
_TRIES: Final = 10
# Seconds to the next try of a thread: doubled each time, at most the second.
_FIRST: Final = 5.0
_LONGEST: Final = 60.0
# So many threads at once: one that is slow holds up no other.
_AT_ONCE: Final = 20
_UNKNOWN: Final = "nobody knows whether it arrived"
_TOO_OLD: Final = "it could not be delivered in time"


class Delivery:
    """Hands parts to their channels, in order within a thread."""

    def __init__(
        self, outbox: Outbox, channels: Mapping[str, Channel], clock: Clock
    ) -> None:
        self._outbox = outbox
        self._channels = channels
        self._clock = clock
        self._locks: WeakValueDictionary[Thread, asyncio.Lock] = WeakValueDictionary()
        self._failed: dict[int, int] = {}
        self._pauses: dict[Thread, tuple[float, float]] = {}

    async def deliver(self, thread: Thread) -> None:
        """Send what waits for a thread; what cannot be sent now keeps waiting."""
        async with self._lock(thread):
            await self._deliver(thread)

    async def deliver_all(self) -> None:
        """Send what waits for every channel and may be tried again by now."""
        slots = asyncio.Semaphore(_AT_ONCE)

        async def one(thread: Thread) -> None:
            # Asked behind the lock: who holds it may fail and set a pause.
            async with slots, self._lock(thread):
                if not self._rests(thread):
                    await self._deliver(thread)

        async with asyncio.TaskGroup() as group:
            for name in self._channels:
                for thread in map(Thread.parse, await self._outbox.due_threads(name)):
                    if not self._rests(thread):
                        group.create_task(one(thread))

    def _lock(self, thread: Thread) -> asyncio.Lock:
        return self._locks.setdefault(thread, asyncio.Lock())

    async def _deliver(self, thread: Thread) -> None:
        channel = self._channels.get(thread.channel)
        if channel is None:
            return
        for part in await self._outbox.due(thread):
            # Before anything else: a bot that is gone is never reached again.
            if self._is_too_old(channel, part):
                await self._give_up(part, _TOO_OLD)
            elif not channel.reaches(thread):
                return
            elif not await self._send(channel, part):
                self._pause(thread)
                return
        self._pauses.pop(thread, None)

    def _rests(self, thread: Thread) -> bool:
        until, _ = self._pauses.get(thread, (0.0, 0.0))
        return until > asyncio.get_running_loop().time()

    def _pause(self, thread: Thread) -> None:
        """Try a thread again later, and later each time."""
        _, before = self._pauses.get(thread, (0.0, 0.0))
        pause = min(max(before * 2, _FIRST), _LONGEST)
        self._pauses[thread] = (asyncio.get_running_loop().time() + pause, pause)

    async def _kept(self, part: Part, state: PartState, why: str) -> bool:
        """Keep a part for later; one that always fails must not hold up others."""
        failed = self._failed[part.id] = self._failed.get(part.id, 0) + 1
        if failed >= _TRIES:
            await self._give_up(part, why)
            return True
        await self._outbox.mark(part, state, self._clock(), error=why)
        return False

    def _is_too_old(self, channel: Channel, part: Part) -> bool:
        if channel.lifetime is None or part.created_at is None:
            return False
        return (self._clock() - part.created_at).total_seconds() > channel.lifetime

    async def _give_up(self, part: Part, why: str) -> None:
        """Keep a part no longer; what was said stays in the ledger."""
        log.warning("part_given_up", part=part.id, error=why)
        self._failed.pop(part.id, None)
        await self._outbox.mark(part, PartState.EXPIRED, self._clock(), error=why)

    async def _send(self, channel: Channel, part: Part) -> bool:
        """Try a part once. The row says `sending` before, so a crash is not silent."""

        async def note(ids: str) -> None:
            now, state = self._clock(), PartState.SENDING
            await self._outbox.mark(part, state, now, message_id=ids)

        await self._outbox.mark(part, PartState.SENDING, self._clock())
        try:
            message_id = await channel.deliver(part, note)
        except (ChannelError, TimeoutError) as error:
            return await self._failing(part, error)
        except Exception:  # a fault of ours; others wait behind this part
            log.exception("part_not_sent", part=part.id)
            return await self._kept(part, PartState.UNKNOWN, _UNKNOWN)
        self._failed.pop(part.id, None)
        await self._outbox.mark(
            part, PartState.SENT, self._clock(), message_id=message_id
        )
        return True

    async def _failing(self, part: Part, error: Exception) -> bool:
        """Keep a part, or give it up; whether the next one may be tried."""
        match error:
            case Undeliverable():
                await self._give_up(part, str(error))
                return True
            case Unreachable():
                now, why = self._clock(), str(error)
                await self._outbox.mark(part, part.state, now, error=why)
                return False
            case ChannelError():
                log.warning("part_not_sent", part=part.id, error=str(error))
                return await self._kept(part, part.state, str(error))
        log.warning("part_not_confirmed", part=part.id)
        return await self._kept(part, PartState.UNKNOWN, _UNKNOWN)
