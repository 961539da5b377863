"""How good a ranking is, and how it is printed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scripts.benchmarks.recall_data import Item

MEASURES = ("R@5", "R@10", "MRR", "nDCG")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The ids that each question found, best first, and the CPU ms that it took."""

    found: Sequence[Sequence[int]]
    ms: Sequence[float]

    def percentiles(self) -> tuple[float, float]:
        """Give the CPU ms of the middle question, and of the slowest in a hundred."""
        if not self.ms:
            return math.nan, math.nan
        middle, slow = np.percentile(self.ms, [50, 99])
        return float(middle), float(slow)


def recall(found: Sequence[int], evidence: Sequence[int], first: int) -> float:
    """Give the share of the evidence among the first hits."""
    return len(set(found[:first]) & set(evidence)) / len(evidence)


def reciprocal(found: Sequence[int], evidence: Sequence[int]) -> float:
    """Give 1 / rank of the first hit that is evidence, 0 without one."""
    return next((1 / (n + 1) for n, one in enumerate(found) if one in evidence), 0.0)


def ndcg(found: Sequence[int], evidence: Sequence[int], first: int) -> float:
    """Give the discounted gain of the first hits, of the best that there could be."""
    gains = [1 / math.log2(place + 2) for place in range(first)]
    held = sum(g for g, one in zip(gains, found, strict=False) if one in evidence)
    return held / sum(gains[: len(evidence)])


def measures(found: Sequence[int], evidence: Sequence[int]) -> list[float]:
    """Give what `MEASURES` names, for one question."""
    return [
        recall(found, evidence, 5),
        recall(found, evidence, 10),
        reciprocal(found, evidence),
        ndcg(found, evidence, 10),
    ]


def mean_measures(
    items: Sequence[Item], found: Sequence[Sequence[int]], category: int = 0
) -> list[float]:
    """Give the mean of each measure, over all questions or those of a category."""
    rows = [
        measures(each, item.evidence)
        for item, each in zip(items, found, strict=True)
        if not category or item.category == category
    ]
    if not rows:
        return [math.nan] * len(MEASURES)
    means: list[float] = np.mean(rows, axis=0).tolist()
    return means


def percent(share: float, width: int = 6) -> str:
    """Write a share as a percentage with one decimal; nothing for no number."""
    return " " * width if math.isnan(share) else f"{100 * share:{width}.1f}"


def number(value: float, width: int = 7) -> str:
    """Write a number with two decimals; nothing for no number."""
    return " " * width if math.isnan(value) else f"{value:{width}.2f}"
