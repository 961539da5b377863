"""Owns how near in meaning candidates are to a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from apx.memory.recall import vectors as neural
from apx.memory.recall.around import REACH

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from apx.memory.recall.vectors import VectorPart

    Floats = npt.NDArray[np.float32]
    Ints = npt.NDArray[np.int32]

# A neighbourhood's vector: what was said counts twice, the next less and less.
_SHARES: Final = ((0, 2.0), (-1, 1.0), (1, 1.0), (-2, 0.5), (2, 0.5))
_SAMPLE: Final = 400
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
    every = np.unique(near)
    every = every[every >= 0]
    vectors = np.zeros((len(every) + 1, len(query)), np.float32)
    vectors[:-1] = neural.lookup(parts, every, len(query))
    places = np.where(near < 0, len(every), np.searchsorted(every, near))
    own = vectors[places[REACH]]
    cosine = own @ query
    sums = sum(np.float32(share) * vectors[places[REACH + o]] for o, share in _SHARES)
    lengths = np.linalg.norm(sums, axis=1)
    around = (sums @ query) / np.maximum(lengths, np.float32(1e-6))
    has_own = cosine != 0
    usual = _usual(parts, query)
    return Likeness(
        cosine=cosine,
        turn=np.where(has_own, usual.deviations(cosine), 0).astype(np.float32),
        around=np.where(around != 0, usual.deviations(around), 0).astype(np.float32),
    )


@dataclass(frozen=True, slots=True)
class _Usual:
    mean: float
    spread: float

    def deviations(self, cosines: Floats) -> Floats:
        return (cosines - np.float32(self.mean)) / np.float32(self.spread) * _SCALE


def _usual(parts: Sequence[VectorPart], query: Floats) -> _Usual:
    """Estimate how cosines lie from a sample of the vectors, the same every time."""
    cosines = [part.sample(_SAMPLE) @ query for part in parts]
    if not cosines:
        return _Usual(0.0, 1.0)
    sizes = [part.size for part in parts]
    means = [float(each.mean()) for each in cosines]
    mean = float(np.average(means, weights=sizes))
    squares = [float(((each - mean) ** 2).mean()) for each in cosines]
    return _Usual(mean, max(float(np.average(squares, weights=sizes)) ** 0.5, 1e-3))
