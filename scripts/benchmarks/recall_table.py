"""The table of all ways to find, in their own conversation and in all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scripts.benchmarks import recall_rivals as rivals
from scripts.benchmarks.recall_data import CATEGORIES
from scripts.benchmarks.recall_embed import embedded, hashing, installed
from scripts.benchmarks.recall_engine import in_all, in_own, ours
from scripts.benchmarks.recall_metrics import (
    MEASURES,
    Outcome,
    mean_measures,
    number,
    percent,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scripts.benchmarks.recall_data import Corpus, Item
    from scripts.benchmarks.recall_embed import Vectors
    from scripts.benchmarks.recall_engine import Build, Embedded

TARGETS = """\
targets: without a model pooled R@5 68.0, R@10 76.0; with the local one 71.0, 79.0;
multi-hop questions, own R@5 45.0"""
_NAME = 26


@dataclass(frozen=True, slots=True)
class Method:
    """A way to find, under the name that the table gives it."""

    name: str
    build: Build
    query_ms: float = math.nan


@dataclass(frozen=True, slots=True)
class Row:
    """What a method found in its own conversation, and in all of them."""

    method: Method
    own: Outcome
    pooled: Outcome

    def as_json(self, items: Sequence[Item]) -> dict[str, Any]:
        """Give all figures of the row for machines."""
        middle, slow = self.pooled.percentiles()
        embedding = self.method.query_ms
        figures: dict[str, Any] = {
            "method": self.method.name,
            "query_ms_p50": middle,
            "query_ms_p99": slow,
            "embedding_ms_p50": None if math.isnan(embedding) else embedding,
        }
        for scope, outcome in (("own", self.own), ("pooled", self.pooled)):
            for category, name in {0: "all", **CATEGORIES}.items():
                means = mean_measures(items, outcome.found, category)
                if not math.isnan(means[0]):  # of a few questions none may be such
                    figures[f"{scope} {name}"] = dict(zip(MEASURES, means, strict=True))
        return figures


def measured(corpus: Corpus, methods: Sequence[Method]) -> list[Row]:
    """Ask every question of every method, one method after the other."""
    return [
        Row(one, in_own(corpus, one.build), in_all(corpus, one.build))
        for one in methods
    ]


def our_methods(corpus: Corpus, models: Sequence[str]) -> Iterator[Method]:
    """Give the plain fallback and ours, without a model and with each of these."""
    yield Method("plain tf, 256 words", rivals.plain)
    tf = hashing(corpus.rows)
    known = embedded(tf, corpus)
    yield Method("tf vectors alone", rivals.exact(known), _middle(tf))
    yield Method("apx, no model", ours())
    yield Method("apx, tf vectors", ours(known), _middle(tf))
    for name, vectors, found in with_models(corpus, models):
        yield Method(f"apx, {name}", ours(found), _middle(vectors))


def rival_methods(corpus: Corpus) -> Iterator[Method]:
    """Give what others do; with the vectors of the local model where it is there."""
    yield Method("FTS5", rivals.full_text(with_speaker=False))
    yield Method("FTS5, speaker in the text", rivals.full_text(with_speaker=True))
    for _, vectors, found in with_models(corpus, ["local"]):
        ms = _middle(vectors)
        yield Method("numpy, local vectors", rivals.exact(found), ms)
        if rivals.has_sqlite_vec():
            yield Method("sqlite-vec, local vectors", rivals.sqlite_vec(found), ms)
        if rivals.has_chromadb():
            yield Method("chromadb, local vectors", rivals.chroma(found), ms)


def with_models(
    corpus: Corpus, models: Sequence[str]
) -> Iterator[tuple[str, Vectors, Embedded]]:
    """Give the vectors of each model that is installed."""
    for name in models:
        vectors = installed(name)
        if vectors is not None:
            yield name, vectors, embedded(vectors, corpus)


def _middle(vectors: Vectors) -> float:
    return float(np.median(vectors.query_ms))


def printed(rows: Sequence[Row], items: Sequence[Item]) -> None:
    """Print the tables: all questions, then R@5 by category."""
    heads = "".join(f"{name:>6}" for name in MEASURES)
    print(f"{'':{_NAME}}{'own conversation':>24}  {'all in one store':>24}   CPU ms")
    print(f"{'':{_NAME}}{heads}  {heads}{'p50':>7}{'p99':>7}{'+ embed':>9}")
    for row in rows:
        own = "".join(map(percent, mean_measures(items, row.own.found)))
        pooled = "".join(map(percent, mean_measures(items, row.pooled.found)))
        times = "".join(map(number, row.pooled.percentiles()))
        name = row.method.name
        print(f"{name:{_NAME}}{own}  {pooled}{times}{number(row.method.query_ms, 9)}")
    print(TARGETS)
    counts = {
        name: sum(i.category == c for i in items) for c, name in CATEGORIES.items()
    }
    titles = "".join(f"{name:>11}" for name in CATEGORIES.values())
    print(f"\n{'R@5 by category':{_NAME}}{titles}  {titles}")
    many = "".join(f"{counts[name]:>11}" for name in CATEGORIES.values())
    print(f"{'questions':{_NAME}}{many}  {many}")
    for row in rows:
        own, pooled = (
            "".join(
                percent(mean_measures(items, outcome.found, category)[0], 11)
                for category in CATEGORIES
            )
            for outcome in (row.own, row.pooled)
        )
        print(f"{row.method.name:{_NAME}}{own}  {pooled}")
