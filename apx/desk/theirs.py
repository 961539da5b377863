"""What the owner, at the machine, may be shown: as in any private chat of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.domain.errors import InputError
from apx.domain.person import OWNER, OWNERS_OWN
from apx.domain.thread import Thread

if TYPE_CHECKING:
    from apx.wiring import House


async def visible(house: House) -> tuple[str, ...]:
    """Name the audiences that the owner is in."""
    sight = await house.who.sights.of(OWNER, str(OWNERS_OWN))
    return sight.audiences


async def known_thread(house: House, name: str) -> Thread:
    """Read the name of a thread that there is, and that the owner may see."""
    thread = Thread.parse(name)
    audience = await house.memory.threads.audience_of(thread)
    if audience is None:
        raise InputError(f"no thread {thread}; `apx threads list` names them")
    if audience not in await visible(house):
        raise InputError(
            f"{thread} is a conversation of others; apx does not show it, though the"
            " file ledger.db is yours"
        )
    return thread
