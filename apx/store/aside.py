"""What was said in a thread that no turn answers: overheard, or said anew."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from apx.domain.event import Event, EventKind
from apx.domain.quoted import Provenance
from apx.domain.secrets import mask
from apx.domain.text import excerpt
from apx.store import rows
from apx.store.log import append

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from datetime import datetime

    from apx.domain.erasing_lines import Told
    from apx.domain.heard import Heard
    from apx.domain.thread import Thread
    from apx.domain.turn import Inbound

# A room's newest words, as far as they may have to do with what is asked now.
MOST: Final = 30
_LATEST: Final = timedelta(hours=24)
_LONG: Final = 1_000
_OLD: Final = 80
_DIGITS: Final = 16


def overhear(tx: sqlite3.Connection, heard: Heard, *, is_new: bool) -> None:
    """Keep what was said in a room but not to the assistant, for a while.

    What is not new only takes the place of what is known.
    """
    caller, thread = heard.caller, str(heard.caller.thread)
    if not is_new:
        tx.execute(
            "update overheard set text = ? where thread = ? and external_id = ?",
            (mask(heard.text)[:_LONG], thread, heard.external_id),
        )
        return
    tx.execute(
        "insert into overheard values (?, ?, ?, ?, ?, ?)"
        " on conflict (thread, external_id) do update set text = excluded.text",
        (
            thread,
            heard.external_id,
            str(caller.account),
            caller.name or caller.account.user,
            mask(heard.text)[:_LONG],
            heard.at.isoformat(),
        ),
    )
    tx.execute(
        "delete from overheard where thread = ?1 and external_id not in (select"
        " external_id from overheard where thread = ?1 order by at desc limit ?2)",
        (thread, MOST),
    )


HEARD: Final = "select 1 from overheard where thread = ? and external_id = ?"


def unhear(tx: sqlite3.Connection, thread: Thread, external_id: str) -> None:
    """Forget what was overheard and then deleted."""
    tx.execute(
        "delete from overheard where thread = ? and external_id = ?",
        (str(thread), external_id),
    )


# What was said anew of what turns have taken, and none was told.
CORRECTED: Final = (
    "select * from request where thread = ? and person = ? and correction <> ''"
    " order by seq"
)
_MARK: Final = "#corrected/"


def beside(
    tx: sqlite3.Connection, first: sqlite3.Row, body: dict[str, Any], at: datetime
) -> dict[str, Any]:
    """Give what a turn that begins has of it beside its requests, and let go of it."""
    found: dict[str, Any] = {}
    if said := _overheard(tx, first["thread"], at):
        found["quoted"] = [*said, *body.get("quoted", [])]
    known = tx.execute(CORRECTED, (first["thread"], first["person"])).fetchall()
    if known:
        found["corrected"] = [row["key"] for row in known]
        found["said"] = body["text"]
        lines = [corrected(row["text"], row["correction"]) for row in known]
        found["text"] = "\n".join([*lines, body["text"]])
    return found


def correction(row: sqlite3.Row) -> Inbound:
    """Give a correction as a message that may join a turn."""
    said = rows.inbound(row)
    text = corrected(row["text"], row["correction"])
    # Each correction is one of its own; what it corrects is in front.
    digest = sha256(row["correction"].encode()).hexdigest()[:_DIGITS]
    name = f"{said.external_id}{_MARK}{digest}"
    return replace(said, text=text, external_id=name, quoted=(), files=())


def join(tx: sqlite3.Connection, heard: Inbound, turn_id: int) -> None:
    """Add a correction to a running turn, unless a turn was told already."""
    key, _, _ = heard.key.rpartition(_MARK)
    row = tx.execute(
        "select t.request, t.quoted, t.files from turn t join request r on r.key = ?"
        " and r.correction <> '' where t.id = ? and t.state = 'running'",
        (key, turn_id),
    ).fetchone()
    if row is None:
        return
    quoted, files = json.loads(row["quoted"]), json.loads(row["files"])
    body = {
        "keys": [],
        "added": "",
        "text": f"{row['request']}\n{heard.text}",
        "corrected": [key],
        **({"quoted": quoted, "known": len(quoted)} if quoted else {}),
        **({"files": files} if files else {}),
    }
    append(
        tx,
        Event(
            kind=EventKind.JOIN,
            op=f"join/{heard.key}",
            at=heard.at,
            body=body,
            thread=str(heard.thread),
            turn=turn_id,
            person=heard.person,
            audience=str(heard.audience),
        ),
    )


def corrected(old: str, new: str) -> str:
    """Say that a person changed what they had written."""
    return f'(I changed what I wrote before, "{excerpt(old, _OLD)}", to: {new})'


def _overheard(
    tx: sqlite3.Connection, thread: str, at: datetime
) -> list[dict[str, str]]:
    heard = tx.execute(
        "select * from overheard where thread = ? order by at, external_id", (thread,)
    ).fetchall()
    if heard:
        tx.execute("delete from overheard where thread = ?", (thread,))
    since = (at - _LATEST).isoformat()
    return [
        {
            "provenance": Provenance.OVERHEARD,
            "by": row["speaker"],
            "text": row["text"],
            "account": row["account"],
        }
        for row in heard
        if row["at"] >= since
    ]


def forget(
    tx: sqlite3.Connection,
    threads: Iterable[str],
    accounts: Iterable[str],
    told: Told,
) -> None:
    """Forget what was overheard in threads, from accounts, and what says a passage.

    A passage only in the rooms whose words the asker may erase.
    """
    gone, whose = set(threads), set(accounts)
    for row in tx.execute("select * from overheard").fetchall():
        is_said = f"room:{row['thread']}" in told.mixed and told.holds(row["text"])
        is_owners = told.names and told.holds(row["text"])
        is_gone = row["thread"] in gone or row["account"] in whose
        if is_gone or is_said or is_owners:
            tx.execute(
                "delete from overheard where thread = ? and external_id = ?",
                (row["thread"], row["external_id"]),
            )
