"""Facts that wait, asked for through the owner of the home."""

from datetime import UTC
from types import SimpleNamespace
from typing import Any

import pytest

from apx.desk.candidate_calls import candidate_accept, candidate_reject, candidates
from apx.domain.errors import InputError
from apx.domain.history import PastTurn
from apx.domain.turn import Turn, TurnState
from apx.memory.candidates import Proposals
from apx.memory.notes import NoteBook
from apx.store.candidates import Candidates
from apx.store.notes import Notes
from apx.testing import TickingClock
from tests.desk.conftest import MAIN


@pytest.fixture
async def home(tmp_path, database, clock) -> Any:
    """As much of a house as these calls look at, with two facts."""
    book = NoteBook(
        tmp_path / "memory.md", Notes(database), clock, UTC, "private:owner"
    )
    proposals = Proposals(Candidates(database), book, False, clock)
    text = "I live in Oslo. I'm vegetarian"
    turn = Turn(3, MAIN, TurnState.COMPLETED, text, TickingClock()(), final="I see.")
    await proposals.propose(MAIN, [PastTurn(turn)])
    return SimpleNamespace(memory=SimpleNamespace(proposals=proposals, zone=UTC))


async def test_what_waits_is_told_as_json(home):
    """With local times, oldest first."""
    first, second = await candidates(home, {"limit": 10})

    assert first == {
        "id": first["id"],
        "at": "2030-01-01T00:00+00:00",
        "channel": "terminal",
        "thread": "terminal:main",
        "text": "I live in Oslo.",
    }
    assert await candidates(home, {"limit": 1}) == [second]


async def test_one_is_kept_and_the_rest_dropped(home):
    """Each call tells what it did."""
    first, second = await candidates(home, {"limit": 10})

    [note] = await candidate_accept(home, {"what": [str(first["id"])]})
    dropped = await candidate_reject(home, {"what": ["all"]})

    assert note["text"] == "I live in Oslo."
    assert dropped == [second]
    assert await candidates(home, {"limit": 10}) == []
    assert await candidate_accept(home, {"what": ["all"]}) == []


async def test_an_unknown_number_changes_nothing(home):
    """Not even what the known ones beside it mean."""
    first, _ = await candidates(home, {"limit": 10})

    with pytest.raises(InputError, match="'99'"):
        await candidate_accept(home, {"what": [str(first["id"]), "99"]})

    assert len(await candidates(home, {"limit": 10})) == 2
