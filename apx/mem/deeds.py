"""What is asked of the store when something is to be written, what came of it."""

from __future__ import annotations

from apx.mem.faults import wrong
from apx.mem.ids import new
from apx.mem.memory import ACTIVE, CONFIDENCE, TYPES, Memory

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

    from apx.mem.memory import Type, Value

ADDED: Final = "added"
UPDATED: Final = "updated"
MERGED: Final = "merged"
SHELVED: Final = "archived"
RESTORED: Final = "restored"
ACCEPTED: Final = "accepted"
REJECTED: Final = "rejected"
PROMOTED: Final = "promoted"
NO_OP: Final = "no-op"
NO_CHANGE: Final = "no-change"


class Draft:
    """A memory to add: at least `type` and `title`, each field as it was checked.

    `raw` is the frontmatter of the file that it is from.
    """

    __slots__ = ("body", "fields", "raw")

    def __init__(
        self, fields: Mapping[str, Value], body: bytes = b"", raw: bytes = b""
    ) -> None:
        self.fields = fields
        self.body = body
        self.raw = raw

    @property
    def type(self) -> Type:
        """What kind of fact it is."""
        name = self.fields.get("type")
        if name not in TYPES:
            raise wrong("a memory has a type", f"one of: {', '.join(TYPES)}")
        return TYPES[str(name)]

    @property
    def title(self) -> str:
        """The fact in one line."""
        title = str(self.fields.get("title", ""))
        if not title:
            raise wrong("a memory has a title", "say the fact in one line")
        return title

    def memory(self, today: str) -> Memory:
        """Give the memory that it becomes, but for its id."""
        type, day = self.type, str(self.fields.get("created") or today)
        fields: dict[str, Value | None] = {
            "status": ACTIVE,
            "priority": type.priority,
            "confidence": CONFIDENCE,
            "version": 1,
            "created": today,
            "updated": today,
            **self.fields,
            "id": new(type, day, self.title, lambda _: False),
            "type": type.name,
        }
        return Memory({}, self.body, self.raw).changed(**bare(fields))


class Done:
    """What a write did: to which memory, which version that has now, in words."""

    __slots__ = ("id", "outcome", "said", "version")

    def __init__(self, memory: Memory, outcome: str, said: str) -> None:
        self.id = memory.id
        self.outcome = outcome
        self.version = memory.version
        self.said = said

    def __repr__(self) -> str:
        return f"Done({self.id}, {self.outcome}, v{self.version})"


def bare(fields: Mapping[str, Value | None]) -> dict[str, Value | None]:
    """Give fields as a file has them: what is empty is not there."""
    return {key: None if value in ("", ()) else value for key, value in fields.items()}
