"""The record of every request and what became of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from apx.domain.ending import Accepted, Ending
from apx.domain.errors import StoreError
from apx.domain.event import Event, EventKind
from apx.domain.turn import TurnState
from apx.store import rows
from apx.store.log import append

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from apx.domain.thread import Thread
    from apx.domain.turn import Inbound, Turn
    from apx.store.database import Database


class Ledger:
    """Writes requests and turns down; what it returned from is on the disk."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def accept(self, heard: Inbound) -> Accepted:
        """Take a request; the same one twice is one. Raises `Conflict` if it differs.

        It waits until `begin` or `join` gives it a turn.
        """
        return await self._database.write(lambda tx: _accept(tx, heard))

    async def join(self, turn: Turn, heard: Inbound) -> None:
        """Add a request that waits to a running turn; else it goes on waiting."""
        await self._database.write(lambda tx: _join(tx, heard, turn.id))

    async def begin(self, thread: Thread, at: datetime) -> Turn | None:
        """Begin a turn with all requests that wait in a thread.

        Gives nothing if none waits, or if a turn of this thread is running.
        """
        return await self._database.write(lambda tx: _begin(tx, str(thread), at))

    async def end(self, turn: Turn, ending: Ending, at: datetime) -> None:
        """End a turn, and put its reply into the outbox in the same transaction."""
        await self._database.write(lambda tx: append(tx, _end_event(turn, ending, at)))

    async def interrupt(self, turn: Turn, ending: Ending, at: datetime) -> None:
        """End a turn as interrupted, and have its request wait to be run once more."""

        def job(tx: sqlite3.Connection) -> None:
            append(tx, _end_event(turn, ending, at))
            append(tx, _retry_event(turn, f"retry/{turn.id}", at))

        await self._database.write(job)

    async def retry(self, turn: Turn, key: str, at: datetime) -> None:
        """Have an ended turn's request wait to be run once more, by the usual model."""
        again = replace(turn, wanted="")
        await self._database.write(lambda tx: append(tx, _retry_event(again, key, at)))

    async def record(self, event: Event) -> int:
        """Write any other event; gives its `seq`, 0 if it was there already."""
        written = await self._database.write(lambda tx: append(tx, event))
        return written.seq if written else 0

    async def turn(self, turn_id: int) -> Turn | None:
        """Read a turn."""
        found = await self._database.fetch("select * from turn where id = ?", turn_id)
        return rows.turn(found[0]) if found else None

    async def turn_of(self, key: str) -> Turn | None:
        """Read the turn that a request ended up in, or its latest retry."""
        found = await self._database.fetch(
            "with recursive chain (id) as ("
            " select turn from request where key = ? and turn is not null"
            " union select t.id from turn t join chain c on t.retry_of = c.id)"
            " select t.* from turn t join chain c on t.id = c.id"
            " order by t.id desc limit 1",
            key,
        )
        return rows.turn(found[0]) if found else None

    async def knows(self, key: str) -> bool:
        """Whether there is a request under this key, answered or not."""
        return bool(
            await self._database.fetch("select 1 from request where key = ?", key)
        )

    async def repeats(self, turn_id: int) -> bool:
        """Whether a turn's request was run once more, or waits for it."""
        return bool(
            await self._database.fetch(
                "select 1 from request where retry_of = ? limit 1", turn_id
            )
        )

    async def newest(self, thread: Thread) -> Turn | None:
        """Read the newest turn of a thread."""
        found = await self._database.fetch(
            "select * from turn where thread = ? order by ordinal desc limit 1",
            str(thread),
        )
        return rows.turn(found[0]) if found else None

    async def running(self) -> list[Turn]:
        """Read the turns that run, or that a dead process left running."""
        found = await self._database.fetch(
            "select * from turn where state = 'running' order by thread"
        )
        return [rows.turn(row) for row in found]

    async def waiting(self) -> list[str]:
        """Name the threads in which requests wait for a turn."""
        found = await self._database.fetch(
            "select thread, min(seq) as first from request where turn is null"
            " group by thread order by first"
        )
        return [row["thread"] for row in found]


