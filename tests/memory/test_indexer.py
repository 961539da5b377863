"""From the log into the index, each event once."""

import pytest

from apx.domain.ending import Ending
from apx.domain.note import NewNote
from apx.domain.recall import Query
from apx.domain.thread import Thread
from apx.domain.turn import TurnState
from apx.store.notes import Notes
from tests.memory.rooms import rooms

MAIN = Thread("terminal", "main")


@pytest.fixture
async def memory(tmp_path, history):
    """The rooms of memory without an embedder."""
    async with rooms(tmp_path, history) as opened:
        yield opened


async def said(ledger, clock, heard, final, model="m:m"):
    await ledger.accept(heard)
    turn = await ledger.begin(heard.thread, clock())
    assert turn is not None
    ending = Ending(TurnState.COMPLETED, final=final, model=model)
    await ledger.end(turn, ending, clock())
    return turn


async def recalled(memory, text, clock, known=frozenset()):
    query = Query(text, MAIN, ("private:owner",), clock(), known_turns=known)
    found = await memory.recalled.fetch(query)
    return [(hit.ref, hit.text) for hit in found.memories]


async def test_what_was_said_is_found(ledger, memory, clock, hear):
    """Both sides of it, from any thread, without waiting for the background."""
    a = await said(ledger, clock, hear("my dentist is Dr. Brandt"), "Noted: Brandt.")
    b = await said(
        ledger, clock, hear("weather?", thread="telegram:1:2"), "Storm in Graz"
    )

    hits = await recalled(memory, "who is my dentist?", clock)
    assert hits == [(f"turn {a.id}", "my dentist is Dr. Brandt")]
    assert await recalled(memory, "storm", clock) == [(f"turn {b.id}", "Storm in Graz")]


async def test_what_the_prompt_holds_is_not_found(ledger, memory, clock, hear):
    """It would be there twice."""
    turn = await said(ledger, clock, hear("my dentist is Dr. Brandt"), "ok")

    assert await recalled(memory, "dentist", clock, {turn.id}) == []


async def test_indexing_twice_changes_nothing(ledger, memory, clock, hear):
    """The cursor is the log's seq."""
    for number in range(30):
        await said(ledger, clock, hear(f"fact number {number}"), "ok")
    indexer = memory.indexer

    assert await indexer.catch_up() > 0
    size = await memory.chunks.size()
    assert await indexer.catch_up() == 0
    assert await memory.chunks.size() == size


async def test_the_offline_model_does_not_quote_itself(ledger, memory, clock, hear):
    """Its answers are memory already."""
    await said(ledger, clock, hear("hi"), "From memory: zebra", model="offline")

    assert await recalled(memory, "zebra", clock) == []


async def test_a_long_message_is_found_at_its_end(ledger, memory, clock, hear):
    """Nothing beyond a cap is lost."""
    text = "so much happened today. " * 4000 + "The code word is marzipan."
    await said(ledger, clock, hear(text), "ok")

    [(_, found)] = await recalled(memory, "code word marzipan", clock)
    assert "marzipan" in found


async def test_a_forgotten_note_is_recited_no_more(
    ledger, database, memory, clock, hear
):
    """Nor the message that asked for it."""
    turn = await said(ledger, clock, hear("remember that Anna lives in Graz"), "ok")
    notes = Notes(database)
    new = NewNote(op="n", text="Anna lives in Graz", at=clock(), turn=turn.id)
    note = await notes.add_note(new)
    assert len(await recalled(memory, "where does Anna live?", clock)) == 1

    await notes.forget_note(note.id, "f", clock())

    assert await recalled(memory, "where does Anna live?", clock) == []
