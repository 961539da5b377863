"""The patience with one model, as a chain shows it."""

from __future__ import annotations

import pytest

from apx.domain.errors import ProviderError, ProviderUnavailable
from apx.domain.message import Options, Served
from tests.servers.asking import ask
from tests.servers.scripted import (
    ANSWER,
    Board,
    Scripted,
    away,
    chained,
    refused,
    wrong,
)


async def test_a_model_in_trouble_is_asked_three_times_with_short_waits():
    """Most trouble is over in a second; a person still reads along."""
    board = Board()
    chain, clock = chained(Scripted("a:1", [away(), away()]), board=board)

    assert await ask(chain) == [Served("a:1"), *ANSWER]
    assert len(clock.slept) == 2
    assert 0 < sum(clock.slept) < 4
    assert board.seen == [("a:1", "")]


async def test_a_short_wait_that_was_asked_for_is_kept_exactly():
    """Coming back earlier makes a vendor angrier."""
    chain, clock = chained(Scripted("a:1", [away(wait=7.0)]))

    await ask(chain)

    assert clock.slept == [7.0]


async def test_a_long_wait_that_was_asked_for_is_not_waited():
    """Another model may answer at once; alone, the error says how long."""
    chain, clock = chained(Scripted("a:1", [away(wait=11.0)]), Scripted("b:2", []))
    alone, _ = chained(Scripted("a:1", [away(wait=11.0)]))

    assert (await ask(chain))[0] == Served("b:2")
    assert clock.slept == []
    with pytest.raises(ProviderUnavailable) as caught:
        await ask(alone)
    assert caught.value.retry_after == 11.0


@pytest.mark.parametrize("error", [refused(), wrong()])
async def test_what_cannot_change_is_not_asked_again(error: ProviderError):
    """Nobody listens, or the key is wrong: the next one, at once."""
    first = Scripted("a:1", [error])
    chain, clock = chained(first, Scripted("b:2", []))

    assert (await ask(chain))[0] == Served("b:2")
    assert (len(first.deadlines), clock.slept) == (1, [])


async def test_all_attempts_at_a_model_share_one_deadline():
    """A model that hangs is not asked three times for five minutes each."""
    first = Scripted("a:1", [away()] * 3, cost=20.0)
    second = Scripted("b:2", [])
    chain, _ = chained(first, second)

    await ask(chain, options=Options(deadline=30))

    assert len(first.deadlines) == 2
    assert first.deadlines[0] == 30
    assert first.deadlines[1] < 10
    assert second.deadlines == [30]


async def test_a_model_that_says_nothing_counts_as_away():
    """A double or an extension may end its stream at once."""
    chain, _ = chained(Scripted("a:1", [[], [], []]), Scripted("b:2", []))

    assert (await ask(chain))[0] == Served("b:2")
