"""The notes in the ledger; memory.md is their view."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from apx.domain.event import Event, EventKind
from apx.domain.masking import masked_lines
from apx.store import rows
from apx.store.log import append

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from apx.domain.note import NewNote, Note
    from apx.store.database import Database


class Notes:
    """Adds, forgets and lists notes; each change is an event."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def live_notes(self, audience: str) -> list[Note]:
        """Read the notes that are not forgotten, oldest first."""
        found = await self._database.fetch(
            "select * from note where audience = ? and state = 'live' order by id",
            audience,
        )
        return [rows.note(row) for row in found]

    async def add_note(self, note: NewNote) -> Note:
        """Write a note down; the same operation twice gives the same note."""
        return await self._database.write(lambda tx: _add(tx, note))

    async def forget_note(self, note_id: int, op: str, at: datetime) -> None:
        """Have a note recalled no more."""
        await self._change(EventKind.NOTE_FORGET, note_id, op, at)

    async def restore_note(self, note_id: int, op: str, at: datetime) -> None:
        """Remember that a note had to be appended to its file a second time."""
        await self._change(EventKind.NOTE_RESTORE, note_id, op, at)

    async def move_note(
        self, note_id: int, audience: str, op: str, at: datetime
    ) -> None:
        """Have a note seen by another audience from now on."""
        await self._change(EventKind.NOTE_MOVE, note_id, op, at, audience)

    async def noted_audiences(self) -> list[str]:
        """Name the audiences that have notes."""
        # One step of the index for each, instead of one for each note.
        found = await self._database.fetch(
            "with recursive each (name) as ("
            " select min(audience) from note where state = 'live' union all"
            " select (select min(audience) from note where state = 'live'"
            " and audience > name) from each where name is not null)"
            " select name from each where name is not null"
        )
        return [row["name"] for row in found]

    async def seen_file(self, audience: str) -> str | None:
        """Read the text of memory.md as apx last saw it."""
        found = await self._database.fetch(
            "select text from notebook where audience = ?", audience
        )
        return found[0]["text"] if found else None

    async def see_file(self, audience: str, text: str) -> None:
        """Keep the text of memory.md as it was just seen, without its passwords.

        They are the person's to keep there; the ledger and its backups have none.
        """
        safe = await asyncio.to_thread(masked_lines, text)
        await self._database.write(
            lambda tx: tx.execute(
                "insert into notebook values (?, ?) on conflict (audience)"
                " do update set text = excluded.text",
                (audience, safe),
            )
        )

    async def _change(
        self,
        kind: EventKind,
        note_id: int,
        op: str,
        at: datetime,
        audience: str = "",
    ) -> None:
        def job(tx: sqlite3.Connection) -> None:
            row = tx.execute("select * from note where id = ?", (note_id,)).fetchone()
            body = {"note": note_id, "text": row["text"]}
            if audience:
                body |= {key: row[key] for key in ("at", "channel")}
                body |= {"audience": audience}
            event = Event(
                kind,
                op,
                at,
                body,
                row["thread"],
                row["turn"],
                row["person"],
                row["audience"],
            )
            append(tx, event)

        await self._database.write(job)


def _add(tx: sqlite3.Connection, note: NewNote) -> Note:
    event = Event(
        kind=EventKind.NOTE,
        op=note.op,
        at=note.at,
        body={
            "text": note.text,
            "at": note.at.isoformat(),
            "channel": note.channel,
            "origin": note.origin,
        },
        thread=note.thread,
        turn=note.turn,
        person=note.person,
        audience=note.audience,
    )
    append(tx, event)
    row = tx.execute(
        "select * from note where id = (select seq from event where op = ?)", (note.op,)
    ).fetchone()
    return rows.note(row)
