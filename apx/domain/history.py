"""What a model is shown of the turns that went before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from apx.domain.message import Message, Role, ToolCall
from apx.domain.quoted import Provenance, Quoted
from apx.domain.saying import Saying
from apx.domain.turn import Turn, TurnState
from apx.domain.untrusted import block, closed, harmless

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.domain.condensation import Condensation

UNANSWERED: Final = "(This was not answered.)"


@dataclass(frozen=True, slots=True)
class Step:
    """One answer of a model that called tools; `results` by call id.

    `bounded` says that a result was cut before it was kept; `foreign` are the calls
    whose results are other people's words.
    """

    text: str
    calls: tuple[ToolCall, ...]
    results: Mapping[str, str]
    bounded: bool = False
    foreign: frozenset[str] = frozenset()

    @property
    def is_whole(self) -> bool:
        """Whether every call has its full result."""
        return not self.bounded and all(call.id in self.results for call in self.calls)

    def messages(self) -> list[Message]:
        """Give the call and its results, next to each other as vendors want them."""
        return [
            Message(Role.ASSISTANT, harmless(self.text), calls=self.calls),
            *(
                Message(Role.TOOL, self.told(call), call_id=call.id)
                for call in self.calls
            ),
        ]

    def told(self, call: ToolCall, most: int | None = None) -> str:
        """Give the result of a call as a model is shown it, at most so many letters."""
        text = self.results[call.id][:most]
        if call.id not in self.foreign:
            return harmless(text)
        return block(Quoted(Provenance.FETCHED, call.name, text))


@dataclass(frozen=True, slots=True)
class PastTurn:
    """An ended turn with what its model did."""

    turn: Turn
    steps: tuple[Step, ...] = ()
    # What its steps brought, where these are left out.
    brought_others: bool = False

    @property
    def count(self) -> int:
        """How many messages of the person and the assistant it has."""
        return 0 if self.turn.state is TurnState.STOPPED else 2

    @property
    def is_own(self) -> bool:
        """Whether its person's words may be taken for a wish; a guest's never."""
        return not Saying.of(self.turn).is_guests

    @property
    def is_tainted(self) -> bool:
        """Whether anything of it is other people's words, or an answer to these."""
        return (
            Saying.of(self.turn).is_untrusted
            or self.brought_others
            or any(step.foreign for step in self.steps)
        )

    @property
    def answer(self) -> str:
        """What the assistant said, or that it said nothing."""
        return self.turn.final or self.turn.partial or UNANSWERED

    def messages(self, most: int | None = None) -> list[Message]:
        """Give the turn as a model is shown it later, each message in `most` tokens.

        A stopped turn is left out: its person did not want it. A group of calls
        that lacks a whole result is left out too, so no call is ever alone.
        """
        if self.turn.state is TurnState.STOPPED:
            return []
        steps = [step for step in self.steps if step.is_whole]
        shown = [
            Message(Role.USER, Saying.of(self.turn).written(most)),
            *(message for step in steps for message in step.messages()),
            Message(Role.ASSISTANT, harmless(self.answer)),
        ]
        if most is None:
            return shown
        return [replace(message, text=closed(message.text, most)) for message in shown]

    def without_steps(self) -> PastTurn:
        """Give the turn without what its model did on the way."""
        return PastTurn(self.turn, brought_others=self.is_tainted)


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
