"""What a model is shown of the turns that went before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.message import Message, Role, ToolCall
from apx.domain.turn import Turn, TurnState

if TYPE_CHECKING:
    from collections.abc import Mapping

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

    def messages(self) -> list[Message]:
        """Give the turn as a model is shown it later.

        A stopped turn is left out: its person did not want it. A group of calls
        that lacks a whole result is left out too, so no call is ever alone.
        """
        if self.turn.state is TurnState.STOPPED:
            return []
        steps = [step for step in self.steps if step.is_whole]
        answer = self.turn.final or self.turn.partial or UNANSWERED
        return [
            Message(Role.USER, self.turn.request),
            *(message for step in steps for message in step.messages()),
            Message(Role.ASSISTANT, answer),
        ]


@dataclass(frozen=True, slots=True)
class View:
    """The newest turns of a thread, oldest first."""

    past: tuple[PastTurn, ...] = ()

    @property
    def turn_ids(self) -> frozenset[int]:
        """Which turns the prompt holds word for word."""
        return frozenset(past.turn.id for past in self.past)


def left_out(turns: int, threshold: int, keep: int) -> int:
    """Say how many of a thread's turns a prompt leaves out at its beginning.

    Between `keep` and `threshold` messages stay (two a turn). The number moves in
    steps, so that the prompts of consecutive turns begin alike and providers can
    reuse what they computed for the beginning.
    """
    excess = turns - threshold // 2
    if excess <= 0:
        return 0
    step = max((threshold - keep) // 2, 1)
    return -(-excess // step) * step
