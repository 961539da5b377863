"""What a model may pass to the tools of the curated memories."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic.json_schema import SkipJsonSchema  # noqa: TC002 -- pydantic reads it

from apx.agent.tools.typed import Arguments
from apx.mem.memory import ABSTRACT, TITLE

LONGEST: Final = 20_000
# Of a howto that nothing shows to work.
UNPROVEN: Final = 0.3
_USUAL: Final = -1
Type = Literal["constraint", "decision", "failure", "howto", "preference"]

# What a model that writes it wrong is told then, and so need not read in every prompt.
_UNTOLD: Final = ("default", "minLength", "maxLength", "minimum", "maximum")


def _bare(schema: dict[str, Any]) -> None:
    for field in schema["properties"].values():
        for name in _UNTOLD:
            field.pop(name, None)


class Brief(Arguments):
    """Arguments of which a prompt holds names and kinds, and little else."""

    model_config = ConfigDict(json_schema_extra=_bare)


def _words(given: object) -> object:
    return given.split(",") if isinstance(given, str) else given


# Vendors want to be told what a list is of, at length; both are taken.
_Tags = Annotated[
    list[str], BeforeValidator(_words), WithJsonSchema({"type": "string"})
]


class Search(Brief):
    """What to look for."""

    query: str
    type: Annotated[Type | Literal[""], WithJsonSchema({"type": "string"})] = ""
    limit: SkipJsonSchema[int] = Field(default=10, ge=1, le=50)


class Show(Brief):
    """Which one."""

    id: str = Field(min_length=1)


class Proof(Brief):
    """What a procedure has been through."""

    check: str = ""
    repeat: str = ""
    failure: str = ""
    dead_end: str = ""

    @property
    def proof(self) -> str:
        """What a procedure has been through, for its text."""
        names = ("Check", "Repeat", "Failure", "Dead end")
        said = zip(names, self._every, strict=True)
        return "\n".join(f"{name}: {text}" for name, text in said if text)

    @property
    def is_proven(self) -> bool:
        """Whether nothing of it is missing."""
        return all(self._every)

    @property
    def _every(self) -> tuple[str, ...]:
        return self.check, self.repeat, self.failure, self.dead_end


class Fields(Proof):
    """What a memory may have besides."""

    abstract: str = Field(default="", max_length=ABSTRACT)
    tags: _Tags = Field(default=[])
    priority: int = Field(default=_USUAL, ge=_USUAL, le=100)
    confidence: float = Field(default=_USUAL, ge=_USUAL, le=1)

    def given(self) -> dict[str, str]:
        """Give the fields that say something, as a person would write them."""
        every = {
            "abstract": self.abstract,
            "tags": ",".join(self.tags),
            # Nothing is for nothing: that is a model that fills in all fields.
            "priority": str(self.priority) if self.priority > 0 else "",
            "confidence": str(self.confidence) if self.confidence > 0 else "",
        }
        return {name: text for name, text in every.items() if text}

    def doubted(self) -> str:
        """Give the confidence of a procedure of which nobody knows that it works."""
        given = self.confidence
        return str(min(given, UNPROVEN) if given > 0 else UNPROVEN)

    def proven(self, body: str) -> str:
        """Give a body with what shows that it works."""
        return "\n\n".join(filter(None, [body, self.proof]))

    def words(self, *others: str) -> str:
        """Give all that is said in it."""
        every = [*others, self.abstract, *self.tags, self.proof]
        return "\n".join(filter(None, every))


class Add(Fields):
    """What is to be kept."""

    type: Type
    title: str = Field(min_length=1, max_length=TITLE)
    body: str = Field(default="", max_length=LONGEST)


class Update(Fields):
    """What is different."""

    id: str = Field(min_length=1)
    title: str = Field(default="", max_length=TITLE)
    body: str = Field(default="", max_length=LONGEST)
    archived: bool = False
