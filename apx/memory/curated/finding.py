"""Owns how words and vectors together find curated memories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from apx.domain.curated import Fact
    from apx.memory.curated.ranking import Scored
    from apx.memory.recall.search import Meaning

# What a standard deviation of likeness counts, where the best by words counts 1.
_LIKE: Final = 0.1


@dataclass(frozen=True, slots=True)
class Hit:
    """A fact that fits a question, how well, and by what."""

    fact: Fact
    score: float
    why: str


@dataclass(frozen=True, slots=True)
class Likeness:
    """How like a question facts are: cosines by id, in the space of its meaning."""

    cosines: Mapping[str, float]
    meaning: Meaning | None = None

    def near(self, names: Mapping[str, Fact]) -> set[str]:
        """Name those that are more like it than any of so many unrelated texts is."""
        if self.meaning is None:
            return set()
        floor = self.meaning.usual.floor(len(names))
        return {name for name in names if self.cosines.get(name, -1.0) >= floor}

    def deviations(self, name: str) -> float:
        """Say how far one is from unrelated texts, in their spread; 0 if unknown."""
        if self.meaning is None or name not in self.cosines:
            return 0.0
        usual = self.meaning.usual
        return (self.cosines[name] - usual.mean) / max(usual.spread, 1e-6)


def fused(
    seen: Mapping[str, Fact], scored: Sequence[Scored], likeness: Likeness
) -> list[Hit]:
    """Give what words or likeness alone are enough for, the best by both first."""
    best = max((one.score for one in scored), default=0.0) or 1.0
    words = {one.fact.id: one.score / best for one in scored}
    good = {one.fact.id for one in scored if one.is_good}
    near = likeness.near(seen)
    hits = [
        Hit(
            seen[name],
            words.get(name, 0.0) + _LIKE * likeness.deviations(name),
            ", ".join(
                why
                for why, is_so in (("words", name in good), ("meaning", name in near))
                if is_so
            ),
        )
        for name in (good | near) & seen.keys()
    ]
    return sorted(hits, key=lambda one: (-one.score, one.fact.id))
