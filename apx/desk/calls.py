"""What may be asked of the owner of a home, by name; answers are plain JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from apx.agent.tools.notes import choose
from apx.desk.candidate_calls import candidate_accept, candidate_reject, candidates
from apx.desk.compact_calls import compact, compact_draft, compact_undo, view
from apx.desk.memory_calls import (
    memory_status,
    reindex,
    reindex_estimate,
    reindex_state,
    reindex_stop,
)
from apx.desk.talking import as_json, hear, order, settled, stop
from apx.domain.errors import InputError
from apx.domain.note import NewNote, Origin
from apx.domain.person import OWNER, OWNERS_OWN
from apx.domain.recall import Query
from apx.domain.text import clean, flatten
from apx.domain.thread import Thread
from apx.memory.past import over_time
from apx.store.verify import verify

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from datetime import datetime

    from apx.domain.event import Event
    from apx.domain.note import Note
    from apx.domain.recall import Memory
    from apx.wiring import House

Json = Any

VISIBLE: Final = (str(OWNERS_OWN), "shared")


async def ping(house: House, args: Mapping[str, Json]) -> Json:  # noqa: ARG001
    """Answer, to show that somebody is there."""
    return True


async def status(house: House, args: Mapping[str, Json]) -> Json:  # noqa: ARG001
    """Report what runs and what does not."""
    return {**await house.status.report(), "told": await house.status.told()}


async def threads(house: House, args: Mapping[str, Json]) -> Json:
    """List the conversations."""
    found = await house.memory.history.threads(args["limit"])
    return [
        {
            "thread": str(turn.thread),
            "turns": turns,
            "last": _local(house, turn.began_at),
            "request": turn.request,
        }
        for turns, turn in found
    ]


async def transcript(house: House, args: Mapping[str, Json]) -> Json:
    """Show the turns of a conversation."""
    thread = Thread.parse(args["thread"])
    found = await house.memory.history.transcript(thread, args["limit"])
    if not found:
        raise InputError(f"no thread {thread}; `apx threads list` names them")
    return [{**as_json(turn), "at": _local(house, turn.began_at)} for turn in found]


async def search_threads(house: House, args: Mapping[str, Json]) -> Json:
    """Find messages by their literal words."""
    thread = Thread.parse(args["thread"]) if args.get("thread") else None
    found = await house.memory.search.search(
        clean(args["text"]), VISIBLE, thread, args["limit"]
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


async def recall(house: House, args: Mapping[str, Json]) -> Json:
    """Search memory by relevance, as a turn does."""
    found = await _found(house, _query(house, args))
    return [_memory(house, hit) for hit in found]


async def recall_history(house: House, args: Mapping[str, Json]) -> Json:
    """Search for facts with those that newer ones replaced, oldest first."""
    await house.memory.recall.indexer.catch_up()
    found = await over_time(house.memory.recall.source, _query(house, args))
    return [_memory(house, hit) for hit in found]


async def notes(house: House, args: Mapping[str, Json]) -> Json:
    """List the newest notes, oldest first."""
    found = await house.memory.book.latest(args["limit"])
    return [_note(house, note) for note in found]


async def remember(house: House, args: Mapping[str, Json]) -> Json:
    """Save a note."""
    note = await house.memory.book.add(
        NewNote(
            op=f"note/{args['id']}",
            text=flatten(clean(args["text"])),
            at=house.memory.clock(),
            channel="terminal",
            thread="",
            turn=0,
            person=OWNER,
            audience=str(OWNERS_OWN),
            origin=Origin.COMMAND,
        )
    )
    return _note(house, note)


async def forget(house: House, args: Mapping[str, Json]) -> Json:
    """Forget the one note that a number or some words mean."""
    chosen = choose(await house.memory.book.sync(), clean(args["what"]))
    if len(chosen) != 1:
        count = f"{len(chosen)} notes match" if chosen else "no note matches"
        raise InputError(f"{count}; `apx memory notes` lists them by number")
    await house.memory.book.forget(chosen[0].id)
    return _note(house, chosen[0])


async def why(house: House, args: Mapping[str, Json]) -> Json:
    """Explain what memory brought to a turn, or to the newest one."""
    explainer = house.explainer
    turn = args.get("turn", 0)
    event: Event | None
    if turn:
        event = await explainer.recall_of(turn)
    else:
        event = await explainer.newest(args.get("thread", ""))
    if event is None:
        which = f"turn {turn}: there is none, or" if turn else "no answer yet, or"
        raise InputError(f"{which} memory was not asked for it")
    return {
        "turn": event.turn,
        **event.body,
        "tools": await explainer.looked_up(event.turn),
        "told": await explainer.told(event),
    }


def _query(house: House, args: Mapping[str, Json]) -> Query:
    return Query(
        text=clean(args["text"]),
        thread=Thread.parse("terminal:search"),
        audiences=VISIBLE,
        at=house.memory.clock(),
        limit=args["limit"] or house.config.memory.rag_top_k,
    )


async def _found(house: House, query: Query) -> Sequence[Memory]:
    await house.memory.recall.indexer.catch_up()
    return (await house.memory.recall.source.fetch(query)).memories


def _note(house: House, note: Note) -> dict[str, Json]:
    return {
        "id": note.id,
        "at": _local(house, note.at),
        "channel": note.channel,
        "text": note.text,
    }


def _memory(house: House, memory: Memory) -> dict[str, Json]:
    return {
        "ref": memory.ref,
        "kind": memory.kind,
        "at": _local(house, memory.at),
        "channel": memory.channel,
        "thread": str(memory.thread or ""),
        "score": memory.score,
        "why": memory.why,
        "shown": memory.shown or memory.text,
        "text": memory.text,
    }


def _local(house: House, at: datetime) -> str:
    return at.astimezone(house.memory.zone).isoformat(timespec="minutes")


CALLS: Final[dict[str, Callable[[House, Mapping[str, Json]], Awaitable[Json]]]] = {
    "ping": ping,
    "hear": hear,
    "order": order,
    "settled": settled,
    "stop": stop,
    "status": status,
    "threads": threads,
    "transcript": transcript,
    "search_threads": search_threads,
    "check_ledger": check_ledger,
    "recall": recall,
    "recall_history": recall_history,
    "notes": notes,
    "remember": remember,
    "forget": forget,
    "why": why,
    "memory_status": memory_status,
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
