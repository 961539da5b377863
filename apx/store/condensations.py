"""The condensations of threads, as the log has them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from apx.domain.condensation import CONDENSER, Condensation, Quote
from apx.domain.event import Event, EventKind
from apx.domain.message import Role
from apx.domain.standing import Standing, Statement
from apx.domain.summary import Section
from apx.store.log import append, from_row

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from apx.domain.thread import Thread
    from apx.store.database import Database


@dataclass(frozen=True, slots=True)
class Record:
    """A condensation on its way into the log.

    `on` is the id of the one that served when it was made, 0 for none; `last_turn` the
    id of the last turn that it stands for, as a place may be another turn's after a
    rewind. `about` is what else the log shall know of it. It was drafted from the log
    as it was at `since`.
    """

    thread: Thread
    made: Condensation
    last_turn: int
    on: int
    at: datetime
    about: Mapping[str, Any]
    since: int


class Condensations:
    """Adds condensations and takes them back; nothing is ever erased."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest(self, thread: Thread) -> Condensation | None:
        """Read the one that serves; none from before `/new`."""
        chain = await self.chain(thread, 1)
        return chain[0] if chain else None

    async def chain(self, thread: Thread, limit: int) -> list[Condensation]:
        """Read those that hold, the newest first."""
        found = await self._database.fetch(
            "select e.* from thread t join condensation c on c.thread = t.name"
            " and c.state = 'valid' and c.id > t.fresh join event e on e.seq = c.id"
            " where t.name = ? order by c.id desc limit ?",
            str(thread),
            limit,
        )
        return [read(from_row(row)) for row in found]

    async def add(self, record: Record) -> int:
        """Have a condensation serve from now on; gives its id.

        Gives 0 and writes nothing if another one serves by now, or if a turn of its
        range was hidden or left behind by `/new` meanwhile.
        """
        return await self._database.write(lambda tx: _add(tx, record))

    async def degraded(self, limit: int) -> list[str]:
        """Name the threads whose newest condensation was made by rule."""
        found = await self._database.fetch(
            "select c.thread, max(c.id) as id, c.degraded from condensation c"
            " join thread t on t.name = c.thread and c.id > t.fresh"
            " where c.state = 'valid' group by c.thread having c.degraded = 1 limit ?",
            limit,
        )
        return [row["thread"] for row in found]

    async def undo(self, thread: Thread, op: str, at: datetime) -> int:
        """Take the newest one back, so that what it stood for is shown again.

        Gives its id, or 0 if there is none since `/new`.
        """
        return await self._database.write(lambda tx: _undo(tx, str(thread), op, at))


def read(event: Event) -> Condensation:
    """Read the event of a condensation."""
    body = event.body
    known = set(Section)
    return Condensation(
        first=body["first"],
        last=body["last"],
        at=datetime.fromisoformat(body["until"]),
        sections={Section(n): t for n, t in body["sections"].items() if n in known},
        opening=tuple(Quote(Role(q["role"]), q["text"]) for q in body["opening"]),
        standing=tuple(_statement(told) for told in body["standing"]),
        model=body["model"],
        degraded=body["degraded"],
        id=event.seq,
        tainted=body.get("tainted", False),
    )


def _statement(told: Mapping[str, Any]) -> Statement:
    at = datetime.fromisoformat(told["at"]) if told["at"] else None
    return Statement(Standing(told["kind"]), told["text"], at, told["is_exact"])


def _written(made: Condensation) -> dict[str, Any]:
    return {
        "condenser": CONDENSER,
        "first": made.first,
        "last": made.last,
        "until": made.at.isoformat(),
        "sections": {name.value: text for name, text in made.sections.items()},
        "opening": [{"role": q.role.value, "text": q.text} for q in made.opening],
        "standing": [
            {
                "kind": told.kind.value,
                "text": told.text,
                "at": told.at.isoformat() if told.at else "",
                "is_exact": told.is_exact,
            }
            for told in made.standing
        ],
        "model": made.model,
        "degraded": made.degraded,
        **({"tainted": True} if made.tainted else {}),
    }


def _add(tx: sqlite3.Connection, record: Record) -> int:
    thread, made = str(record.thread), record.made
    before, place = _serving(tx, thread), _thread(tx, thread)
    if place is None or (before["id"] if before else 0) != record.on:
        return 0
    # In other words it may say what was forgotten while it was drafted.
    if tx.execute(
        "select 1 from event where seq > ? and kind = 'erase'", (record.since,)
    ).fetchone():
        return 0
    ends = tx.execute(
        "select min(id) as first, max(id) as last, max(ordinal) as ordinal from turn"
        " where thread = ? and ordinal in (?, ?) and hidden = 0 and id > ?"
        " and state <> 'running'",
        (thread, made.first, made.last, place["fresh"]),
    ).fetchone()
    if (ends["ordinal"], ends["last"]) != (made.last, record.last_turn):
        return 0
    event = Event(
        kind=EventKind.COMPACT,
        op=f"compact/{thread}/{_last(tx)}",
        at=record.at,
        body={
            **_written(made),
            **record.about,
            "prev": record.on,
            "prev_compact_ts": before["at"] if before else None,
            "first_turn": ends["first"],
            "last_turn": ends["last"],
        },
        thread=thread,
        person=place["person"],
        audience=place["audience"],
    )
    written = append(tx, event)
    return written.seq if written else 0


def _undo(tx: sqlite3.Connection, thread: str, op: str, at: datetime) -> int:
    before, place = _serving(tx, thread), _thread(tx, thread)
    if before is None or place is None:
        return 0
    event = Event(
        kind=EventKind.COMPACT_UNDO,
        op=op,
        at=at,
        body={"compact": before["id"]},
        thread=thread,
        person=place["person"],
        audience=place["audience"],
    )
    append(tx, event)
    number: int = before["id"]
    return number


def _last(tx: sqlite3.Connection) -> int:
    last: int = tx.execute("select max(seq) from event").fetchone()[0]
    return last


def _thread(tx: sqlite3.Connection, thread: str) -> sqlite3.Row | None:
    row: sqlite3.Row | None = tx.execute(
        "select * from thread where name = ?", (thread,)
    ).fetchone()
    return row


def _serving(tx: sqlite3.Connection, thread: str) -> sqlite3.Row | None:
    row: sqlite3.Row | None = tx.execute(
        "select c.id, e.at from thread t join condensation c on c.thread = t.name"
        " and c.state = 'valid' and c.id > t.fresh join event e on e.seq = c.id"
        " where t.name = ? order by c.id desc limit 1",
        (thread,),
    ).fetchone()
    return row
