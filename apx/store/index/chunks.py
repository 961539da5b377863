"""Chunks, their full text, and how far into the log they reach."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Final

from apx.domain.chunk import Chunk, Erased, Stored, Taken
from apx.domain.message import Role
from apx.domain.recall import Kind
from apx.domain.text import terms
from apx.store.compacting import compact
from apx.store.index import file
from apx.store.index.leaving import Held, drop, held, quoted

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Sequence

    from apx.domain.chunk import Leaving
    from apx.store.database import Database

_COLUMNS: Final = (
    "seq, kind, role, speaker, text, at, turn, thread, channel, person, audience,"
    " untrusted"
)


class Chunks:
    """The rows of memory.db that arrays in memory are made of."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def condemn(self) -> None:
        """Have memory.db made anew at the next start: it is damaged."""
        file.condemn(self._database.path)

    async def index_id(self) -> str:
        """Tell this index from every other; files beside it bear this name."""
        found = await self._database.fetch("select value from meta where key = 'id'")
        name: str = found[0]["value"]
        return name

    async def cursor(self) -> int:
        """Read the `seq` up to which the log is indexed."""
        found = await self._database.fetch("select value from meta where key='cursor'")
        return int(found[0]["value"]) if found else 0

    async def take(
        self,
        chunks: Sequence[Chunk],
        leaving: Sequence[Leaving],
        cursor: int,
    ) -> Taken:
        """Add chunks, drop those that shall not be found, move the cursor."""

        def job(tx: sqlite3.Connection) -> Taken:
            # What was erased comes again, under the same `seq`.
            erased = [what for what in leaving if isinstance(what, Erased)]
            gone = [one for what in erased for one in drop(tx, what)]
            added = tuple(Stored(_add(tx, chunk), chunk) for chunk in chunks)
            rest = [what for what in leaving if not isinstance(what, Erased)]
            gone += [one for what in rest for one in drop(tx, what)]
            if gone:
                # Until its parts are merged, full text only marks terms as deleted.
                tx.execute("insert into chunk_fts (chunk_fts) values ('optimize')")
            tx.execute("replace into meta values ('cursor', ?)", (str(cursor),))
            return Taken(added, tuple(gone))

        return await self._database.write(job)

    async def held(self, seqs: Collection[int]) -> Held:
        """Say what is held of events."""
        return await held(self._database, seqs)

    async def compact(self) -> None:
        """Have the file hold no byte of what was dropped from it."""
        await self._database.write(compact)

    async def read(self, ids: Iterable[int]) -> dict[int, Chunk]:
        """Read chunks by their ids; those that are gone are absent."""
        found = await self._database.fetch(
            "select * from chunk where id in (select value from json_each(?))",
            json.dumps(list(ids)),
        )
        return {row["id"]: _chunk(row) for row in found}

    async def after(self, audience: str, chunk_id: int, limit: int) -> list[Stored]:
        """Read an audience's chunks after an id, in order."""
        found = await self._database.fetch(
            "select * from chunk where audience = ? and id > ? order by id limit ?",
            audience,
            chunk_id,
            limit,
        )
        return [Stored(row["id"], _chunk(row)) for row in found]

    async def audiences(self) -> list[str]:
        """Name the audiences that have chunks."""
        # One step of the index for each, instead of one for each chunk.
        found = await self._database.fetch(
            "with recursive each (name) as (select min(audience) from chunk union all"
            " select (select min(audience) from chunk where audience > name) from each"
            " where name is not null) select name from each where name is not null"
        )
        return [row["name"] for row in found]

    async def count(self, audience: str, after: int, last: int) -> int:
        """Count an audience's chunks after an id, up to another one."""
        found = await self._database.fetch(
            "select count(*) as many from chunk"
            " where audience = ? and id > ? and id <= ?",
            audience,
            after,
            last,
        )
        many: int = found[0]["many"]
        return many

    async def search(
        self, words: Sequence[str], audiences: Sequence[str], limit: int
    ) -> list[Stored]:
        """Find the chunks of these audiences that hold any of the words, best first.

        This is slow in a large store, and serves until the arrays are loaded.
        """
        found = await self._database.fetch(
            "select c.* from chunk_fts join chunk c on c.id = chunk_fts.rowid"
            " where chunk_fts match ? and c.audience in"
            " (select value from json_each(?)) order by bm25(chunk_fts) limit ?",
            " OR ".join(map(quoted, words)),
            json.dumps(list(audiences)),
            limit,
        )
        return [Stored(row["id"], _chunk(row)) for row in found]

    async def size(self) -> int:
        """Count the chunks."""
        found = await self._database.fetch("select count(*) as many from chunk")
        many: int = found[0]["many"]
        return many


def _add(tx: sqlite3.Connection, chunk: Chunk) -> int:
    row = tx.execute(
        f"insert into chunk ({_COLUMNS})"  # noqa: S608 -- a constant list of columns
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id",
        (
            chunk.seq,
            chunk.kind,
            chunk.role,
            chunk.speaker,
            chunk.text,
            chunk.at.isoformat(),
            chunk.turn,
            chunk.thread,
            chunk.channel,
            chunk.person,
            chunk.audience,
            chunk.untrusted,
        ),
    ).fetchone()
    number: int = row["id"]
    tx.execute(
        "insert into chunk_fts (rowid, terms) values (?, ?)",
        (number, " ".join(terms(chunk.text))),
    )
    return number


def _chunk(row: sqlite3.Row) -> Chunk:
    return Chunk(
        seq=row["seq"],
        kind=Kind(row["kind"]),
        role=Role(row["role"]),
        text=row["text"],
        at=datetime.fromisoformat(row["at"]),
        turn=row["turn"],
        thread=row["thread"],
        channel=row["channel"],
        person=row["person"],
        audience=row["audience"],
        speaker=row["speaker"],
        untrusted=row["untrusted"],
    )
