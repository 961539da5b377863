"""`apx memory reindex`: says what it would do, does it once, can be interrupted."""

import pytest

from apx.domain.errors import ProviderUnavailable
from apx.memory.reindexing import Reindexing, Wish
from apx.testing import WordEmbedder, until
from tests.memory.rooms import Breaking, Embedders, rooms, said


@pytest.fixture
async def open_run(tmp_path, history):
    """Open memory with three embedders; gives it and a run."""
    known = {
        "a": Breaking(),
        "b": WordEmbedder("test:b"),
        "openai": WordEmbedder("openai:text-embedding-3-small", 32),
    }
    async with rooms(tmp_path, history, Embedders(**known)) as memory:
        await memory.engine.ready.wait()
        await memory.put(*(said(f"fact{n} about boats", n) for n in range(150)))
        run = Reindexing(memory.spaces, memory.indexer, memory.engine)
        yield memory, run, known
        await run.aclose()


async def ended(run):
    await until(lambda: not run.is_running)
    return await run.state()


async def test_a_run_embeds_everything_and_a_second_one_nothing(open_run):
    """Zero requests the second time."""
    memory, run, known = open_run
    await run.start(Wish())
    state = await ended(run)
    assert state["embedded"] == 150
    assert state["trouble"] == ""
    spaces = await memory.spaces.progress()
    assert [(one.done, one.is_serving) for one in spaces] == [(150, True)]
    calls = len(known["a"].calls)

    await run.start(Wish())
    assert (await ended(run))["embedded"] == 0
    assert len(known["a"].calls) == calls


async def test_an_estimate_asks_nobody(open_run):
    """It says how much that would be, and what it costs where prices are known."""
    _, run, known = open_run
    plain = await run.estimate(Wish())
    paid = await run.estimate(Wish(provider="openai"))
    nobody = await run.estimate(Wish(provider="nobody"))

    assert (plain["identity"], plain["chunks"]) == (known["a"].identity, 150)
    assert plain["dollars"] is None
    assert paid["dollars"] == round(paid["tokens"] / 1e6 * 0.02, 4)
    assert nobody["chunks"] == 0
    assert all(one.calls == [] for one in known.values())


async def test_full_means_everything_anew_once(open_run):
    """The next run is a usual one again."""
    memory, run, known = open_run
    await run.start(Wish())
    await ended(run)
    assert (await run.estimate(Wish(full=True)))["chunks"] == 150
    await run.start(Wish(full=True))
    assert (await ended(run))["embedded"] == 150
    await run.start(Wish())
    assert (await ended(run))["embedded"] == 0

    assert set(known["a"].embedded.values()) == {2}
    assert await memory.done() == ["serving"]


async def test_another_provider_takes_over(open_run):
    """Also from a run that is under way, which keeps what it did."""
    memory, run, known = open_run
    known["a"].gate.clear()
    await run.start(Wish())
    await until(lambda: known["a"].calls)
    await run.start(Wish())  # the same: nothing to do
    known["a"].gate.set()
    await run.start(Wish(provider="b"))
    await ended(run)

    meaning = await memory.spaces.meaning("boats")
    spaces = {space.id: space.identity for space in await memory.vectors.spaces()}
    assert spaces[meaning.space] == "test:b@64"
    await run.start(Wish(provider="a"))
    await ended(run)
    assert set(known["a"].embedded.values()) == {1}


async def test_trouble_is_told_and_the_next_run_goes_on(open_run):
    """A provider that is down ends the run, not apx."""
    memory, run, known = open_run
    down = ProviderUnavailable("nobody listens", provider="a", refused=True)
    known["a"].failures = [down]
    await run.start(Wish())
    state = await ended(run)
    assert "nobody listens" in state["trouble"]
    assert not state["running"]

    await run.start(Wish())
    state = await ended(run)
    assert state["trouble"] == ""
    assert (await memory.spaces.progress())[0].done == 150
