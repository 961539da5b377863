"""What was said in a thread that no turn answers: overheard, or said anew."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from apx.domain.quoted import Provenance
from apx.domain.secrets import mask
from apx.domain.text import excerpt

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from datetime import datetime

    from apx.domain.erasing_lines import Told
    from apx.domain.heard import Heard

# A room's newest words, as far as they may have to do with what is asked now.
MOST: Final = 30
_LATEST: Final = timedelta(hours=24)
_LONG: Final = 1_000
_OLD: Final = 80


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


def beside(
    tx: sqlite3.Connection, first: sqlite3.Row, body: dict[str, Any], at: datetime
) -> dict[str, Any]:
    """Give what a turn that begins has of it beside its requests, and let go of it."""
    found: dict[str, Any] = {}
    if said := _overheard(tx, first["thread"], at):
        found["quoted"] = [*said, *body.get("quoted", [])]
    rows = tx.execute(
        "select key, text, correction from request where thread = ? and person = ?"
        " and correction <> '' order by seq",
        (first["thread"], first["person"]),
    ).fetchall()
    if rows:
        found["corrected"] = [row["key"] for row in rows]
        found["said"] = body["text"]
        lines = [corrected(row["text"], row["correction"]) for row in rows]
        found["text"] = "\n".join([*lines, body["text"]])
    return found


def corrected(old: str, new: str) -> str:
    """Say that a person changed what they had written."""
    return f'(I changed what I wrote before, "{excerpt(old, _OLD)}", to: {new})'


def _overheard(
    tx: sqlite3.Connection, thread: str, at: datetime
) -> list[dict[str, str]]:
    rows = tx.execute(
        "select * from overheard where thread = ? order by at, external_id", (thread,)
    ).fetchall()
    if rows:
        tx.execute("delete from overheard where thread = ?", (thread,))
    since = (at - _LATEST).isoformat()
    return [
        {
            "provenance": Provenance.OVERHEARD,
            "by": row["speaker"],
            "text": row["text"],
            "account": row["account"],
        }
        for row in rows
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
