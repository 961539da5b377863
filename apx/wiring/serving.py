"""Runs the channels of a home side by side; the fault of one ends no other."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import Exhausted
from apx.wiring.persons import rules

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from apx.ports import Channel
    from apx.wiring.house import House

log = structlog.get_logger(__name__)

# A channel that fell over is started again after so many seconds, then twice that.
_FIRST: Final = 1.0
_LONGEST: Final = 60.0
# One that lived so long begins with the first pause again.
_WELL: Final = 600.0


@asynccontextmanager
async def serving(house: House) -> AsyncIterator[None]:
    """Run all channels but the terminal for the length of the block.

    What they hear is in the ledger, whether the gateway is open or not; open it inside,
    so that what running turns end with can still be delivered.
    """
    others = [c for c in house.channels.values() if c is not house.terminal]
    tasks = [asyncio.ensure_future(_served(house, channel)) for channel in others]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


async def _served(house: House, channel: Channel) -> None:
    door = house.doors.of(channel.name, rules(house.config).get(channel.name))
    loop = asyncio.get_running_loop()
    pause = _FIRST
    while True:
        began = loop.time()
        try:
            await channel.run(door)
        except Exhausted as error:
            log.error("channel_given_up", channel=channel.name, error=str(error))  # noqa: TRY400 -- a sentence says it all
            house.given_up.append(str(error))
            house.is_over.set()
            return
        except Exception as error:  # the channel supervisor: it must outlive faults
            log.exception("channel_failed", channel=channel.name)
            why = f"failed ({type(error).__name__}); apx.log has the details"
            house.status.complaints[channel.name] = why
        if loop.time() - began > _WELL:
            pause = _FIRST
        await asyncio.sleep(pause)
        pause = min(pause * 2, _LONGEST)
        house.status.complaints.pop(channel.name, None)
