"""What may be asked of the owner about notes and what is recalled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apx.agent.tools.notes import choose
from apx.desk.theirs import visible
from apx.domain.errors import InputError
from apx.domain.note import NewNote, Origin
from apx.domain.person import OWNER, OWNERS_OWN, SHARED
from apx.domain.recall import Query
from apx.domain.text import clean, flatten
from apx.domain.thread import Thread
from apx.memory.past import over_time

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from apx.domain.event import Event
    from apx.domain.note import Note
    from apx.domain.recall import Memory
    from apx.wiring import House

Json = Any


async def recall(house: House, args: Mapping[str, Json]) -> Json:
    """Search memory by relevance, as a turn does."""
    found = await _found(house, await _query(house, args))
    return [_memory(house, hit) for hit in found]


async def recall_history(house: House, args: Mapping[str, Json]) -> Json:
    """Search for facts with those that newer ones replaced, oldest first."""
    await house.memory.recall.indexer.catch_up()
    query = await _query(house, args)
    found = await over_time(house.memory.recall.source, query)
    return [_memory(house, hit) for hit in found]


async def notes(house: House, args: Mapping[str, Json]) -> Json:
    """List the newest notes, oldest first."""
    found = await house.memory.books.latest(await visible(house), args["limit"])
    return [told(house, note) for note in found]


async def remember(house: House, args: Mapping[str, Json]) -> Json:
    """Save a note."""
    note = await house.memory.books.add(
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
    return told(house, note)


async def share(house: House, args: Mapping[str, Json]) -> Json:
    """Let everybody know a note."""
    note = await _one(house, clean(args["what"]))
    await house.memory.books.move(note, str(SHARED))
    return told(house, note)


async def why(house: House, args: Mapping[str, Json]) -> Json:
    """Explain what memory brought to a turn, or to the newest one."""
    explainer, audiences = house.explainer, await visible(house)
    turn = args.get("turn", 0)
    event: Event | None
    if turn:
        event = await explainer.recall_of(turn)
    else:
        event = await explainer.newest(args.get("thread", ""), audiences)
    if event is None or event.audience not in audiences:
        which = f"turn {turn}: there is none, or" if turn else "no answer yet, or"
        raise InputError(f"{which} memory was not asked for it")
    return {
        "turn": event.turn,
        **event.body,
        "tools": await explainer.looked_up(event.turn),
        "told": await explainer.told(event, OWNER),
    }


async def _one(house: House, what: str) -> Note:
    found = await house.memory.books.every(await visible(house))
    chosen = choose(found, what)
    if len(chosen) != 1:
        count = f"{len(chosen)} notes match" if chosen else "no note matches"
        raise InputError(f"{count}; `apx memory notes` lists them by number")
    return chosen[0]


async def _query(house: House, args: Mapping[str, Json]) -> Query:
    return Query(
        text=clean(args["text"]),
        thread=Thread.parse("terminal:search"),
        audiences=await visible(house),
        at=house.memory.clock(),
        limit=args["limit"] or house.config.memory.rag_top_k,
    )


async def _found(house: House, query: Query) -> Sequence[Memory]:
    await house.memory.recall.indexer.catch_up()
    return (await house.memory.recall.source.fetch(query)).memories


def told(house: House, note: Note) -> dict[str, Json]:
    """Write a note down."""
    return {
        "id": note.id,
        "at": _local(house, note.at),
        "channel": note.channel,
        "audience": note.audience,
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
        "untrusted": memory.untrusted,
    }


def _local(house: House, at: datetime) -> str:
    return at.astimezone(house.memory.zone).isoformat(timespec="minutes")
