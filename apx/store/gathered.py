"""What changes a request between its message and its turn: files, and edits."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Self

from apx.domain.event import Event, EventKind
from apx.domain.thread import Thread
from apx.store import rows
from apx.store.jobs import plain
from apx.store.log import append

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from datetime import datetime

    from apx.domain.attachment import Attachment, Gathered
    from apx.domain.turn import Inbound


@dataclass(frozen=True, slots=True)
class Held:
    """A request of which something is still to come."""

    key: str
    thread: Thread
    files: tuple[Attachment, ...]
    album: str
    person: str

    @classmethod
    def of(cls, heard: Inbound) -> Self:
        """Give the request of a message."""
        return cls(heard.key, heard.thread, heard.files, heard.album, heard.person)


def held(row: sqlite3.Row) -> Held:
    """Read a row of `request`."""
    return Held(
        row["key"],
        Thread.parse(row["thread"]),
        rows.files(row["files"]),
        row["album"],
        row["person"],
    )


def gather(
    tx: sqlite3.Connection, found: Sequence[Gathered], at: datetime
) -> list[str]:
    """Have requests wait for a turn with all that was to come; gives their keys.

    What was withdrawn or forgotten meanwhile is not among them.
    """
    taken = []
    for one in found:
        row = tx.execute(
            "select * from request where key = ? and held = 1 and turn is null"
            " and unwanted = 0",
            (one.key,),
        ).fetchone()
        if row is None:
            continue
        known = json.loads(row["quoted"])
        body: dict[str, object] = {
            "key": one.key,
            "text": _with(row["text"], one.added),
            "added": one.added,
            "quoted": [*known, *rows.written(one.quoted)],
            "files": [asdict(file) for file in one.files],
        }
        append(tx, _event(EventKind.GATHER, f"gather/{one.key}", row, body, at))
        taken.append(one.key)
    return taken


def edit(tx: sqlite3.Connection, heard: Inbound, revision: str) -> bool:
    """Take what a person made of a message; false if it was none to the assistant.

    Before its turn it replaces the message; later the next turn is told.
    """
    row = tx.execute("select * from request where key = ?", (heard.key,)).fetchone()
    if row is None:
        return False
    if not row["unwanted"]:
        _edit(tx, row, heard, revision)
    return True


def _edit(
    tx: sqlite3.Connection, row: sqlite3.Row, heard: Inbound, revision: str
) -> None:
    if plain(_newest(tx, heard.key)).strip() == plain(heard.text).strip():
        return
    op = f"edit/{heard.key}/{revision}"
    if tx.execute("select 1 from event where op = ?", (op,)).fetchone():
        return  # it comes once more, and may mean something else by now
    is_late = row["turn"] is not None
    text = heard.text if is_late else _with(heard.text, _added(tx, heard.key))
    body = {"key": heard.key, "text": text, "wrote": heard.text, "is_late": is_late}
    append(tx, _event(EventKind.EDIT, op, row, body, heard.at))


def _event(
    kind: EventKind, op: str, row: sqlite3.Row, body: dict[str, object], at: datetime
) -> Event:
    """Make an event of a request; what a turn has taken of it is that turn's."""
    manner = {
        "speaker": row["speaker"],
        "role": "" if row["role"] == "owner" else row["role"],
    }
    return Event(
        kind=kind,
        op=op,
        at=at,
        body={**body, **{name: value for name, value in manner.items() if value}},
        thread=row["thread"],
        turn=row["turn"] or 0,
        person=row["person"],
        audience=row["audience"],
    )


def _with(text: str, added: str) -> str:
    return "\n".join(filter(None, (text, added)))


def _newest(tx: sqlite3.Connection, key: str) -> str:
    """Read what its person wrote last, without what was read from attachments."""
    row = tx.execute(
        "select kind, body from event where op = ?1 or (op > ?2 and op < ?3)"
        " order by seq desc limit 1",
        (f"accept/{key}", f"edit/{key}/", f"edit/{key}0"),
    ).fetchone()
    if row is None:
        return ""
    body = json.loads(row["body"])
    return str(body["wrote"] if row["kind"] == EventKind.EDIT else body["text"])


def _added(tx: sqlite3.Connection, key: str) -> str:
    row = tx.execute(
        "select body from event where op = ?", (f"gather/{key}",)
    ).fetchone()
    return str(json.loads(row["body"])["added"]) if row else ""
