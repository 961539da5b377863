"""Replies on their way: rows that outlive a process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.event import Event, EventKind
from apx.domain.turn import Part, PartState
from apx.store import rows
from apx.store.log import append

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping
    from datetime import datetime

    from apx.domain.thread import Thread
    from apx.store.database import Database


# `answers` is the first message that a reply is to, also when it was run again. Only
# what may be there already is looked for, behind what was sent before it.
_PARTS: Final = (
    "select o.*, t.request, t.state as turn_state, (select r.key from request r where"
    " r.turn = coalesce(t.retry_of, t.id) order by r.seq limit 1) as answers,"
    " case when o.state = 'unknown' then (select p.message_id from turn b"
    " join outbox p on p.turn = b.id where b.thread = o.thread"
    " and b.ordinal between t.ordinal - 100 and t.ordinal"
    " and p.id < o.id and p.message_id <> ''"
    " order by b.ordinal desc, p.number desc limit 1) end as previous"
    " from outbox o join turn t on t.id = o.turn"
)


class Outbox:
    """Which parts of which replies are still to be sent, and how often it was tried.

    Its questions say `state <> 'sent'`, which is what the index of the rest is made
    for; SQLite does not see that from the states they ask for.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self, thread: Thread) -> list[Part]:
        """Read a thread's parts that wait, oldest first."""
        found = await self._database.fetch(
            f"{_PARTS} where o.state <> 'sent' and o.thread = ?"
            " and o.state in ('pending', 'unknown') order by o.id",
            str(thread),
        )
        return [rows.part(row) for row in found]

    async def parts_of(self, turn_id: int) -> list[Part]:
        """Read the parts of a turn's reply, sent or not."""
        found = await self._database.fetch(
            f"{_PARTS} where o.turn = ? order by o.id", turn_id
        )
        return [rows.part(row) for row in found]

    async def due_threads(self, channel: str) -> list[str]:
        """Name the threads of a channel in which parts wait."""
        found = await self._database.fetch(
            "select distinct thread from outbox"
            " where state <> 'sent' and state in ('pending', 'unknown')"
            " and thread like ? || ':%'",
            channel,
        )
        return [row["thread"] for row in found]

    async def mark(
        self, part: Part, state: PartState, at: datetime, **found: str
    ) -> None:
        """Write down how far a part has come; `found`: `message_id`, `error`."""

        def job(tx: sqlite3.Connection) -> None:
            # Its conversation may have been erased meanwhile.
            if event := _delivery(tx, part, state, at, found):
                append(tx, event)

        await self._database.write(job)

    async def orphaned(self, at: datetime) -> int:
        """Mark what was being sent when the process died as unknown; count it."""
        found = await self._database.fetch(
            f"{_PARTS} where o.state <> 'sent' and o.state = 'sending'"
            " order by o.thread, o.id"
        )
        for row in found:
            await self.mark(rows.part(row), PartState.UNKNOWN, at)
        return len(found)

    async def given_up(self, since: datetime) -> list[tuple[str, str]]:
        """Name the threads and reasons of parts given up since, the newest first."""
        found = await self._database.fetch(
            "select thread, error from outbox where state <> 'sent'"
            " and state = 'expired' and created_at >= ? order by id desc",
            since.isoformat(),
        )
        return [(row["thread"], row["error"]) for row in found]

    async def counts(self) -> dict[str, int]:
        """Count the parts in each state."""
        found = await self._database.fetch(
            "select state, count(*) as many from outbox group by state"
        )
        return {row["state"]: row["many"] for row in found}


def _delivery(
    tx: sqlite3.Connection,
    part: Part,
    state: PartState,
    at: datetime,
    found: Mapping[str, str],
) -> Event | None:
    row = tx.execute(
        "select person, audience, (select count(*) from event where kind = 'delivery'"
        " and turn > 0 and turn = outbox.turn) from outbox where id = ?",
        (part.id,),
    ).fetchone()
    if row is None:
        return None
    return Event(
        kind=EventKind.DELIVERY,
        op=f"delivery/{part.id}/{row[2]}",
        at=at,
        body={"part": part.id, "state": state, **found},
        thread=str(part.thread),
        turn=part.turn,
        person=row[0],
        audience=row[1],
    )
