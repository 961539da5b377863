"""Owns the one formula that orders candidates: a weighted sum of features.

Fitted by `scripts/bench recall --fit` as a listwise softmax over the candidates of
each question; the figures in CONTRIBUTING.md are of conversations left out of the fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

_LEXICAL: Final = ("single", "w2", "p2", "p4")
_NEURAL: Final = ("turn", "around")
_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "lexical": _LEXICAL,
    "thread": ("block", "answers"),
    "vector": _NEURAL,
    "date": ("dated",),
    "writer": ("speaker", "person"),
    "note": ("note",),
    "form": ("question", "length"),
}


@dataclass(frozen=True, slots=True)
class Ranker:
    """What each feature weighs; one that is not named weighs nothing."""

    weights: Mapping[str, float]

    def scores(self, table: Mapping[str, Floats]) -> Floats:
        """Give the score of each candidate: float32 [n]."""
        size = len(next(iter(table.values())))
        total = np.zeros(size, np.float32)
        for name, weight in self.weights.items():
            total += np.float32(weight) * table[name]
        return total

    def reasons(
        self, table: Mapping[str, Floats], rows: npt.NDArray[np.intp]
    ) -> list[str]:
        """Say what speaks for candidates: `lexical 3.1, vector 0.62, thread 0.4`."""
        told = {}
        for group, names in _GROUPS.items():
            parts = np.zeros(len(rows), np.float32)
            for name in names:
                parts += np.float32(self.weights.get(name, 0)) * table[name][rows]
            told[group] = parts.tolist()
        return [
            ", ".join(
                f"{group} {part:.2g}"
                for group, part in zip(told, row, strict=True)
                if part
            )
            for row in zip(*told.values(), strict=True)
        ]


LEXICAL: Final = Ranker(
    {
        "single": 4.9,
        "w2": 5.0,
        "p2": -1.3,
        "p4": 2.3,
        "block": 3.5,
        "answers": 3.1,
        "dated": 4.1,
        "question": -0.6,
        "length": -0.3,
        "speaker": 1.5,
        "person": 3.5,
        "note": 1.0,
    }
)
HASHED: Final = Ranker({**LEXICAL.weights, "turn": 0.5, "around": 0.5})
NEURAL: Final = Ranker(
    {
        "single": 3.0,
        "w2": 3.8,
        "p2": -2.0,
        "p4": 1.4,
        "block": 3.1,
        "answers": 1.9,
        "dated": 3.8,
        "question": -0.8,
        "length": -0.3,
        "speaker": 1.5,
        "person": 3.5,
        "note": 1.0,
        "turn": 1.0,
        "around": 10.0,
    }
)
