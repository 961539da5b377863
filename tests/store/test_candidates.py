"""Facts that wait in the ledger, until a person has said what becomes of them."""

from datetime import UTC, datetime

import pytest

from apx.domain.note import NewNote
from apx.domain.person import OWNERS_OWN
from apx.domain.thread import Thread
from apx.store.candidates import Candidates, CandidateState, NewCandidate
from apx.store.notes import Notes
from apx.store.verify import verify
from tests.store.test_growth import scans

MAIN = Thread("terminal", "main")
MINE = str(OWNERS_OWN)
SAID = datetime(2026, 11, 3, 21, 15, tzinfo=UTC)


def fact(text, turn=3, audience=MINE):
    return NewCandidate(text, SAID, MAIN, turn, audience=audience)


async def plan(database, statement):
    found = await database.fetch(f"explain query plan {statement}")
    return "; ".join(row["detail"] for row in found)


@pytest.fixture
def candidates(database):
    return Candidates(database)


async def events(database):
    return [row["op"] for row in await database.fetch("select op from event")]


async def test_a_proposed_fact_waits(candidates, clock):
    """With all that a note needs later."""
    [given] = await candidates.propose([fact("I live in Tampere")], clock())

    assert await candidates.open([MINE], 10) == [given]
    assert await candidates.find(given.id) == given
    assert (given.text, given.at, given.thread) == ("I live in Tampere", SAID, MAIN)
    assert (given.turn, given.audience) == (3, MINE)
    assert given.state is CandidateState.OPEN


async def test_a_second_run_writes_nothing(candidates, database, clock):
    """The condenser may break off behind this, and begin again."""
    facts = [fact("I live in Tampere"), fact("I'm vegetarian")]
    assert len(await candidates.propose(facts, clock())) == 2
    before = await events(database)

    assert await candidates.propose(facts, clock()) == []

    assert await events(database) == before


async def test_the_same_words_wait_once(candidates, database, clock):
    """In one message or in many, whatever the case of their letters."""
    facts = [fact("I'm  Vegetarian"), fact("i'm vegetarian", turn=9)]
    assert len(await candidates.propose(facts, clock())) == 1

    assert await candidates.propose([fact("I'M VEGETARIAN", 12)], clock()) == []

    assert len(await events(database)) == 1


@pytest.mark.parametrize("state", [CandidateState.KEPT, CandidateState.DROPPED])
async def test_what_was_decided_is_not_asked_again(candidates, clock, state):
    """A person who said no means it."""
    [given] = await candidates.propose([fact("I live in Tampere")], clock())
    ended = await candidates.end(given.id, state, clock())
    assert ended is not None
    assert ended.state is state

    assert await candidates.propose([fact("i live in tampere", 8)], clock()) == []
    assert await candidates.open([MINE], 10) == []


async def test_a_candidate_ends_once(candidates, database, clock):
    """Whoever comes second is told that there was nothing to end."""
    [given] = await candidates.propose([fact("I live in Tampere")], clock())
    await candidates.end(given.id, CandidateState.KEPT, clock())
    before = await events(database)

    assert await candidates.end(given.id, CandidateState.DROPPED, clock()) is None
    assert await candidates.end(999, CandidateState.KEPT, clock()) is None

    assert await events(database) == before
    found = await candidates.find(given.id)
    assert found is not None
    assert found.state is CandidateState.KEPT


async def test_what_is_noted_is_not_proposed(candidates, database, clock):
    """Nor what was forgotten; a note of somebody else is no reason."""
    notes = Notes(database)
    note = await notes.add_note(NewNote("n1", "I live in Tampere", clock()))
    room = fact("I live in Tampere", 9, "room:telegram:7")

    assert await candidates.propose([fact("i live in tampere")], clock()) == []
    assert len(await candidates.propose([room], clock())) == 1
    await notes.forget_note(note.id, "f1", clock())
    assert await candidates.propose([fact("i live in tampere")], clock()) == []


async def test_only_the_audience_sees_it(candidates, clock):
    """What was said in a room is not listed elsewhere."""
    await candidates.propose([fact("I live in Oslo", audience="room:a:1")], clock())

    assert await candidates.open([MINE, "shared"], 10) == []
    assert len(await candidates.open(["room:a:1"], 10)) == 1
    assert await candidates.open([], 10) == []


async def test_the_newest_come_last(candidates, clock):
    """Two hundred wait; a list shows those of today."""
    facts = [fact(f"My sister lives in Town{n}") for n in range(200)]
    assert len(await candidates.propose(facts, clock())) == 200

    found = await candidates.open([MINE], 2)

    assert [c.text[-3:] for c in found] == ["198", "199"]
    assert len(await candidates.open([MINE], 1_000)) == 200
    assert await candidates.open([MINE], 0) == []


async def test_text_without_words_is_no_fact(candidates, database, clock):
    """It could never be told from another one."""
    assert await candidates.propose([fact(" \n"), fact("\0")], clock()) == []
    assert await candidates.propose([], clock()) == []
    assert await events(database) == []


async def test_the_log_gives_the_same_table(candidates, database, clock):
    """The table is a projection, as every one is."""
    given = await candidates.propose([fact("I live in Oslo"), fact("I ski")], clock())
    await candidates.end(given[0].id, CandidateState.DROPPED, clock())

    assert await verify(database.path) == []


async def test_nothing_reads_a_whole_table(candidates, database, clock):
    """Neither proposing nor listing nor ending, however old the home is."""
    [given] = await candidates.propose([fact("I live in Oslo")], clock())
    statements: list[str] = []
    await database.write(lambda tx: tx.set_trace_callback(statements.append))
    await database._reader.set_trace_callback(statements.append)

    await candidates.propose([fact("I live in Oslo"), fact("I ski")], clock())
    await candidates.open([MINE, "shared"], 10)
    await candidates.find(given.id)
    await candidates.end(given.id, CandidateState.KEPT, clock())

    asked = [s for s in statements if s.startswith(("select", "insert", "update"))]
    assert len(asked) > 10
    assert scans(database.path, asked) == []
    of_candidates = [s for s in asked if " candidate " in s]
    assert len(of_candidates) >= 6
    for statement in of_candidates:
        assert "SCAN candidate" not in await plan(database, statement), statement
