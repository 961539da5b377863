"""Whose account a call to a model goes to, what it cost, and what may be spent."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from apx.domain.message import Usage
    from apx.domain.person import Role

ANY: Final = "*"


class Purpose(StrEnum):
    """What a call is for; OTHER is a call whose caller did not say."""

    CHAT = "chat"
    SUMMARY = "summary"
    CONSOLIDATION = "consolidation"
    WORKER = "worker"
    EMBEDDING = "embedding"
    QUESTION = "question"
    RETRY = "retry"
    # Apart, so that a day that is read again still knows what was spent behind.
    BACKGROUND_RETRY = "background retry"
    OTHER = "other"


# For these nobody waits.
BEHIND: Final = frozenset(
    {
        Purpose.SUMMARY,
        Purpose.CONSOLIDATION,
        Purpose.EMBEDDING,
        Purpose.BACKGROUND_RETRY,
    }
)


@dataclass(frozen=True, slots=True)
class Account:
    """For what a call is made, and for which person; empty is the home itself."""

    purpose: Purpose = Purpose.OTHER
    person: str = ""


_NOBODYS: Final = Account()
_ACCOUNT: Final = ContextVar("account", default=_NOBODYS)


def account() -> Account:
    """Give the account of what runs here.

    A stream asks when it is opened: later it runs as part of whoever reads it.
    """
    return _ACCOUNT.get()


@contextmanager
def spending(purpose: Purpose, person: str | None = None) -> Iterator[None]:
    """Have what is called in the block, and in tasks begun there, go to an account.

    Without a person it stays who it was. Not around a `yield` of a generator: there
    it would hold for whoever reads it.
    """
    who = account().person if person is None else person
    before = _ACCOUNT.set(Account(purpose, who))
    try:
        yield
    finally:
        _ACCOUNT.reset(before)


@contextmanager
def spending_again() -> Iterator[None]:
    """Have what is called in the block count as a repetition of what failed."""
    is_behind = account().purpose in BEHIND
    with spending(Purpose.BACKGROUND_RETRY if is_behind else Purpose.RETRY):
        yield


@dataclass(frozen=True, slots=True)
class Call:
    """One call that left: its account, who was called, and what that cost."""

    account: Account
    model: str
    usage: Usage


Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Expense:
    """What a purpose, a person and a model cost on a day.

    `unknown` counts the calls of which nobody told the cost: it is our estimate.
    """

    day: str
    purpose: str
    person: str
    model: str
    calls: int = 0
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    unknown: int = 0

    @classmethod
    def of(cls, day: str, call: Call) -> Expense:
        """Note a single call."""
        usage, who = call.usage, call.account
        return cls(
            day,
            who.purpose.value,
            who.person,
            call.model,
            1,
            usage.prompt,
            usage.completion,
            usage.cached,
            int(not usage.known),
        )

    @property
    def key(self) -> Key:
        """What tells it from all others."""
        return (self.day, self.purpose, self.person, self.model)

    @property
    def tokens(self) -> int:
        """What was read and written together; what was cached is a part of it."""
        return self.prompt + self.completion

    def __add__(self, other: Expense) -> Expense:
        return replace(
            self,
            calls=self.calls + other.calls,
            prompt=self.prompt + other.prompt,
            completion=self.completion + other.completion,
            cached=self.cached + other.cached,
            unknown=self.unknown + other.unknown,
        )


def summed(expenses: Iterable[Expense]) -> dict[Key, Expense]:
    """Add up what has the same day, purpose, person and model."""
    sums: dict[Key, Expense] = {}
    for one in expenses:
        add(sums, one)
    return sums


def add(sums: dict[Key, Expense], one: Expense) -> None:
    """Add to sums in their place."""
    sums[one.key] = sums[one.key] + one if one.key in sums else one


def tokens_of(expenses: Iterable[Expense]) -> int:
    """Count the tokens of all of them."""
    return sum(one.tokens for one in expenses)


@dataclass(frozen=True, slots=True)
class Grant:
    """What a role may use: tools (`*` is all), models (none named is any), tokens."""

    tools: tuple[str, ...] = (ANY,)
    models: tuple[str, ...] = ()
    daily_tokens: int = 0

    def has_tool(self, name: str) -> bool:
        """Whether the role may use a tool."""
        return ANY in self.tools or name in self.tools


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be spent in a day; 0 is no bound."""

    daily_tokens: int = 0
    background_daily_tokens: int = 0
    roles: Mapping[Role, Grant] = field(default_factory=dict)

    def of(self, role: Role) -> Grant:
        """Give what a role may use; all, where nothing is said."""
        return self.roles.get(role, Grant())
