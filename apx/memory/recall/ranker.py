"""Owns the one formula that orders candidates: a weighted sum of features.

Fitted by `scripts/bench recall --fit` as a listwise softmax over the candidates of
each question; what the benchmark prints beside is of conversations left out of the fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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

    def parts(
        self, table: Mapping[str, Floats], rows: npt.NDArray[np.intp]
    ) -> list[list[float]]:
        """Give what each group of features adds to candidates, see `reasons`."""
        every = np.zeros((len(rows), len(_GROUPS)), np.float32)
        for number, names in enumerate(_GROUPS.values()):
            for name in names:
                every[:, number] += self.weights.get(name, 0) * table[name][rows]
        return every.tolist()


def reasons(parts: Sequence[float]) -> str:
    """Say what speaks for a candidate: `lexical 3.1, vector 0.62, thread 0.4`."""
    told = zip(_GROUPS, parts, strict=True)
    return ", ".join(f"{group} {part:.2g}" for group, part in told if part)


LEXICAL: Final = Ranker(
    {
        "single": 4.9,
        "w2": 5.0,
        "p2": -1.3,
        "p4": 2.3,
        "block": 3.5,
        "answers": 3.1,
        "dated": 4.1,
        "question": -1.5,
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
        "question": -1.5,
        "length": -0.3,
        "speaker": 1.5,
        "person": 3.5,
        "note": 1.0,
        "turn": 1.0,
        "around": 10.0,
    }
)
