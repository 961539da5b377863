"""Chunks, their full text, and how far into the log they reach."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Final

from apx.domain.chunk import Chunk, Forgotten, Gone, Rewound, Stored, Taken
from apx.domain.message import Role
from apx.domain.recall import Kind
from apx.domain.text import chunks, content_terms, sentences, terms
from apx.store.index import file

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from apx.store.database import Database

_COLUMNS: Final = (
    "seq, kind, role, speaker, text, at, turn, thread, channel, person, audience"
)
_TELLING: Final = 2
# A message is kept in pieces; a note longer than this may be in none as a whole.
_LONG: Final = 300
_TELLING_PART: Final = 4


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
        leaving: Sequence[Forgotten | Rewound],
        cursor: int,
    ) -> Taken:
        """Add chunks, drop those that shall not be found, move the cursor."""

        def job(tx: sqlite3.Connection) -> Taken:
            added = tuple(Stored(_add(tx, chunk), chunk) for chunk in chunks)
            gone = tuple(one for what in leaving for one in _drop(tx, what))
            if gone:
                # Until its parts are merged, full text only marks terms as deleted.
                tx.execute("insert into chunk_fts (chunk_fts) values ('optimize')")
            tx.execute("replace into meta values ('cursor', ?)", (str(cursor),))
            return Taken(added, gone)

        return await self._database.write(job)

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
            " OR ".join(map(_quoted, words)),
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
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id",
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
        ),
    ).fetchone()
    number: int = row["id"]
    tx.execute(
        "insert into chunk_fts (rowid, terms) values (?, ?)",
        (number, " ".join(terms(chunk.text))),
    )
    return number


def _drop(tx: sqlite3.Connection, what: Forgotten | Rewound) -> list[Gone]:
    found = _rewound(tx, what) if isinstance(what, Rewound) else _noted(tx, what)
    rows = list({row["id"]: row for row in found}.values())
    for row in rows:
        remove(tx, row["id"], row["text"])
    return [Gone(row["id"], row["audience"]) for row in rows]


def _rewound(tx: sqlite3.Connection, what: Rewound) -> list[sqlite3.Row]:
    # A note stays, whichever turn it was made in: it was made to stay.
    return tx.execute(
        "select id, text, audience from chunk where seq > ? and seq < ?"
        " and turn > ? and thread = ? and kind <> 'note'",
        (what.after, what.before, what.after, what.thread),
    ).fetchall()


def _noted(tx: sqlite3.Connection, note: Forgotten) -> list[sqlite3.Row]:
    rows = tx.execute(
        "select id, text, audience from chunk where seq = ? and kind = 'note'",
        (note.id,),
    ).fetchall()
    # What was said in the same words goes too, unless they are so few that they
    # say something else elsewhere.
    for phrase in _phrases(note.text):
        rows += tx.execute(
            "select c.id, c.text, c.audience from chunk_fts"
            " join chunk c on c.id = chunk_fts.rowid"
            " where chunk_fts match ? and c.kind <> 'note'",
            (_quoted(" ".join(terms(phrase))),),
        ).fetchall()
    return rows


def _phrases(text: str) -> list[str]:
    """Give what finds the messages that said a note: a long one by its sentences."""
    if len(text) <= _LONG:
        return [text] if len(content_terms(text)) >= _TELLING else []
    parts = [*sentences(text), *chunks(text, _LONG // 2, 0)]
    return [part for part in parts if len(content_terms(part)) >= _TELLING_PART]


def remove(tx: sqlite3.Connection, chunk_id: int, text: str) -> None:
    """Remove a chunk with its full text and its vectors."""
    tx.execute(
        "insert into chunk_fts (chunk_fts, rowid, terms) values ('delete', ?, ?)",
        (chunk_id, " ".join(terms(text))),
    )
    tx.execute("delete from vector where chunk = ?", (chunk_id,))
    tx.execute("delete from chunk where id = ?", (chunk_id,))


def _quoted(phrase: str) -> str:
    escaped = phrase.replace('"', '""')
    return f'"{escaped}"'


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
    )
