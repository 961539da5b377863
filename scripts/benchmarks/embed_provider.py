"""Owns the benchmark's providers: a server in its own process, and a bare client.

python scripts/benchmarks/embed_provider.py KIND DIMS DELAY    serves until stdin ends
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).parents[2]))

import aiohttp
import numpy as np

from tests.servers.embedders import SERVERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tests.servers.embedding import Embedding, EmbeddingServer, Rows

_POOL: Final = 512
_SCALE: Final = 10_000


@dataclass(frozen=True, slots=True)
class Provider:
    """A server that runs."""

    kind: str
    base_url: str


@contextmanager
def provider(kind: str, dims: int, delay: float) -> Iterator[Provider]:
    """Start a server in a process of its own."""
    command = [sys.executable, __file__, kind, str(dims), str(delay)]
    with subprocess.Popen(  # noqa: S603 -- this very file
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Provider(kind, process.stdout.readline().strip())  # type: ignore[union-attr]  # asked for above
        finally:
            process.kill()


async def raw_rate(
    found: Provider, batches: Sequence[Sequence[str]], concurrency: int
) -> float:
    """Send batches and read the bytes; gives how many texts a second came back."""
    waiting = [_request(found, batch) for batch in batches]
    texts = sum(map(len, batches))
    async with aiohttp.ClientSession() as session:

        async def work() -> None:
            while waiting:
                path, body = waiting.pop()
                async with session.post(path, json=body) as answer:
                    answer.raise_for_status()
                    await answer.read()

        began = time.perf_counter()
        await asyncio.gather(*(work() for _ in range(concurrency)))
        return texts / (time.perf_counter() - began)


def _request(found: Provider, texts: Sequence[str]) -> tuple[str, dict[str, Any]]:
    match found.kind:
        case "openai":
            body = {"model": "tiny", "input": texts, "encoding_format": "base64"}
            return f"{found.base_url}/embeddings", body
        case "ollama":
            return f"{found.base_url}/api/embed", {"model": "tiny", "input": texts}
        case _:
            requests = [
                {"model": "models/tiny", "content": {"parts": [{"text": text}]}}
                for text in texts
            ]
            path = f"{found.base_url}/v1beta/models/tiny:batchEmbedContents"
            return path, {"requests": requests}


def quick(server: EmbeddingServer, dims: int) -> EmbeddingServer:
    """Have a server give vectors that it need not work on: what it gives is its own."""
    chance = np.random.default_rng(1)
    rows = chance.normal(size=(_POOL, dims))
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    pool: Rows = (np.rint(rows * _SCALE) / _SCALE).tolist()
    place = [0]

    def given(asked: Embedding) -> Rows:
        server.embedded.clear()
        place[0] += len(asked.texts)
        return [pool[(place[0] + at) % _POOL] for at in range(len(asked.texts))]

    made: Callable[[Embedding], Rows] = given
    server._rows = made  # type: ignore[method-assign]  # noqa: SLF001 -- its only slow part
    return server


async def _serve(kind: str, dims: int, delay: float) -> None:
    async with quick(SERVERS[kind](), dims) as server:
        server.delay = delay
        print(server.base_url, flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
