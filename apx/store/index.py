"""memory.db: the full-text index. Delete it and nothing is lost."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.chunk import Chunk, Forgotten, Found
from apx.domain.errors import StoreError
from apx.domain.message import Role
from apx.domain.recall import Kind
from apx.domain.text import content_terms, terms
from apx.store.database import Database

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncIterator, Collection, Sequence
    from pathlib import Path

log = structlog.get_logger(__name__)

# Terms are made by apx/domain/text.py and stored apart by spaces. This tokenizer
# splits at nothing else: to it all of ASCII's punctuation is part of a word.
_INDEX_1: Final = r"""
create table meta (key text primary key, value text not null) without rowid;
create table chunk (
    id       integer primary key,
    seq      integer not null,
    kind     text not null,
    role     text not null,
    text     text not null,
    at       text not null,
    turn     integer not null,
    thread   text not null,
    channel  text not null,
    person   text not null,
    audience text not null
);
create virtual table chunk_fts using fts5 (
    terms, content = '',
    tokenize = "ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
create virtual table chunk_vocab using fts5vocab (chunk_fts, row)
"""

INDEX: Final = (_INDEX_1,)

_TELLING: Final = 2


class Index:
    """Chunks by their terms, and how far into the log they reach."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path, ledger_id: str) -> AsyncIterator[Index]:
        """Open the index of this ledger; a damaged or foreign one is made anew."""
        if not await _is_ours(path, ledger_id):
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
        async with Database.open(path, INDEX) as database:
            await database.write(lambda tx: _name(tx, ledger_id))
            yield cls(database)

    async def cursor(self) -> int:
        """Read the `seq` up to which the log is indexed."""
        found = await self._database.fetch("select value from meta where key='cursor'")
        return int(found[0]["value"]) if found else 0

    async def take(
        self, chunks: Sequence[Chunk], forgotten: Sequence[Forgotten], cursor: int
    ) -> None:
        """Add chunks, drop those of forgotten notes, move the cursor."""

        def job(tx: sqlite3.Connection) -> None:
            for chunk in chunks:
                _add(tx, chunk)
            for note in forgotten:
                _drop(tx, note)
            tx.execute("replace into meta values ('cursor', ?)", (str(cursor),))

        await self._database.write(job)

    async def search(
        self, words: Sequence[str], audiences: Sequence[str], limit: int
    ) -> list[Found]:
        """Find the chunks of these audiences that hold any of the words, best first."""
        found = await self._database.fetch(
            "select c.*, -bm25(chunk_fts) as rank from chunk_fts"
            " join chunk c on c.id = chunk_fts.rowid"
            " where chunk_fts match ? and c.audience in"
            " (select value from json_each(?)) order by rank desc limit ?",
            " OR ".join(map(_quoted, words)),
            json.dumps(list(audiences)),
            limit,
        )
        return [Found(_chunk(row), row["rank"]) for row in found]

    async def document_counts(self, words: Collection[str]) -> dict[str, int]:
        """Count in how many chunks each word stands; one that is in none is absent."""
        found = await self._database.fetch(
            "select term, doc from chunk_vocab where term in"
            " (select value from json_each(?))",
            json.dumps(list(words)),
        )
        return {row["term"]: row["doc"] for row in found}

    async def size(self) -> int:
        """Count the chunks."""
        found = await self._database.fetch("select max(id) as many from chunk")
        return found[0]["many"] or 0


async def _is_ours(path: Path, ledger_id: str) -> bool:
    try:
        async with Database.open(path, INDEX) as database:
            found = await database.fetch("select value from meta where key = 'ledger'")
    except StoreError as error:
        log.warning("index_made_anew", reason=str(error))
        return False
    if found and found[0]["value"] != ledger_id:
        log.warning("index_made_anew", reason="memory.db belongs to another ledger.db")
        return False
    return True


def _name(tx: sqlite3.Connection, ledger_id: str) -> None:
    tx.execute("replace into meta values ('ledger', ?)", (ledger_id,))


def _add(tx: sqlite3.Connection, chunk: Chunk) -> None:
    row = tx.execute(
        "insert into chunk (seq, kind, role, text, at, turn, thread, channel, person,"
        " audience) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id",
        (
            chunk.seq,
            chunk.kind,
            chunk.role,
            chunk.text,
            chunk.at.isoformat(),
            chunk.turn,
            chunk.thread,
            chunk.channel,
            chunk.person,
            chunk.audience,
        ),
    ).fetchone()
    tx.execute(
        "insert into chunk_fts (rowid, terms) values (?, ?)",
        (row["id"], " ".join(terms(chunk.text))),
    )


def _drop(tx: sqlite3.Connection, note: Forgotten) -> None:
    rows = tx.execute(
        "select id, text from chunk where seq = ? and kind = 'note'", (note.id,)
    ).fetchall()
    # What was said in the same words goes too, unless they are so few that they
    # say something else elsewhere.
    if len(content_terms(note.text)) >= _TELLING:
        rows += tx.execute(
            "select c.id, c.text from chunk_fts join chunk c on c.id = chunk_fts.rowid"
            " where chunk_fts match ? and c.kind <> 'note'",
            (_quoted(" ".join(terms(note.text))),),
        ).fetchall()
    for row in rows:
        tx.execute(
            "insert into chunk_fts (chunk_fts, rowid, terms) values ('delete', ?, ?)",
            (row["id"], " ".join(terms(row["text"]))),
        )
        tx.execute("delete from chunk where id = ?", (row["id"],))


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
    )
