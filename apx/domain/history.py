"""What a model is shown of the turns that went before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.message import Message, Role, ToolCall
from apx.domain.turn import Turn, TurnState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.domain.condensation import Condensation

UNANSWERED: Final = "(This was not answered.)"


@dataclass(frozen=True, slots=True)
class Step:
    """One answer of a model that called tools; `results` by call id.

    `bounded` says that a result was cut before it was kept.
    """

    text: str
    calls: tuple[ToolCall, ...]
    results: Mapping[str, str]
    bounded: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether every call has its full result."""
        return not self.bounded and all(call.id in self.results for call in self.calls)

    def messages(self) -> list[Message]:
        """Give the call and its results, next to each other as vendors want them."""
        return [
            Message(Role.ASSISTANT, self.text, calls=self.calls),
            *(
                Message(Role.TOOL, self.results[call.id], call_id=call.id)
                for call in self.calls
            ),
        ]


@dataclass(frozen=True, slots=True)
class PastTurn:
    """An ended turn with what its model did."""

    turn: Turn
    steps: tuple[Step, ...] = ()

    @property
    def count(self) -> int:
        """How many messages of the person and the assistant it has."""
        return 0 if self.turn.state is TurnState.STOPPED else 2

    @property
    def answer(self) -> str:
        """What the assistant said, or that it said nothing."""
        return self.turn.final or self.turn.partial or UNANSWERED

    def messages(self) -> list[Message]:
        """Give the turn as a model is shown it later.

        A stopped turn is left out: its person did not want it. A group of calls
        that lacks a whole result is left out too, so no call is ever alone.
        """
        if self.turn.state is TurnState.STOPPED:
            return []
        steps = [step for step in self.steps if step.is_whole]
        return [
            Message(Role.USER, self.turn.request),
            *(message for step in steps for message in step.messages()),
            Message(Role.ASSISTANT, self.answer),
        ]

    def without_steps(self) -> PastTurn:
        """Give the turn without what its model did on the way."""
        return PastTurn(self.turn)


@dataclass(frozen=True, slots=True)
class View:
    """What the model sees of a thread: a condensation and every turn after it.

    `past` is oldest first. Messages count towards the next condensation after the
    turn with the ordinal `counted`. `unread` turns are older and were not read.
    """

    past: tuple[PastTurn, ...] = ()
    condensation: Condensation | None = None
    counted: int = 0
    unread: int = 0

    @property
    def turn_ids(self) -> frozenset[int]:
        """Which turns the prompt holds word for word."""
        return frozenset(past.turn.id for past in self.past)

    @property
    def messages(self) -> int:
        """How many messages of the person and the assistant stand here."""
        return sum(past.count for past in self.past)

    @property
    def new_messages(self) -> int:
        """How many of them count towards the next condensation."""
        return sum(p.count for p in self.past if p.turn.ordinal > self.counted)
