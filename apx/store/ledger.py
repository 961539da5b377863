"""The record of every request and what became of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from apx.store import aside, gathered, jobs, log, rows
from apx.store.log import append

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from datetime import datetime

    from apx.domain.attachment import Gathered
    from apx.domain.ending import Accepted, Ending
    from apx.domain.event import Event
    from apx.domain.heard import Heard
    from apx.domain.thread import Thread
    from apx.domain.turn import Inbound, Turn
    from apx.store.database import Database
    from apx.store.gathered import Held


class Ledger:
    """Writes requests and turns down; what it returned from is on the disk."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep_secrets(self, keeps: bool) -> None:
        """Say whether passwords and keys are written down as they are, or masked."""
        found = await self._database.fetch(
            "select 1 from meta where key = 'keeps_secrets'"
        )
        if bool(found) is not keeps:  # else each start would wait for the disk
            await self._database.write(lambda tx: log.keep_secrets(tx, keeps))

    async def may_hold_secrets(self) -> bool:
        """Whether passwords and keys of another time may be in the log."""
        found = await self._database.fetch("select 1 from meta where key = ?", log.KEPT)
        return bool(found)

    async def accept(self, heard: Inbound) -> Accepted:
        """Take a request; the same one twice is one. Raises `Conflict` if it differs.

        It waits until `begin` or `join` gives it a turn.
        """
        return await self._database.write(lambda tx: jobs.accept(tx, heard))

    async def join(self, turn: Turn, heard: Inbound) -> None:
        """Add a request that waits to a running turn; else it goes on waiting."""
        await self._database.write(lambda tx: jobs.join(tx, heard, turn.id))

    async def held(self) -> list[Held]:
        """Read the requests of which something is still to come."""
        found = await self._database.fetch(
            "select * from request where held = 1 and turn is null and unwanted = 0"
            " order by seq"
        )
        return [gathered.held(row) for row in found]

    async def gather(self, found: Sequence[Gathered], at: datetime) -> list[str]:
        """Have requests wait for a turn with all that was to come, at once.

        Gives the keys of those that still wait to be answered.
        """
        return await self._database.write(lambda tx: gathered.gather(tx, found, at))

    async def edit(self, heard: Inbound, revision: str) -> bool:
        """Take what a person made of an earlier message; false if there is none."""
        return await self._database.write(lambda tx: gathered.edit(tx, heard, revision))

    async def names(self, sha: str) -> bool:
        """Whether anything in the ledger is about a file."""
        return sha in await self.attachments()

    async def attachments(self) -> set[str]:
        """Name the files that something in the ledger is about."""
        found = await self._database.fetch(
            "select files from turn where files <> '[]'"
            " union all select files from request where files <> '[]'"
        )
        return {file.sha for row in found for file in rows.files(row["files"])}

    async def overhear(self, heard: Heard, *, is_new: bool = True) -> None:
        """Keep for a while what was said in a room, but not to the assistant.

        What is not new only takes the place of what is known.
        """
        await self._database.write(lambda tx: aside.overhear(tx, heard, is_new=is_new))

    async def unhear(self, thread: Thread, external_id: str) -> None:
        """Forget what was overheard and then deleted."""
        if await self._database.fetch(aside.HEARD, str(thread), external_id):
            await self._database.write(lambda tx: aside.unhear(tx, thread, external_id))

    async def ready(self, thread: Thread) -> list[Inbound]:
        """Read the messages that wait and are whole, oldest first; no retries."""
        found = await self._database.fetch(jobs.WAITING, str(thread))
        ready = [row for row in jobs.unheld(found) if not row["retry_of"]]
        return [rows.inbound(row) for row in ready]

    async def corrections(self, turn: Turn) -> list[Inbound]:
        """Read what a running turn's person made of their messages since."""
        found = await self._database.fetch(
            aside.CORRECTED, str(turn.thread), turn.person
        )
        return [aside.correction(row) for row in found]

    async def join_correction(self, turn: Turn, heard: Inbound) -> None:
        """Add a correction to a running turn; else the next one begins with it."""
        await self._database.write(lambda tx: aside.join(tx, heard, turn.id))

    async def withdraw(self, thread: Thread, key: str, at: datetime) -> bool:
        """Have a request that still waits run no more; false if it does not wait."""
        return await self._database.write(
            lambda tx: jobs.withdraw(tx, str(thread), key, at)
        )

    async def is_withdrawn(self, key: str) -> bool:
        """Whether a request was withdrawn before a turn took it."""
        return bool(
            await self._database.fetch(
                "select 1 from request where key = ? and unwanted = 1", key
            )
        )

    async def begin(self, thread: Thread, at: datetime) -> Turn | None:
        """Begin a turn with all requests that wait in a thread.

        Gives nothing if none waits, or if a turn of this thread is running.
        """
        return await self._database.write(lambda tx: jobs.begin(tx, str(thread), at))

    async def end(self, turn: Turn, ending: Ending, at: datetime) -> None:
        """End a turn, and put its reply into the outbox in the same transaction."""
        await self._database.write(
            lambda tx: append(tx, jobs.end_event(turn, ending, at))
        )

    async def interrupt(self, turn: Turn, ending: Ending, at: datetime) -> None:
        """End a turn as interrupted, and have its request wait to be run once more."""

        def job(tx: sqlite3.Connection) -> None:
            append(tx, jobs.end_event(turn, ending, at))
            append(tx, jobs.retry_event(turn, f"retry/{turn.id}", at))

        await self._database.write(job)

    async def retry(self, turn: Turn, key: str, at: datetime) -> None:
        """Have an ended turn's request wait to be run once more, by the usual model.

        Once is enough: a second retry of the same turn changes nothing.
        """
        again = replace(turn, wanted="")
        await self._database.write(lambda tx: jobs.retry(tx, again, key, at))

    async def record(self, event: Event) -> int:
        """Write any other event; gives its `seq`, 0 if it was there already."""
        written = await self._database.write(lambda tx: append(tx, event))
        return written.seq if written else 0

    def record_soon(self, event: Event) -> None:
        """Have an event written without waiting for it; it is no promise to anybody."""
        self._database.write_soon(lambda tx: append(tx, event))

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

    async def answers(self, turn: Turn) -> str:
        """Give the platform's id of the message that a turn answers."""
        found = await self._database.fetch(
            "select key from request where turn = ? order by seq limit 1",
            turn.retry_of or turn.id,
        )
        return rows.external(found[0]["key"], str(turn.thread)) if found else ""

    async def is_alone(self, key: str) -> bool:
        """Whether its turn was asked nothing but a request."""
        found = await self._database.fetch(
            "select count(*) as count from request"
            " where turn = (select turn from request where key = ?)",
            key,
        )
        return bool(found[0]["count"] == 1)

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
            "select * from turn where thread = ? and hidden = 0"
            " order by ordinal desc limit 1",
            str(thread),
        )
        return rows.turn(found[0]) if found else None

    async def model_of(self, thread: Thread) -> str:
        """Read which model a conversation was given; empty for the usual one."""
        found = await self._database.fetch(
            "select model from thread where name = ?", str(thread)
        )
        return str(found[0]["model"]) if found else ""

    async def running(self) -> list[Turn]:
        """Read the turns that run, or that a dead process left running."""
        found = await self._database.fetch(
            "select * from turn where state = 'running' order by thread"
        )
        return [rows.turn(row) for row in found]

    async def waiting(self) -> list[str]:
        """Name the threads in which requests wait for a turn."""
        found = await self._database.fetch(
            "select thread, min(seq) as first from request"
            " where turn is null and unwanted = 0 group by thread order by first"
        )
        return [row["thread"] for row in found]
