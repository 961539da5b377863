"""Owns the division of many vectors into lists of near ones (inverted lists)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from apx.memory.recall.codes import Codes, Floats, Rows

# Two lists for the square root of what there is, by shared measurements.
_LISTS: Final = 2
_SAMPLE: Final = 20  # vectors that a list is learnt from
_ROUNDS: Final = 6
_LONGEST: Final = 8  # times the middle length of a list
_AT_ONCE: Final = 1 << 13


@dataclass(frozen=True, slots=True)
class Clusters:
    """`centres` float32 [lists, dims]; `starts` int64 [lists + 1] of rows."""

    centres: Floats
    starts: npt.NDArray[np.int64]

    def rows(self, query: Floats, probes: int) -> Rows:
        """Give the rows of the lists that are nearest to a query, ascending.

        Of a list that is far longer than most, the newest: it holds one text many
        times.
        """
        nearness = self.centres @ query
        probes = min(probes, len(nearness))
        nearest = np.sort(np.argpartition(-nearness, probes - 1)[:probes])
        ends = self.starts[nearest + 1]
        longest = _LONGEST * int(self.starts[-1]) // len(nearness)
        lengths = np.minimum(ends - self.starts[nearest], longest)
        # One run of numbers, moved to where each list ends.
        reached = np.cumsum(lengths)
        rows: Rows = np.arange(reached[-1]) + np.repeat(ends - reached, lengths)
        return rows


def cluster(codes: Codes, seed: int = 0) -> tuple[Clusters, Rows]:
    """Divide vectors into lists; gives them, and the rows in the lists' order.

    Spherical k-means on a sample, then every vector to its nearest centre.
    """
    many = max(1, int(_LISTS * codes.size**0.5))
    chance = np.random.default_rng(seed)
    sample = chance.choice(codes.size, min(codes.size, many * _SAMPLE), replace=False)
    sample.sort()
    vectors = codes.take(sample).vectors()
    centres = _unit(vectors[chance.choice(len(vectors), many, replace=False)])
    for _ in range(_ROUNDS):
        centres = _moved(centres, vectors, _nearest_of(vectors, centres))
    lists = _nearest(codes, centres)
    order = np.argsort(lists, kind="stable")
    starts = np.searchsorted(lists[order], np.arange(many + 1))
    return Clusters(centres, starts.astype(np.int64)), order


def _nearest(codes: Codes, centres: Floats) -> npt.NDArray[np.int32]:
    found = np.empty(codes.size, np.int32)
    for start in range(0, codes.size, _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        piece = codes.rows[part].astype(np.float32)
        found[part] = np.argmax(piece @ centres.T, axis=1)
    return found


def _nearest_of(vectors: Floats, centres: Floats) -> npt.NDArray[np.int32]:
    found = np.empty(len(vectors), np.int32)
    for start in range(0, len(vectors), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        found[part] = np.argmax(vectors[part] @ centres.T, axis=1)
    return found


def _moved(centres: Floats, vectors: Floats, lists: npt.NDArray[np.int32]) -> Floats:
    """Move each centre to the middle of its vectors; one without any stays."""
    order = np.argsort(lists, kind="stable")
    used, firsts = np.unique(lists[order], return_index=True)
    sums = np.add.reduceat(vectors[order], firsts, axis=0)
    moved = centres.copy()
    moved[used] = _unit(sums)
    return moved


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Floats = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return unit
