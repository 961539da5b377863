"""What is written of requests and turns, each in one transaction."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from apx.domain.ending import Accepted, Ending
from apx.domain.errors import StoreError
from apx.domain.event import Event, EventKind
from apx.domain.person import Role
from apx.domain.secrets import mask
from apx.domain.turn import TurnState
from apx.store import aside, rows
from apx.store.log import append

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from datetime import datetime

    from apx.domain.turn import Inbound, Turn


# One version masks more than the other, and names it otherwise.
_KIND: Final = re.compile(r"\[secret: [a-z0-9 ]{1,30}\]")


# What no turn has taken yet, in the order in which it was said.
WAITING: Final = (
    "select * from request where thread = ? and turn is null and unwanted = 0"
    " order by coalesce(retry_of, seq)"
)


def accept(tx: sqlite3.Connection, heard: Inbound) -> Accepted:
    """Write a request down, and say what it is by now."""
    event = Event(
        kind=EventKind.ACCEPT,
        op=f"accept/{heard.key}",
        at=heard.at,
        body=_request(heard.key, heard.text, heard.model)
        | rows.manner(heard)
        | ({"held": True} if heard.is_held else {})
        | ({"album": heard.album} if heard.album else {}),
        thread=str(heard.thread),
        person=heard.person,
        audience=str(heard.audience),
    )
    is_new = not _is_known(tx, event) and append(tx, event) is not None
    row = tx.execute("select turn from request where key = ?", (heard.key,)).fetchone()
    return Accepted(heard.key, row[0], is_new)


def _is_known(tx: sqlite3.Connection, event: Event) -> bool:
    """Whether a platform delivers a message once more: it says the same by then.

    Its sender's name and role may be others, and what is masked in it. `append` tells
    of another text.
    """
    there = tx.execute(
        "select body from event where op = ? and kind = 'accept'", (event.op,)
    ).fetchone()
    if there is None:
        return False
    return plain(json.loads(there["body"])["text"]) == plain(event.body["text"])


def plain(text: str) -> str:
    """Give a text as versions that mask differently have in common."""
    return _KIND.sub("[secret]", mask(text))


def withdraw(tx: sqlite3.Connection, thread: str, key: str, at: datetime) -> bool:
    """Mark a request as unwanted, if it still waits."""
    row = tx.execute(
        "select person, audience from request"
        " where key = ? and thread = ? and turn is null and unwanted = 0",
        (key, thread),
    ).fetchone()
    if row is None:
        return False
    event = Event(
        kind=EventKind.WITHDRAW,
        op=f"withdraw/{key}",
        at=at,
        body={"key": key},
        thread=thread,
        person=row["person"],
        audience=row["audience"],
    )
    append(tx, event)
    return True


def join(tx: sqlite3.Connection, heard: Inbound, turn_id: int) -> None:
    """Give a waiting request to a running turn."""
    row = tx.execute(
        "select t.request, t.quoted, t.files from turn t join request r on r.key = ?"
        " and r.turn is null where t.id = ? and t.state = 'running'",
        (heard.key, turn_id),
    ).fetchone()
    if row is None:
        return
    known = json.loads(row["quoted"])
    quoted = [*known, *rows.written(heard.quoted)]
    files = [*json.loads(row["files"]), *rows.listed(heard.files)]
    event = Event(
        kind=EventKind.JOIN,
        op=f"join/{heard.key}",
        at=heard.at,
        body={
            "keys": [heard.key],
            "added": heard.text,
            "text": "\n".join(filter(None, (row[0], heard.text))),
            **({"quoted": quoted, "known": len(known)} if quoted else {}),
            **({"files": files} if files else {}),
        },
        thread=str(heard.thread),
        turn=turn_id,
        person=heard.person,
        audience=str(heard.audience),
    )
    append(tx, event)


def begin(tx: sqlite3.Connection, thread: str, at: datetime) -> Turn | None:
    """Begin a turn with what waits, if none is running."""
    busy = tx.execute(
        "select 1 from turn where thread = ? and state = 'running'", (thread,)
    ).fetchone()
    waiting = tx.execute(WAITING, (thread,)).fetchall()
    ready = unheld(waiting)
    if busy or not ready:
        return None
    chosen = _burst(ready)
    first, body = chosen[0], _body(chosen)
    event = Event(
        kind=EventKind.BEGIN,
        op=f"begin/{first['key']}",
        at=at,
        body=body | aside.beside(tx, first, body, at),
        thread=thread,
        person=first["person"],
        audience=first["audience"],
    )
    written = append(tx, event)
    if written is None:
        raise StoreError(f"the request {first['key']} was begun before")
    row = tx.execute("select * from turn where id = ?", (written.turn,)).fetchone()
    return rows.turn(row)


def _body(chosen: list[sqlite3.Row]) -> dict[str, object]:
    first = chosen[0]
    body: dict[str, object] = {
        "keys": [row["key"] for row in chosen],
        "text": "\n".join(filter(None, (row["text"] for row in chosen))),
    }
    found = {
        "retry_of": first["retry_of"],
        "model": first["model"],
        "speaker": first["speaker"],
        "role": "" if first["role"] == Role.OWNER else first["role"],
        "quoted": [one for row in chosen for one in json.loads(row["quoted"])],
        "files": [one for row in chosen for one in json.loads(row["files"])],
    }
    return body | {name: value for name, value in found.items() if value}


def unheld(waiting: Iterable[sqlite3.Row]) -> list[sqlite3.Row]:
    """Leave out what is still to come, and what its person said after it."""
    held: set[str] = set()
    ready = []
    for row in waiting:
        if row["held"]:
            held.add(row["person"])
        elif row["person"] not in held:
            ready.append(row)
    return ready


def _burst(waiting: list[sqlite3.Row]) -> list[sqlite3.Row]:
    """Choose what one turn answers: a retry alone, or all from the same person."""
    first = waiting[0]
    chosen = [first]
    for row in waiting[1:]:
        same = all(row[k] == first[k] for k in ("person", "audience", "model", "role"))
        if first["retry_of"] or row["retry_of"] or not same:
            break
        chosen.append(row)
    return chosen


def end_event(turn: Turn, ending: Ending, at: datetime) -> Event:
    """Make the event that ends a turn."""
    return Event(
        kind=EventKind.END,
        op=f"end/{turn.id}",
        at=at,
        body={
            "state": ending.state,
            "final": ending.final,
            "error": ending.error,
            "model": ending.model,
            "usage": rows.usage(ending.usage),
            "parts": list(ending.parts),
            "plain": ending.is_plain,
            **({"tainted": True} if ending.tainted else {}),
        },
        thread=str(turn.thread),
        turn=turn.id,
        person=turn.person,
        audience=turn.audience,
    )


def retry(tx: sqlite3.Connection, turn: Turn, key: str, at: datetime) -> None:
    """Have a turn's request wait once more, unless that was done before."""
    there = tx.execute("select 1 from request where retry_of = ?", (turn.id,))
    if there.fetchone() is None:
        append(tx, retry_event(turn, key, at))


def retry_event(turn: Turn, key: str, at: datetime) -> Event:
    """Make the event that has a turn's request wait once more."""
    if turn.state is TurnState.COMPLETED:
        raise StoreError(f"turn {turn.id} was completed; there is nothing to retry")
    return Event(
        kind=EventKind.ACCEPT,
        op=f"accept/{key}",
        at=at,
        body=_request(key, turn.request, turn.wanted)
        | rows.manner(turn)
        | {"retry_of": turn.id},
        thread=str(turn.thread),
        person=turn.person,
        audience=turn.audience,
    )


def _request(key: str, text: str, model: str) -> dict[str, object]:
    request: dict[str, object] = {"key": key, "text": text}
    return {**request, "model": model} if model else request
