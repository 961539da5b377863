"""What happens while the shelves are being loaded is in them afterwards."""

from dataclasses import replace

import pytest

from apx.domain.chunk import Forgotten
from apx.domain.recall import Kind
from apx.domain.space import Filling
from apx.memory.recall.engine import Engine
from apx.store.index.chunks import Chunks
from apx.store.index.vectors import VectorStore
from apx.testing import WordEmbedder
from tests.memory.recall.story import asked_of, story
from tests.memory.rooms import OWNERS, Embedders, rooms, said

EMPTY = Filling(vectors=[], refused=[], low=1, high=0)


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
            gone = [Forgotten(1, note.text, OWNERS)]
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
