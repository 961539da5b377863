"""A piece of what was said or noted, as the index keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime

    from apx.domain.message import Role
    from apx.domain.recall import Kind

# How texts are cut and turned into terms. An index of another form is made anew.
FORM: Final = "3"


@dataclass(frozen=True, slots=True)
class Chunk:
    """A unit of recall; `seq` is the event that it comes from.

    `untrusted` says how words came in that are nobody's here, such as `forwarded`.
    """

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
    speaker: str = ""
    untrusted: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """A chunk with its id in the index; later ones have higher ids."""

    id: int
    chunk: Chunk


@dataclass(frozen=True, slots=True)
class Gone:
    """A chunk that was removed."""

    id: int
    audience: str


@dataclass(frozen=True, slots=True)
class Taken:
    """What a pass of the indexer changed."""

    added: tuple[Stored, ...] = ()
    gone: tuple[Gone, ...] = ()


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A note that shall be found no more, nor what says the same to the same eyes."""

    id: int
    text: str
    audience: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A note that another audience sees now; the one before finds it no more."""

    id: int
    audience: str


@dataclass(frozen=True, slots=True)
class Rewound:
    """What a thread said after a turn and before a `seq`; it shall be found no more."""

    thread: str
    after: int
    before: int


@dataclass(frozen=True, slots=True)
class Erased:
    """Events that say something else by now, or are gone; so do their chunks."""

    seqs: tuple[int, ...]


Leaving = Forgotten | Moved | Rewound | Erased
