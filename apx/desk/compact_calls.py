"""What may be asked of the owner about condensing: to do it, to undo it, to look."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from apx.agent.compacted import in_shell, seen, told, told_draft, told_undone
from apx.desk.theirs import known_thread
from apx.domain.errors import InputError
from apx.domain.fitting import messages

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from apx.domain.message import Message
    from apx.memory.condenser import Outcome
    from apx.wiring import House

Json = Any


async def compact(house: House, args: Mapping[str, Json]) -> Json:
    """Condense a conversation."""
    thread = await known_thread(house, args["thread"])
    outcome = await house.condensing.now(thread, args["keep"])
    if outcome is None:
        raise InputError("it was stopped; nothing was condensed")
    said = in_shell(told(outcome), str(thread))
    return {"told": said, **_outcome(house, outcome)}


async def compact_draft(house: House, args: Mapping[str, Json]) -> Json:
    """Say what condensing would give, beside what it would replace."""
    thread = await known_thread(house, args["thread"])
    outcome = await house.condensing.draft(thread, args["keep"])
    said = in_shell(told_draft(outcome), str(thread))
    return {"told": said, **_outcome(house, outcome)}


async def compact_undo(house: House, args: Mapping[str, Json]) -> Json:
    """Take the newest condensation back."""
    thread = await known_thread(house, args["thread"])
    undone = await house.condensing.undo(thread, f"undo/{uuid4().hex}")
    return {"undone": undone.number, "told": told_undone(undone)}


async def view(house: House, args: Mapping[str, Json]) -> Json:
    """Give what the model sees of a conversation."""
    seen = await house.condensing.seen(await known_thread(house, args["thread"]))
    return _written(seen)


def _outcome(house: House, outcome: Outcome) -> dict[str, Json]:
    made, before, after = outcome.made, outcome.before, outcome.after
    # What leaves the prompt: the turns, and what stood in for those before them.
    gone = before.past[: len(before.past) - len(after.past)]
    replaced = messages(replace(before, past=gone), outcome.room, house.memory.zone)
    return {
        "messages": [seen(before), seen(after)],
        "tokens": [outcome.tokens_before, outcome.tokens_after],
        "replaces": _written(replaced) if made else [],
        "summary": made.text(house.memory.zone, outcome.room) if made else "",
        "model": made.model if made else "",
        "degraded": made.degraded if made else False,
        "refused": list(outcome.reasons),
        "facts": outcome.facts,
    }


def _written(shown: Sequence[Message]) -> list[dict[str, Json]]:
    return [
        {
            "role": message.role.value,
            "text": message.text,
            "calls": [call.name for call in message.calls],
        }
        for message in shown
    ]
