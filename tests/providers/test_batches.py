"""The way of many texts to an embedder."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from apx.domain.errors import (
    ProviderError,
    ProviderMisconfigured,
    ProviderUnavailable,
    TextsRefused,
)
from apx.providers.batches import Batches, Refused
from apx.providers.limits import Limits, limits_of
from apx.testing import WordEmbedder, until

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.ports import Vectors

TEXTS = [f"text {number}" for number in range(40)]
LIMITS = Limits(items=16, concurrency=1)


class Picky(WordEmbedder):
    """Takes at most so many texts, and none with a word that it dislikes."""

    def __init__(self, most: int = 10_000, dislikes: str = "\0") -> None:
        super().__init__()
        self.most = most
        self.dislikes = dislikes
        self.active = self.peak = 0

    async def documents(self, texts: Sequence[str]) -> Vectors:
        self.active += 1
        self.peak = max(self.peak, self.active)
        try:
            vectors = await super().documents(texts)
        finally:
            self.active -= 1
        if len(texts) > self.most or any(self.dislikes in text for text in texts):
            raise TextsRefused("too much", provider="x")
        return vectors


class Sleeper:
    """Sleeps no time, and tells how long it would have been."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)


def away(wait: float | None = None) -> ProviderUnavailable:
    return ProviderUnavailable("away", provider="x", retry_after=wait)


async def expected(texts: Sequence[str]) -> Vectors:
    return await WordEmbedder().documents(texts)


@pytest.mark.parametrize("concurrency", [1, 3])
async def test_each_text_gets_its_own_vector(concurrency: int):
    """However they were divided, the order is that of the texts."""
    embedder = Picky()

    limits = replace(LIMITS, concurrency=concurrency)
    outcomes = await Batches(embedder, limits).documents(TEXTS)

    assert np.allclose(np.array(outcomes), await expected(TEXTS))
    assert sorted(map(len, embedder.calls)) == [8, 16, 16]


async def test_nothing_to_embed_asks_nobody():
    """A second reindexing is free."""
    embedder = Picky()

    assert await Batches(embedder, LIMITS).documents([]) == []
    assert embedder.calls == []


@pytest.mark.parametrize(
    "limits", [replace(LIMITS, bytes=40), replace(LIMITS, tokens=15)]
)
async def test_a_call_keeps_within_bytes_and_tokens(limits: Limits):
    """A text that is too much by itself goes alone; the provider may cut it."""
    embedder = Picky()

    await Batches(embedder, limits).documents([*TEXTS[:12], "x" * 100, *TEXTS[12:15]])

    assert max(map(len, embedder.calls)) in range(2, 9)
    assert ["x" * 100] in embedder.calls


@pytest.mark.parametrize("most", [1, 3, 10, 15])
async def test_a_size_that_is_too_large_is_halved_and_remembered(most: int):
    """The next batches do not run into the same wall."""
    embedder = Picky(most)
    batches = Batches(embedder, LIMITS)

    outcomes = await batches.documents(TEXTS)

    assert np.allclose(np.array(outcomes), await expected(TEXTS))
    assert batches.items <= most
    embedder.calls.clear()
    await batches.documents(TEXTS)
    assert max(map(len, embedder.calls)) <= most


async def test_one_bad_text_is_refused_alone():
    """The other texts of its batch are embedded, and batches stay as large."""
    embedder = Picky(dislikes="text 7")
    batches = Batches(embedder, LIMITS)

    outcomes = await batches.documents(TEXTS)

    assert [place for place, o in enumerate(outcomes) if isinstance(o, Refused)] == [7]
    assert batches.items == 16


async def test_a_refused_text_says_why():
    """The person may ask why a message is not found."""
    [outcome] = await Batches(Picky(dislikes="bad"), LIMITS).documents(["bad"])

    assert outcome == Refused("too much")


async def test_an_embedder_that_refuses_everything_is_out_of_order():
    """Else every message of a year would be marked as refused, for good."""
    with pytest.raises(ProviderUnavailable, match="refuses every text"):
        await Batches(Picky(most=0), LIMITS).documents(TEXTS)


