"""A curated memory: typed fields about a fact, and the fact itself in Markdown."""

from __future__ import annotations

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    Value = str | int | float | tuple[str, ...]


class Type:
    """What kind of fact it is: where its files are, how its ids begin."""

    __slots__ = ("folder", "letter", "name", "priority")

    def __init__(self, name: str, folder: str, priority: int) -> None:
        self.name = name
        self.folder = folder
        self.letter = name[0]
        self.priority = priority


TYPES: Final = {
    one.name: one
    for one in (
        Type("constraint", "constraints", 80),
        Type("decision", "decisions", 70),
        Type("failure", "failures", 75),
        Type("howto", "howtos", 60),
        Type("preference", "preferences", 50),
    )
}
LETTERS: Final = {one.letter: one for one in TYPES.values()}
FOLDERS: Final = {one.folder: one for one in TYPES.values()}

ACTIVE: Final = "active"
PROPOSED: Final = "proposed"
ARCHIVED: Final = "archived"
STATES: Final = (ACTIVE, PROPOSED, ARCHIVED)

# In the order in which a file has them.
KEYS: Final = (
    "id",
    "type",
    "title",
    "scope",
    "status",
    "priority",
    "confidence",
    "version",
    "created",
    "updated",
    "verified",
    "tags",
    "abstract",
    "source",
    "supersedes",
)
TITLE: Final = 200
ABSTRACT: Final = 120
CONFIDENCE: Final = 0.7
# Below it a memory waits for a person to look at it.
FLOOR: Final = 0.5


class Memory:
    """A fact and what is known about it; make a new one instead of changing it.

    `fields` has the keys of `KEYS` that are set. `raw` is the frontmatter as it was
    read, so that what we do not know in it is kept when it is written.
    """

    __slots__ = ("body", "fields", "raw")

    def __init__(
        self, fields: dict[str, Value], body: bytes = b"", raw: bytes = b""
    ) -> None:
        self.fields = fields
        self.body = body
        self.raw = raw

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Memory) and (self.fields, self.body) == (
            other.fields,
            other.body,
        )

    __hash__ = None  # type: ignore[assignment]  # its fields are a dictionary

    def __repr__(self) -> str:
        return f"Memory({self.id})"

    def changed(self, **fields: Value | None) -> Memory:
        """Give it with other fields; None takes one away."""
        every = {**self.fields, **fields}
        kept = {key: value for key, value in every.items() if value is not None}
        return Memory(kept, self.body, self.raw)

    def saying(self, body: bytes) -> Memory:
        """Give it with another body."""
        return Memory(self.fields, body, self.raw)

    def text(self, key: str) -> str:
        """Give a field as text; empty if it is not set."""
        value = self.fields.get(key, "")
        return value if isinstance(value, str) else str(value)

    def number(self, key: str, default: float) -> float:
        """Give a field as a number."""
        value = self.fields.get(key, default)
        return value if isinstance(value, int | float) else default

    @property
    def id(self) -> str:
        """Its name for ever; the name of its file, too."""
        return self.text("id")

    @property
    def type(self) -> Type:
        """What kind of fact it is, as its id says."""
        return LETTERS[self.id[:1]]

    @property
    def path(self) -> str:
        """Where its file is, below the store."""
        return f"objects/{self.type.folder}/{self.id}.md"

    @property
    def title(self) -> str:
        """The fact in one line."""
        return self.text("title")

    @property
    def status(self) -> str:
        """`active`, `proposed` or `archived`.

        A word that is none of them, such as a slip of the pen, must not hide a rule.
        """
        status = self.text("status")
        return status if status in STATES else ACTIVE

    @property
    def tags(self) -> tuple[str, ...]:
        """The words that it is filed under."""
        value = self.fields.get("tags", ())
        return value if isinstance(value, tuple) else ()

    @property
    def priority(self) -> int:
        """How much it matters, 0 to 100."""
        return int(self.number("priority", self.type.priority))

    @property
    def confidence(self) -> float:
        """How sure it is, 0 to 1."""
        return self.number("confidence", CONFIDENCE)

    @property
    def version(self) -> int:
        """How often it was written."""
        return int(self.number("version", 1))

    @property
    def said(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")
