"""Rows of the projection as values of the domain."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from apx.domain.message import Usage
from apx.domain.note import Note
from apx.domain.thread import Thread
from apx.domain.turn import Part, PartState, Turn, TurnState

if TYPE_CHECKING:
    import sqlite3


def turn(row: sqlite3.Row) -> Turn:
    """Read a row of `turn`."""
    return Turn(
        id=row["id"],
        thread=Thread.parse(row["thread"]),
        state=TurnState(row["state"]),
        request=row["request"],
        began_at=datetime.fromisoformat(row["began_at"]),
        person=row["person"],
        audience=row["audience"],
        final=row["final"],
        partial=row["partial"],
        error=row["error"],
        wanted=row["wanted"],
        model=row["model"],
        usage=Usage(**json.loads(row["usage"])),
        retry_of=row["retry_of"],
        ended_at=_time(row["ended_at"]),
        ordinal=row["ordinal"],
    )


def part(row: sqlite3.Row) -> Part:
    """Read a row of `outbox`."""
    return Part(
        id=row["id"],
        turn=row["turn"],
        number=row["number"],
        thread=Thread.parse(row["thread"]),
        text=row["text"],
        state=PartState(row["state"]),
        attempts=row["attempts"],
        created_at=_time(row["created_at"]),
        error=row["error"],
        is_plain=bool(row["plain"]),
        request=row["request"],
    )


def note(row: sqlite3.Row) -> Note:
    """Read a row of `note`."""
    return Note(
        id=row["id"],
        text=row["text"],
        at=datetime.fromisoformat(row["at"]),
        channel=row["channel"],
        turn=row["turn"],
        restored=bool(row["restored"]),
    )


def usage(value: Usage) -> dict[str, Any]:
    """Write a usage as JSON takes it."""
    return asdict(value)


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