@pytest.mark.parametrize("trouble", [[away()], [away(), away()]])
async def test_what_may_pass_is_tried_three_times(trouble: list[Exception]):
    """Most trouble is over in a second."""
    embedder, sleep = Picky(), Sleeper()
    embedder.failures = list(trouble)

    outcomes = await Batches(embedder, LIMITS, sleep=sleep).documents(TEXTS)

    assert np.allclose(np.array(outcomes), await expected(TEXTS))
    assert len(sleep.slept) == len(trouble)


async def test_a_wait_that_was_asked_for_is_kept_exactly():
    """Coming back earlier makes a vendor angrier."""
    embedder, sleep = Picky(), Sleeper()
    embedder.failures = [away(wait=21.0)]

    await Batches(embedder, LIMITS, sleep=sleep).documents(TEXTS)

    assert sleep.slept == [21.0]


async def test_nobody_else_asks_during_that_wait():
    """The provider means all of us, not the one call that it told."""
    go_on = asyncio.Event()

    async def sleep(_seconds: float) -> None:
        await go_on.wait()

    embedder = Picky()
    embedder.failures = [away(wait=5.0)]
    batches = Batches(embedder, replace(LIMITS, concurrency=2), sleep=sleep)
    task = asyncio.ensure_future(batches.documents(TEXTS * 4))
    await until(lambda: embedder.calls)
    for _ in range(50):
        await asyncio.sleep(0)

    assert len(embedder.calls) <= 2
    go_on.set()
    assert len(await task) == 160


@pytest.mark.parametrize(
    "error",
    [
        away(wait=31.0),
        ProviderUnavailable("refused", provider="x", refused=True),
        ProviderMisconfigured("key", provider="x", key="k"),
    ],
)
async def test_what_a_wait_does_not_cure_is_raised_at_once(error: ProviderError):
    """The caller's queue waits then; the error says for how long, if it is known."""
    embedder, sleep = Picky(), Sleeper()
    embedder.failures = [error]

    with pytest.raises(type(error)) as caught:
        await Batches(embedder, LIMITS, sleep=sleep).documents(TEXTS)

    assert caught.value is error
    assert sleep.slept == []
    assert len(embedder.calls) == 1


async def test_what_arrived_before_an_error_is_not_lost():
    """It was paid for."""
    embedder, arrived = Picky(), dict[int, object]()
    embedder.failures = []

    def arrive(place: int, outcome: object) -> None:
        arrived[place] = outcome
        embedder.failures = [ProviderMisconfigured("key", provider="x", key="k")]

    with pytest.raises(ProviderMisconfigured):
        await Batches(embedder, LIMITS).documents(TEXTS, arrive)

    assert sorted(arrived) == list(range(16))


async def test_so_many_calls_are_under_way_as_the_provider_takes():
    """Fewer waste its time, more make it refuse."""
    embedder = Picky()
    embedder.gate.clear()
    limits = replace(LIMITS, items=4, concurrency=3)
    task = asyncio.ensure_future(Batches(embedder, limits).documents(TEXTS))
    await until(lambda: embedder.active == 3)

    embedder.gate.set()

    await task
    assert embedder.peak == 3


async def test_a_call_that_hangs_ends_at_its_own_deadline():
    """And counts as a passing trouble."""
    embedder = Picky()
    embedder.gate.clear()
    batches = Batches(embedder, replace(LIMITS, seconds=0.01), sleep=Sleeper())

    with pytest.raises(ProviderUnavailable, match="did not embed within"):
        await batches.documents(["a"])

    assert embedder.active == 0


async def test_a_cancelled_reindexing_leaves_nothing_under_way():
    """Leaving the program ends it."""
    embedder = Picky()
    embedder.gate.clear()
    task = asyncio.ensure_future(Batches(embedder, LIMITS).documents(TEXTS))
    await until(lambda: embedder.active)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert embedder.active == 0


def test_each_provider_has_its_known_limits():
    """Google takes a hundred texts a call, OpenAI 300,000 tokens."""
    assert limits_of("gemini:gemini-embedding-001@3072+retrieval").items <= 100
    assert limits_of("openai:text-embedding-3-small@1536").tokens < 300_000
    assert limits_of("ollama:nomic-embed-text@768+search").items <= 64
    assert limits_of("other:x@3") == Limits()
