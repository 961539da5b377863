"""What is embedded, what is not, and what it may cost."""

import numpy as np
import pytest

from apx.domain.chunk import Forgotten
from apx.domain.errors import ProviderRefused, ProviderUnavailable, TextsRefused
from apx.domain.recall import Kind
from apx.testing import WordEmbedder
from tests.memory.rooms import OWNERS, Breaking, Embedders, rooms, said


class Picky(WordEmbedder):
    """Refuses what holds a word, whatever stands beside it."""

    async def documents(self, texts):
        if any("forbidden" in text for text in texts):
            self.calls.append(list(texts))
            raise ProviderRefused("not this", provider="picky")
        return await super().documents(texts)


async def test_a_refused_text_is_recorded_and_passed_over(tmp_path, history):
    """It is found by its words; nobody asks for it a second time."""
    embedder = Picky()
    async with rooms(tmp_path, history, Embedders(p=embedder)) as memory:
        await memory.engine.ready.wait()
        await memory.put(*(said(f"fact{n}", n) for n in range(50)))
        bad = await memory.put(said("a forbidden fact", 50), said("more forbidden", 51))
        await memory.put(*(said(f"fact{n}", n) for n in range(52, 60)))

        assert await memory.spaces.fill() == 58
        calls = len(embedder.calls)
        assert await memory.spaces.fill() == 0
        assert len(embedder.calls) == calls

        [one] = await memory.spaces.progress()
        assert (one.done, one.refused, one.total) == (58, 2, 60)
        assert memory.spaces.trouble == ""
        rows = await memory.vectors.after(1, OWNERS, 0, 100)
        assert not {row.chunk for row in rows} & set(bad)
        assert "a forbidden fact" in await memory.found("forbidden fact")


async def test_an_embedder_that_refuses_everything_is_down(tmp_path, history):
    """Then it is not the texts: nothing is recorded as refused."""
    embedder = WordEmbedder()
    async with rooms(tmp_path, history, Embedders(p=embedder)) as memory:
        await memory.put(said("fact one"))
        await memory.spaces.fill()
        await memory.put(said("fact two", 1))
        embedder.failures = [TextsRefused("no", provider="p")] * 2

        assert await memory.spaces.fill() == 0
        assert "refuses every text" in memory.spaces.trouble
        assert await memory.spaces.fill() == 1
        assert (await memory.spaces.progress())[0].refused == 0


async def test_who_said_it_is_embedded_with_it(tmp_path, history):
    """In a group that is part of what was said."""
    embedder = WordEmbedder()
    async with rooms(tmp_path, history, Embedders(p=embedder)) as memory:
        await memory.put(said("I sold the boat", speaker="Ana"), said("no name", 1))
        await memory.spaces.fill()

    assert embedder.calls[-1] == ["no name", "Ana: I sold the boat"]


async def test_a_day_has_a_bound_for_paid_providers(tmp_path, history):
    """What fits is embedded, the rest waits and says so; nothing is sent beyond."""
    embedder = WordEmbedder("openai:words")
    who = Embedders(p=embedder)
    async with rooms(tmp_path, history, who, daily=100) as memory:
        await memory.put(*(said(f"fact {n:05}", n) for n in range(60)))

        assert await memory.spaces.fill() == 25
        assert "daily_tokens" in memory.spaces.trouble
        calls = len(embedder.calls)
        assert await memory.spaces.fill() == 0
        assert len(embedder.calls) == calls
    async with rooms(tmp_path, history, who, daily=200) as memory:
        assert await memory.spaces.fill() == 25
    async with rooms(tmp_path, history, who, daily=0) as memory:
        assert await memory.spaces.fill() == 10
        assert await memory.spaces.fill() == 0
    sent = [text for call in embedder.calls for text in call if "fact 0" in text]
    assert len(sent) == len(set(sent)) == 60


async def test_what_costs_nothing_has_no_bound(tmp_path, history):
    """The bound is about money."""
    async with rooms(tmp_path, history, Embedders(p=WordEmbedder()), daily=1) as memory:
        await memory.put(*(said(f"fact {n}", n) for n in range(60)))

        assert await memory.spaces.fill() == 60


class Untrue(WordEmbedder):
    """Gives vectors of a wrong shape, or too few of them."""

    def __init__(self, spoil):
        super().__init__()
        self.spoil = spoil

    async def documents(self, texts):
        vectors = await super().documents(texts)
        is_told = any("fact" in text for text in texts)
        return self.spoil(vectors) if is_told else vectors


@pytest.mark.parametrize(
    "spoil",
    [
        lambda vectors: vectors[:, :32],
        lambda vectors: vectors[:-1],
        lambda vectors: vectors[:0],
        lambda vectors: np.repeat(vectors, 2, axis=0),
    ],
)
async def test_vectors_of_a_wrong_shape_are_not_kept(tmp_path, history, spoil):
    """Neither cut nor stretched: those texts have none."""
    async with rooms(tmp_path, history, Embedders(u=Untrue(spoil))) as memory:
        await memory.engine.ready.wait()
        await memory.put(*(said(f"fact{n} about boats", n) for n in range(5)))
        await memory.spaces.fill()

        rows = await memory.vectors.after(1, OWNERS, 0, 100)
        assert all(len(row.data) == 4 + 64 for row in rows)
        assert rows == []
        assert len(await memory.found("fact3")) == 1


async def test_what_was_embedded_before_a_failure_is_kept(tmp_path, history):
    """The batches of one step arrive one by one; a late failure loses none."""
    embedder = Breaking()
    async with rooms(tmp_path, history, Embedders(p=embedder)) as memory:
        await memory.put(said("first"))
        await memory.spaces.fill()
        await memory.put(*(said(f"fact{n}", n) for n in range(1, 300)))
        embedder.breaks_at = len(embedder.calls) + 3

        done = await memory.spaces.fill()

        assert 0 < done < 299
        assert await memory.spaces.fill() == 299 - done
        assert set(embedder.embedded.values()) == {1}


async def test_one_that_stays_down_is_not_asked_for_all_of_it(tmp_path, history):
    """What is under way fails; nothing more is begun."""
    embedder = WordEmbedder()
    async with rooms(tmp_path, history, Embedders(p=embedder)) as memory:
        await memory.put(said("first"))
        await memory.spaces.fill()
        await memory.put(*(said(f"fact{n}", n) for n in range(1, 4_000)))
        down = ProviderUnavailable("down", provider="p", refused=True)
        embedder.failures = [down] * 1_000
        calls = len(embedder.calls)

        assert await memory.spaces.fill() == 0
        assert len(embedder.calls) - calls <= 12


class Meanwhile(WordEmbedder):
    """Has something happen while it embeds."""

    def __init__(self):
        super().__init__()
        self.meanwhile = None

    async def documents(self, texts):
        if self.meanwhile:
            await self.meanwhile()
        return await super().documents(texts)


async def test_a_chunk_that_is_gone_gets_no_vector(tmp_path, history):
    """It was forgotten while its text was being embedded."""
    embedder = Meanwhile()
    async with rooms(tmp_path, history, Embedders(p=embedder)) as memory:
        await memory.engine.ready.wait()
        [kept] = await memory.put(said("first"))
        await memory.spaces.fill()
        note = said("the boat is sold", 1, seq=77, kind=Kind.NOTE)
        [gone] = await memory.put(note)
        embedder.meanwhile = lambda: memory.put(
            forgotten=[Forgotten(77, note.text, note.audience)]
        )

        await memory.spaces.fill()

        rows = await memory.vectors.after(1, OWNERS, 0, 9)
        assert [row.chunk for row in rows] == [kept]
        assert gone != kept
