"""A curated memory that holds now, as far as recall needs it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

RULE: Final = "constraint"


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that a person keeps on purpose.

    `kind` is such as `decision`, `day` the latest on which somebody wrote or verified
    it (YYYY-MM-DD, or empty), `body` the beginning of its text. `source` says where it
    is from; one that `is_foreign` may be the words of nobody here.
    """

    id: str
    kind: str
    title: str
    abstract: str = ""
    body: str = ""
    tags: tuple[str, ...] = ()
    audience: str = ""
    priority: int = 0
    day: str = ""
    source: str = ""
    is_foreign: bool = False

    @property
    def is_rule(self) -> bool:
        """Whether it is to be kept to, whatever is asked."""
        return self.kind == RULE

    @property
    def rank(self) -> tuple[int, str, str]:
        """Give what orders facts by how much they matter, with `reverse`."""
        return self.priority, self.day, self.id
