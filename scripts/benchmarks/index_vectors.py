"""Owns vectors that lie in space as those of embedding models do.

A common mean of length 0.6; around it a centre for each topic and for each of twelve
subjects in it; around those what each text says, in 96 directions of falling spread;
and noise in all directions. All are of length 1. Measured on 2,760 of them at 384
dims: effective dimension 50, local dimension 21 (maximum likelihood, 20 neighbours);
those of E5 small and of USE for as many messages of LoCoMo: 57 and 76, 20 and 20.
Questions are the vector of their chunk with half as much more of the noise of a text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import index_corpus as corpus
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

_SUBJECTS: Final = 12
_DIRECTIONS: Final = 96
_SHIFT, _TOPIC, _SUBJECT, _TEXT, _NOISE = 0.6, 0.35, 0.4, 0.5, 0.12
_ASKED: Final = np.float32(1.5)


@dataclass(frozen=True, slots=True)
class Model:
    """The mean, the topics, the subjects in them, and the main directions."""

    dims: int
    mean: Floats
    topics: Floats
    subjects: Floats
    directions: Floats

    @classmethod
    def of(cls, dims: int) -> Model:
        """Make the model of so many numbers a vector."""
        chance = np.random.default_rng((13, dims))
        fall = 1 / np.arange(1, _DIRECTIONS + 1, dtype=np.float32) ** 0.3
        basis = _unit(_normal(chance, _DIRECTIONS, dims))
        directions = basis * (fall / np.linalg.norm(fall))[:, None]
        subjects = _normal(chance, corpus.TOPICS * _SUBJECTS, _DIRECTIONS) @ directions
        return cls(
            dims,
            _SHIFT * _unit(_normal(chance, 1, dims)),
            _TOPIC * _unit(_normal(chance, corpus.TOPICS, _DIRECTIONS) @ directions),
            _SUBJECT * _unit(subjects),
            directions,
        )

    def block(self, number: int) -> Floats:
        """Give the vectors of a block of the corpus: float32 [n, dims]."""
        chance = np.random.default_rng((17, number, self.dims))
        topics = corpus.topics(number)
        subjects = topics * _SUBJECTS + chance.integers(_SUBJECTS, size=len(topics))
        centres = self.mean + self.topics[topics] + self.subjects[subjects]
        return _unit(centres + self._texts(chance, len(topics)))

    def questions(self, places: Sequence[int]) -> Floats:
        """Give the vectors of questions about chunks: float32 [n, dims]."""
        chance = np.random.default_rng((19, self.dims))
        blocks = [divmod(place, corpus.BLOCK) for place in places]
        about = np.array([self.block(block)[row] for block, row in blocks])
        return _unit(about + _ASKED * self._texts(chance, len(about)))

    def _texts(self, chance: np.random.Generator, many: int) -> Floats:
        said = _normal(chance, many, _DIRECTIONS) @ self.directions
        noise = _normal(chance, many, self.dims) / np.float32(self.dims**0.5)
        texts: Floats = np.float32(_TEXT) * said + np.float32(_NOISE) * noise
        return texts


def _normal(chance: np.random.Generator, rows: int, columns: int) -> Floats:
    return chance.standard_normal((rows, columns), np.float32)


def _unit(vectors: Floats) -> Floats:
    unit: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit.astype(np.float32)
