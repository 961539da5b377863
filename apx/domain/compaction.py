"""When a thread is condensed, and which of its turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apx.domain.fitting import measured, newest

if TYPE_CHECKING:
    from apx.domain.condensation import Condensation
    from apx.domain.history import PastTurn, View


@dataclass(frozen=True, slots=True)
class Compaction:
    """The numbers that condensing is ruled by, in messages.

    Above `threshold` new ones a thread is condensed, all but the newest `keep_recent`;
    the first `keep_first` are kept word for word.
    """

    threshold: int = 60
    keep_recent: int = 40
    keep_first: int = 2

    @property
    def most(self) -> int:
        """How many new messages stand word for word if no model can condense them."""
        return 2 * self.threshold


@dataclass(frozen=True, slots=True)
class Plan:
    """Which turns are folded into what; never empty."""

    base: Condensation | None
    turns: tuple[PastTurn, ...]
    kept: tuple[PastTurn, ...]

    @property
    def messages(self) -> int:
        """How many messages of the person and the assistant are folded."""
        return sum(past.count for past in self.turns)


def is_due(view: View, rules: Compaction, room: int) -> bool:
    """Whether a thread is to be condensed; depends on what was said, on no clock."""
    return is_long(view, rules) or is_overdue(view, rules, room)


def is_long(view: View, rules: Compaction) -> bool:
    """Whether so much was said that a model should sum it up."""
    return view.new_messages > rules.threshold


def is_overdue(view: View, rules: Compaction, room: int) -> bool:
    """Whether it has to be, by rule if no model can."""
    is_very_long = view.new_messages > rules.most or view.unread > 0
    return is_very_long or measured(view, room) > room


def is_by_rule(view: View) -> bool:
    """Whether what stands in for the older turns still waits for a model."""
    return view.condensation is not None and view.condensation.degraded


def plan(view: View, rules: Compaction, room: int) -> Plan | None:
    """Choose what is folded: all but the newest messages, cut between turns."""
    kept = newest(view.past, room, rules.keep_recent)
    turns = view.past[: len(view.past) - len(kept)]
    if not any(past.count for past in turns):
        return None
    return Plan(view.condensation, turns, kept)
