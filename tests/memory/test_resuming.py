"""However often a run breaks off, in the end each chunk was embedded once."""

import asyncio

import pytest

from apx.testing import WordEmbedder, until
from tests.memory.rooms import CALIBRATION, Breaking, facts, filled


async def test_a_second_run_asks_nobody_anything(open_rooms):
    """Whatever is embedded stays so, also over a restart."""
    embedder = WordEmbedder()
    async with open_rooms(embedder) as memory:
        await memory.put(*facts(200))
        assert await memory.spaces.fill() == 200
        calls = len(embedder.calls)
        assert await memory.spaces.fill() == 0
    async with open_rooms(embedder) as memory:
        assert await memory.spaces.fill() == 0
        assert len(embedder.calls) == calls
        assert await filled(memory) == [200]


@pytest.mark.parametrize("at", [1, 2, CALIBRATION, 22, 23, 24, 25, 26])
async def test_a_run_that_broke_off_is_taken_up_again(open_rooms, at):
    """At any call: in the end each chunk was embedded once, and nothing is missing."""
    embedder = Breaking(at=at)
    async with open_rooms(embedder) as memory:
        await memory.put(*facts(200))
        first = await memory.spaces.fill()
        assert bool(memory.spaces.trouble) == (at <= len(embedder.calls))
    async with open_rooms(embedder) as memory:
        second = await memory.spaces.fill()
        assert memory.spaces.trouble == ""
        assert await filled(memory) == [200]
        assert await memory.done() == ["serving"]
        assert first + second == 200
        assert set(embedder.embedded.values()) == {1}
        assert await memory.spaces.fill() == 0


@pytest.mark.parametrize("at", [22, 54, 70])
async def test_steps_that_were_done_stay_done(open_rooms, at):
    """Of several thousand chunks, wherever it broke."""
    embedder = Breaking(at=at)
    async with open_rooms(embedder) as memory:
        await memory.put(*facts(3_000))
        await memory.spaces.fill()
        await memory.put(*facts(40, 3_000))
        await memory.spaces.fill()

        assert await filled(memory) == [3_040]
        assert set(embedder.embedded.values()) == {1}
        assert len(embedder.embedded) == 3_040


async def test_the_newest_are_embedded_first(open_rooms):
    """They are asked for most, and an old store takes hours."""
    embedder = WordEmbedder()
    async with open_rooms(embedder) as memory:
        await memory.put(*facts(200))
        await memory.spaces.fill()

    first = [text for call in embedder.calls[CALIBRATION:] for text in call]
    numbers = [int(text.split()[0][4:]) for text in first]
    assert numbers == sorted(numbers, reverse=True)


async def test_what_comes_later_is_embedded_too(open_rooms):
    """Before and while a space fills."""
    embedder = WordEmbedder()
    async with open_rooms(embedder) as memory:
        await memory.engine.ready.wait()
        await memory.put(*facts(100))
        embedder.gate.clear()
        filling = asyncio.ensure_future(memory.spaces.fill())
        await until(lambda: embedder.calls)
        await memory.put(*facts(50, 100))
        embedder.gate.set()

        assert await filling == 150
        assert await filled(memory) == [150]


@pytest.mark.parametrize(
    ("at", "then"),
    [
        (0, ["serving"]),
        (1, ["serving"]),
        (CALIBRATION + 2, ["serving", "filling"]),
    ],
)
async def test_anew_means_all_of_it(open_rooms, at, then):
    """Also when the provider broke down just then; but once, not each time."""
    embedder = Breaking(at=0)
    async with open_rooms(embedder) as memory:
        await memory.put(*facts(200))
        await memory.spaces.fill()
        embedder.breaks_at = at and at + len(embedder.calls)
        memory.spaces.wish("", anew=True)
        done = await memory.spaces.fill()
        assert await memory.done() == then
        done += await memory.spaces.fill()

        assert done == 200
        assert set(embedder.embedded.values()) == {2}
        assert await memory.done() == ["serving"]
        assert await memory.spaces.fill() == 0


async def test_anew_said_twice_goes_on_with_what_was_begun(open_rooms):
    """`reindex --full`, killed, and called again in the same words."""
    embedder = Breaking()
    async with open_rooms(embedder) as memory:
        await memory.put(*facts(200))
        await memory.spaces.fill()
        embedder.breaks_at = CALIBRATION + 2 + len(embedder.calls)
        memory.spaces.wish("", anew=True)
        done = await memory.spaces.fill()
    async with open_rooms(embedder) as memory:
        memory.spaces.wish("", anew=True)
        assert 0 < done < 200
        assert await memory.spaces.fill() == 200 - done
        assert await memory.done() == ["serving"]
        assert set(embedder.embedded.values()) == {2}


async def test_an_interrupted_run_keeps_what_it_did(open_rooms):
    """And goes on later from there."""
    embedder = Breaking()
    async with open_rooms(embedder) as memory:
        await memory.put(*facts(3_000))
        embedder.gate.clear()
        filling = asyncio.ensure_future(memory.spaces.fill())
        await until(lambda: embedder.calls)
        interrupting = asyncio.ensure_future(memory.spaces.interrupt())
        embedder.gate.set()
        await asyncio.wait([interrupting])
        done = await filling

        assert 0 < done < 3_000
        assert await memory.spaces.fill() == 3_000 - done
        assert set(embedder.embedded.values()) == {1}
