"""The shelves hold what memory.db holds: after any passes, any start, any mishap."""

import asyncio
import shutil
import threading
from dataclasses import replace

import pytest

from apx.domain.chunk import Forgotten
from apx.domain.recall import Kind
from apx.testing import WordEmbedder
from tests.memory.recall.story import MANY, answers, asked_of, assert_alike, story
from tests.memory.rooms import OWNERS, Embedders, rooms, said


def assert_same(found, others):
    assert found == others


@pytest.mark.parametrize("embeds", [False, True])
async def test_however_it_came_to_be_it_finds_the_same(tmp_path, history, embeds):
    """In passes, mapped from files, or made of the rows: the same hits and scores."""
    who = Embedders(words=WordEmbedder()) if embeds else None
    chunks = story()
    async with rooms(tmp_path, history, who) as memory:
        await memory.engine.ready.wait()
        for first, last in (
            (0, 1),
            (1, 40),
            (40, 2_100),
            (2_100, 2_200),
            (2_200, MANY),
        ):
            await memory.put(*chunks[first:last])
            await memory.spaces.fill()
        grown = await answers(memory)
        await memory.engine.save()
    assert list((tmp_path / "index").rglob("text-*"))
    assert bool(list((tmp_path / "index").rglob("space*"))) == embeds

    check = assert_alike if embeds else assert_same
    async with rooms(tmp_path, history, who) as memory:
        check(await answers(memory), grown)
    shutil.rmtree(tmp_path / "index")
    async with rooms(tmp_path, history, who) as memory:
        check(await answers(memory), grown)


async def test_a_second_save_writes_nothing(tmp_path, history):
    """And what was saved is mapped, not made again: the files stay as they are."""
    async with rooms(tmp_path, history) as memory:
        await memory.engine.ready.wait()
        await memory.put(*story())
        await memory.engine.save()
    files = written(tmp_path / "index")

    async with rooms(tmp_path, history) as memory:
        await memory.engine.ready.wait()
        await memory.engine.save()

    assert files
    assert written(tmp_path / "index") == files


def written(directory):
    """Give which files there are, and when each was written; reading leaves a trace."""
    found = {path: path.stat() for path in directory.rglob("*")}
    return {path: (one.st_ino, one.st_mtime_ns) for path, one in found.items()}


async def test_others_have_no_influence(tmp_path, history):
    """Neither what they wrote nor how often: the scores are those of being alone."""
    who = Embedders(words=WordEmbedder())
    (tmp_path / "alone").mkdir()
    (tmp_path / "among").mkdir()
    async with rooms(tmp_path / "alone", history, who) as memory:
        await memory.engine.ready.wait()
        ids = await memory.put(*story(200))
        await memory.spaces.fill()
        places = {number: place for place, number in enumerate(ids)}
        alone = [(t, places[n], score) for t, n, score in await answers(memory)]

    async with rooms(tmp_path / "among", history, who) as memory:
        await memory.engine.ready.wait()
        mine, theirs = story(200), story(400, "private:eve")
        await memory.put(*theirs[:300])
        ids = await memory.put(*mine)
        await memory.put(*theirs[300:])
        await memory.spaces.fill()
        places = {number: place for place, number in enumerate(ids)}
        among = [(t, places[n], score) for t, n, score in await answers(memory)]
        both = await answers(memory, (OWNERS, "private:eve"))

        assert among == alone
        assert {number for _, number, _ in both} - set(ids)
        assert await answers(memory, ("private:nobody",)) == []


async def test_the_forgotten_are_gone_from_everywhere(tmp_path, history):
    """From answers, from rows and vectors, and after the next start from files."""
    who = Embedders(words=WordEmbedder())
    async with rooms(tmp_path, history, who) as memory:
        await memory.engine.ready.wait()
        note = said("the zebra sleeps in the garage", 1, seq=1, kind=Kind.NOTE)
        [gone] = await memory.put(note)
        await memory.put(*story())
        await memory.spaces.fill()
        await memory.engine.save()
        await memory.put(forgotten=[Forgotten(1, note.text, OWNERS)])

        assert gone not in await ids(memory, "zebra garage")
        rows = await memory.vectors.after(1, OWNERS, 0, 3_000)
        assert gone not in {row.chunk for row in rows}

    # The files still say that there is one more.
    async with rooms(tmp_path, history, who) as memory:
        assert gone not in await ids(memory, "zebra garage")
        left = await answers(memory)
        await memory.engine.save()
    async with rooms(tmp_path, history, who) as memory:
        assert gone not in await ids(memory, "zebra garage")
        assert await answers(memory) == left


async def ids(memory, text):
    return {chunk for _, chunk, _ in await answers(memory, questions=[text])}


async def test_questions_are_answered_while_it_grows(tmp_path, history):
    """Readers hold no lock: what they find is there, and nothing breaks."""
    who = Embedders(words=WordEmbedder())
    async with rooms(tmp_path, history, who) as memory:
        await memory.engine.ready.wait()
        chunks = story(1_200)
        await memory.put(*chunks[:5])
        await memory.spaces.fill()
        meaning = await memory.spaces.meaning("boat and iron")
        asked = replace(asked_of("boat and iron", memory.engine), meaning=meaning)
        is_done, asks = asyncio.Event(), 0

        async def ask():
            nonlocal asks
            while not is_done.is_set():
                found = [
                    h.chunk for h in (await memory.engine.find(asked, [OWNERS])).hits
                ]
                assert len(await memory.chunks.read(found)) == len(set(found))
                asks += 1

        async with asyncio.TaskGroup() as group:
            for _ in range(3):
                group.create_task(ask())
            for first in range(5, 1_200, 40):
                await memory.put(*chunks[first : first + 40])
                await memory.spaces.fill()
            is_done.set()

        assert asks > 30
        assert await memory.found("number1199") == [chunks[-1].text]


async def test_a_vector_waits_for_its_chunk(tmp_path, history):
    """Though other threads bring it in, and the one for chunks is busy for a while."""
    who = Embedders(words=WordEmbedder())
    async with rooms(tmp_path, history, who) as memory:
        await memory.engine.ready.wait()
        await memory.put(*story(5))
        await memory.spaces.fill()
        is_busy = threading.Event()
        memory.engine._hand.submit(is_busy.wait)
        putting = asyncio.ensure_future(memory.put(said("a zebra", 900)))
        await until_it_is_read(memory, 6)
        filling = asyncio.ensure_future(memory.spaces.fill())
        await until_it_is_read(memory, 6, vectors=True)
        is_busy.set()
        await asyncio.gather(putting, filling)
        await memory.put(*story(7)[6:])
        await memory.spaces.fill()

        meaning = await memory.spaces.meaning("zebra")
        asked = replace(asked_of("zebra", memory.engine), meaning=meaning)
        hits = (await memory.engine.find(asked, [OWNERS])).hits
        assert {hit.chunk for hit in hits if hit.cosine} == set(range(1, 8))


async def until_it_is_read(memory, many, *, vectors=False):
    """Wait until so many rows are there."""
    count = 0
    while count < many:
        sizes = await memory.vectors.sizes()
        count = sum(sizes.values()) if vectors else await memory.chunks.size()
