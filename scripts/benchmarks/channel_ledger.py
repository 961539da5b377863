"""Fills a home's ledger with years of talk, all of it answered and delivered."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from apx.domain.digest import digest
from apx.domain.ending import Ending
from apx.domain.event import Event, EventKind
from apx.domain.person import OWNER, OWNERS_OWN, Account, Audience, Role
from apx.domain.thread import Thread
from apx.domain.turn import Inbound, PartState, TurnState
from apx.store import jobs
from apx.store.condensations import Condensations, Record
from apx.store.database import Database
from apx.store.history import History
from apx.store.log import append
from apx.store.schema import LEDGER

if TYPE_CHECKING:
    from pathlib import Path

    from apx.domain.turn import Turn

_BEGAN: Final = datetime(2025, 1, 5, 8, tzinfo=UTC)
_BETWEEN: Final = timedelta(minutes=3)
_PAGE: Final = 2_000
_A_THREAD: Final = 200
_KEPT: Final = 20
_ANSWER: Final = "The box with the letters of {} is in room {} of the cellar."


async def fill(home: Path, turns: int, thread: Thread, long: int) -> None:
    """Write so many turns; `long` of them in a thread, the rest elsewhere."""
    person, audience = _whose(home, thread)
    account = Account(thread.channel, "main", "1")
    own = (person, Audience(audience), Role.MEMBER, account)
    others = (OWNER, OWNERS_OWN, Role.OWNER, Account("terminal", "", OWNER))
    async with Database.open(home / "ledger.db", LEDGER) as database:
        for first in range(0, turns, _PAGE):
            numbers = range(first, min(first + _PAGE, turns))

            def job(tx: sqlite3.Connection, numbers: range = numbers) -> None:
                for number in numbers:
                    is_own = number < long
                    where = _other(number) if not is_own else thread
                    _say(tx, where, number, own if is_own else others)

            await database.write(job)
        await _fold(database, thread)


async def _fold(database: Database, thread: Thread) -> None:
    """Condense the thread up to its newest turns, as it would have been by now."""
    found = await database.fetch(
        "select id, ordinal from turn where thread = ? order by ordinal desc"
        " limit 1 offset ?",
        str(thread),
        _KEPT,
    )
    early = await History(database).earliest(thread, _KEPT)
    made = replace(digest(None, early.past), last=found[0]["ordinal"])
    record = Record(thread, made, found[0]["id"], 0, made.at, {}, 0)
    if not await Condensations(database).add(record):
        raise RuntimeError(f"{thread} was not condensed")


def _whose(home: Path, thread: Thread) -> tuple[str, str]:
    with closing(sqlite3.connect(home / "ledger.db")) as ledger:
        row = ledger.execute(
            "select person, audience from turn where thread = ? limit 1",
            (str(thread),),
        ).fetchone()
    return str(row[0]), str(row[1])


def _other(number: int) -> Thread:
    return Thread("terminal", f"old{number // _A_THREAD}")


def _say(
    tx: sqlite3.Connection,
    thread: Thread,
    number: int,
    who: tuple[str, Audience, Role, Account],
) -> None:
    at = _BEGAN + number * _BETWEEN
    person, audience, role, account = who
    text = f"where did I put the letters of {number % 997} in {number % 89}?"
    key = f"old{number}"
    jobs.accept(
        tx,
        Inbound(thread, text, at, key, person, audience, role, account=account),
    )
    turn = jobs.begin(tx, str(thread), at)
    if turn is None:
        raise RuntimeError(f"turn {number} of {thread} does not begin")
    answer = _ANSWER.format(number % 997, number % 89)
    ending = Ending(TurnState.COMPLETED, final=answer, parts=(answer,), model="offline")
    append(tx, jobs.end_event(turn, ending, at))
    _deliver(tx, turn, at)


def _deliver(tx: sqlite3.Connection, turn: Turn, at: datetime) -> None:
    found = tx.execute("select id from outbox where turn = ?", (turn.id,)).fetchall()
    for part in found:
        for number, state in enumerate((PartState.SENDING, PartState.SENT)):
            append(
                tx,
                Event(
                    kind=EventKind.DELIVERY,
                    op=f"delivery/{part[0]}/{number}",
                    at=at,
                    body={"part": part[0], "state": state, "message_id": "1"},
                    thread=str(turn.thread),
                    turn=turn.id,
                    person=turn.person,
                    audience=turn.audience,
                ),
            )
