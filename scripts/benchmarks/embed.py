"""How fast a home gets its vectors, beside what the provider itself can give.

Each provider is a server in a process of its own whose answers take 20 ms. `raw` sends
the same batches, as many at a time, and only reads the bytes; `client` makes vectors of
them with the vendor's SDK; `reindex` is all of ours: from the chunks in memory.db to
vectors that are on the disk, and are found. Rates are messages a second; `share` is of
`raw`, and CPU is of all our threads.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
import time
from collections import deque
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
from embed_provider import Provider, provider, raw_rate

import apx.logs  # noqa: F401 -- keeps the log from the terminal
from apx.config import Config
from apx.providers.limits import limits_of
from apx.wiring import opened
from tests.stories.long_memory import said, settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from apx.ports import Embedder
    from apx.wiring import House

_KINDS: Final = ("ollama", "openai", "gemini")
_WORDS: Final = 20_000
# What is measured beside is measured on so many messages.
_SAMPLE: Final = 20_000


class Stopwatch:
    """Gives what a block took, of the clock and of the processors."""

    def __enter__(self) -> Stopwatch:
        self._began = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._began[0]
        self.cpu = time.process_time() - self._began[1]


def messages(many: int) -> list[str]:
    """Make up messages of 8 to 40 words, short ones more often; rare words are."""
    chance = np.random.default_rng(7)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    words = [
        "".join(chance.choice(letters, chance.integers(2, 11))) for _ in range(_WORDS)
    ]
    lengths = chance.integers(8, 41, many)
    lengths = np.minimum(lengths, chance.integers(8, 41, many))
    ranks = (_WORDS ** chance.random(int(lengths.sum()))).astype(int) - 1
    drawn = iter(ranks.tolist())
    return [" ".join(words[next(drawn)] for _ in range(size)) for size in lengths]


@asynccontextmanager
async def house(home: Path, config: dict[str, Any]) -> AsyncIterator[House]:
    """Open a home and wait until its arrays are loaded."""
    async with opened(Config.model_validate(config), home, "apx run") as found:
        await found.memory.recall.engine.ready.wait()
        yield found


async def indexed(home: Path, many: int) -> Stopwatch:
    """Bring the log into the full text and the arrays."""
    async with house(home, settings(provider="tf")) as found:
        with Stopwatch() as watch:
            assert await found.memory.recall.indexer.catch_up() == many  # noqa: S101 -- all of them
        await found.memory.recall.engine.save()
    return watch


async def reindexed(home: Path, config: dict[str, Any], many: int) -> Stopwatch:
    """Embed all that there is."""
    async with house(home, config) as found:
        recall = found.memory.recall
        with Stopwatch() as watch:
            done = await recall.spaces.fill()
            await recall.engine.save()
        if done != many:
            sys.exit(f"{done} of {many} embedded: {recall.spaces.trouble}")
    return watch


def batched(texts: Sequence[str], size: int) -> list[Sequence[str]]:
    """Cut texts into batches."""
    return [texts[at : at + size] for at in range(0, len(texts), size)]


async def client_rate(
    embedder: Embedder, batches: Sequence[Sequence[str]], concurrency: int
) -> float:
    """Embed batches with the vendor's SDK alone; gives texts a second."""
    waiting = deque(batches)

    async def work() -> None:
        while waiting:
            await embedder.documents(waiting.popleft())

    with Stopwatch() as watch:
        await asyncio.gather(*(work() for _ in range(concurrency)))
    return sum(map(len, batches)) / watch.seconds


async def against(found: Provider, home: Path, texts: Sequence[str]) -> dict[str, Any]:
    """Measure a provider three ways, the bare ones before and after."""
    limits = limits_of(f"{found.kind}:")
    sample = batched(texts[:_SAMPLE], limits.items)
    config = settings({found.kind: found}, provider=found.kind)
    before = await raw_rate(found, sample, limits.concurrency)
    watch = await reindexed(home, config, len(texts))
    after = await raw_rate(found, sample, limits.concurrency)
    async with house(home, config) as again:
        embedder = await again.memory.recall.embedders.named(found.kind)
        assert embedder is not None  # noqa: S101 -- it embedded just now
        client = await client_rate(embedder, sample, limits.concurrency)
    raw, rate = (before + after) / 2, len(texts) / watch.seconds
    return {
        "provider": found.kind,
        "batch": limits.items,
        "at once": limits.concurrency,
        "raw": round(raw),
        "client": round(client),
        "reindex": round(rate),
        "share": round(rate / raw, 3),
        "of client": round(rate / client, 3),
        "per s of CPU": round(len(texts) / watch.cpu),
    }


async def measured(
    options: argparse.Namespace, place: Path
) -> Iterator[dict[str, Any]]:
    """Measure everything."""
    texts = messages(options.messages)
    base = place / "base"
    await said(base, texts)
    watch = await indexed(base, len(texts))
    lines = [_cpu("full text and arrays", watch, len(texts))]
    tf = await reindexed(_copy(base, place / "tf"), settings(provider="tf"), len(texts))
    lines.append(_cpu("tf", tf, len(texts)))
    for kind in options.providers.split(","):
        home = _copy(base, place / kind)
        with provider(kind, options.dims, options.delay / 1000) as found:
            lines.append(await against(found, home, texts))
        shutil.rmtree(home)
    return iter(lines)


def _cpu(what: str, watch: Stopwatch, many: int) -> dict[str, Any]:
    return {
        "provider": what,
        "reindex": round(many / watch.seconds),
        "per s of CPU": round(many / watch.cpu),
    }


def _copy(home: Path, to: Path) -> Path:
    shutil.copytree(home, to)
    return to


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--dims", type=int, default=384)
    parser.add_argument("--delay", type=float, default=20, help="ms an answer takes")
    parser.add_argument("--providers", default=",".join(_KINDS))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        lines = list(asyncio.run(measured(options, Path(place))))
    if options.json:
        print(json.dumps(lines))
        return
    print(f"{options.messages:,} messages, {options.dims} dims, {options.delay:g} ms")
    columns = list(lines[-1])
    print("".join(f"{name:>14}" for name in columns))
    for line in lines:
        print("".join(f"{line.get(name, ''):>14}" for name in columns))


if __name__ == "__main__":
    main()
