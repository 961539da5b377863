"""What a model sees of a thread is read at the same cost, however long the thread."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Final

from apx.domain.event import Event, EventKind
from apx.domain.person import OWNER, OWNERS_OWN
from apx.domain.thread import Thread
from apx.store.history import History
from apx.store.ledger import Ledger

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from apx.store.database import Database

SHORT, LONG = Thread("terminal", "short"), Thread("terminal", "long")
AT: Final = "2026-11-30T09:41:00+00:00"
WHOSE: Final = (OWNER, str(OWNERS_OWN))
# A record is made each so many turns, and so many turns stay after the newest one.
EVERY: Final = 30
KEPT: Final = 25
# Events of a turn: it begins, a tool is called and gives something, it ends.
STEP: Final = json.dumps(
    {
        "text": "",
        "calls": [{"id": "c", "name": "look", "arguments": "{}", "signature": ""}],
        "bounded": False,
    }
)
RESULT: Final = json.dumps({"call": "c", "text": "a box", "ok": True, "bounded": False})
EVENTS: Final = (
    ("begin", "{}"),
    ("step", STEP),
    ("tool_result", RESULT),
    ("end", "{}"),
)
# So many of the newest turns have all their events; of older ones nothing is read.
NEW: Final = 100
# The second of each pair repeats the first, in every tenth pair.
REPEATED: Final = 20


def fill(tx: sqlite3.Connection, thread: Thread, count: int, start: int) -> int:
    """Write a thread as its log and its tables would have it; gives the last seq."""
    name, size = str(thread), len(EVENTS)
    ids = [start + 1 + size * n for n in range(count)]
    tx.execute(
        "insert into thread (name, person, audience, last_turn, turns, counted)"
        " values (?, ?, ?, ?, ?, ?)",
        (name, *WHOSE, ids[-1], count, count - KEPT),
    )
    tx.executemany(
        "insert into event (seq, op, kind, thread, turn, person, audience, at, body)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (i + place, f"{kind}/{i}", kind, name, i, *WHOSE, AT, body)
            for number, i in enumerate(ids, start=1)
            for place, (kind, body) in enumerate(EVENTS)
            if place == 0 or number > count - NEW
        ),
    )
    tx.executemany(
        "insert into turn (id, thread, ordinal, state, request, person, audience,"
        " began_at, ended_at, final, retry_of)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        turns(name, ids),
    )
    return condense(tx, name, count, ids[-1] + size)


def turns(name: str, ids: list[int]) -> Iterator[tuple[object, ...]]:
    for ordinal, i in enumerate(ids, start=1):
        asked = f"what of box {ordinal}?"
        repeats = ids[ordinal - 2] if ordinal % REPEATED == 0 else None
        state = "failed" if (ordinal + 1) % REPEATED == 0 else "completed"
        yield (i, name, ordinal, state, asked, *WHOSE, AT, AT, "fine", repeats)


def condense(tx: sqlite3.Connection, name: str, count: int, seq: int) -> int:
    """Write the records that a thread got in its life; each is valid still."""
    for last in range(count - KEPT, 0, -EVERY)[::-1]:
        seq += 1
        body = {"first": 1, "last": last, "until": AT, "sections": {}, "opening": []}
        body |= {"standing": [], "model": "m", "degraded": False}
        tx.execute(
            "insert into event (seq, op, kind, thread, turn, person, audience, at,"
            " body) values (?, ?, 'compact', ?, 0, ?, ?, ?, ?)",
            (seq, f"compact/{name}/{seq}", name, *WHOSE, AT, json.dumps(body)),
        )
        tx.execute(
            "insert into condensation values (?, ?, 1, ?, 0, 'valid')",
            (seq, name, last),
        )
    return seq


async def written(database: Database, turns: int) -> None:
    """Write a short thread and one of so many turns into one ledger."""

    def job(tx: sqlite3.Connection) -> None:
        fill(tx, LONG, turns, fill(tx, SHORT, NEW, 0))

    await database.write(job)


async def steps(database: Database, thread: Thread) -> int:
    """Count the steps that SQLite takes to read what a model sees of a thread."""
    taken = [0]

    def count() -> None:
        taken[0] += 1

    await database._reader.set_progress_handler(count, 1)
    await History(database).view(thread)
    return taken[0]


async def test_a_long_thread_is_read_at_the_cost_of_a_short_one(database):
    """A thousand times the turns and the records: at most twice the steps."""
    await written(database, turns=100_000)
    short, long = [await steps(database, thread) for thread in (SHORT, LONG)]
    view = await History(database).view(LONG)

    # Nor does the short one pay for the long one beside it.
    assert long <= 2 * short
    assert short <= 2 * long
    assert short > KEPT  # or nothing was counted
    assert view.condensation is not None
    assert view.condensation.last == 100_000 - KEPT
    # Two failed turns are not there, as they were repeated.
    assert len(view.past) == KEPT - 2
    assert all(len(past.steps) == 1 for past in view.past)


async def test_a_fresh_start_is_read_at_the_cost_of_what_follows(database):
    """What was said before `/new` is not looked through for each message."""
    await written(database, turns=5_000)
    for thread in (SHORT, LONG):
        at = datetime.fromisoformat(AT)
        event = Event(EventKind.FRESH, f"fresh/{thread}", at, thread=str(thread))
        await Ledger(database).record(event)
    short, long = [await steps(database, thread) for thread in (SHORT, LONG)]

    assert (await History(database).view(LONG)).past == ()
    assert long <= 2 * short
