"""The shelves hold what memory.db holds: after any passes, any start, any mishap."""

import asyncio
import shutil
import threading
from dataclasses import replace

import numpy as np
import pytest

from apx.domain.chunk import Forgotten
from apx.domain.recall import Kind
from apx.domain.space import Filling
from apx.memory.recall.asking import question
from apx.memory.recall.engine import Engine
from apx.store.index.chunks import Chunks
from apx.store.index.vectors import VectorStore
from apx.testing import WordEmbedder
from tests.memory.rooms import NOW, OWNERS, Embedders, rooms, said

WORDS = [
    *("anna", "boat", "coal", "deer", "elm", "fish", "goat"),
    *("hill", "iron", "jade", "kelp", "lamp", "moss", "nest"),
]
QUESTIONS = ["boat and iron", "where is the kelp?", "anna deer goat", "moss"]
EMPTY = Filling(vectors=[], refused=[], low=1, high=0)
# So many that there is a large part to save, in whatever passes they came.
MANY = 2_800


def story(many=MANY, audience=OWNERS):
    """Make messages of three threads with words that meet in many ways."""
    chance = np.random.default_rng(3)
    return [
        said(
            f"number{n} {' '.join(chance.choice(WORDS, 4))}",
            minute=n * 7,
            thread=f"terminal:t{n % 3}",
            audience=audience,
        )
        for n in range(many)
    ]


def asked_of(text, engine):
    asking = question(text, NOW, engine.keys)
    assert asking is not None
    return asking.asked


async def answers(memory, audiences=(OWNERS,), questions=QUESTIONS):
    """Ask the arrays; gives chunks and scores, best first."""
    await memory.engine.ready.wait()
    found = []
    for text in questions:
        asked = asked_of(text, memory.engine)
        meaning = await memory.spaces.meaning(text)
        asked = replace(asked, meaning=meaning)
        hits = (await memory.engine.find(asked, audiences)).hits
        found += [(text, hit.chunk, pytest.approx(hit.score, rel=1e-4)) for hit in hits]
    return found


def assert_same(found, others):
    assert found == others


def assert_alike(found, others):
    """Allow for what is usual among vectors: that is estimated from a sample."""
    assert len(found) == len(others)
    for (_, _, score), (_, _, other) in zip(found, others, strict=True):
        assert score.expected == pytest.approx(other.expected, rel=0.05)
    same = {(text, n) for text, n, _ in found} & {(text, n) for text, n, _ in others}
    assert len(same) >= 0.8 * len(found)


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
    files = {path: path.stat() for path in (tmp_path / "index").rglob("*")}

    async with rooms(tmp_path, history) as memory:
        await memory.engine.ready.wait()
        await memory.engine.save()

    assert {path: path.stat() for path in (tmp_path / "index").rglob("*")} == files


class Watched(Chunks):
    """Does something at one of its reads, before or after it."""

    def __init__(self, database, place=0, act=None, *, after=False):
        super().__init__(database)
        self.reads = 0
        self.place, self.act, self.is_after = place, act, after

    async def after(self, audience, chunk_id, limit):
        self.reads += 1
        is_now = self.reads == self.place
        if is_now and not self.is_after:
            await self.act()
        found = await super().after(audience, chunk_id, limit)
        if is_now and self.is_after:
            await self.act()
        return found


@pytest.mark.parametrize("place", [1, 2, 3, 4])
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("audience", [OWNERS, "private:new"])
async def test_what_comes_while_it_loads_is_there_once(
    tmp_path, history, place, after, audience
):
    """Whenever that is, and also for one of whom nothing was known."""
    async with rooms(tmp_path, history) as memory:
        await memory.put(*story(20), *story(3, "private:other"))

        async def act():
            new = said("a late zebra", 9_000, seq=900, audience=audience)
            taken = await chunks.take([new], [], 900)
            await engine.take(taken)

        chunks = Watched(memory.database, place, act, after=after)
        async with Engine.open(tmp_path / "other", chunks, memory.vectors) as engine:
            await engine.ready.wait()
            asked = asked_of("zebra boat", engine)
            audiences = [OWNERS, "private:other", "private:new"]
            hits = (await engine.find(asked, audiences)).hits

        assert chunks.reads >= place
        found = [hit.chunk for hit in hits]
        assert found.count(24) == 1
        assert len(found) == len(set(found))
        assert engine.size == 24


@pytest.mark.parametrize("place", [1, 2])
@pytest.mark.parametrize("after", [False, True])
async def test_what_is_forgotten_while_it_loads_is_not_there(
    tmp_path, history, place, after
):
    """Whether its row had been read already or not."""
    async with rooms(tmp_path, history) as memory:
        note = said("the zebra sleeps in the garage", 1, seq=1, kind=Kind.NOTE)
        await memory.put(note, *story(5))

        async def act():
            gone = [Forgotten(1, note.text)]
            await engine.take(await chunks.take([], gone, 900))

        chunks = Watched(memory.database, place, act, after=after)
        async with Engine.open(tmp_path / "other", chunks, memory.vectors) as engine:
            await engine.ready.wait()
            asked = asked_of("zebra garage", engine)

            assert (await engine.find(asked, [OWNERS])).hits == []


class WatchedVectors(VectorStore):
    """Does something before one of its reads."""

    def __init__(self, database, place, act):
        super().__init__(database)
        self.reads, self.place, self.act = 0, place, act

    async def after(self, space_id, audience, vector_id, limit):
        self.reads += 1
        if self.reads == self.place:
            await self.act()
        return await super().after(space_id, audience, vector_id, limit)


@pytest.mark.parametrize("place", [1, 2])
async def test_a_vector_whose_chunk_comes_while_it_loads_is_there(
    tmp_path, history, place
):
    """Also if vectors of older chunks come after it."""
    who = Embedders(words=WordEmbedder())
    async with rooms(tmp_path, history, who) as memory:
        await memory.engine.ready.wait()
        await memory.put(*story(20))
        await memory.spaces.fill()
        [space] = await memory.vectors.spaces()
        data = (await memory.vectors.after(space.id, OWNERS, 0, 1))[0].data
        # One older chunk lost its vector, and gets it back after the new one has it.
        await memory.database.write(
            lambda tx: tx.execute("delete from vector where chunk = 3")
        )

        async def act():
            new = said("a late zebra", 9_000, seq=900)
            await engine.take(await memory.chunks.take([new], [], 900))
            for chunk in (21, 3):
                row = [(chunk, OWNERS, data)]
                filling = replace(EMPTY, vectors=row, low=1, high=21)
                filled = await memory.vectors.fill(space.id, filling)
                await engine.take_vectors(space.id, filled)

        vectors = WatchedVectors(memory.database, place, act)
        async with Engine.open(tmp_path / "other", memory.chunks, vectors) as engine:
            await engine.ready.wait()
            asked = asked_of("zebra", engine)
            meaning = await memory.spaces.meaning("zebra")
            asked = replace(asked, meaning=meaning, limit=50)
            hits = (await engine.find(asked, [OWNERS])).hits

        assert {hit.chunk for hit in hits if hit.cosine} == set(range(1, 22))


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
        await memory.put(forgotten=[Forgotten(1, note.text)])

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
