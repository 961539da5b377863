"""What a model may pass to the tools of the curated memories."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field

from apx.agent.tools.typed import Arguments
from apx.mem.memory import ABSTRACT, TITLE

LONGEST: Final = 20_000
# Of a howto that nothing shows to work.
UNPROVEN: Final = 0.3
_USUAL: Final = -1
Type = Literal["constraint", "decision", "failure", "howto", "preference"]


def _words(given: object) -> object:
    return given.split(",") if isinstance(given, str) else given


_Tags = Annotated[list[str], BeforeValidator(_words)]


class Search(Arguments):
    """What to look for."""

    query: str = Field(description='Words that it holds; "a phrase" in quotes.')
    type: Literal["", "constraint", "decision", "failure", "howto", "preference"] = (
        Field(default="", description="One kind only.")
    )
    limit: int = Field(default=10, ge=1, le=50)


class Show(Arguments):
    """Which one."""

    id: str = Field(min_length=1, description="Its id, or the end of it.")


class Proof(Arguments):
    """What a procedure has been through."""

    check: str = Field(default="", description="Howto: the check that passed.")
    repeat: str = Field(default="", description="Howto: how to repeat it.")
    failure: str = Field(default="", description="Howto: the failure it was met with.")
    dead_end: str = Field(default="", description="Howto: what was ruled out.")

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

    abstract: str = Field(default="", max_length=ABSTRACT, description="In one line.")
    tags: _Tags = Field(default=[], description="Words to file it under.")
    priority: int = Field(
        default=_USUAL, ge=_USUAL, le=100, description="0 to 100; -1 is the usual one."
    )
    confidence: float = Field(
        default=_USUAL, ge=_USUAL, le=1, description="0 to 1; -1 is the usual one."
    )

    def given(self) -> dict[str, str]:
        """Give the fields that say something, as a person would write them."""
        every = {
            "abstract": self.abstract,
            "tags": ",".join(self.tags),
            "priority": "" if self.priority == _USUAL else str(self.priority),
            "confidence": "" if self.confidence < 0 else str(self.confidence),
        }
        return {name: text for name, text in every.items() if text}

    def doubted(self) -> str:
        """Give the confidence of a procedure of which nobody knows that it works."""
        given = self.confidence
        return str(UNPROVEN if given < 0 else min(given, UNPROVEN))

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
    title: str = Field(min_length=1, max_length=TITLE, description="The fact itself.")
    body: str = Field(
        default="", max_length=LONGEST, description="Why, and what follows; Markdown."
    )


class Update(Fields):
    """What is different."""

    id: str = Field(min_length=1, description="Its id, or the end of it.")
    title: str = Field(default="", max_length=TITLE, description="Empty: as it is.")
    body: str = Field(
        default="", max_length=LONGEST, description="All of the new body; empty: as is."
    )
    archived: bool = Field(default=False, description="True: it holds no more.")
