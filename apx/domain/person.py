"""Who speaks, and who may see what was said."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

OWNER: Final = "owner"
_PRIVATE: Final = "private:"
_ROOM: Final = "room:"


class Role(StrEnum):
    """What a person may do here, most first."""

    OWNER = "owner"
    MEMBER = "member"
    GUEST = "guest"


@dataclass(frozen=True, slots=True)
class Account:
    """One of a person's ids on a platform; never a name, which anybody may take.

    `bot` is the account of the assistant that they write to.
    """

    channel: str
    bot: str
    user: str

    def __str__(self) -> str:
        return f"{self.channel}:{self.bot}:{self.user}"


# Whoever sits at the machine: the files are theirs anyway.
TERMINAL: Final = Account("terminal", "", OWNER)


@dataclass(frozen=True, slots=True)
class Person:
    """A human, on whichever channels they write; `name` is for display."""

    key: str
    role: Role
    name: str = ""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may see a memory: `private:<person>`, `room:<thread>` or `shared`."""

    key: str

    def __str__(self) -> str:
        return self.key

    @classmethod
    def private(cls, person: str) -> Audience:
        """Only this person."""
        return cls(f"{_PRIVATE}{person}")

    @classmethod
    def room(cls, thread: object) -> Audience:
        """Whoever can read a thread."""
        return cls(f"{_ROOM}{thread}")

    @property
    def is_private(self) -> bool:
        """Whether it is one person's alone."""
        return self.key.startswith(_PRIVATE)

    @property
    def person(self) -> str:
        """The one person whose it is; empty for others."""
        return self.key.removeprefix(_PRIVATE) if self.is_private else ""

    @property
    def thread(self) -> str:
        """The thread of a room; empty for others."""
        return self.key.removeprefix(_ROOM) if self.key.startswith(_ROOM) else ""


SHARED: Final = Audience("shared")
OWNERS_OWN: Final = Audience.private(OWNER)


@dataclass(frozen=True, slots=True)
class Sight:
    """What a turn may see: its own audience, `shared`, and `others`.

    `withheld` is what its person could see in private; it is counted, never read out.
    """

    own: str = str(OWNERS_OWN)
    others: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()

    @property
    def audiences(self) -> tuple[str, ...]:
        """All of it, its own first."""
        return tuple(dict.fromkeys((self.own, *self.others, str(SHARED))))


OWNERS_SIGHT: Final = Sight()
