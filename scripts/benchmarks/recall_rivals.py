"""What others do, over the same chunks: plain vectors, FTS5, vector stores."""

from __future__ import annotations

import importlib
import re
import sqlite3
from importlib import util
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from apx.domain.small_words import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    from apx.domain.chunk import Stored
    from scripts.benchmarks.recall_data import Item
    from scripts.benchmarks.recall_engine import Build, Embedded, Find

    Floats = npt.NDArray[np.float32]

FIRST = 40
PLAIN_DIMS = 256
INSTALL = {
    "sqlite-vec": "pip install sqlite-vec apsw",
    "chromadb": "pip install chromadb",
}
_WORD = re.compile(r"[a-z0-9]+")


def plain_tf(texts: Iterable[str]) -> Floats:
    """Count ASCII words in 256 places and divide by the length: a common fallback."""
    rows = []
    for text in texts:
        row = np.zeros(PLAIN_DIMS, np.float32)
        for word in _WORD.findall(text.lower()):
            row[crc32(word.encode()) % PLAIN_DIMS] += 1
        rows.append(row / max(float(np.linalg.norm(row)), 1e-9))
    return np.array(rows, np.float32)


def plain(rows: Sequence[Stored]) -> Find:
    """Find by those counts, the question's counted when it is asked."""
    vectors = plain_tf(row.chunk.text for row in rows)
    ids = np.array([row.id for row in rows])
    return lambda item: _nearest(vectors, plain_tf([item.text])[0], ids)


def exact(embedded: Embedded) -> Build:
    """Find by vectors alone: a matrix times a vector, in numpy."""

    def build(rows: Sequence[Stored]) -> Find:
        ids = np.array([row.id for row in rows])
        vectors = embedded.documents[ids - 1]
        return lambda item: _nearest(vectors, embedded.queries[item.number], ids)

    return build


def _nearest(vectors: Floats, query: Floats, ids: npt.NDArray[np.int64]) -> list[int]:
    scores = vectors @ query
    few = np.argpartition(-scores, min(FIRST, len(scores) - 1))[:FIRST]
    best: list[int] = ids[few[np.argsort(-scores[few])]].tolist()
    return best


def full_text(*, with_speaker: bool) -> Build:
    """Find by FTS5 alone: porter stems, the small words left out of the question."""

    def build(rows: Sequence[Stored]) -> Find:
        database = sqlite3.connect(":memory:")
        database.execute(
            "create virtual table said using fts5 (text, tokenize='porter unicode61')"
        )
        database.executemany(
            "insert into said (rowid, text) values (?, ?)",
            [(row.id, _said(row, with_speaker=with_speaker)) for row in rows],
        )
        return lambda item: _matching(database, item.text)

    return build


def _said(row: Stored, *, with_speaker: bool) -> str:
    chunk = row.chunk
    return f"{chunk.speaker}: {chunk.text}" if with_speaker else chunk.text


def _matching(database: sqlite3.Connection, text: str) -> list[int]:
    words = [w for w in re.findall(r"\w+", text.lower()) if w not in STOP_WORDS]
    if not words:
        return []
    match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
    rows = database.execute(
        "select rowid from said where said match ? order by rank limit ?",
        (match, FIRST),
    )
    return [int(row[0]) for row in rows]


def has_sqlite_vec() -> bool:
    """Whether sqlite-vec is there, and an SQLite that loads extensions."""
    return bool(util.find_spec("sqlite_vec") and util.find_spec("apsw"))


def sqlite_vec(embedded: Embedded) -> Build:
    """Find by vectors alone, in sqlite-vec through apsw."""
    apsw: Any = importlib.import_module("apsw")
    path = importlib.import_module("sqlite_vec").loadable_path()

    def build(rows: Sequence[Stored]) -> Find:
        database = apsw.Connection(":memory:")
        database.enable_load_extension(True)
        database.load_extension(path)
        dims = embedded.documents.shape[1]
        database.execute(
            "create virtual table said using vec0"
            f" (v float[{dims}] distance_metric=cosine)"
        )
        with database:
            database.executemany(
                "insert into said (rowid, v) values (?, ?)",
                [(row.id, embedded.documents[row.id - 1].tobytes()) for row in rows],
            )
        statement = "select rowid from said where v match ? and k = ? order by distance"

        def find(item: Item) -> list[int]:
            vector = embedded.queries[item.number].tobytes()
            return [int(row[0]) for row in database.execute(statement, (vector, FIRST))]

        return find

    return build


def has_chromadb() -> bool:
    """Whether chromadb is there."""
    return util.find_spec("chromadb") is not None


def chroma(embedded: Embedded) -> Build:
    """Find by vectors alone, in chromadb (HNSW), in memory."""
    chromadb: Any = importlib.import_module("chromadb")
    settings = chromadb.config.Settings(anonymized_telemetry=False)
    client = chromadb.EphemeralClient(settings)
    made = iter(range(10**6))

    def build(rows: Sequence[Stored]) -> Find:
        said = client.create_collection(
            f"said-{next(made)}", metadata={"hnsw:space": "cosine"}
        )
        for at in range(0, len(rows), 1000):
            ids = [row.id for row in rows[at : at + 1000]]
            vectors = embedded.documents[np.array(ids) - 1]
            said.add(ids=[str(one) for one in ids], embeddings=vectors)

        def find(item: Item) -> list[int]:
            found = said.query(
                query_embeddings=embedded.queries[item.number][None, :],
                n_results=min(FIRST, len(rows)),
                include=[],
            )
            return [int(one) for one in found["ids"][0]]

        return find

    return build


def missing() -> list[str]:
    """Say which rivals are not installed, and how they come to be measured too."""
    there = {"sqlite-vec": has_sqlite_vec(), "chromadb": has_chromadb()}
    return [
        f"{name}: not installed, left out ({INSTALL[name]})"
        for name, is_there in there.items()
        if not is_there
    ]
