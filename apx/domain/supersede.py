"""Owns whether what somebody said still holds beside what was said later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apx.domain.facts import is_outdated, replaces, said_in
from apx.domain.message import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from apx.domain.fact_reading import Claim


@dataclass(frozen=True, slots=True)
class Statement:
    """What was said: by whom, when, and in which place of the log (`seq`)."""

    text: str
    role: Role
    person: str
    at: datetime
    seq: int = 0
    speaker: str = ""

    @property
    def claims(self) -> list[Claim]:
        """What it says of things and of its person; an assistant speaks of another."""
        if self.role not in {Role.USER, Role.ASSISTANT}:
            return []
        others = "u" if self.role is Role.USER else "i"
        return [one for one in said_in(self.text).claims if one.whose != others]

    def is_after(self, other: Statement) -> bool:
        """Whether it was said later."""
        return (self.at, self.seq) > (other.at, other.seq)


def taken_back(old: Statement, others: Iterable[Statement]) -> list[Claim]:
    """Give the claims of a statement that newer words of its person took back."""
    news = [
        (one, claim)
        for one in others
        if one.role is Role.USER and one.is_after(old)
        for claim in one.claims
    ]
    return [
        claim
        for claim in old.claims
        if any(
            replaces(new, claim) and (not claim.whose or _same(one, old))
            for one, new in news
        )
    ]


def replacement(
    old: Statement, telling: Sequence[Statement], asked: frozenset[str]
) -> Statement | None:
    """Give the newest that took back what an older one says, if that is outdated."""
    newer = [one for one in telling if taken_back(old, [one])]
    gone = taken_back(old, newer)
    if not gone:
        return None
    newest = max(newer, key=lambda one: (one.at, one.seq))
    is_old = is_outdated(said_in(old.text), gone, asked, newest.text)
    return newest if is_old else None


def _same(one: Statement, other: Statement) -> bool:
    """Whether two statements are about the same person."""
    speakers = {one.speaker, other.speaker} - {""}
    is_reply = other.role is Role.ASSISTANT
    return one.person == other.person and (is_reply or len(speakers) <= 1)
