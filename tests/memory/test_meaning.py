"""Vectors of questions: asked for once, kept, and never from another space."""

import asyncio
import gc
import warnings

import pytest

from apx.domain.errors import ProviderMisconfigured, ProviderUnavailable
from apx.domain.space import Space, SpaceState, Usual
from apx.memory.meaning import Meanings
from apx.testing import WordEmbedder, until


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def space(number):
    return Space(number, f"test:{number}@64", SpaceState.SERVING, Usual(0, 1), 1, 0)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
async def meanings(clock):
    meanings = Meanings(clock)
    yield meanings
    await meanings.aclose()


async def test_a_question_is_embedded_once(meanings):
    """Also when two turns ask at the same time, and when the first gave up."""
    embedder = WordEmbedder()
    meanings.use(space(1), embedder)
    embedder.gate.clear()
    first = asyncio.ensure_future(meanings.of("where?"))
    second = asyncio.ensure_future(meanings.of("where?"))
    await until(lambda: embedder.calls)
    first.cancel()
    embedder.gate.set()

    found, again = await second, await meanings.of("where?")

    assert found is not None
    assert again is not None
    assert found.vector.tolist() == again.vector.tolist()
    assert found.space == 1
    assert embedder.calls == [["where?"]]


async def test_a_call_that_its_turn_gave_up_goes_on(meanings):
    """Its vector is there for the next turn."""
    embedder = WordEmbedder()
    meanings.use(space(1), embedder)
    embedder.gate.clear()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await meanings.of("where?")
    embedder.gate.set()

    assert await meanings.of("where?") is not None
    assert len(embedder.calls) == 1


async def test_calls_do_not_pile_up(meanings):
    """An embedder that hangs gets four questions and no more."""
    embedder = WordEmbedder()
    meanings.use(space(1), embedder)
    embedder.gate.clear()
    asked = [asyncio.ensure_future(meanings.of(f"q{n}")) for n in range(10)]
    await until(lambda: sum(one.done() for one in asked) == 6)
    await until(lambda: len(embedder.calls) == 4)
    embedder.gate.set()
    found = await asyncio.gather(*asked)
    assert sum(one is not None for one in found) == 4


async def test_when_the_space_changes_nothing_of_the_old_one_is_given(meanings):
    """What is known is forgotten, what is under way is asked of the new one."""
    one, two = WordEmbedder("test:1"), WordEmbedder("test:2")
    meanings.use(space(1), one)
    await meanings.of("known")
    one.gate.clear()
    under_way = asyncio.ensure_future(meanings.of("late"))
    await until(lambda: len(one.calls) == 2)

    meanings.use(space(2), two)
    one.gate.set()

    late, known = await under_way, await meanings.of("known")
    assert (late.space, known.space) == (2, 2)
    assert two.calls == [["late"], ["known"]]


async def test_a_dead_embedder_is_left_alone_for_a_while(meanings, clock):
    """After three failures; then one question is the probe."""
    embedder = WordEmbedder()
    down = ProviderUnavailable("down", provider="test")
    embedder.failures = [down] * 5
    meanings.use(space(1), embedder)

    for turn in range(10):
        assert await meanings.of(f"q{turn}") is None
    assert len(embedder.calls) == 3
    assert meanings.cannot_ask
    assert "down" in meanings.state

    embedder.failures = []
    clock.now += 40
    assert await meanings.of("again") is not None
    assert not meanings.cannot_ask
    assert meanings.state == ""


async def test_what_only_a_person_can_mend_is_asked_at_once_no_more(meanings):
    """A wrong key stays wrong."""
    embedder = WordEmbedder()
    embedder.failures = [ProviderMisconfigured("bad key", provider="t", key="k")] * 2
    meanings.use(space(1), embedder)

    assert await meanings.of("one") is None
    assert await meanings.of("two") is None
    assert len(embedder.calls) == 1


async def test_only_the_last_questions_are_remembered(meanings):
    """Memory is bounded."""
    embedder = WordEmbedder()
    meanings.use(space(1), embedder)
    for turn in range(300):
        await meanings.of(f"q{turn}")
    await meanings.of("q299")
    assert len(embedder.calls) == 300
    await meanings.of("q0")
    assert len(embedder.calls) == 301


async def test_of_a_very_long_question_the_ends_are_embedded(meanings):
    """A pasted file is not sent whole."""
    embedder = WordEmbedder()
    meanings.use(space(1), embedder)
    await meanings.of("begin " + "x" * 100_000 + " end")

    [[text]] = embedder.calls
    assert len(text) < 5_000
    assert text.startswith("begin")
    assert text.endswith("end")


async def test_with_nobody_there_is_no_meaning(meanings):
    """Before anything was embedded, and when the embedder cannot be had."""
    assert await meanings.of("where?") is None
    meanings.use(space(1), None)
    assert await meanings.of("where?") is None
    assert meanings.cannot_ask


async def test_an_embedder_that_is_still_coming_is_waited_for(meanings):
    """A model takes a second to load; the first question shall have it."""
    embedder, coming = WordEmbedder(), asyncio.Event()

    async def come():
        await coming.wait()
        return embedder

    meanings.expect(space(1), come)
    asked = asyncio.ensure_future(meanings.of("where?"))
    await asyncio.sleep(0)
    assert not asked.done()
    coming.set()

    assert await asked is not None


async def test_closing_at_once_sends_for_nobody():
    """What is wrong with config.json is told then, and nothing of ours beside it."""
    called = []

    async def come():
        called.append(True)

    async def opened_and_closed():
        meanings = Meanings()
        meanings.expect_when_asked(space(1), come)
        meanings.send_for()
        await meanings.aclose()

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        await opened_and_closed()
        await asyncio.sleep(0)  # the loop lets go of it
        gc.collect()

    assert called == []
    assert not [str(one.message) for one in told if "come" in str(one.message)]


async def test_closing_leaves_no_call(meanings):
    """Nor a connection behind it."""
    embedder = WordEmbedder()
    meanings.use(space(1), embedder)
    embedder.gate.clear()
    asked = asyncio.ensure_future(meanings.of("where?"))
    await until(lambda: embedder.calls)

    await meanings.aclose()

    assert await asked is None
