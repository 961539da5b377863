"""What is Gemini's alone when it embeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from apx.domain.errors import ProviderUnavailable
from apx.providers.embed_gemini import opened_gemini
from tests.servers import GeminiServer
from tests.servers.faults import failing

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

OLD, NEW = "gemini-embedding-001", "gemini-embedding-2"


@pytest.fixture
async def server() -> AsyncIterator[GeminiServer]:
    async with GeminiServer(models=[OLD, NEW]) as server:
        yield server


async def test_the_purpose_of_each_text_is_told(server: GeminiServer):
    """A question and its answer are alike only if the model knows which is which."""
    embedder = await opened_gemini(OLD, api_key="k", base_url=server.base_url)
    await embedder.documents(["tea", "car"])
    await embedder.query("tea?")
    await embedder.aclose()

    tasks = [
        [one["taskType"] for one in asked.body["requests"]]
        for asked in server.embedded[1:]
    ]
    assert tasks == [["RETRIEVAL_DOCUMENT"] * 2, ["RETRIEVAL_QUERY"]]
    assert embedder.identity == "gemini:gemini-embedding-001@64+retrieval"


async def test_the_second_age_is_told_in_words(server: GeminiServer):
    """It has no field for it, and makes one vector of several strings."""
    embedder = await opened_gemini(NEW, api_key="k", base_url=server.base_url)

    vectors = await embedder.documents(["tea", "car"])

    assert vectors.shape == (2, 64)
    asked = server.embedded[-1]
    assert asked.texts == ["title: none | text: tea", "title: none | text: car"]
    assert "taskType" not in asked.body["requests"][0]
    assert embedder.identity == "gemini:gemini-embedding-2@64+titled"
    await embedder.aclose()


async def test_shortened_vectors_are_made_whole(server: GeminiServer):
    """Google normalises the full length alone."""
    embedder = await opened_gemini(OLD, api_key="k", base_url=server.base_url, dims=32)

    vectors = await embedder.documents(["tea in the garden"])

    assert vectors.shape == (1, 32)
    assert np.linalg.norm(vectors[0]) == pytest.approx(1, abs=1e-5)
    await embedder.aclose()


async def test_the_wait_is_read_from_where_google_puts_it(server: GeminiServer):
    """Not in a header, but in the details of the body."""
    embedder = await opened_gemini(OLD, api_key="k", base_url=server.base_url)
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17s"}
    error = {"code": 429, "status": "RESOURCE_EXHAUSTED", "details": [info]}
    server.faults.append(failing(429, {"error": error}))

    with pytest.raises(ProviderUnavailable) as caught:
        await embedder.documents(["a"])

    assert caught.value.retry_after == 17
    await embedder.aclose()
