"""Owns the other programs that the benchmark of the index asks the same questions.

They are installed by hand: `pip install apsw sqlite-vec chromadb` into an environment
whose Python runs this benchmark. What is missing is named, and left out.
"""

from __future__ import annotations

import importlib
import re
import sqlite3
import time
from typing import TYPE_CHECKING, Any, Final

import index_corpus as corpus
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

_TOP: Final = 10
_MOST_IN_CHROMA: Final = 100
_BATCH: Final = 5_000
_ROUNDS: Final = 200
_STOP: Final = frozenset(corpus.STOP)


def percentiles(job: Callable[[Any], Any], asked: Iterable[Any]) -> tuple[float, float]:
    """Do a job for each question; gives CPU milliseconds of the process, p50, p99."""
    took = []
    for one in asked:
        began = time.process_time()
        job(one)
        took.append((time.process_time() - began) * 1e3)
    p50, p99 = np.percentile(took[1:] or took, (50, 99))
    return float(p50), float(p99)


def fts5(home: Path, blocks: int, questions: Sequence[str]) -> tuple[float, float]:
    """Ask FTS5 with its own words for any word of a question but stop words."""
    connection = sqlite3.connect(home / "fts5.db")
    connection.execute("create virtual table if not exists f using fts5 (text)")
    if not connection.execute("select count(*) from f").fetchone()[0]:
        for block in range(blocks):
            rows = ((said.text,) for said in corpus.messages(block))
            connection.executemany("insert into f values (?)", rows)
        connection.commit()

    def ask(question: str) -> None:
        words = [w for w in re.findall(r"\w+", question.lower()) if w not in _STOP]
        match = " OR ".join(f'"{word}"' for word in words) or '""'
        connection.execute(
            "select rowid from f where f match ? order by bm25(f) limit ?",
            (match, _TOP),
        ).fetchall()

    return percentiles(ask, questions)


def plain_numpy(vectors: Floats, queries: Floats) -> tuple[float, float]:
    """Ask a float32 matrix: all products, the best ten."""

    def ask(query: Floats) -> None:
        np.argpartition(-(vectors @ query), _TOP)[:_TOP]

    return percentiles(ask, queries[:40])


def sqlite_vec(vectors: Floats, queries: Floats) -> tuple[float, float] | None:
    """Ask sqlite-vec over float32, in memory; None where it is not installed."""
    try:
        apsw: Any = importlib.import_module("apsw")
        extension: Any = importlib.import_module("sqlite_vec")
    except ImportError:
        return None
    connection = apsw.Connection(":memory:")
    connection.enable_load_extension(True)
    connection.load_extension(extension.loadable_path())
    dims = vectors.shape[1]
    connection.execute(f"create virtual table v using vec0 (e float[{dims}])")
    with connection:
        connection.executemany(
            "insert into v (rowid, e) values (?, ?)",
            ((n, row.tobytes()) for n, row in enumerate(vectors)),
        )

    def ask(query: Floats) -> None:
        connection.execute(
            "select rowid, distance from v where e match ? and k = ?",
            (query.tobytes(), _TOP),
        ).fetchall()

    few = 40 if len(vectors) <= _MOST_IN_CHROMA * corpus.BLOCK else 8
    return percentiles(ask, queries[:few])


def chroma(
    vectors: Floats, queries: Floats
) -> tuple[tuple[float, float], float] | None:
    """Ask chromadb's HNSW, up to 100,000 vectors; gives its recall@10, too."""
    if len(vectors) > _MOST_IN_CHROMA * corpus.BLOCK:
        return None
    try:
        chromadb: Any = importlib.import_module("chromadb")
    except ImportError:
        return None
    client = chromadb.EphemeralClient()
    name = f"v{len(vectors)}-{vectors.shape[1]}"
    space = {"hnsw:space": "cosine"}
    collection = client.create_collection(name, metadata=space)
    for start in range(0, len(vectors), _BATCH):
        part = vectors[start : start + _BATCH]
        ids = [str(start + n) for n in range(len(part))]
        collection.add(ids=ids, embeddings=part)
    found: dict[int, set[int]] = {}

    def ask(number: int) -> None:
        answer = collection.query(query_embeddings=queries[number], n_results=_TOP)
        found[number] = {int(one) for one in answer["ids"][0]}

    figures = percentiles(ask, range(min(_ROUNDS, len(queries))))
    hits = [
        len(rows & set(np.argsort(-(vectors @ queries[number]))[:_TOP].tolist())) / _TOP
        for number, rows in found.items()
    ]
    return figures, float(np.mean(hits))
