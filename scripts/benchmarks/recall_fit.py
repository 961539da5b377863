"""Weights fitted as a listwise softmax over the candidates of each question.

Convex, with some twenty unknowns, so that Newton's method needs a few steps and no
other library than numpy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from apx.memory.recall import search as search_module
from scripts.benchmarks.recall_engine import Ours
from scripts.benchmarks.recall_metrics import mean_measures, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from scripts.benchmarks.recall_data import Corpus, Item
    from scripts.benchmarks.recall_engine import Embedded

    Floats = npt.NDArray[np.float64]

# The search finds its rankers by these names, and gets another for a moment.
searching: Any = search_module

# How strongly weights are held near the present ones, in standard deviations of their
# features; these come from other data too, which is why it is not zero.
RIDGE = 0.05
# Questions with several pieces of evidence are harder, and count twice.
SEVERAL = 2.0
_STEPS = 25
_MANY = 100_000
_FIRST = 40


@dataclass(frozen=True, slots=True)
class Case:
    """The candidates of a question: float32 [n, features], and which are evidence."""

    item: Item
    chunks: npt.NDArray[np.int64]
    table: npt.NDArray[np.float32]
    right: npt.NDArray[np.intp]

    def found(self, weights: Floats) -> list[int]:
        """Rank the candidates by other weights; of equals the newer comes first."""
        order = np.lexsort((-self.chunks, -(self.table @ weights)))
        best: list[int] = self.chunks[order[:_FIRST]].tolist()
        return best


class _Watching:
    """Takes the place of the ranker, to see the table; gives hits in its order."""

    table: Mapping[str, Any]

    def scores(self, table: Mapping[str, Any]) -> npt.NDArray[np.float32]:
        self.table = table
        return -np.arange(len(next(iter(table.values()))), dtype=np.float32)

    def parts(
        self, table: Mapping[str, Any], rows: npt.NDArray[np.intp]
    ) -> list[list[float]]:
        del table
        return [[]] * len(rows)


def present(*, with_vectors: bool) -> dict[str, float]:
    """Give the weights of today."""
    ranker = searching.NEURAL if with_vectors else searching.LEXICAL
    return dict(ranker.weights)


def cases(store: Ours, items: Sequence[Item], names: Sequence[str]) -> list[Case]:
    """Collect the tables that the search makes of each question."""
    watching = _Watching()
    rankers = searching.LEXICAL, searching.NEURAL
    searching.LEXICAL = searching.NEURAL = watching
    try:
        found = [_case(store, item, names, watching) for item in items]
    finally:
        searching.LEXICAL, searching.NEURAL = rankers
    return [one for one in found if one is not None]


def _case(
    store: Ours, item: Item, names: Sequence[str], watching: _Watching
) -> Case | None:
    asked = store.asked(item, _MANY)
    if asked is None:
        return None
    hits = searching.search([store.shelf], asked).hits
    if not hits:
        return None
    chunks = np.array([hit.chunk for hit in hits])
    table = np.column_stack([watching.table[name] for name in names])
    right = np.flatnonzero(np.isin(chunks, item.evidence))
    return Case(item, chunks, table.astype(np.float32), right)


def fitted(
    some: Sequence[Case], start: Floats, held: npt.NDArray[np.bool_], ridge: float
) -> Floats:
    """Give the weights that make evidence likely; those that are held stay."""
    useful = [case for case in some if len(case.right)]
    spread = np.std(np.concatenate([case.table for case in useful]), axis=0)
    pull = 2 * ridge * np.maximum(spread.astype(np.float64), 1e-6) ** 2
    weights, free = start.copy(), np.flatnonzero(~held)
    for _ in range(_STEPS):
        gradient, curve = _slopes(useful, weights)
        gradient += pull * (weights - start)
        curve[np.diag_indices_from(curve)] += pull
        step = np.linalg.solve(curve[np.ix_(free, free)], gradient[free])
        # Far from the end a whole step may overshoot.
        step *= min(1.0, 3.0 / max(float(np.abs(step).max()), 1e-12))
        weights[free] -= step
        if float(np.abs(step).max()) < 1e-4:  # noqa: PLR2004 -- weights have one decimal
            break
    return weights


def _slopes(some: Sequence[Case], weights: Floats) -> tuple[Floats, Floats]:
    """Give the gradient of the loss and its second derivatives."""
    gradient = np.zeros(len(weights))
    curve = np.zeros((len(weights), len(weights)))
    total = 0.0
    for case in some:
        counts = SEVERAL if len(case.item.evidence) > 1 else 1.0
        scores = case.table @ weights
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        expected = shares @ case.table
        weighted = case.table * shares[:, None]
        gradient += counts * (expected - case.table[case.right].mean(axis=0))
        curve += counts * (weighted.T @ case.table - np.outer(expected, expected))
        total += counts
    return gradient / total, curve / total


def printed(
    corpus: Corpus, embedded: Embedded | None, held: Sequence[str], name: str
) -> None:
    """Fit halves and all; print what the halves give on each other, and all as code."""
    with_vectors = embedded is not None
    weights = present(with_vectors=with_vectors)
    names = list(weights)
    start = np.array(list(weights.values()))
    kept = np.isin(names, list(held))
    own, pooled = _collected(corpus, embedded, names)
    halves = [
        [c for c in own + pooled if c.item.conversation % 2 == half] for half in (0, 1)
    ]
    by_half = [fitted(some, start, kept, RIDGE) for some in halves]
    everything = fitted(own + pooled, start, kept, RIDGE)
    print(f"\nfitted, {name}: R@5 R@10 MRR nDCG own | pooled")
    crossed = [by_half[1], by_half[0]]
    for title, pair in (
        ("weights of today", [start, start]),
        ("fitted on one half, tested on the other", crossed),
        ("fitted on all, tested on all", [everything, everything]),
    ):
        figures = " | ".join(_figures(some, pair) for some in (own, pooled))
        print(f"{title:42}{figures}")
        for half in (0, 1):
            some = [
                [c for c in s if c.item.conversation % 2 == half] for s in (own, pooled)
            ]
            print(f"  half {half + 1:<35}{' | '.join(_figures(s, pair) for s in some)}")
    print(f"{'':10}today   half 1  half 2     all")
    for place, feature in enumerate(names):
        row = "".join(f"{w[place]:8.1f}" for w in (start, *by_half, everything))
        print(f"{feature:10}{row}{'   held' if kept[place] else ''}")
    print(as_code("NEURAL" if with_vectors else "LEXICAL", names, everything))


def as_code(name: str, names: Sequence[str], weights: Floats) -> str:
    """Write weights as they stand in ranker.py."""
    lines = [
        f'        "{feature}": {weight:.1f},'
        for feature, weight in zip(names, weights, strict=True)
    ]
    return "\n".join([f"{name}: Final = Ranker(", "    {", *lines, "    }", ")"])


def _collected(
    corpus: Corpus, embedded: Embedded | None, names: Sequence[str]
) -> tuple[list[Case], list[Case]]:
    own = []
    for number in sorted({item.conversation for item in corpus.items}):
        store = Ours.of(corpus.rows_of(number), embedded)
        items = [item for item in corpus.items if item.conversation == number]
        own += cases(store, items, names)
    return own, cases(Ours.of(corpus.rows, embedded), corpus.items, names)


def _figures(some: Sequence[Case], weights: Sequence[Floats]) -> str:
    """Rank each case by the weights for its half."""
    found = [case.found(weights[case.item.conversation % 2]) for case in some]
    means = mean_measures([case.item for case in some], found)
    return "".join(map(percent, means))
