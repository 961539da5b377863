"""Finding the owner of a home, or becoming it."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from apx.agent.gateway import DRAIN
from apx.desk import client, lock
from apx.desk.client import RemoteDesk
from apx.desk.local import LocalDesk
from apx.desk.server import listening
from apx.domain.errors import HomeError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from apx.config import Config
    from apx.wiring import House

Desk = LocalDesk | RemoteDesk

# An owner that starts or ends does not listen for a moment, not for longer.
_PATIENCE: Final = 6.0
_PAUSE: Final = 0.05


@asynccontextmanager
async def open_desk(home: Path, config: Config, what: str) -> AsyncIterator[Desk]:
    """Reach the owner of a home; with none there, be it for the length of the block."""
    deadline = asyncio.get_running_loop().time() + _PATIENCE
    while True:
        with lock.held(home, what) as mine:
            if mine:
                async with own(home, config, what) as desk:
                    yield desk
                return
        if await client.answers(home):
            yield RemoteDesk(home)
            return
        if asyncio.get_running_loop().time() > deadline:
            raise HomeError(
                f"{home} is held by {lock.holder(home)}, which does not answer:"
                " end it (or let it go on, if it was stopped), then try again"
            )
        await asyncio.sleep(_PAUSE)


def _drain(what: str, house: House) -> float:
    """Say how long running turns may take to end when the owner leaves.

    A daemon gives them time, and so does who serves others beside. A person who
    closes the only chat wants to leave: the answer is made when they come back.
    """
    return DRAIN if what == "apx run" or house.terminal.is_watched else 0.0


@asynccontextmanager
async def own(home: Path, config: Config, what: str) -> AsyncIterator[LocalDesk]:
    """Open a home whose lock is held, and serve its socket beside."""
    from apx.backup import swap  # noqa: PLC0415 -- as below
    from apx.wiring import opened  # noqa: PLC0415 -- who only asks the owner needs no numpy
    from apx.wiring.serving import serving  # noqa: PLC0415 -- as below

    if swap.is_due(home):
        swap.finish(home)
    async with (
        opened(config, home, what) as house,
        listening(home, house),
        house.shortening.open(),
        serving(house),
        house.gateway.open(lambda: _drain(what, house)),
        house.gathering.open(),
        _background(house, what),
    ):
        yield LocalDesk(house)


@asynccontextmanager
async def _background(house: House, what: str) -> AsyncIterator[None]:
    """Keep the home up while a process that stays owns it.

    A short command leaves in the daily log what can be written in a moment.
    """
    if what not in {"apx run", "apx chat"}:
        yield
        await house.memory.daily.freshen()
        return
    work = asyncio.ensure_future(house.keep_up())
    try:
        yield
    finally:
        work.cancel()
        await asyncio.wait([work])
