"""What memory brings to a turn."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from apx.domain.message import Role

if TYPE_CHECKING:
    from datetime import datetime

    from apx.domain.thread import Thread


class Kind(StrEnum):
    """Where a memory came from, strongest first."""

    CURATED = "curated"
    NOTE = "note"
    MESSAGE = "message"
    TOOL = "tool"
    QUOTE = "quote"
    THREAD = "thread"


@dataclass(frozen=True, slots=True)
class Memory:
    """One thing that is known, with its origin.

    `ref` names it for people: `note 12`, `turn 40`. `why` says how it was found;
    `shown` is the part of a long text that matters, empty for its beginning.
    `person` said it or was answered, by the `role` that it has. `untrusted` says how
    words came in that are nobody's here, such as `forwarded`; empty for all others.
    `origin` names what a curated memory was made of.
    """

    kind: Kind
    text: str
    at: datetime
    channel: str
    ref: str
    thread: Thread | None = None
    score: float | None = None
    why: str = ""
    shown: str = ""
    role: Role = Role.SYSTEM
    person: str = ""
    untrusted: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for, on whose behalf, and what the prompt holds already.

    In `withheld` audiences is looked only to count what is not used here.
    """

    text: str
    thread: Thread
    audiences: tuple[str, ...]
    at: datetime
    limit: int = 5
    known_turns: frozenset[int] = frozenset()
    withheld: tuple[str, ...] = ()
    # Old facts that newer ones replaced are wanted too.
    history: bool = False


@dataclass(frozen=True, slots=True)
class Findings:
    """What a source found, and which parts of it were late or failed."""

    memories: tuple[Memory, ...] = ()
    missed: tuple[str, ...] = ()
    withheld: int = 0


@dataclass(frozen=True, slots=True)
class Recall:
    """The memories found in time, and the sources that were late or failed."""

    memories: tuple[Memory, ...] = ()
    missed: tuple[str, ...] = ()
    withheld: int = 0
    spent_ms: int = 0
