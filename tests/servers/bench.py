"""Each model in front of its own server, for what all of them must do."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.providers.chain import Chain
from apx.providers.gemini import GeminiModel
from apx.providers.ollama import OllamaModel
from apx.providers.openai import OpenAIModel
from tests.servers.faults import Answer, Fault, failing
from tests.servers.gemini import GeminiServer
from tests.servers.ollama import OllamaServer
from tests.servers.openai import OpenAIServer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from apx.ports import ChatModel
    from tests.servers.server import ModelServer

KINDS: Final = ("ollama", "openai", "gemini", "chain")
SECRET: Final = "k-4f81c2"  # noqa: S105 -- nobody's


@dataclass
class Bench:
    """A model in front of its server."""

    model: ChatModel
    server: ModelServer
    auth_key: str
    attempts: int = 1

    def spoil(self, fault: Fault) -> None:
        """Let every attempt of the next call meet the fault."""
        self.server.faults.extend([fault] * self.attempts)

    def error(self, status: int, text: str, **headers: str) -> Answer:
        """Give an error in the server's own format."""
        body: object = {"error": {"message": text, "code": status, "type": "x"}}
        if isinstance(self.server, OllamaServer):
            body = {"error": text}
        return failing(status, body, **headers)


@asynccontextmanager
async def bench_of(kind: str) -> AsyncIterator[Bench]:
    """Start the server of a kind, and a model that asks it."""
    if kind == "openai":
        async with OpenAIServer() as server:
            other = OpenAIModel("tiny", api_key=SECRET, base_url=server.base_url)
            yield Bench(other, server, "engines.openai.api_key")
            await other.aclose()
    elif kind == "gemini":
        async with GeminiServer() as server:
            google = GeminiModel("tiny", api_key=SECRET, base_url=server.base_url)
            yield Bench(google, server, "engines.gemini.api_key")
            await google.aclose()
    else:
        async with OllamaServer() as server:
            local = OllamaModel(
                "tiny", base_url=server.base_url, num_ctx=4096, keep_alive="30m"
            )
            bench = Bench(local, server, "engines.ollama.base_url")
            if kind == "chain":
                bench.model, bench.attempts = Chain([local], sleep=_no_sleep), 3
            yield bench
            await local.aclose()


async def _no_sleep(_seconds: float) -> None:
    pass
