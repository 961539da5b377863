"""What events of notes, condensations and rewinds change in the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.event import EventKind

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from apx.domain.event import Event


def _note(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "insert into note (id, text, at, channel, thread, turn, person, audience,"
        " origin, state) values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'live')",
        (
            event.seq,
            event.body["text"],
            event.body["at"],
            event.body["channel"],
            event.thread,
            event.turn,
            event.person,
            event.audience,
            event.body["origin"],
        ),
    )


def _note_restore(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute("update note set restored = 1 where id = ?", (event.body["note"],))


def _note_forget(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "update note set state = 'forgotten' where id = ?", (event.body["note"],)
    )


def _note_move(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "update note set audience = ? where id = ?",
        (event.body["audience"], event.body["note"]),
    )


def _compact(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "insert into condensation (id, thread, first, last, degraded, state)"
        " values (?, ?, ?, ?, ?, 'valid')",
        (
            event.seq,
            event.thread,
            event.body["first"],
            event.body["last"],
            event.body["degraded"],
        ),
    )
    _count_anew(tx, event.thread)


def _compact_undo(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "update condensation set state = 'undone' where id = ?",
        (event.body["compact"],),
    )
    # What a person took back does not come again with their next message.
    _count_anew(tx, event.thread)


def _count_anew(tx: sqlite3.Connection, thread: str) -> None:
    tx.execute("update thread set counted = turns where name = ?", (thread,))


def _rewind(tx: sqlite3.Connection, event: Event) -> None:
    """Hide the turns after one, with every condensation that reaches beyond it."""
    to = event.body["to"]
    row = tx.execute("select ordinal from turn where id = ?", (to,)).fetchone()
    last = row[0] if row else 0
    tx.execute(
        "update turn set hidden = ? where thread = ? and id > ? and hidden = 0",
        (event.seq, event.thread, to),
    )
    tx.execute(
        "update condensation set state = 'revoked'"
        " where thread = ? and state = 'valid' and last > ?",
        (event.thread, last),
    )
    tx.execute(
        "update thread set turns = ?1, last_turn = ?2, counted = min(counted, ?1),"
        " begins = min(begins, ?1) where name = ?3",
        (last, to, event.thread),
    )


def _candidate(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "insert into candidate (id, text, key, at, thread, turn, person, audience,"
        " state) values (?, ?, ?, ?, ?, ?, ?, ?, 'open')"
        " on conflict (audience, key) do nothing",
        (
            event.seq,
            event.body["text"],
            event.body["key"],
            event.body["at"],
            event.thread,
            event.turn,
            event.person,
            event.audience,
        ),
    )


def _candidate_end(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "update candidate set state = ? where id = ?",
        (event.body["state"], event.body["candidate"]),
    )


REMEMBERED: Final[dict[EventKind, Callable[[sqlite3.Connection, Event], None]]] = {
    EventKind.NOTE: _note,
    EventKind.NOTE_RESTORE: _note_restore,
    EventKind.NOTE_FORGET: _note_forget,
    EventKind.NOTE_MOVE: _note_move,
    EventKind.COMPACT: _compact,
    EventKind.COMPACT_UNDO: _compact_undo,
    EventKind.REWIND: _rewind,
    EventKind.CANDIDATE: _candidate,
    EventKind.CANDIDATE_END: _candidate_end,
}
