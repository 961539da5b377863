"""Vectors of curated memories: in the space that serves, of what holds now."""

from dataclasses import replace

import pytest

from apx.domain.errors import ProviderUnavailable
from apx.domain.space import Usual
from apx.memory.curated.vectors import FactVectors
from apx.memory.filling import Meter
from apx.memory.recall.search import Meaning
from apx.store.index import file
from apx.store.index.memories import MemoryVectors
from apx.store.index.vectors import VectorStore
from apx.testing import WordEmbedder
from tests.memory.curated.facts import fact, named
from tests.memory.rooms import NOW, Embedders

FACTS = named(fact("d-1", "the boat is blue"), fact("d-2", "bread at 250 degrees"))
USUAL = Usual(0.0, 0.1)


class Rooms:
    """What a test reaches for."""

    def __init__(self, database, *embedders):
        self.spaces = VectorStore(database)
        self.store = MemoryVectors(database)
        self.known = {one.identity: one for one in embedders}
        who = Embedders(**{f"e{n}": one for n, one in enumerate(embedders)})
        meter = Meter(self.spaces, lambda: NOW, 0)
        self.vectors = FactVectors(self.store, self.spaces, who, meter)

    async def serve(self, embedder):
        self.space = await self.spaces.begin(embedder.identity, USUAL)
        await self.spaces.serve(self.space.id)
        return self.space

    async def near(self, text, space=None):
        """Give the ids that share a word, as the serving space compares them."""
        space = space or self.space
        vector = await self.known[space.identity].query(text)
        meaning = Meaning(space.id, vector, USUAL)
        found = await self.vectors.cosines(meaning)
        return {name for name, cosine in found.items() if cosine > 0.1}


@pytest.fixture
async def open_rooms(tmp_path):
    async with file.opened(tmp_path / "memory.db", "one") as database:
        yield lambda *embedders: Rooms(database, *embedders)


async def test_facts_are_found_by_what_they_mean(open_rooms):
    """Each is embedded once."""
    words = WordEmbedder()
    rooms = open_rooms(words)
    await rooms.serve(words)

    assert await rooms.vectors.fill(FACTS) == 2
    assert await rooms.vectors.fill(FACTS) == 0
    assert await rooms.near("a blue boat") == {"d-1"}
    assert len([call for call in words.calls if len(call) > 1]) == 1


async def test_nothing_serves_nothing_is_embedded(open_rooms):
    """A home without an embedder, or before its first message."""
    words = WordEmbedder()
    rooms = open_rooms(words)

    assert await rooms.vectors.fill(FACTS) == 0
    assert words.calls == []


async def test_what_changed_is_embedded_anew(open_rooms):
    """And what holds no more has no vector: not only no row that is shown."""
    words = WordEmbedder()
    rooms = open_rooms(words)
    space = await rooms.serve(words)
    await rooms.vectors.fill(FACTS)
    assert await rooms.near("bread") == {"d-2"}

    changed = named(replace(FACTS["d-1"], title="the plane is fast"))

    assert await rooms.vectors.fill(changed) == 1
    assert await rooms.near("blue boat") == set()
    assert await rooms.near("a plane") == {"d-1"}
    assert [one.id for one in await rooms.store.of(space.id)] == ["d-1"]


async def test_no_vector_of_another_embedder_is_compared(open_rooms):
    """Equal dimensions are no equal space; after a pass all are in the new one."""
    old, new = WordEmbedder("test:old"), WordEmbedder("test:new")
    rooms = open_rooms(old, new)
    first = await rooms.serve(old)
    await rooms.vectors.fill(FACTS)
    assert await rooms.near("a blue boat") == {"d-1"}

    second = await rooms.serve(new)
    assert await rooms.near("a blue boat") == set()
    assert await rooms.vectors.fill(FACTS) == 2
    assert await rooms.near("a blue boat") == {"d-1"}
    # A switch back is cheap, as for messages; a space that goes takes its own along.
    assert await rooms.near("a blue boat", first) == {"d-1"}
    await rooms.spaces.drop(first.id, 10)
    assert await rooms.store.of(first.id) == []
    assert len(await rooms.store.of(second.id)) == 2


async def test_what_is_forgotten_is_gone_from_every_space(open_rooms):
    """An id is made of a title."""
    old, new = WordEmbedder("test:old"), WordEmbedder("test:new")
    rooms = open_rooms(old, new)
    for embedder in (old, new):
        await rooms.serve(embedder)
        await rooms.vectors.fill(FACTS)

    await rooms.vectors.forget(["d-1"])

    assert await rooms.store.ids() == {"d-2"}
    assert await rooms.near("a blue boat") == set()


async def test_a_provider_that_fails_is_said_and_asked_later(open_rooms):
    """Words find them meanwhile."""
    words = WordEmbedder()
    rooms = open_rooms(words)
    await rooms.serve(words)
    words.failures = [ProviderUnavailable("down", provider="test", refused=True)] * 3

    assert await rooms.vectors.fill(FACTS) == 0
    assert "down" in rooms.vectors.trouble
    words.failures = []
    assert await rooms.vectors.fill(FACTS) == 2
    assert rooms.vectors.trouble == ""


async def test_no_password_leaves_the_house(open_rooms):
    """`--force` keeps one in the store; an embedder may be anywhere."""
    words = WordEmbedder()
    rooms = open_rooms(words)
    await rooms.serve(words)
    key = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2

    await rooms.vectors.fill(named(fact("d-1", "a key", body=f"it is {key}")))

    assert key not in repr(words.calls)
    assert "a key" in repr(words.calls)