def _accept(tx: sqlite3.Connection, heard: Inbound) -> Accepted:
    event = Event(
        kind=EventKind.ACCEPT,
        op=f"accept/{heard.key}",
        at=heard.at,
        body=_request(heard.key, heard.text, heard.model),
        thread=str(heard.thread),
        person=heard.person,
        audience=str(heard.audience),
    )
    is_new = append(tx, event) is not None
    row = tx.execute("select turn from request where key = ?", (heard.key,)).fetchone()
    return Accepted(heard.key, row[0], is_new)


def _join(tx: sqlite3.Connection, heard: Inbound, turn_id: int) -> None:
    row = tx.execute(
        "select t.request from turn t join request r on r.key = ? and r.turn is null"
        " where t.id = ? and t.state = 'running'",
        (heard.key, turn_id),
    ).fetchone()
    if row is None:
        return
    event = Event(
        kind=EventKind.JOIN,
        op=f"join/{heard.key}",
        at=heard.at,
        body={
            "keys": [heard.key],
            "added": heard.text,
            "text": f"{row[0]}\n{heard.text}",
        },
        thread=str(heard.thread),
        turn=turn_id,
        person=heard.person,
        audience=str(heard.audience),
    )
    append(tx, event)


def _begin(tx: sqlite3.Connection, thread: str, at: datetime) -> Turn | None:
    busy = tx.execute(
        "select 1 from turn where thread = ? and state = 'running'", (thread,)
    ).fetchone()
    waiting = tx.execute(
        "select * from request where thread = ? and turn is null order by seq",
        (thread,),
    ).fetchall()
    if busy or not waiting:
        return None
    chosen = _burst(waiting)
    body: dict[str, object] = {
        "keys": [row["key"] for row in chosen],
        "text": "\n".join(row["text"] for row in chosen),
    }
    for key in ("retry_of", "model"):
        if chosen[-1][key]:
            body[key] = chosen[-1][key]
    event = Event(
        kind=EventKind.BEGIN,
        op=f"begin/{chosen[0]['key']}",
        at=at,
        body=body,
        thread=thread,
        person=chosen[0]["person"],
        audience=chosen[0]["audience"],
    )
    written = append(tx, event)
    if written is None:
        raise StoreError(f"the request {chosen[0]['key']} was begun before")
    row = tx.execute("select * from turn where id = ?", (written.turn,)).fetchone()
    return rows.turn(row)


def _burst(waiting: list[sqlite3.Row]) -> list[sqlite3.Row]:
    """Choose what one turn answers: a retry alone, or all from the same person."""
    first = waiting[0]
    chosen = [first]
    for row in waiting[1:]:
        same = (row["person"], row["audience"]) == (first["person"], first["audience"])
        if first["retry_of"] or row["retry_of"] or not same:
            break
        chosen.append(row)
    return chosen


def _end_event(turn: Turn, ending: Ending, at: datetime) -> Event:
    return Event(
        kind=EventKind.END,
        op=f"end/{turn.id}",
        at=at,
        body={
            "state": ending.state,
            "final": ending.final,
            "error": ending.error,
            "model": ending.model,
            "usage": rows.usage(ending.usage),
            "parts": list(ending.parts),
            "plain": ending.is_plain,
        },
        thread=str(turn.thread),
        turn=turn.id,
        person=turn.person,
        audience=turn.audience,
    )


def _retry_event(turn: Turn, key: str, at: datetime) -> Event:
    if turn.state is TurnState.COMPLETED:
        raise StoreError(f"turn {turn.id} was completed; there is nothing to retry")
    return Event(
        kind=EventKind.ACCEPT,
        op=f"accept/{key}",
        at=at,
        body=_request(key, turn.request, turn.wanted) | {"retry_of": turn.id},
        thread=str(turn.thread),
        person=turn.person,
        audience=turn.audience,
    )


def _request(key: str, text: str, model: str) -> dict[str, object]:
    request: dict[str, object] = {"key": key, "text": text}
    return {**request, "model": model} if model else request
