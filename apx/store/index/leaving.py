"""How chunks leave the index: forgotten, moved, rewound or erased."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.chunk import Erased, Forgotten, Gone, Moved, Rewound
from apx.domain.text import chunks, content_terms, sentences, terms

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

    from apx.domain.chunk import Leaving
    from apx.store.database import Database

_TELLING: Final = 2
# A message is kept in pieces; a note longer than this may be in none as a whole.
_LONG: Final = 300
_TELLING_PART: Final = 4


@dataclass(frozen=True, slots=True)
class Held:
    """How many chunks there are of some events, and how many vectors of these.

    `seqs` are the events that have any.
    """

    chunks: int
    vectors: int
    seqs: frozenset[int]


async def held(database: Database, seqs: Collection[int]) -> Held:
    """Say what is held of events."""
    found = await database.fetch(
        "select seq, (select count(*) from vector v where v.chunk = c.id) as vectors"
        " from chunk c where seq in (select value from json_each(?))",
        json.dumps(sorted(seqs)),
    )
    return Held(
        len(found),
        sum(row["vectors"] for row in found),
        frozenset(row["seq"] for row in found),
    )


def drop(tx: sqlite3.Connection, what: Leaving) -> list[Gone]:
    """Remove the chunks that something takes out; gives which."""
    found: list[sqlite3.Row]
    match what:
        case Forgotten():
            found = _noted(tx, what)
        case Moved():
            found = _moved(tx, what)
        case Rewound():
            found = _rewound(tx, what)
        case Erased():
            found = _erased(tx, what)
    rows = list({row["id"]: row for row in found}.values())
    for row in rows:
        _remove(tx, row["id"], row["text"])
    return [Gone(row["id"], row["audience"]) for row in rows]


def _rewound(tx: sqlite3.Connection, what: Rewound) -> list[sqlite3.Row]:
    # A note stays, whichever turn it was made in: it was made to stay.
    return tx.execute(
        "select id, text, audience from chunk where seq > ? and seq < ?"
        " and turn > ? and thread = ? and kind <> 'note'",
        (what.after, what.before, what.after, what.thread),
    ).fetchall()


def _moved(tx: sqlite3.Connection, note: Moved) -> list[sqlite3.Row]:
    return tx.execute(
        "select id, text, audience from chunk"
        " where seq = ? and kind = 'note' and audience <> ?",
        (note.id, note.audience),
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
            " where chunk_fts match ? and c.kind <> 'note' and c.audience = ?",
            (quoted(" ".join(terms(phrase))), note.audience),
        ).fetchall()
    return rows


def _phrases(text: str) -> list[str]:
    """Give what finds the messages that said a note: a long one by its sentences."""
    if len(text) <= _LONG:
        return [text] if len(content_terms(text)) >= _TELLING else []
    parts = [*sentences(text), *chunks(text, _LONG // 2, 0)]
    return [part for part in parts if len(content_terms(part)) >= _TELLING_PART]


def _remove(tx: sqlite3.Connection, chunk_id: int, text: str) -> None:
    """Remove a chunk with its full text and its vectors."""
    tx.execute(
        "insert into chunk_fts (chunk_fts, rowid, terms) values ('delete', ?, ?)",
        (chunk_id, " ".join(terms(text))),
    )
    tx.execute("delete from vector where chunk = ?", (chunk_id,))
    tx.execute("delete from refused where chunk = ?", (chunk_id,))
    tx.execute("delete from chunk where id = ?", (chunk_id,))


def _erased(tx: sqlite3.Connection, erased: Erased) -> list[sqlite3.Row]:
    """Find the chunks of events that were erased."""
    return tx.execute(
        "select id, text, audience from chunk"
        " where seq in (select value from json_each(?))",
        (json.dumps(erased.seqs),),
    ).fetchall()


def quoted(phrase: str) -> str:
    """Write a phrase for full text, whatever is in it."""
    escaped = phrase.replace('"', '""')
    return f'"{escaped}"'
