"""Carries out in the ledger what an erasure has planned, in one transaction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from apx.domain.erasing_lines import take_lines
from apx.domain.event import Event, EventKind
from apx.domain.person import Audience
from apx.store import aside, jobs, projection_erase
from apx.store.erase import CLEANING
from apx.store.erase_plan import PERSONAL, Plan, personal, read
from apx.store.log import append

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from datetime import datetime

    from apx.domain.erasing_lines import Told
    from apx.domain.person import Account

# So many events are named by one `erase` event.
_MOST: Final = 5_000
_SPENT: Final = "calls, prompt, completion, cached, unknown"


def carry_out(tx: sqlite3.Connection, plan: Plan, told: Told, at: datetime) -> None:
    """Change and remove what is planned; the triggers let nobody else."""
    for person in plan.persons:
        _withdraw(tx, person, at)
    tx.execute("insert into meta values ('erasing', '')")
    _empty_books(tx, plan, told)
    aside.forget(tx, plan.threads, map(str, plan.accounts), told)
    if told.names:
        _blank_names(tx, told)
    if not plan.is_nothing:
        _announce(tx, plan, at)
        _remove(tx, plan)
        _change(tx, plan)
        for key in plan.persons:
            _remove_person(tx, key, plan.accounts)
    tx.execute("delete from meta where key = 'erasing'")


def _withdraw(tx: sqlite3.Connection, person: str, at: datetime) -> None:
    """Have nothing run that a person still waits for."""
    for row in tx.execute(
        "select thread, key from request where person = ? and turn is null"
        " and unwanted = 0",
        (person,),
    ).fetchall():
        jobs.withdraw(tx, row["thread"], row["key"], at)


def _announce(tx: sqlite3.Connection, plan: Plan, at: datetime) -> None:
    """Append the events first: the newest of the log must never go back."""
    name, seqs = uuid4().hex, plan.seqs
    follows: dict[str, Any] = {
        "notes": sorted(plan.notes),
        "facts": sorted(plan.facts),
        "summaries": sorted(plan.summaries),
    }
    for number, first in enumerate(range(0, max(len(seqs), 1), _MOST)):
        body = {"seqs": seqs[first : first + _MOST], **follows}
        follows = {"notes": [], "facts": [], "summaries": []}
        event = append(tx, Event(EventKind.ERASE, f"erase/{name}/{number}", at, body))
        tx.execute(
            "insert into meta values (?, ?) on conflict do nothing",
            (CLEANING, str(event.seq if event else 0)),
        )


def _remove(tx: sqlite3.Connection, plan: Plan) -> None:
    for thread in sorted(plan.threads):
        for table in ("outbox", "condensation", "candidate", "request", "turn"):
            tx.execute(f"delete from {table} where thread = ?", (thread,))  # noqa: S608 -- of the five above
        tx.execute("delete from thread where name = ?", (thread,))
        tx.execute("update stranger set thread = '' where thread = ?", (thread,))
    gone, loose = json.dumps(sorted(plan.gone)), json.dumps(sorted(plan.loose))
    listed = "in (select value from json_each(?))"
    tx.execute(f"delete from note where id {listed}", (gone,))  # noqa: S608 -- a constant
    tx.execute(f"delete from event where seq {listed}", (gone,))  # noqa: S608 -- a constant
    tx.execute(
        f"update event set thread = '', turn = 0 where seq {listed}",  # noqa: S608 -- a constant
        (loose,),
    )
    tx.execute(f"update note set thread = '', turn = 0 where id {listed}", (loose,))  # noqa: S608 -- a constant


def _change(tx: sqlite3.Connection, plan: Plan) -> None:
    for event in plan.changed.values():
        body = json.dumps(event.body, ensure_ascii=False, separators=(",", ":"))
        tx.execute("update event set body = ? where seq = ?", (body, event.seq))
    projection_erase.follow(tx, plan.changed.values())
    if plan.persons or any(e.kind in PERSONAL for e in plan.changed.values()):
        projection_erase.replay_people(tx, read(tx, personal(tx)))


def _remove_person(
    tx: sqlite3.Connection, key: str, accounts: Iterable[Account]
) -> None:
    """Forget what is no projection: codes, and whose calls were counted."""
    for account in accounts:
        tx.execute(
            "delete from stranger where channel = ? and bot = ? and user = ?",
            (account.channel, account.bot, account.user),
        )
        tx.execute("delete from guess where account = ?", (str(account),))
    tx.execute("delete from code where person = ?", (key,))
    tx.execute(
        f"insert into spent (day, purpose, person, model, {_SPENT})"  # noqa: S608 -- constant columns
        f" select day, purpose, '', model, {_SPENT} from spent where person = ?"
        " on conflict (day, purpose, person, model) do update set"
        " calls = calls + excluded.calls, prompt = prompt + excluded.prompt,"
        " completion = completion + excluded.completion,"
        " cached = cached + excluded.cached, unknown = unknown + excluded.unknown",
        (key,),
    )
    tx.execute("delete from spent where person = ?", (key,))
    private = str(Audience.private(key))
    tx.execute("delete from notebook where audience = ?", (private,))


def _empty_books(tx: sqlite3.Connection, plan: Plan, told: Told) -> None:
    """Have the files of notes, as they were last seen, without those lines."""
    for row in tx.execute("select * from notebook").fetchall():
        if row["audience"] not in plan.audiences:
            continue
        data = row["text"].encode()
        left = take_lines(data, told.among(row["audience"])).data
        if left != data:
            tx.execute(
                "update notebook set text = ? where audience = ?",
                (left.decode(), row["audience"]),
            )


def _blank_names(tx: sqlite3.Connection, told: Told) -> None:
    for table, key in (("stranger", "number"), ("code", "hash")):
        for row in tx.execute(f"select {key}, name from {table}").fetchall():  # noqa: S608 -- of the two above
            if told.holds(row["name"]):
                tx.execute(f"update {table} set name = '' where {key} = ?", (row[0],))  # noqa: S608 -- of the two above
