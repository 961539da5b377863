"""Runs the channels of a home side by side; the fault of one ends no other."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import Exhausted
from apx.wiring.persons import rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from apx.ports import Channel
    from apx.wiring.house import House

log = structlog.get_logger(__name__)

# A channel that fell over is started again after so many seconds, then twice that.
_FIRST: Final = 1.0
_LONGEST: Final = 60.0
# One that lived so long begins with the first pause again.
_WELL: Final = 600.0


async def serve(house: House, given_up: Callable[[str], None]) -> None:
    """Run all channels but the terminal until cancelled.

    `given_up` is told of a channel that only a fresh process may help.
    """
    async with asyncio.TaskGroup() as group:
        for channel in house.channels.values():
            if channel is not house.terminal:
                group.create_task(_served(house, channel, given_up))


async def _served(
    house: House, channel: Channel, given_up: Callable[[str], None]
) -> None:
    door = house.doors.of(channel.name, rules(house.config).get(channel.name))
    loop = asyncio.get_running_loop()
    pause = _FIRST
    while True:
        began = loop.time()
        try:
            await channel.run(door)
        except Exhausted as error:
            log.error("channel_given_up", channel=channel.name, error=str(error))  # noqa: TRY400 -- a sentence says it all
            given_up(str(error))
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
