"""A piece of what was said or noted, as the index keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from apx.domain.message import Role
    from apx.domain.recall import Kind


@dataclass(frozen=True, slots=True)
class Chunk:
    """A unit of recall; `seq` is the event that it comes from."""

    seq: int
    kind: Kind
    role: Role
    text: str
    at: datetime
    turn: int
    thread: str
    channel: str
    person: str
    audience: str


@dataclass(frozen=True, slots=True)
class Found:
    """A chunk that holds words of a query; `rank` is BM25's, higher is better."""

    chunk: Chunk
    rank: float


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A note that shall be found no more, nor what says the same."""

    id: int
    text: str
