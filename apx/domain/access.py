"""Who may talk to the assistant, and where: one pure rule for every kind of event."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from apx.domain.person import Role

if TYPE_CHECKING:
    from apx.domain.heard import Caller
    from apx.domain.person import Person


class Access(StrEnum):
    """Whom a bot listens to."""

    OWNER = "owner"
    PAIRED = "paired"
    ALLOWLIST = "allowlist"
    OPEN = "open"


class Verdict(StrEnum):
    """What becomes of somebody who writes.

    `NEW` is let in and has to become a person first; `ASKS` may be let in by the
    owner; `SHUT` is told so; to `SILENCE` nothing is said at all.
    """

    IN = "in"
    NEW = "new"
    ASKS = "asks"
    SHUT = "shut"
    SILENCE = "silence"


@dataclass(frozen=True, slots=True)
class Rules:
    """What config.json says of a bot; ids of people and of groups, never names."""

    access: Access = Access.PAIRED
    allow: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Known:
    """Whose account it is; `paired` says that a code or the owner let it in."""

    person: Person
    paired: bool


def decide(rules: Rules, caller: Caller, known: Known | None) -> Verdict:
    """Say whether a caller is let in: in a group, the group must be allowed as well.

    An empty list allows nobody. The owner is let in by every rule for people.
    """
    if caller.is_bot or (caller.group and caller.group not in rules.groups):
        return Verdict.SILENCE
    verdict = _person(rules, caller.account.user, known)
    # In a group nobody is lectured: others would read it.
    is_told = verdict in {Verdict.IN, Verdict.NEW} or not caller.group
    return verdict if is_told else Verdict.SILENCE


def _person(rules: Rules, user: str, known: Known | None) -> Verdict:
    if known and known.person.role is Role.OWNER:
        return Verdict.IN
    let_in = Verdict.IN if known else Verdict.NEW
    match rules.access:
        case Access.OPEN:
            return let_in
        case Access.ALLOWLIST:
            return let_in if user in rules.allow else Verdict.SHUT
        case Access.PAIRED:
            return Verdict.IN if known and known.paired else Verdict.ASKS
        case Access.OWNER:
            return Verdict.SHUT
