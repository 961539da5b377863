"""What one fresh process finds out about an index; prints it as JSON.

usage: index_measure.py HOME BLOCKS EXACT.npz | rebuild HOME
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import index_corpus as corpus
import numpy as np
from index_build import USUAL, Home, opened_home
from index_questions import questions

from apx.memory.recall import vectors as neural
from apx.memory.recall.asking import question
from apx.memory.recall.lookup import Looked
from apx.memory.recall.search import Asked, Meaning, search

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from apx.memory.recall.shelf import Shelf

_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
_PATIENCE: Final = 1_200  # seconds; loading that failed never ends
_LEXICAL, _NEURAL, _LIMIT, _TOP = 300, 150, 40, 10


def timed(job: Callable[[], Any], into: list[float]) -> Any:  # noqa: ANN401 -- gives what the job gives
    """Do a job in this thread and note its CPU milliseconds."""
    began = time.thread_time()
    result = job()
    into.append((time.thread_time() - began) * 1e3)
    return result


def lexical_leg(shelf: Shelf, asked: Asked) -> None:
    """Find the first stage's candidates by words, with weights by rarity."""
    looked = Looked.up(shelf.parts, asked.keys)
    counts = looked.counts(len(asked.keys))
    weights = np.log1p((shelf.columns.size - counts + 0.5) / (counts + 0.5))
    looked.best(weights.astype(np.float32), shelf.columns, _LEXICAL)


def memory() -> dict[str, float]:
    """Give this process's resident memory in MB: all, its own, and mapped files."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    table = dict(line.split(":", 1) for line in lines)
    names = {"all": "VmRSS", "own": "RssAnon", "files": "RssFile"}
    return {name: int(table[key].split()[0]) / 1024 for name, key in names.items()}


def shelves_of(index: Home) -> list[Shelf]:
    """Give the shelves that a turn of the benchmark sees."""
    every = index.engine._shelves  # noqa: SLF001 -- the legs are measured apart
    return [every[name] for name in corpus.AUDIENCES if name in every]


async def measure(home: Path, blocks: int, exact: Path) -> dict[str, Any]:
    """Load, ask, and tell."""
    found: dict[str, Any] = {"started": time.process_time()}
    wall, cpu = time.perf_counter(), time.process_time()
    async with opened_home(home) as index:
        await asyncio.wait_for(index.engine.ready.wait(), _PATIENCE)
        found["load"] = time.perf_counter() - wall, time.process_time() - cpu
        found["loaded"] = memory()
        keys = index.engine.keys
        truth = np.load(exact)
        asked = []
        for (text, _), vector in zip(
            questions(blocks, len(truth["queries"])),
            truth["queries"],
            strict=True,
        ):
            one = question(text, _AT, keys)
            assert one is not None, text  # noqa: S101 -- questions are made of words
            asked.append((one.asked, vector))
        found["legs"] = legs(shelves_of(index), asked, truth["best"])
        found["asked"] = memory()
    return found


def legs(
    shelves: Sequence[Shelf],
    questions: Sequence[tuple[Asked, Any]],
    best: npt.NDArray[np.int64],
) -> dict[str, Any]:
    """Time each leg and the whole; the first twenty questions are asked twice."""
    home = shelves[0]
    names = ("lexical", "vector", "whole", "whole, vectors")
    times: dict[str, list[float]] = {name: [] for name in names}
    space = next(iter(home.spaces))
    parts = [part.vectors for part in home.spaces[space]]
    hits, again = [], [*range(min(20, len(questions))), *range(len(questions))]
    for number in again:
        asked, vector = questions[number]
        asked = replace(asked, limit=_LIMIT)
        meant = replace(asked, meaning=Meaning(space, vector, USUAL))
        timed(partial(lexical_leg, home, asked), times["lexical"])
        timed(partial(search, shelves, asked), times["whole"])
        near = timed(partial(neural.nearest, parts, vector, _NEURAL), times["vector"])
        timed(partial(search, shelves, meant), times["whole, vectors"])
        top = near[0][np.argsort(-near[1])[:_TOP]]
        chunks = home.columns["chunk"][top]
        hits.append(len(np.intersect1d(chunks, best[number])) / _TOP)
    warm = len(again) - len(questions)
    percentiles = {
        name: tuple(np.percentile(each[warm:], (50, 99)))
        for name, each in times.items()
    }
    return {**percentiles, "recall": float(np.mean(hits[warm:]))}


async def rebuild(home: Path) -> dict[str, Any]:
    """Load an index whose arrays are gone."""
    wall, cpu = time.perf_counter(), time.process_time()
    async with opened_home(home, "none") as index:
        await asyncio.wait_for(index.engine.ready.wait(), _PATIENCE)
        return {"load": (time.perf_counter() - wall, time.process_time() - cpu)}


def main() -> None:
    """Do what the arguments say."""
    if sys.argv[1] == "rebuild":
        found = asyncio.run(rebuild(Path(sys.argv[2])))
    else:
        home, blocks, exact = sys.argv[1:]
        found = asyncio.run(measure(Path(home), int(blocks), Path(exact)))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
