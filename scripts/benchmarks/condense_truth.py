"""Threads, and what is true of them: what must still be known later."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Truth(StrEnum):
    """What must still be in the prompt."""

    GOAL = "goal"
    LIMIT = "limit"
    TASK = "task"
    ANCHOR = "anchor"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that holds from one turn on until another; 0 is for ever.

    `text` is a sentence, the name of a task, or something exact. `task` names the one
    that something exact is for; `ending` is the sentence that said a task is done.
    """

    truth: Truth
    text: str
    since: int
    until: int = 0
    task: str = ""
    ending: str = ""

    def holds(self, turn: int) -> bool:
        """Whether it was said and is not over by the end of a turn."""
        return self.since <= turn and not self.is_over(turn)

    def is_over(self, turn: int) -> bool:
        """Whether it has ended by the end of a turn."""
        return 0 < self.until <= turn


@dataclass(frozen=True, slots=True)
class Told:
    """A turn: what was said, answered, and what a tool gave on the way."""

    request: str
    answer: str
    tool: tuple[str, str, str] | None = None


@dataclass(frozen=True, slots=True)
class Talk:
    """A thread with all that is true of it."""

    number: int
    language: str
    turns: tuple[Told, ...]
    facts: tuple[Fact, ...]
