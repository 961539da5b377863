"""What is OpenAI's alone when it embeds, and its imitators'."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from apx.providers.embed_openai import opened_openai
from tests.servers import OpenAIServer
from tests.servers.embedding import vectors_of
from tests.servers.faults import Raw

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TEXTS = ["tea in the garden", "the car is red"]


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer(models=["text-embedding-3-small"]) as server:
        yield server


@pytest.mark.parametrize(
    ("knows_base64", "is_strict"), [(True, False), (False, False), (False, True)]
)
async def test_packed_and_plain_numbers_are_the_same_vectors(
    server: OpenAIServer, knows_base64: bool, is_strict: bool
):
    """Some servers pack, some ignore the wish, and some reject the request for it."""
    server.knows_base64, server.is_strict = knows_base64, is_strict
    embedder = await opened_openai(
        "text-embedding-3-small", api_key="k", base_url=server.base_url
    )

    vectors = await embedder.documents(TEXTS)

    assert np.allclose(vectors, vectors_of(TEXTS, 64), atol=1e-3)
    await embedder.aclose()


async def test_the_wanted_dimensions_are_asked_for(server: OpenAIServer):
    """Shorter vectors cost less to keep and to compare."""
    embedder = await opened_openai(
        "text-embedding-3-small", api_key="k", base_url=server.base_url, dims=32
    )

    assert embedder.identity == "openai:text-embedding-3-small@32"
    assert server.embedded[0].body["dimensions"] == 32
    await embedder.aclose()


async def test_rows_without_a_numbering_keep_their_order(server: OpenAIServer):
    """Some imitators number every row 0, or none."""
    embedder = await opened_openai(
        "text-embedding-3-small", api_key="k", base_url=server.base_url, dims=16
    )
    rows = [[1.0, *[0.0] * 15], [0.0, 1.0, *[0.0] * 14]]
    items = ",".join(f'{{"index": 0, "embedding": {row}}}' for row in rows)
    server.faults.append(Raw((f'{{"data": [{items}]}}'.encode(),)))

    assert (await embedder.documents(TEXTS)).tolist() == rows
    await embedder.aclose()
