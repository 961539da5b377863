"""What happens to turns before they leave the prompt."""

import sqlite3
from contextlib import closing
from datetime import UTC

import pytest

from apx.domain.ending import Ending
from apx.domain.errors import StoreError
from apx.domain.thread import Thread
from apx.domain.turn import TurnState
from apx.memory.books import NoteBooks
from apx.memory.candidates import Proposals
from apx.memory.flush import Flush
from apx.store.candidates import Candidates
from apx.store.notes import Notes

MAIN = Thread("terminal", "main")


@pytest.fixture
def proposals(database, tmp_path, clock):
    book = NoteBooks(tmp_path, Notes(database), clock, UTC)
    return Proposals(Candidates(database), book, False, clock)


@pytest.fixture
async def turns(ledger, history, clock, hear):
    """Two turns of a thread, in one of which a fact is told."""
    for text in ("I live in Rome now.", "what about the boxes?"):
        await ledger.accept(hear(text))
        turn = await ledger.begin(MAIN, clock())
        await ledger.end(turn, Ending(TurnState.COMPLETED, final="ok"), clock())
    return (await history.view(MAIN)).past


async def test_they_can_be_found_and_what_lasts_is_proposed(
    open_rooms, history, proposals, turns
):
    """Doing it twice proposes nothing twice."""
    async with open_rooms() as rooms:
        flush = Flush(rooms.indexer, proposals)
        assert [await flush(MAIN, turns) for _ in range(2)] == [1, 0]
        assert await rooms.chunks.cursor() == await history.last_seq()


async def test_a_broken_index_stops_nothing(open_rooms, proposals, turns, tmp_path):
    """The ledger has the text; the index comes to it when it is mended."""
    async with open_rooms() as rooms:
        with closing(sqlite3.connect(tmp_path / "memory.db")) as breaking:
            breaking.execute("drop table meta")
        with pytest.raises(StoreError):
            await rooms.indexer.freshen()

        assert await Flush(rooms.indexer, proposals)(MAIN, turns) == 1


async def test_without_memory_nothing_is_proposed(open_rooms, proposals, turns):
    """`memory.enabled` is false: nobody asked for facts."""
    async with open_rooms() as rooms:
        assert await Flush(rooms.indexer, None)(MAIN, turns) == 0

    assert await proposals.waiting(["private:owner"], 9) == []
