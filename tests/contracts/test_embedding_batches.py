"""Many texts, a real connection, and a provider with limits of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from apx.providers.batches import Batches, Refused
from apx.providers.limits import limits_of
from tests.servers.embedders import REMOTE, EmbedderBench, embedder_bench
from tests.servers.embedding import vectors_of
from tests.servers.faults import Answer, failing

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.servers.embedding import Embedding

TEXTS = [f"message {number} of the garden" for number in range(220)]
WORDS = ["input batch size exceeds 10", "批次大小超出限制", ""]


@pytest.fixture(params=REMOTE)
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[EmbedderBench]:
    async with embedder_bench(request.param) as bench:
        yield bench


def refusing(words: str) -> Answer:
    return failing(400, {"error": {"message": words}}) if words else Answer(413)


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("most", [10, 16, 100])
async def test_everything_is_embedded_whatever_the_limit(
    bench: EmbedderBench, most: int, words: str
):
    """Ten texts a call for one vendor, sixteen for another; few say it beforehand."""
    bench.server.most_items = most
    bench.server.refusal = refusing(words)
    batches = Batches(bench.embedder)

    outcomes = await batches.documents(TEXTS)

    assert np.allclose(np.array(outcomes), vectors_of(TEXTS, 64), atol=2e-3)
    asked = bench.server.embeds
    await batches.documents(TEXTS)
    assert bench.server.embeds - asked <= 2 * -(-len(TEXTS) // min(most, 50)) + 2


@pytest.mark.filterwarnings("ignore:Sending a large body:ResourceWarning")
async def test_four_megabytes_are_too_much_for_some(bench: EmbedderBench):
    """The limit may be one of bytes, and the error is the same."""
    bench.server.most_bytes = 4 << 20
    bench.server.refusal = Answer(413)
    limits = replace(
        limits_of(bench.embedder.identity), bytes=16 << 20, tokens=16 << 20, items=2048
    )
    texts = [f"{number} " + "garden " * 800 for number in range(1000)]

    outcomes = await Batches(bench.embedder, limits).documents(texts)

    assert not any(isinstance(outcome, Refused) for outcome in outcomes)
    assert len(outcomes) == 1000


async def test_one_text_that_is_refused_costs_no_other(bench: EmbedderBench):
    """A safety rule, or a model that makes no number of it."""
    bench.server.taboo = "message 77 "
    bench.server.refusal = failing(400, {"error": {"message": "blocked"}})

    outcomes = await Batches(bench.embedder).documents(TEXTS)

    bad = [place for place, o in enumerate(outcomes) if isinstance(o, Refused)]
    assert bad == [77]


async def test_a_vector_of_nothing_costs_no_other(bench: EmbedderBench):
    """NaN for one text of a batch."""

    def spoil(asked: Embedding, rows: list[list[float]]) -> list[list[float]]:
        return [
            [float("nan")] * 64 if "message 5 " in text else row
            for text, row in zip(asked.texts, rows, strict=True)
        ]

    bench.server.spoil = spoil

    outcomes = await Batches(bench.embedder).documents(TEXTS[:40])

    bad = [place for place, o in enumerate(outcomes) if isinstance(o, Refused)]
    assert bad == [5]


async def test_a_server_that_answers_only_the_first_is_asked_one_by_one(
    bench: EmbedderBench,
):
    """Some imitators take a list and embed its first text."""
    bench.server.spoil = lambda _asked, rows: rows[:1]

    outcomes = await Batches(bench.embedder).documents(TEXTS[:20])

    assert np.allclose(np.array(outcomes), vectors_of(TEXTS[:20], 64), atol=2e-3)
