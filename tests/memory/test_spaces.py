"""Changing who embeds is a non-event: nothing mixed, nothing lost, nothing twice."""

import asyncio

from apx.testing import WordEmbedder, until
from tests.memory.rooms import CALIBRATION, Breaking, facts, filled


async def test_vectors_of_two_embedders_are_never_compared(open_rooms):
    """Of the same length too: who embeds the question embedded what is searched."""
    one, two = WordEmbedder("test:one", 64), WordEmbedder("test:two", 64)
    async with open_rooms(one, two) as memory:
        await memory.engine.ready.wait()
        await memory.put(*facts(150))
        await memory.spaces.fill()
        memory.spaces.wish("e1", anew=False)
        two.gate.clear()
        filling = asyncio.ensure_future(memory.spaces.fill())
        seen = []
        for turn in range(60):
            if turn == 20:
                await until(lambda: two.calls)
                two.gate.set()
            await memory.put(*facts(1, 1_000 + turn))
            meaning = await memory.spaces.meaning(f"boats {turn}")
            assert meaning is not None
            asked = [e for e in (one, two) if [f"boats {turn}"] in e.calls]
            spaces = {s.id: s.identity for s in await memory.vectors.spaces()}
            # Both, if the swap came in between: the question is asked again then.
            assert asked[-1].identity == spaces[meaning.space]
            held = {n for s in memory.engine._shelves.values() for n in s.spaces}
            assert len(held) <= 2
            seen.append(spaces[meaning.space])
        await filling

        assert seen[:20] == [one.identity] * 20
        assert (await memory.spaces.meaning("boats")).space == 2
        assert set(memory.engine._shelves["private:owner"].spaces) == {2}


async def test_the_old_space_serves_until_the_new_one_is_whole(open_rooms):
    """Nobody waits for the change, and no answer is worse for it."""
    one, two = WordEmbedder("test:one"), WordEmbedder("test:two", 32)
    async with open_rooms(one, two) as memory:
        await memory.engine.ready.wait()
        await memory.put(*facts(200))
        await memory.spaces.fill()
        memory.spaces.wish("e1", anew=False)
        two.gate.clear()
        filling = asyncio.ensure_future(memory.spaces.fill())
        await until(lambda: two.calls)

        assert await memory.done() == ["serving"]
        during = await memory.fetch("fact7 boats", limit=1)
        two.gate.set()
        await filling
        after = await memory.fetch("fact7 boats", limit=1)

        assert await memory.done() == ["filling", "serving"]
        for found in (during, after):
            assert found.missed == ()
            assert "vector" in found.memories[0].why


async def test_going_back_uses_what_is_there(open_rooms):
    """Only what came meanwhile is embedded."""
    one, two = WordEmbedder("test:one"), WordEmbedder("test:two")
    async with open_rooms(one, two) as memory:
        await memory.put(*facts(100))
        await memory.spaces.fill()
        memory.spaces.wish("e1", anew=False)
        assert await memory.spaces.fill() == 100
        await memory.put(*facts(7, 100))
        memory.spaces.wish("e0", anew=False)

        assert await memory.spaces.fill() == 7
        assert await memory.done() == ["serving", "filling"]
        assert await filled(memory) == [107, 100]


async def test_only_a_few_old_spaces_are_kept(open_rooms):
    """They cost room; the ones used last may be wanted again."""
    who = [WordEmbedder(f"test:{n}") for n in range(5)]
    async with open_rooms(*who) as memory:
        await memory.put(*facts(10))
        for number in range(5):
            memory.spaces.wish(f"e{number}", anew=False)
            await memory.spaces.fill()

        identities = await memory.done("identity")
        assert identities == [who[n].identity for n in (2, 3, 4)]
        assert await filled(memory) == [10, 10, 10]


async def test_without_an_embedder_words_serve(open_rooms):
    """Nobody embeds, nothing waits, nothing is wrong."""
    async with open_rooms() as memory:
        await memory.put(*facts(5))

        assert await memory.spaces.fill() == 0
        assert await memory.spaces.meaning("boats") is None
        assert await memory.found("fact3") == ["fact3 about boats"]


async def test_at_a_start_the_space_that_served_serves(open_rooms):
    """If its embedder is there; the other one fills behind it."""
    one, two = WordEmbedder("test:one"), WordEmbedder("test:two")
    async with open_rooms(one) as memory:
        await memory.put(*facts(5))
        await memory.spaces.fill()
    async with open_rooms(two, one) as memory:
        await memory.engine.ready.wait()
        found = await memory.fetch("fact3 boats")
        assert "vector" in found.memories[0].why
        assert two.calls == []
    async with open_rooms(two) as memory:
        assert await memory.spaces.meaning("fact3") is None
        assert "fact3 about boats" in await memory.found("fact3")
        await memory.spaces.fill()
        assert (await memory.spaces.meaning("fact3")).space == 2


async def test_progress_counts_what_there_is(open_rooms):
    """Embedded, waiting, refused: together all of it."""
    embedder = Breaking(at=CALIBRATION + 2)
    async with open_rooms(embedder) as memory:
        await memory.put(*facts(200))
        await memory.spaces.fill()
        [one] = await memory.spaces.progress()

        assert one.is_serving
        assert (one.identity, one.refused) == (embedder.identity, 0)
        assert 0 < one.done < 200
        await memory.spaces.fill()
        [one] = await memory.spaces.progress()
        assert (one.done, one.total) == (200, 200)


async def test_what_is_needed_is_what_is_then_embedded(open_rooms):
    """The estimate of a run asks for nothing."""
    embedder = WordEmbedder()
    async with open_rooms(embedder) as memory:
        await memory.put(*facts(30))
        before = await memory.spaces.need("", anew=False)
        assert embedder.calls == []
        assert await memory.spaces.fill() == before.chunks == 30
        assert (await memory.spaces.need("", anew=False)).chunks == 0
        assert (await memory.spaces.need("", anew=True)).chunks == 30
        assert (await memory.spaces.need("nobody", anew=True)).identity == ""
        size = sum(len(one.text) for one in facts(30))
        assert before.tokens == -(-size // 3)
