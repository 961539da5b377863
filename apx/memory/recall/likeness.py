"""Owns how near in meaning candidates are to a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from apx.memory.recall import vectors as neural
from apx.memory.recall.around import REACH
from apx.memory.recall.lookup import distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from apx.memory.recall.vectors import VectorPart

    Floats = npt.NDArray[np.float32]
    Ints = npt.NDArray[np.int32]

# A neighbourhood's vector: what was said counts twice, the next less and less.
_AWAY: Final = (0, -1, 1, -2, 2)
_SHARES: Final = np.array([2, 1, 1, 0.5, 0.5], np.float32)
_IN_CACHE: Final = 128
# Fitted together with the other weights, which are of this size.
_SCALE: Final = np.float32(0.1)


@dataclass(frozen=True, slots=True)
class Likeness:
    """Of each candidate: its cosine, and it and its neighbourhood's in deviations.

    A deviation is what a cosine is above that of the usual document, in standard
    deviations: embedders differ in where their cosines lie.
    """

    cosine: Floats
    turn: Floats
    around: Floats


def no_likeness(many: int) -> Likeness:
    """Give what is known without vectors."""
    nothing = np.zeros(many, np.float32)
    return Likeness(nothing, nothing, nothing)


def likeness(near: Ints, parts: Sequence[VectorPart], query: Floats) -> Likeness:
    """Compare a question's vector with those of candidates and their neighbours."""
    used = near[[REACH + step for step in _AWAY]]
    every = distinct(used)
    every = every[np.searchsorted(every, 0) :]
    # A last row of nothing, for neighbours that are not there.
    vectors = np.zeros((len(every) + 1, len(query)), np.float32)
    vectors[:-1] = neural.lookup(parts, every, len(query))
    places = np.where(used < 0, len(every), np.searchsorted(every, used))
    cosines = (vectors @ query)[places]
    lengths = _lengths(vectors, places)
    around = _SHARES @ cosines
    around /= np.maximum(lengths, np.float32(1e-6))
    cosine = cosines[0]
    usual = _usual(parts, query)
    return Likeness(
        cosine=cosine,
        turn=np.where(cosine != 0, usual.deviations(cosine), 0).astype(np.float32),
        around=np.where(around != 0, usual.deviations(around), 0).astype(np.float32),
    )


def imputed(found: Likeness, share: Floats) -> Likeness:
    """Give candidates that have no vector yet the benefit of the doubt.

    They count as alike as the best of those that have one, in the measure of the
    question's words that they hold: what was said a moment ago is not outranked only
    for being new.
    """
    has = found.cosine != 0
    if has.all() or not has.any():
        return found
    doubt = share / max(float(share.max()), 1e-6)
    turn = np.where(has, found.turn, doubt * found.turn[has].max())
    around = np.where(has, found.around, doubt * found.around[has].max())
    return Likeness(
        cosine=found.cosine,
        turn=turn.astype(np.float32),
        around=np.maximum(around, found.around).astype(np.float32),
    )


def _lengths(vectors: Floats, places: npt.NDArray[np.intp]) -> Floats:
    """Give the length of each neighbourhood's vector; a piece stays in the cache."""
    lengths = np.empty(places.shape[1], np.float32)
    for start in range(0, len(lengths), _IN_CACHE):
        piece = slice(start, start + _IN_CACHE)
        sums = _SHARES[0] * vectors.take(places[0, piece], axis=0)
        for share, rows in zip(_SHARES[1:], places[1:, piece], strict=True):
            sums += share * vectors.take(rows, axis=0)
        lengths[piece] = np.sqrt(np.einsum("ij,ij->i", sums, sums))
    return lengths


@dataclass(frozen=True, slots=True)
class _Usual:
    mean: float
    spread: float

    def deviations(self, cosines: Floats) -> Floats:
        return (cosines - np.float32(self.mean)) / np.float32(self.spread) * _SCALE


def _usual(parts: Sequence[VectorPart], query: Floats) -> _Usual:
    """Estimate how cosines lie from a sample of the vectors, the same every time."""
    cosines = [part.sample @ query for part in parts]
    if not cosines:
        return _Usual(0.0, 1.0)
    sizes = [part.size for part in parts]
    means = [float(each.mean()) for each in cosines]
    mean = float(np.average(means, weights=sizes))
    squares = [float(((each - mean) ** 2).mean()) for each in cosines]
    return _Usual(mean, max(float(np.average(squares, weights=sizes)) ** 0.5, 1e-3))
