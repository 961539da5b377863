"""No question that a turn asks reads a whole table, however old the home is."""

import sqlite3

import pytest

from apx.domain.ending import Ending
from apx.domain.event import EventKind
from apx.domain.thread import Thread
from apx.domain.turn import PartState, TurnState
from apx.store.history import History
from apx.store.ledger import Ledger
from apx.store.notes import Notes
from apx.store.outbox import Outbox

MAIN = Thread("terminal", "main")


def scans(path, statements):
    """Name the statements that would read a whole table; empty ones show none."""
    connection = sqlite3.connect(path)
    try:
        return [
            (row[3], statement)
            for statement in statements
            for row in connection.execute(f"explain query plan {statement}")
            if row[3].startswith("SCAN") and "INDEX" not in row[3]
            if not row[3].startswith(("SCAN json_each", "SCAN c", "SCAN h", "SCAN ("))
        ]
    finally:
        connection.close()


@pytest.fixture
async def used(ledger, clock, hear):
    """A home in which something was said."""
    for text in ("a", "b"):
        await ledger.accept(hear(text))
        await ledger.begin(MAIN, clock())
    return clock


async def test_reading_uses_indexes(database, used):
    """View, newest, retries, notes, outbox, what waits."""
    history, ledger, outbox = History(database), Ledger(database), Outbox(database)
    statements: list[str] = []
    await database._reader.set_trace_callback(statements.append)
    await history.view(MAIN)
    await history.transcript(MAIN, 10)
    await history.active(MAIN, ["private:owner"], used(), 3)
    await history.threads(10)
    await history.events(0, 10)
    await history.events_of(1, EventKind.RECALL)
    await ledger.turn(1)
    await ledger.turn_of("terminal:main/m1")
    await ledger.repeats(1)
    await ledger.newest(MAIN)
    await ledger.waiting()
    await ledger.running()
    await outbox.due(MAIN)
    await outbox.due_threads("terminal")
    await outbox.orphaned(used())
    await outbox.parts_of(1)
    await Notes(database).live_notes("private:owner")

    assert len(statements) >= 14
    assert scans(database.path, statements) == []


async def test_writing_uses_indexes(database, ledger, outbox, clock, hear):
    """A turn's every event, and the delivery of its reply."""
    statements: list[str] = []
    await database.write(lambda tx: tx.set_trace_callback(statements.append))
    heard = hear("a")
    await ledger.accept(heard)
    turn = await ledger.begin(MAIN, clock())
    assert turn is not None
    await ledger.end(turn, Ending(TurnState.COMPLETED, "A", parts=("A",)), clock())
    [part] = await outbox.due(MAIN)
    await outbox.mark(part, PartState.SENDING, clock())

    kinds = ("select", "insert", "update")
    asked = [s for s in statements if s.startswith(kinds)]
    assert len(asked) > 10
    assert scans(database.path, asked) == []
