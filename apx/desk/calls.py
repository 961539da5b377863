"""What may be asked of the owner of a home, by name; answers are plain JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from apx.desk.candidate_calls import candidate_accept, candidate_reject, candidates
from apx.desk.compact_calls import compact, compact_draft, compact_undo, view
from apx.desk.erase_calls import erase_person, erase_thread, forget
from apx.desk.memory_calls import (
    mem_vectors,
    memory_status,
    reindex,
    reindex_estimate,
    reindex_state,
    reindex_stop,
)
from apx.desk.note_calls import (
    notes,
    recall,
    recall_history,
    remember,
    share,
    why,
)
from apx.desk.people_calls import pair, people, remove, set_role, settle
from apx.desk.talking import as_json, hear, order, settled, stop
from apx.desk.theirs import known_thread, visible
from apx.domain.person import OWNER, Role
from apx.domain.text import clean
from apx.domain.thread import Thread
from apx.store.verify import verify

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from datetime import datetime

    from apx.wiring import House

Json = Any


async def ping(house: House, args: Mapping[str, Json]) -> Json:  # noqa: ARG001
    """Answer, to show that somebody is there."""
    return True


async def status(house: House, args: Mapping[str, Json]) -> Json:  # noqa: ARG001
    """Report what runs and what does not."""
    return {**await house.status.report(), "told": await house.status.told()}


async def usage(house: House, args: Mapping[str, Json]) -> Json:
    """Report what was spent, today's with it."""
    budgets, days = house.status.budgets, args["days"]
    rows = [asdict(one) for one in await budgets.report(days)]
    return {"rows": rows, "told": await budgets.told(OWNER, Role.OWNER, days)}


async def threads(house: House, args: Mapping[str, Json]) -> Json:
    """List the conversations."""
    audiences = await visible(house)
    found = await house.memory.history.threads(args["limit"], audiences)
    return [
        {
            "thread": str(turn.thread),
            "turns": turns,
            "last": _local(house, turn.began_at),
            "request": turn.asked,
        }
        for turns, turn in found
    ]


async def transcript(house: House, args: Mapping[str, Json]) -> Json:
    """Show the turns of a conversation."""
    thread = await known_thread(house, args["thread"])
    found = await house.memory.history.transcript(thread, args["limit"])
    audiences = await visible(house)
    return [
        {**as_json(turn), "at": _local(house, turn.began_at)}
        for turn in found
        if turn.audience in audiences
    ]


async def search_threads(house: House, args: Mapping[str, Json]) -> Json:
    """Find messages by their literal words."""
    thread = Thread.parse(args["thread"]) if args.get("thread") else None
    found = await house.memory.search.search(
        clean(args["text"]), await visible(house), thread, args["limit"]
    )
    return [
        {
            "turn": said.turn,
            "thread": said.thread,
            "field": said.field,
            "at": _local(house, said.at),
            "text": said.text,
        }
        for said in found
    ]


async def check_ledger(house: House, args: Mapping[str, Json]) -> Json:  # noqa: ARG001
    """Prove that the tables say what the log says; lists what does not."""
    return await verify(house.home / "ledger.db")


def _local(house: House, at: datetime) -> str:
    return at.astimezone(house.memory.zone).isoformat(timespec="minutes")


CALLS: Final[dict[str, Callable[[House, Mapping[str, Json]], Awaitable[Json]]]] = {
    "ping": ping,
    "hear": hear,
    "order": order,
    "settled": settled,
    "stop": stop,
    "status": status,
    "usage": usage,
    "threads": threads,
    "transcript": transcript,
    "search_threads": search_threads,
    "check_ledger": check_ledger,
    "recall": recall,
    "recall_history": recall_history,
    "notes": notes,
    "remember": remember,
    "forget": forget,
    "erase_thread": erase_thread,
    "erase_person": erase_person,
    "share": share,
    "why": why,
    "people": people,
    "pair": pair,
    "settle": settle,
    "set_role": set_role,
    "remove": remove,
    "memory_status": memory_status,
    "mem_vectors": mem_vectors,
    "reindex": reindex,
    "reindex_estimate": reindex_estimate,
    "reindex_state": reindex_state,
    "reindex_stop": reindex_stop,
    "compact": compact,
    "compact_draft": compact_draft,
    "compact_undo": compact_undo,
    "view": view,
    "candidates": candidates,
    "candidate_accept": candidate_accept,
    "candidate_reject": candidate_reject,
}

# These are given up with whoever asked for them.
WAITS: Final = frozenset({"settled", "compact", "compact_draft"})
