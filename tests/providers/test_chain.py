"""The order of models."""

from __future__ import annotations

import pytest

from apx.domain.errors import (
    ContextOverflow,
    ProviderError,
    ProviderMisconfigured,
    ProviderRefused,
    ProviderUnavailable,
)
from apx.domain.message import Options, Served, TextDelta
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


async def test_the_first_model_that_can_answers_under_its_name():
    """The one behind it is not even asked."""
    second = Scripted("b:2", [])
    chain, _ = chained(Scripted("a:1", []), second)

    assert await ask(chain) == [Served("a:1"), *ANSWER]
    assert second.deadlines == []


async def test_after_three_attempts_the_next_model_is_asked():
    """And the observer hears why, once."""
    board = Board()
    first = Scripted("a:1", [away()] * 3)
    chain, _ = chained(first, Scripted("b:2", []), board=board)

    assert await ask(chain) == [Served("b:2"), *ANSWER]
    assert len(first.deadlines) == 3
    assert board.seen == [("a:1", "away"), ("b:2", "")]


@pytest.mark.parametrize("kind", [ContextOverflow, ProviderRefused])
async def test_an_overflow_and_a_refusal_are_the_callers(kind: type[ProviderError]):
    """One wants a shorter prompt; the other is not shopped around."""
    second = Scripted("b:2", [])
    chain, _ = chained(Scripted("a:1", [kind("no", provider="a:1")]), second)

    with pytest.raises(kind):
        await ask(chain)

    assert second.deadlines == []


async def test_a_failure_in_the_middle_is_not_patched_over():
    """Two halves by two models are no answer."""
    second = Scripted("b:2", [])
    chain, _ = chained(Scripted("a:1", [[TextDelta("half"), away()]]), second)
    stream = chain.stream([], [], Options())

    assert [await anext(stream), await anext(stream)] == [
        Served("a:1"),
        TextDelta("half"),
    ]
    with pytest.raises(ProviderUnavailable):
        await anext(stream)
    assert second.deadlines == []


async def test_an_address_that_refused_rests_while_another_can_answer():
    """Each turn would else pay for knocking at a closed door."""
    first = Scripted("a:1", [refused(), refused()])
    chain, clock = chained(first, Scripted("b:2", []))
    await ask(chain)
    await ask(chain)
    assert len(first.deadlines) == 1

    clock.now += 30
    await ask(chain)

    assert len(first.deadlines) == 2


async def test_a_resting_model_is_asked_when_no_other_can():
    """It may be back, and there is nothing to lose."""
    second = Scripted("b:2", [[*ANSWER], wrong()])
    chain, _ = chained(Scripted("a:1", [refused()]), second)
    await ask(chain)

    assert (await ask(chain))[0] == Served("a:1")


async def test_when_none_answers_the_error_names_each_and_what_to_mend():
    """What a person can mend comes first, wherever it was in the chain."""
    chain, _ = chained(
        Scripted("a:1", [away("a:1 is out of order")] * 3),
        Scripted("b:2", [wrong("bad key")]),
        Scripted("c:3", [refused()]),
    )

    with pytest.raises(ProviderMisconfigured) as caught:
        await ask(chain)

    assert caught.value.key == "engines.openai.api_key"
    assert str(caught.value) == (
        "No model could answer. a:1 is out of order; b:2: bad key; c:3: refused"
    )


async def test_when_none_is_available_the_shortest_wait_counts():
    """And it is `refused` only when all of them are."""
    chain, _ = chained(
        Scripted("a:1", [away(wait=50.0)]), Scripted("b:2", [away(wait=20.0)])
    )

    with pytest.raises(ProviderUnavailable) as caught:
        await ask(chain)

    assert caught.value.retry_after == 20.0
    assert not caught.value.refused


def test_a_chain_looks_like_its_first_and_reads_as_its_smallest():
    """A prompt is built before anybody knows who will answer."""
    chain, _ = chained(Scripted("a:1", [], 128_000), Scripted("b:2", [], 8192))

    assert (chain.name, chain.window) == ("a:1", 8192)


async def test_a_chain_asks_its_first_model_and_then_the_others_for_their_windows():
    """A model that is never needed costs a short command nothing."""
    first, second = Sized("a:1", []), Sized("b:2", [])
    chain, _ = chained(first, second, Scripted("c:3", [], 800))

    await chain.measure()
    early = (first.window, second.window, chain.window)
    await chain.measure()

    assert early == (500, 1000, 500)
    assert (first.window, second.window, chain.window) == (500, 500, 500)


class Sized(Scripted):
    """A scripted model that finds out that its window is smaller."""

    async def measure(self) -> None:
        self.window = 500
