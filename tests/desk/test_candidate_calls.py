"""Facts that wait, asked for through the owner of the home."""

from typing import Any

import pytest

from apx.desk.candidate_calls import candidate_accept, candidate_reject, candidates
from apx.domain.errors import InputError
from apx.domain.history import PastTurn
from apx.domain.turn import Turn, TurnState
from apx.testing import TickingClock
from tests.desk.conftest import MAIN


@pytest.fixture
async def home(house) -> Any:
    """A house with two facts."""
    text = "I live in Oslo. I'm vegetarian"
    turn = Turn(3, MAIN, TurnState.COMPLETED, text, TickingClock()(), final="I see.")
    await house.memory.proposals.propose(MAIN, [PastTurn(turn)])
    return house


async def test_what_waits_is_told_as_json(home):
    """With local times, oldest first."""
    first, second = await candidates(home, {"limit": 10})

    assert first == {
        "id": first["id"],
        "at": "2030-01-01T00:00+00:00",
        "channel": "terminal",
        "suggested": False,
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
