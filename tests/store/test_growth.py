"""No question that a turn asks reads a whole table, however old the home is."""

import sqlite3

import pytest

from apx.domain.ending import Ending
from apx.domain.event import EventKind
from apx.domain.person import Account
from apx.domain.thread import Thread
from apx.domain.turn import PartState, TurnState
from apx.store.history import History
from apx.store.ledger import Ledger
from apx.store.notes import Notes
from apx.store.outbox import Outbox
from apx.store.people import People
from apx.store.threads import Threads

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
            if not row[3].startswith(
                ("SCAN json_each", "SCAN c", "SCAN h", "SCAN each", "SCAN (")
            )
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
    await history.threads(10, ["private:owner"])
    await history.newest_with("terminal:main", EventKind.RECALL, ["private:owner"])
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
    notes = Notes(database)
    await notes.live_notes("private:owner")
    await notes.noted_audiences()
    await _ask_who_is_who(database)

    assert len(statements) >= 24
    assert scans(database.path, statements) == []


async def test_what_a_platform_brings_uses_indexes(database, used):
    """Edits, attachments, what a reply answers; also what a start sweeps by."""
    del used
    ledger = Ledger(database)
    turn = await ledger.newest(MAIN)
    assert turn
    statements: list[str] = []
    await database._reader.set_trace_callback(statements.append)
    await ledger.answers(turn)
    await ledger.corrections(turn)
    await ledger.unhear(MAIN, "1")
    await ledger.is_alone("terminal:main/1")
    await ledger.ready(MAIN)
    await ledger.held()
    await ledger.model_of(MAIN)
    await ledger.attachments()

    assert len(statements) == 8
    assert scans(database.path, statements) == []


async def test_what_was_sent_before_a_part_uses_indexes(database, outbox, used):
    """Also where a thread has a hundred thousand turns."""
    del used
    statements: list[str] = []
    await database._reader.set_trace_callback(statements.append)
    await outbox.due(MAIN)
    connection = sqlite3.connect(database.path)
    plan = [row[3] for row in connection.execute(f"explain query plan {statements[0]}")]
    connection.close()

    assert [line for line in plan if " b " in line] == [
        "SEARCH b USING COVERING INDEX turn_by_thread (thread=? AND ordinal>?"
        " AND ordinal<?)"
    ]
    assert any(line.startswith("SEARCH p USING INDEX") for line in plan)


async def _ask_who_is_who(database):
    """Ask what every message asks: whose it is, and what they see."""
    people, threads = People(database), Threads(database)
    await people.known(Account("telegram", "7", "1"))
    await people.homes("owner")
    await people.accounts("owner")
    await people.person("owner")
    await threads.rooms("telegram", "7")
    await threads.private_threads("owner", 5)
    await threads.audience_of(MAIN)


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
