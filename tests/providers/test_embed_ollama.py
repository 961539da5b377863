"""What is Ollama's alone when it embeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apx.domain.errors import ProviderMisconfigured, TextsRefused
from apx.providers.embed_ollama import opened_ollama
from tests.servers import OllamaServer
from tests.servers.faults import failing

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def server() -> AsyncIterator[OllamaServer]:
    async with OllamaServer(models=["tiny", "nomic-embed-text:latest"]) as server:
        yield server


async def test_a_model_that_wants_prefixes_gets_them(server: OllamaServer):
    """Without them the vectors are a good deal worse, and nothing says so."""
    embedder = await opened_ollama("nomic-embed-text:latest", base_url=server.base_url)
    await embedder.documents(["tea"])
    await embedder.query("tea?")
    await embedder.aclose()

    assert [asked.texts for asked in server.embedded[1:]] == [
        ["search_document: tea"],
        ["search_query: tea?"],
    ]
    assert embedder.identity == "ollama:nomic-embed-text@64+search"


async def test_the_model_stays_loaded(server: OllamaServer):
    """A query has 800 ms, and loading a model takes seconds."""
    embedder = await opened_ollama("tiny", base_url=server.base_url, keep_alive="1h")
    await embedder.aclose()

    assert server.embedded[0].body["keep_alive"] == "1h"


async def test_a_model_that_only_chats_is_named(server: OllamaServer):
    """Halving its batches would go on for ever."""
    server.faults.append(failing(400, {"error": "this model does not support embed"}))

    with pytest.raises(ProviderMisconfigured, match="cannot embed") as caught:
        await opened_ollama("tiny", base_url=server.base_url)

    assert caught.value.key == "memory.embeddings.ollama.model"


async def test_a_number_that_json_lacks_is_the_fault_of_one_text(server: OllamaServer):
    """Ollama fails as a whole then, with status 500."""
    embedder = await opened_ollama("tiny", base_url=server.base_url)
    error = "failed to encode response: json: unsupported value: NaN"
    server.faults.append(failing(500, {"error": error}))

    with pytest.raises(TextsRefused):
        await embedder.documents(["a", "b"])
    await embedder.aclose()
