"""Recall over made-up chats of a thousand to a million chunks, and its rivals.

CPU milliseconds of 200 questions, p50 / p99, in a fresh process that mapped the
index's files; what `index_corpus.py` and `index_vectors.py` make up is said there.
`--keep DIR` leaves the indexes in a directory, and uses those that are there.
"""

from __future__ import annotations

import os

# Before numpy is loaded: two BLAS threads on a busy machine are slower than one.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import index_corpus as corpus
import index_rivals as rivals
import numpy as np
from index_build import fill_texts, fill_vectors
from index_questions import questions
from index_vectors import Model

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

_QUESTIONS: Final = 200
_TOP: Final = 10


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000,1000000")
    parser.add_argument("--dims", default="256,384,512")
    parser.add_argument("--rivals", action="store_true")
    parser.add_argument("--keep", type=Path)
    chosen = parser.parse_args()
    speed = bandwidth()
    print(f"memory: {speed:.1f} GB/s, one core, a plain sum of 1 GB of float32")
    with tempfile.TemporaryDirectory() as directory:
        for size in map(int, chosen.sizes.split(",")):
            home = (chosen.keep or Path(directory)) / str(size)
            blocks = max(1, size // corpus.BLOCK)
            of_texts(home, blocks)
            for number, dims in enumerate(map(int, chosen.dims.split(","))):
                of_vectors(home, blocks, dims, speed)
                if number == 0:
                    of_rebuilding(home)
                if chosen.rivals:
                    of_rivals(home, blocks, dims, number == 0)


def bandwidth() -> float:
    """Measure how many GB a second one core reads."""
    array = np.ones(1 << 28, np.float32)
    took = []
    for _ in range(5):
        began = time.thread_time()
        array.sum()
        took.append(time.thread_time() - began)
    return array.nbytes / min(took) / 1e9


def of_texts(home: Path, blocks: int) -> None:
    """Fill an index with chunks and say at what rate."""
    made = once(home / "texts.json", lambda: fill_texts(home, blocks))
    rows = blocks * corpus.BLOCK
    print(f"\n{rows:,} chunks")
    for what in ("sqlite", "shelf"):
        rate = rows / made["seconds"][what]
        worst = made["worst"][what] * 1e3
        print(f"  {what:30} {rate:10,.0f} rows/s of CPU, worst 1,000 {worst:,.0f} ms")


def of_vectors(home: Path, blocks: int, dims: int, speed: float) -> None:
    """Fill a space, load it in a fresh process, ask, and print all of it."""
    made = once(home / f"{dims}.json", lambda: fill_vectors(home, blocks, dims))
    truth = home / f"exact-{dims}.npz"
    if not truth.exists():
        np.savez(truth, **exact(blocks, dims))
    found = fresh(home, str(blocks), str(truth))
    rows = blocks * corpus.BLOCK
    print(f"  {dims} dims")
    rate, worst = rows / made["seconds"]["shelf"], made["worst"]["shelf"]
    print(f"    vectors taken {rate:,.0f} a second of CPU, worst 1,000 {worst:.2f} s")
    for name in ("lexical", "vector", "whole", "whole, vectors"):
        p50, p99 = found["legs"][name]
        print(f"    {name:28} {p50:8.2f} / {p99:.2f} ms")
    print(f"    recall@10 of the vector leg  {found['legs']['recall']:8.3f}")
    wall, cpu = found["load"]
    print(f"    start from files             {wall:8.2f} s, {cpu:.2f} s of CPU")
    kept = found["asked"]
    print(
        f"    memory after {_QUESTIONS} questions   {kept['all']:8.0f} MB, of it"
        f" {kept['own']:.0f} own, {kept['files']:.0f} of files"
    )
    print(
        f"    on disk                      {disk(home / 'memory.db'):8.0f} MB rows,"
        f" {disk(home / 'index'):.0f} MB arrays"
    )
    floor = rows * dims * 4 / speed / 1e6
    print(f"    floor of an exact scan       {floor:8.2f} ms, int8 {floor / 4:.2f}")


def of_rebuilding(home: Path) -> None:
    """Load the index without its arrays, from rows alone."""
    wall, cpu = fresh("rebuild", home)["load"]
    print(f"    start from rows              {wall:8.2f} s, {cpu:.2f} s of CPU")


def of_rivals(home: Path, blocks: int, dims: int, is_first: bool) -> None:
    """Ask the rivals the same questions."""
    truth = np.load(home / f"exact-{dims}.npz")
    if is_first:
        texts = [text for text, _ in questions(blocks, _QUESTIONS)]
        show("FTS5, stop words out", rivals.fts5(home, blocks, texts))
    model = Model.of(dims)
    vectors = np.concatenate([model.block(block) for block in homes(blocks)])
    show("numpy float32", rivals.plain_numpy(vectors, truth["queries"]))
    show("sqlite-vec float32", rivals.sqlite_vec(vectors, truth["queries"]))
    answer = rivals.chroma(vectors, truth["queries"])
    show("chromadb", answer[0] if answer else None)
    if answer:
        print(f"    {'chromadb, recall@10':28} {answer[1]:8.3f}")


def show(name: str, figures: tuple[float, float] | None) -> None:
    """Print a rival's line."""
    if figures is None:
        print(
            f"    {name:28}        - (too large, or `pip install` it: see"
            " index_rivals.py)"
        )
    else:
        print(f"    {name:28} {figures[0]:8.2f} / {figures[1]:.2f} ms")


def homes(blocks: int) -> list[int]:
    """Give the blocks of the large audience."""
    return [n for n in range(blocks) if corpus.audience_of(n) == corpus.HOME]


def exact(blocks: int, dims: int) -> dict[str, Any]:
    """Give the questions' vectors and the chunks nearest to each, by float32."""
    model = Model.of(dims)
    places = [place for _, place in questions(blocks, _QUESTIONS)]
    queries = model.questions(places)
    scores = np.empty((len(queries), 0), np.float32)
    chunks = np.empty((len(queries), 0), np.int64)
    for block in homes(blocks):
        here = queries @ model.block(block).T
        first = block * corpus.BLOCK + 1
        ids = np.broadcast_to(np.arange(first, first + corpus.BLOCK), here.shape)
        scores, chunks = np.hstack((scores, here)), np.hstack((chunks, ids))
        top = np.argpartition(-scores, _TOP - 1, axis=1)[:, :_TOP]
        scores = np.take_along_axis(scores, top, 1)
        chunks = np.take_along_axis(chunks, top, 1)
    return {"queries": queries, "best": chunks}


def once(path: Path, job: Callable[[], Coroutine[Any, Any, Any]]) -> Any:  # noqa: ANN401 -- JSON
    """Do what takes long, unless its figures are there already."""
    if not path.exists():
        found = json.dumps(asyncio.run(job()))
        path.write_text(found, encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


def fresh(*arguments: str | Path) -> Any:  # noqa: ANN401 -- JSON
    """Measure in a process of its own."""
    script = Path(__file__).with_name("index_measure.py")
    command = [sys.executable, script, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)  # noqa: S603 -- our own script
    return json.loads(done.stdout)


def disk(path: Path) -> float:
    """Give the size of a file or of all in a directory, in MB."""
    files = [path] if path.is_file() else path.rglob("*")
    return sum(each.stat().st_size for each in files if each.is_file()) / 1e6


if __name__ == "__main__":
    main()
