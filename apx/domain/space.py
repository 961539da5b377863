"""The vectors of one embedder, apart from those of all others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence


# In a small store one unrelated text in so many may pass.
_FEW: Final = 20


class SpaceState(StrEnum):
    """Whether queries use a space."""

    FILLING = "filling"
    SERVING = "serving"


@dataclass(frozen=True, slots=True)
class Usual:
    """How the cosines of texts lie that have nothing to do with each other."""

    mean: float
    spread: float

    def floor(self, size: int) -> float:
        """Give the cosine that among `size` unrelated texts hardly one exceeds.

        The highest of n normal values lies near sqrt(2 ln n) standard deviations.
        """
        return self.mean + self.spread * math.sqrt(2 * math.log(max(size, _FEW)))


@dataclass(frozen=True, slots=True)
class Space:
    """The vectors of one embedder.

    The chunks with ids from `low` to `high` were embedded, or refused.
    """

    id: int
    identity: str
    state: SpaceState
    usual: Usual
    low: int
    high: int

    @property
    def is_serving(self) -> bool:
        """Whether queries use it."""
        return self.state is SpaceState.SERVING


@dataclass(frozen=True, slots=True)
class Wanted:
    """A chunk that a space comes to; one that broke off may have left its vector."""

    chunk: int
    audience: str
    speaker: str
    text: str
    is_lacking: bool


@dataclass(frozen=True, slots=True)
class Filled:
    """A stored vector; `data` is a float32 scale and a signed byte a number."""

    id: int
    chunk: int
    audience: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Filling:
    """What one step brought a space: vectors, refusals, and how far it reaches."""

    vectors: Sequence[tuple[int, str, bytes]]  # chunk, audience, data
    refused: Sequence[tuple[int, str]]  # chunk, reason
    low: int
    high: int
