"""What may be asked of the owner about facts that wait to become notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from apx.agent.review import acceptable, chosen
from apx.desk.theirs import visible

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from apx.store.candidates import Candidate
    from apx.wiring import House

Json = Any

_ALL: Final = 10_000


async def candidates(house: House, args: Mapping[str, Json]) -> Json:
    """List the newest facts that wait, oldest first."""
    found = await house.memory.proposals.waiting(await visible(house), args["limit"])
    return [_told(house, candidate) for candidate in found]


async def candidate_accept(house: House, args: Mapping[str, Json]) -> Json:
    """Make notes of what numbers mean, or of `all` that a person said; gives these."""
    proposals = house.memory.proposals
    found = acceptable(await _waiting(house), args["what"])
    notes = [await proposals.accept(candidate.id) for candidate in found]
    return [
        {"id": note.id, "at": _local(house, note.at), "text": note.text}
        for note in notes
    ]


async def candidate_reject(house: House, args: Mapping[str, Json]) -> Json:
    """Drop what numbers mean, or `all`; gives what was dropped."""
    found = chosen(await _waiting(house), args["what"])
    for candidate in found:
        await house.memory.proposals.reject(candidate.id)
    return [_told(house, candidate) for candidate in found]


async def _waiting(house: House) -> list[Candidate]:
    return await house.memory.proposals.waiting(await visible(house), _ALL)


def _told(house: House, candidate: Candidate) -> dict[str, Json]:
    return {
        "id": candidate.id,
        "at": _local(house, candidate.at),
        "channel": candidate.thread.channel,
        "thread": str(candidate.thread),
        "text": candidate.text,
        "suggested": candidate.suggested,
    }


def _local(house: House, at: datetime) -> str:
    return at.astimezone(house.memory.zone).isoformat(timespec="minutes")
