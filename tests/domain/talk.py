"""Threads to condense: turns made of a few words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from apx.domain.history import PastTurn, Step, View
from apx.domain.message import ToolCall
from apx.domain.thread import Thread
from apx.domain.turn import Turn, TurnState

if TYPE_CHECKING:
    from collections.abc import Sequence

MAIN: Final = Thread("terminal", "main")
AT: Final = datetime(2026, 11, 30, 9, 41, tzinfo=UTC)
GOAL: Final = (
    "I want to move my shop to a new server by 12 May. Never touch the live database."
    " Spend at most 300 EUR."
)


def turn(
    number: int,
    request: str = "",
    final: str = "fine",
    state: TurnState = TurnState.COMPLETED,
    steps: Sequence[Step] = (),
) -> PastTurn:
    """Make an ended turn; `number` is its place in the thread."""
    said = request or f"what about box {number}?"
    began = AT + timedelta(minutes=number)
    ended = began + timedelta(seconds=20)
    told = Turn(
        id=100 * number,
        thread=MAIN,
        state=state,
        request=said,
        began_at=began,
        final=final,
        ended_at=ended,
        ordinal=number,
    )
    return PastTurn(told, tuple(steps))


def talk(count: int, **at: str) -> tuple[PastTurn, ...]:
    """Make a thread; `n5="..."` says what is asked in its fifth turn."""
    return tuple(turn(n, at.get(f"n{n}", "")) for n in range(1, count + 1))


def view(count: int, **at: str) -> View:
    """Make the view of a thread that was never condensed."""
    return View(talk(count, **at))


def looked(result: str = "nothing", text: str = "let me look") -> Step:
    """Make a step in which a tool was called."""
    return Step(text, (ToolCall("c1", "look", "{}"),), {"c1": result})
