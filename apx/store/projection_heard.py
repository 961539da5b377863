"""What comes of a request before its turn, and of a thread beside its turns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from apx.domain.event import EventKind

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from apx.domain.event import Event


def _gather(tx: sqlite3.Connection, event: Event) -> None:
    """Have a request hold no longer: all of it is there."""
    body = event.body
    tx.execute(
        "update request set text = ?, quoted = ?, files = ?, held = 0 where key = ?",
        (
            body["text"],
            json.dumps(body.get("quoted", []), ensure_ascii=False),
            json.dumps(body["files"], ensure_ascii=False),
            body["key"],
        ),
    )


def _edit(tx: sqlite3.Connection, event: Event) -> None:
    """Change what still waits; what a turn has taken gets a correction."""
    where = "correction" if event.body.get("is_late") else "text"
    tx.execute(
        f"update request set {where} = ? where key = ?",  # noqa: S608 -- one of the two above
        (event.body["text"], event.body["key"]),
    )


def _model(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "insert into thread (name, person, audience, model) values (?, ?, ?, ?)"
        " on conflict (name) do update set model = excluded.model",
        (event.thread, event.person, event.audience, event.body["model"]),
    )


HEARD: Final[dict[EventKind, Callable[[sqlite3.Connection, Event], None]]] = {
    EventKind.GATHER: _gather,
    EventKind.EDIT: _edit,
    EventKind.MODEL: _model,
}
