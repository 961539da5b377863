"""What each kind of event changes in the tables that queries need.

`apply` depends on the event and the tables alone, so that replaying the log into
empty tables gives the same rows (`apx threads verify`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from apx.domain.event import EventKind
from apx.store.projection_erase import ERASED
from apx.store.projection_heard import HEARD
from apx.store.projection_memory import REMEMBERED
from apx.store.projection_people import PEOPLE

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping

    from apx.domain.event import Event

# Parts of one reply get the ids after its `end` event's: seq 12, part 1 -> 12001.
PARTS: Final = 1000

TABLES: Final = (
    "thread",
    "request",
    "turn",
    "outbox",
    "note",
    "condensation",
    "candidate",
    "person",
    "account",
)


def apply(tx: sqlite3.Connection, event: Event) -> None:
    """Bring the tables up to an event that was just appended."""
    if change := _CHANGES.get(event.kind):
        change(tx, event)


def _accept(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "insert into thread (name, person, audience) values (?, ?, ?)"
        " on conflict (name) do nothing",
        (event.thread, event.person, event.audience),
    )
    tx.execute(
        "insert into request (key, seq, thread, text, at, person, audience, model,"
        " retry_of, album, held, speaker, role, quoted, files)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            event.body["key"],
            event.seq,
            event.thread,
            event.body["text"],
            event.at.isoformat(),
            event.person,
            event.audience,
            event.body.get("model", ""),
            event.body.get("retry_of"),
            event.body.get("album", ""),
            int(event.body.get("held", False)),
            *_manner(event),
        ),
    )


def _manner(event: Event) -> tuple[str, str, str, str]:
    body = event.body
    found = [body.get(name, []) for name in ("quoted", "files")]
    quoted, files = (json.dumps(one, ensure_ascii=False) for one in found)
    return body.get("speaker", ""), body.get("role", "owner"), quoted, files


def _begin(tx: sqlite3.Connection, event: Event) -> None:
    # A private chat whose account was linked or parted is somebody else's by now:
    # it begins afresh, and what was said before keeps its audience.
    tx.execute(
        "update thread set fresh = ?1 - 1, begins = turns, person = ?2, audience = ?3,"
        " model = ''"
        " where name = ?4 and audience <> ?3",
        (event.seq, event.person, event.audience, event.thread),
    )
    tx.execute(
        "update thread set last_turn = ?, turns = turns + 1 where name = ?",
        (event.turn, event.thread),
    )
    tx.execute(
        "insert into turn (id, thread, ordinal, state, request, person, audience,"
        " began_at, wanted, retry_of, speaker, role, quoted, files)"
        " select ?, name, turns, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
        " from thread where name = ?",
        (
            event.turn,
            event.body["text"],
            event.person,
            event.audience,
            event.at.isoformat(),
            event.body.get("model", ""),
            event.body.get("retry_of"),
            *_manner(event),
            event.thread,
        ),
    )
    _take_requests(tx, event)
    _take_corrections(tx, event)


def _take_corrections(tx: sqlite3.Connection, event: Event) -> None:
    tx.executemany(
        "update request set text = correction, correction = '' where key = ?",
        [(key,) for key in event.body.get("corrected", ())],
    )


def _join(tx: sqlite3.Connection, event: Event) -> None:
    _take_requests(tx, event)
    _take_corrections(tx, event)
    _, _, quoted, files = _manner(event)
    tx.execute(
        "update turn set request = ?, quoted = ?, files = ? where id = ?",
        (event.body["text"], quoted, files, event.turn),
    )


def _withdraw(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "update request set unwanted = 1 where key = ? and turn is null",
        (event.body["key"],),
    )


def _take_requests(tx: sqlite3.Connection, event: Event) -> None:
    tx.executemany(
        "update request set turn = ? where key = ?",
        [(event.turn, key) for key in event.body["keys"]],
    )


def _output(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "update turn set partial = partial || ? where id = ?",
        (event.body["text"], event.turn),
    )


def _end(tx: sqlite3.Connection, event: Event) -> None:
    body = event.body
    tx.execute(
        "update turn set state = ?, final = ?, error = ?, model = ?, usage = ?,"
        " ended_at = ?, tainted = ? where id = ?",
        (
            body["state"],
            body.get("final"),
            body.get("error", ""),
            body.get("model", ""),
            json.dumps(body.get("usage", {})),
            event.at.isoformat(),
            int(body.get("tainted", False)),
            event.turn,
        ),
    )
    tx.executemany(
        "insert into outbox (id, turn, number, thread, text, plain, person, audience,"
        " state, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?)",
        [
            (
                event.seq * PARTS + number,
                event.turn,
                number,
                event.thread,
                text,
                body["plain"],
                event.person,
                event.audience,
                event.at.isoformat(),
            )
            for number, text in enumerate(body.get("parts", ()), start=1)
        ],
    )


def _delivery(tx: sqlite3.Connection, event: Event) -> None:
    body: Mapping[str, object] = event.body
    sent_at = event.at.isoformat() if body["state"] == "sent" else None
    tx.execute(
        "update outbox set state = ?, attempts = attempts + ?,"
        " message_id = coalesce(?, message_id), error = ?, sent_at = ? where id = ?",
        (
            body["state"],
            1 if body["state"] == "sending" else 0,
            body.get("message_id"),
            body.get("error", ""),
            sent_at,
            body["part"],
        ),
    )


def _fresh(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "update thread set fresh = ?, begins = turns where name = ?",
        (event.seq, event.thread),
    )
    # What was said before is not what the next turn begins with.
    tx.execute(
        "update request set text = correction, correction = ''"
        " where thread = ? and correction <> ''",
        (event.thread,),
    )


_CHANGES: Final[dict[EventKind, Callable[[sqlite3.Connection, Event], None]]] = {
    **REMEMBERED,
    **PEOPLE,
    **ERASED,
    **HEARD,
    EventKind.ACCEPT: _accept,
    EventKind.BEGIN: _begin,
    EventKind.JOIN: _join,
    EventKind.WITHDRAW: _withdraw,
    EventKind.OUTPUT: _output,
    EventKind.END: _end,
    EventKind.DELIVERY: _delivery,
    EventKind.FRESH: _fresh,
}
