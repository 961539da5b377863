"""What a turn gets, it gets in time, whatever is late or given up."""

import asyncio
import statistics

import pytest

from apx.memory.broker import Broker
from apx.memory.recall.engine import Engine
from apx.memory.recall.recalled import Patience, Recalled
from apx.memory.recall.showing import Showing
from apx.store.index.chunks import Chunks
from apx.testing import WordEmbedder, until
from tests.memory.rooms import Embedders, query, rooms, said

HASTY = Patience(loading=0.02, vector=0.03)
FACTS = (
    said("my dentist is Dr. Brandt in Rathausstrasse", 1),
    said("the boat is moored in Kiel", 2),
    said("the staging server moved to 10.0.1.5", 3),
)


async def test_words_do_not_wait_for_a_vector(tmp_path, history):
    """The embedder hangs; what the words find comes, and the miss is named."""
    embedder = WordEmbedder()
    async with rooms(tmp_path, history, Embedders(w=embedder), None, HASTY) as memory:
        await memory.engine.ready.wait()
        await memory.put(*FACTS)
        await memory.spaces.fill()
        embedder.gate.clear()

        found = await memory.fetch("who is my dentist?")

        assert [one.text for one in found.memories] == [FACTS[0].text]
        assert "vector" not in found.memories[0].why
        assert found.missed == ("recall: vectors",)


async def test_a_late_vector_is_there_for_the_next_turn(tmp_path, history):
    """It is asked for once; the second time it is known."""
    embedder = WordEmbedder()
    async with rooms(tmp_path, history, Embedders(w=embedder), None, HASTY) as memory:
        await memory.engine.ready.wait()
        await memory.put(*FACTS)
        await memory.spaces.fill()
        embedder.gate.clear()
        await memory.fetch("who is my dentist?")
        calls = len(embedder.calls)
        embedder.gate.set()
        await until(lambda: not memory.meanings._calls)

        found = await memory.fetch("who is my dentist?")

        assert "vector" in found.memories[0].why
        assert found.missed == ()
        assert len(embedder.calls) == calls


async def test_two_hundred_turns_keep_their_time(tmp_path, history):
    """A dead embedder costs its patience, then nothing: it is not asked any more."""
    embedder = WordEmbedder()
    async with rooms(tmp_path, history, Embedders(w=embedder), None, HASTY) as memory:
        await memory.engine.ready.wait()
        await memory.put(*FACTS)
        await memory.spaces.fill()
        calls = len(embedder.calls)
        embedder.gate.clear()
        broker = Broker([memory.recalled], budget=20)
        spent = []
        for turn in range(200):
            recall = await broker.recall(query(f"who is my dentist {turn}?"))
            assert FACTS[0].text in [one.text for one in recall.memories]
            spent.append(recall.spent_ms)

        # One that was slow is the machine's; waited for each time, it would be all.
        assert statistics.median(spent) < 800
        assert len(embedder.calls) - calls <= 8


@pytest.mark.parametrize("steps", range(0, 60, 6))
async def test_a_cancelled_recall_leaves_memory_whole(
    tmp_path, history, ledger, clock, hear, steps
):
    """Wherever the deadline meets it, the next one finds everything once."""
    async with rooms(tmp_path, history, Embedders(w=WordEmbedder())) as memory:
        await memory.engine.ready.wait()
        for text in ("my dentist is Dr. Brandt", "the boat is in Kiel"):
            heard = hear(text, thread=f"telegram:1:{len(text)}")
            await ledger.accept(heard)
            await ledger.begin(heard.thread, clock())
        call = asyncio.ensure_future(memory.fetch("dentist boat"))
        for _ in range(steps):
            await asyncio.sleep(0)
        call.cancel()
        await asyncio.wait([call])
        await memory.indexer.catch_up()

        found = await memory.found("dentist boat")

        assert sorted(found) == ["my dentist is Dr. Brandt", "the boat is in Kiel"]
        assert await memory.chunks.size() == memory.engine.size == 2


async def test_turns_at_the_same_time_see_what_was_just_said(
    tmp_path, history, ledger, clock, hear
):
    """One of them indexes it, the others wait that moment."""
    async with rooms(tmp_path, history) as memory:
        await memory.engine.ready.wait()
        heard = hear("my dentist is Dr. Brandt")
        await ledger.accept(heard)
        await ledger.begin(heard.thread, clock())

        found = await asyncio.gather(*(memory.found("dentist") for _ in range(5)))

        assert found == [["my dentist is Dr. Brandt"]] * 5


class Unread(Chunks):
    """An index whose rows cannot be read on, so that loading does not end."""

    async def after(self, audience, chunk_id, limit):
        await asyncio.Event().wait()
        return await super().after(audience, chunk_id, limit)


async def test_until_the_arrays_are_loaded_full_text_serves(tmp_path, history):
    """A start with a large index is a start nevertheless."""
    async with rooms(tmp_path, history) as memory:
        await memory.engine.ready.wait()
        await memory.put(*FACTS, said("dentist of eve", 9, audience="private:eve"))
        chunks = Unread(memory.database)
        async with Engine.open(tmp_path / "other", chunks, memory.vectors) as engine:
            recalled = Recalled(
                chunks, engine, memory.indexer, memory.spaces, Showing(), HASTY
            )
            found = await recalled.fetch(query("who is my dentist?"))
            known = await recalled.fetch(
                query("who is my dentist?", known_turns=frozenset({2}))
            )
            dated = await recalled.fetch(query("2026-05-01"))

        assert [one.text for one in found.memories] == [FACTS[0].text]
        assert found.missed == ("recall: loading",)
        assert known.memories == ()
        assert dated.memories == ()
