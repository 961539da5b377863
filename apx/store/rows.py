"""Rows of the projection as values of the domain."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from apx.domain.attachment import Attachment, Medium
from apx.domain.message import Usage
from apx.domain.note import Note
from apx.domain.person import Audience, Role
from apx.domain.quoted import Provenance, Quoted
from apx.domain.thread import Thread
from apx.domain.turn import Inbound, Part, PartState, Turn, TurnState

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence


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
        role=Role(row["role"]),
        speaker=row["speaker"],
        quoted=quoted(row["quoted"]),
        tainted=bool(row["tainted"]),
        files=files(row["files"]),
    )


def inbound(row: sqlite3.Row) -> Inbound:
    """Read a row of `request` as the message that it was."""
    return Inbound(
        thread=Thread.parse(row["thread"]),
        text=row["text"],
        at=datetime.fromisoformat(row["at"]),
        external_id=external(row["key"], row["thread"]),
        person=row["person"],
        audience=Audience(row["audience"]),
        role=Role(row["role"]),
        speaker=row["speaker"],
        quoted=quoted(row["quoted"]),
        model=row["model"],
        files=files(row["files"]),
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
        answers=external(row["answers"], row["thread"]),
        message_id=row["message_id"],
        is_failure=row["turn_state"] in {"failed", "interrupted"},
        previous=row["previous"] or "",
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
        person=row["person"],
        audience=row["audience"],
    )


def quoted(text: str) -> tuple[Quoted, ...]:
    """Read what a message brought along."""
    if text == "[]":  # as nearly all do
        return ()
    return tuple(
        Quoted(
            Provenance(one["provenance"]),
            one["by"],
            one["text"],
            one.get("account", ""),
        )
        for one in json.loads(text)
    )


def files(text: str) -> tuple[Attachment, ...]:
    """Read the attachments of a message."""
    if text == "[]":  # as nearly all have
        return ()
    return tuple(
        Attachment(**{**one, "medium": Medium(one["medium"])})
        for one in json.loads(text)
    )


def listed(found: Sequence[Attachment]) -> list[dict[str, Any]]:
    """Write attachments as JSON takes them."""
    return [asdict(one) for one in found]


def written(found: Sequence[Quoted]) -> list[dict[str, Any]]:
    """Write what a message brought along as JSON takes it."""
    return [_short(asdict(one)) for one in found]


def _short(quoted: dict[str, Any]) -> dict[str, Any]:
    """Leave out the account of those who have none here."""
    return {k: value for k, value in quoted.items() if k != "account" or value}


def manner(said: Inbound | Turn) -> dict[str, Any]:
    """Write how something was said, as far as it is not the usual way."""
    found = {
        "speaker": said.speaker,
        "role": "" if said.role is Role.OWNER else said.role.value,
        "quoted": written(said.quoted),
        "files": listed(said.files),
    }
    return {key: value for key, value in found.items() if value}


def usage(value: Usage) -> dict[str, Any]:
    """Write a usage as JSON takes it."""
    return asdict(value)


def external(key: str | None, thread: str) -> str:
    """Give the platform's id in a request's key."""
    return (key or "").removeprefix(f"{thread}/")


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
