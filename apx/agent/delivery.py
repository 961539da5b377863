"""Sends the outbox: what a turn ended with reaches its person, once or marked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import structlog

from apx.domain.errors import ChannelError, Unreachable
from apx.domain.thread import Thread
from apx.domain.turn import PartState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.domain.turn import Part
    from apx.ports import Channel, Clock
    from apx.store.outbox import Outbox

log = structlog.get_logger(__name__)


class Delivery:
    """Hands parts to their channels, in order within a thread."""

    def __init__(
        self, outbox: Outbox, channels: Mapping[str, Channel], clock: Clock
    ) -> None:
        self._outbox = outbox
        self._channels = channels
        self._clock = clock
        self._locks: WeakValueDictionary[Thread, asyncio.Lock] = WeakValueDictionary()

    async def deliver(self, thread: Thread) -> None:
        """Send what waits for a thread; what cannot be sent now keeps waiting."""
        channel = self._channels.get(thread.channel)
        lock = self._locks.setdefault(thread, asyncio.Lock())
        async with lock:
            if channel is None or not channel.reaches(thread):
                return
            for part in await self._outbox.due(thread):
                if not await self._send(channel, part):
                    return

    async def deliver_all(self) -> None:
        """Send what waits for every channel, such as after a start."""
        for name in self._channels:
            for thread in await self._outbox.due_threads(name):
                await self.deliver(Thread.parse(thread))

    async def _send(self, channel: Channel, part: Part) -> bool:
        """Try a part once. The row says `sending` before, so a crash is not silent."""
        await self._outbox.mark(part, PartState.SENDING, self._clock())
        try:
            message_id = await channel.deliver(part)
        except ChannelError as error:
            if not isinstance(error, Unreachable):
                log.warning("part_not_sent", part=part.id, error=str(error))
            await self._outbox.mark(part, part.state, self._clock(), error=str(error))
            return False
        except TimeoutError:
            log.warning("part_not_confirmed", part=part.id)
            await self._outbox.mark(part, PartState.UNKNOWN, self._clock())
            return False
        except Exception:  # a fault of ours; whether the person has it nobody knows
            log.exception("part_not_sent", part=part.id)
            await self._outbox.mark(part, PartState.UNKNOWN, self._clock())
            return False
        await self._outbox.mark(
            part, PartState.SENT, self._clock(), message_id=message_id
        )
        return True
