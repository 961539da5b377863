"""Fits a thread into the room that a prompt has for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from apx.domain.budget import FRAME, cost
from apx.domain.message import Message, Role

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from apx.domain.history import PastTurn, View

# Of a longer message of an earlier turn the beginning is shown.
_LONGEST: Final = 4_000
_LONGEST_SHARE: Final = 3
# Shares of the room: a condensation's, and that of the turns kept beside a new one.
# The rest is for what is said until the next one is due.
_CONDENSED: Final = 0.35
_KEPT: Final = 0.35


def fit(view: View, room: int) -> View:
    """Give a view that costs at most `room` tokens.

    What leaves it is in its condensation, put together by rule: there is no gap.
    """
    if measured(view, room) <= room:
        return view
    from apx.domain.digest import digest  # noqa: PLC0415 -- patterns of 0.05 s

    kept = newest(view.past, room, 2 * len(view.past))
    left = view.past[: len(view.past) - len(kept)]
    record = digest(view.condensation, left) if left else view.condensation
    return replace(view, past=kept, condensation=record)


def messages(view: View, room: int, zone: tzinfo) -> list[Message]:
    """Write a view as a model is shown it: the condensation, then the turns."""
    shown = [message for past in view.past for message in shown_of(past, room)]
    if view.condensation is None:
        return shown
    record = Message(Role.SYSTEM, view.condensation.text(zone, share(room) - FRAME))
    # In a room that does not hold even its heading it is left out.
    return [record, *shown] if cost([record]) <= share(room) else shown


def share(room: int) -> int:
    """Say how many tokens of a room a condensation may take."""
    return max(int(room * _CONDENSED), 0)


def measured(view: View, room: int) -> int:
    """Estimate what a view costs in a room."""
    shown = sum(cost(shown_of(past, room)) for past in view.past)
    if view.condensation is None:
        return shown
    return shown + min(view.condensation.tokens, share(room))


def shown_of(past: PastTurn, room: int) -> list[Message]:
    """Give a turn as it is shown: of long messages the beginning, marked as such."""
    return past.messages(min(_LONGEST, max(room // _LONGEST_SHARE, 1)))


def newest(past: Sequence[PastTurn], room: int, messages: int) -> tuple[PastTurn, ...]:
    """Choose the newest turns that hold so many messages and leave room enough.

    The last one stays without what its model did on the way, where all is too much.
    """
    kept: list[PastTurn] = []
    spare, count = int(room * _KEPT), 0
    for turn in reversed(past):
        if count >= messages:
            break
        one, spent = turn, cost(shown_of(turn, room))
        if spent > spare and not kept:
            one = turn.without_steps()
            spent = cost(shown_of(one, room))
        spare -= spent
        if spare < 0:
            break
        kept.append(one)
        count += one.count
    return tuple(reversed(kept))
