"""The append-only log: an event goes in once, with its projection."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from apx.domain.errors import Conflict
from apx.domain.event import Event, EventKind
from apx.domain.masking import masked
from apx.domain.secrets import mask
from apx.domain.turn import TurnState
from apx.store import projection

if TYPE_CHECKING:
    import sqlite3

# What `output` bears that says all that was shown, not what was shown since.
ANEW: Final = "anew"
# That the log may hold passwords and keys, in `meta`: it kept them once.
KEPT: Final = "kept_secrets"
_HIDDEN: Final = "[secret: "

_INSERT: Final = (
    "insert into event (seq, op, kind, thread, turn, person, audience, at, body)"
    " values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def append(tx: sqlite3.Connection, event: Event) -> Event | None:
    """Write an event and what follows from it; nothing if it is there already.

    Gives the event with its `seq`. Raises `Conflict` if its operation id was used
    for something else. Passwords and keys are masked, unless the home keeps them.
    """
    keeps = _keeps_secrets(tx)
    if not keeps:
        event = replace(event, body=masked(event.body))
    body = json.dumps(event.body, ensure_ascii=False, separators=(",", ":"))
    if _is_there(tx, event, body):
        return None
    if event.kind is EventKind.OUTPUT and event.body.get(ANEW):
        _show_instead(tx, event.turn, "")
    elif event.kind is EventKind.END and not keeps:
        _mask_shown(tx, event, body)
    last = tx.execute("select max(seq) from event").fetchone()[0] or 0
    written = _placed(event, last + 1)
    tx.execute(
        _INSERT,
        (
            written.seq,
            written.op,
            written.kind,
            written.thread,
            written.turn,
            written.person,
            written.audience,
            written.at.isoformat(),
            body,
        ),
    )
    projection.apply(tx, written)
    return written


def keep_secrets(tx: sqlite3.Connection, keeps: bool) -> None:
    """Say whether the log holds passwords and keys as they were written."""
    tx.execute("delete from meta where key = 'keeps_secrets'")
    if keeps:
        tx.execute("insert into meta values ('keeps_secrets', '1')")
        tx.execute("insert into meta values (?, '1') on conflict do nothing", (KEPT,))


def _keeps_secrets(tx: sqlite3.Connection) -> bool:
    found = tx.execute("select 1 from meta where key = 'keeps_secrets'")
    return found.fetchone() is not None


def _mask_shown(tx: sqlite3.Connection, end: Event, body: str) -> None:
    """Leave no part of a password in what was shown of a turn that ends.

    It came in pieces, of which none looked like one. Where the end holds the whole
    reply they are of no more use.
    """
    told = tx.execute(
        "select kind, body from event where turn = ? and turn > 0"
        " and kind in ('output', 'step') order by seq",
        (end.turn,),
    ).fetchall()
    shown = "".join(
        json.loads(row["body"])["text"]
        for row in told
        if row["kind"] == EventKind.OUTPUT
    )
    safe = mask(shown)
    is_whole = end.body["state"] == TurnState.COMPLETED
    if is_whole and any(_HIDDEN in text for text in (safe, body, *map(_body, told))):
        safe = ""
    if safe != shown:
        _show_instead(tx, end.turn, safe)


def _body(row: sqlite3.Row) -> str:
    return str(row["body"])


def _show_instead(tx: sqlite3.Connection, turn: int, text: str) -> None:
    """Change what the log has of a running turn's words; the triggers want to know."""
    tx.execute("insert into meta values ('erasing', '')")
    found = tx.execute(
        "select seq from event where turn = ? and turn > 0 and kind = 'output'"
        " order by seq",
        (turn,),
    ).fetchall()
    tx.executemany(
        "update event set body = json_object('text', ?) where seq = ?",
        [("" if place else text, row["seq"]) for place, row in enumerate(found)],
    )
    tx.execute("update turn set partial = ? where id = ?", (text, turn))
    tx.execute("delete from meta where key = 'erasing'")


def from_row(row: sqlite3.Row) -> Event:
    """Read a row of `event`."""
    return Event(
        kind=EventKind(row["kind"]),
        op=row["op"],
        at=datetime.fromisoformat(row["at"]),
        body=json.loads(row["body"]),
        thread=row["thread"],
        turn=row["turn"],
        person=row["person"],
        audience=row["audience"],
        seq=row["seq"],
    )


def _placed(event: Event, seq: int) -> Event:
    # A turn is named by the event that began it.
    turn = seq if event.kind is EventKind.BEGIN else event.turn
    return replace(event, seq=seq, turn=turn)


def _is_there(tx: sqlite3.Connection, event: Event, body: str) -> bool:
    there = tx.execute(
        "select kind, thread, body from event where op = ?", (event.op,)
    ).fetchone()
    if there is None:
        return False
    if tuple(there) == (event.kind, event.thread, body):
        return True
    # What was erased cannot be compared; the operation was done.
    is_erased = json.loads(there["body"]).get("erased", False)
    if there["kind"] != event.kind or not is_erased:
        raise Conflict(f"operation {event.op} was done before with other contents")
    return True
