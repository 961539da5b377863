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

# A part that its platform refuses is tried so often.
_TRIES: Final = 10
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

    async def deliver(self, thread: Thread) -> None:
        """Send what waits for a thread; what cannot be sent now keeps waiting."""
        channel = self._channels.get(thread.channel)
        lock = self._locks.setdefault(thread, asyncio.Lock())
        async with lock:
            if channel is None:
                return
            for part in await self._outbox.due(thread):
                # Before anything else: a bot that is gone is never reached again.
                if self._is_too_old(channel, part):
                    await self._give_up(part, _TOO_OLD)
                elif not channel.reaches(thread) or not await self._send(channel, part):
                    return

    async def deliver_all(self) -> None:
        """Send what waits for every channel, such as after a start."""
        for name in self._channels:
            for thread in await self._outbox.due_threads(name):
                await self.deliver(Thread.parse(thread))

    async def _refused(self, part: Part, error: ChannelError) -> bool:
        """Keep a part for later; one that is always refused must not hold up others."""
        if not isinstance(error, Unreachable):
            log.warning("part_not_sent", part=part.id, error=str(error))
            if part.attempts >= _TRIES:
                await self._give_up(part, str(error))
                return True
        await self._outbox.mark(part, part.state, self._clock(), error=str(error))
        return False

    def _is_too_old(self, channel: Channel, part: Part) -> bool:
        if channel.lifetime is None or part.created_at is None:
            return False
        return (self._clock() - part.created_at).total_seconds() > channel.lifetime

    async def _give_up(self, part: Part, why: str) -> None:
        """Keep a part no longer; what was said stays in the ledger."""
        log.warning("part_given_up", part=part.id, error=why)
        await self._outbox.mark(part, PartState.EXPIRED, self._clock(), error=why)

    async def _send(self, channel: Channel, part: Part) -> bool:
        """Try a part once. The row says `sending` before, so a crash is not silent."""

        async def note(ids: str) -> None:
            now, state = self._clock(), PartState.SENDING
            await self._outbox.mark(part, state, now, message_id=ids)

        await self._outbox.mark(part, PartState.SENDING, self._clock())
        try:
            message_id = await channel.deliver(part, note)
        except Undeliverable as error:
            await self._give_up(part, str(error))
            return True
        except ChannelError as error:
            return await self._refused(part, error)
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
