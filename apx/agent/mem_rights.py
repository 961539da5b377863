"""Whose word makes a curated memory: active, proposed, or none at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.errors import InputError
from apx.domain.person import OWNER, OWNERS_OWN, Role
from apx.domain.untrusted import is_own
from apx.mem.curated import UNTRUSTED, audience, scope
from apx.mem.memory import PROPOSED

if TYPE_CHECKING:
    from typing import Self

    from apx.agent.asked import Asked
    from apx.domain.tool import Scene
    from apx.mem.faults import MemFault
    from apx.mem.memory import Memory

_GUESTS: Final = "a guest's words become no memory"
_LIMITS: Final = (
    "only the owner makes constraints, in a private chat and in their own words:"
    " propose it as a preference or a decision"
)
# Matters of the machine: their words may hold paths, which are the owner's.
_INNER: Final = frozenset({"io", "git", "no_git", "timeout", "busy", "unreadable"})
_FAILED: Final = "the store of memories cannot do that now"
_NONE: Final = "there are no curated memories yet; the owner begins them with /mem add"


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who wants something of the memories, and where the answer is read.

    `is_guest` has no say. What `is_others` may be somebody else's wish.
    """

    person: str
    audience: str
    is_guest: bool = False
    is_others: bool = False

    @classmethod
    def asking(cls, asked: Asked) -> Self:
        """Give who typed a command: these words are nobody else's."""
        heard = asked.heard
        is_guest = heard.role is Role.GUEST
        return cls(heard.person, str(heard.audience), is_guest)

    @classmethod
    def of(cls, scene: Scene, text: str) -> Self:
        """Give whose turn a model runs a tool in, to keep or change a text."""
        # Nobody else's words are none.
        is_guest = not scene.words and scene.person != OWNER
        is_others = scene.tainted and not _is_wished(text, scene.words)
        return cls(scene.person, scene.audience, is_guest, is_others)

    @property
    def is_owner(self) -> bool:
        """Whether it is the owner's own word, where nobody else reads along."""
        private = self.audience == str(OWNERS_OWN)
        return self.person == OWNER and private and not self.is_others

    @property
    def begins(self) -> bool:
        """Whether the store is theirs to begin."""
        return self.person == OWNER

    def fields(self, kind: str) -> dict[str, str]:
        """Give the fields of a memory that say how far this word goes, or refuse it."""
        if self.is_guest:
            raise InputError(_GUESTS)
        if self.is_owner:
            return {}
        if kind == "constraint":
            raise InputError(_LIMITS)
        before = f"{UNTRUSTED} " if self.is_others else ""
        return {
            "status": PROPOSED,
            "scope": scope(self.audience),
            "source": f"{before}{self._name}",
        }

    def may_change(self, memory: Memory) -> bool:
        """Whether a memory is theirs to change: of others than the owner, what waits.

        What others' words want changed stays as it is.
        """
        if self.is_guest or self.is_others:
            return False
        if self.is_owner:
            return True
        is_here = audience(memory.text("scope")) == self.audience
        is_theirs = self.wrote(memory.text("source"))
        return is_here and is_theirs and memory.status == PROPOSED

    def wrote(self, source: str) -> bool:
        """Whether what has this source was said by them."""
        return source.split()[-1:] == [self._name]

    @property
    def _name(self) -> str:
        return f"person:{self.person}"


def told(fault: MemFault, audience: str) -> str:
    """Say what went wrong, without what is the owner's alone to know."""
    if fault.code == "no_store":
        return _NONE
    if fault.code in _INNER and audience != str(OWNERS_OWN):
        return _FAILED
    return str(fault)


def _is_wished(text: str, words: str) -> bool:
    """Whether a person asks for it themselves, in the words in which it is kept."""
    # Later: few turns have other people's words in them.
    from apx.domain.intent import Wish, read  # noqa: PLC0415 -- as said

    return is_own(text, words) and read(words).kind is Wish.REMEMBER
