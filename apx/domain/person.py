"""Who speaks, and who may see what was said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

OWNER: Final = "owner"


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may see a memory: `private:<person>`, `room:<thread>` or `shared`."""

    key: str

    def __str__(self) -> str:
        return self.key

    @classmethod
    def private(cls, person: str) -> Audience:
        """Only this person."""
        return cls(f"private:{person}")


OWNERS_OWN: Final = Audience.private(OWNER)
