"""Each embedder in front of its own server, for what all of them must do."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.providers.embed_gemini import opened_gemini
from apx.providers.embed_ollama import opened_ollama
from apx.providers.embed_openai import opened_openai
from tests.servers.gemini import GeminiServer
from tests.servers.ollama import OllamaServer
from tests.servers.openai import OpenAIServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from apx.providers.embedding import RemoteEmbedder
    from tests.servers.embedding import EmbeddingServer

REMOTE: Final = ("ollama", "openai", "gemini")
SECRET: Final = "k-4f81c2"  # noqa: S105 -- nobody's
SERVERS: Final[dict[str, type[EmbeddingServer]]] = {
    "ollama": OllamaServer,
    "openai": OpenAIServer,
    "gemini": GeminiServer,
}


@dataclass
class EmbedderBench:
    """An embedder in front of its server; the word it opened with is forgotten."""

    kind: str
    embedder: RemoteEmbedder
    server: EmbeddingServer


async def opened(
    kind: str, server: EmbeddingServer, *, model: str = "tiny", seconds: float = 30.0
) -> RemoteEmbedder:
    """Open the embedder of a kind."""
    url = server.base_url
    if kind == "ollama":
        return await opened_ollama(model, base_url=url, seconds=seconds)
    if kind == "openai":
        return await opened_openai(model, api_key=SECRET, base_url=url, seconds=seconds)
    return await opened_gemini(model, api_key=SECRET, base_url=url, seconds=seconds)


@asynccontextmanager
async def embedder_bench(
    kind: str, *, seconds: float = 30.0
) -> AsyncIterator[EmbedderBench]:
    """Start the server of a kind, and an embedder that asks it."""
    async with SERVERS[kind]() as server:
        embedder = await opened(kind, server, seconds=seconds)
        server.embedded.clear()
        server.embeds = 0
        yield EmbedderBench(kind, embedder, server)
        await embedder.aclose()
