"""Turns a plan into a condensation: the first model whose record passes the gate."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from apx.domain.errors import ProviderError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from apx.domain.compaction import Plan
    from apx.domain.condensation import Condensation
    from apx.memory.summarising import Order, Written
    from apx.memory.windows import Windows
    from apx.ports import ChatModel

# Who answers under this name writes no records.
OFFLINE: Final = "offline"
# A record is as long as what it is read beside allows, within these bounds.
_SHORTEST: Final = 300
_LONGEST: Final = 2_000


@dataclass(frozen=True, slots=True)
class Assignment:
    """What is to be condensed: `room` is what a prompt has for it and what it keeps.

    `keep` is what the person wants kept above all; a model has `patience` seconds.
    `asking` hears the name of each model before it is asked, and then nothing.
    """

    plan: Plan
    room: int
    keep_first: int = 2
    keep: str = ""
    patience: float = 180.0
    asking: Callable[[str], None] = lambda _: None

    @property
    def tokens(self) -> int:
        """How long the record may become."""
        return max(_SHORTEST, min(self.room // 5, _LONGEST))


@dataclass(frozen=True, slots=True)
class Draft:
    """A condensation, or none; `reasons` say why each model that was asked failed."""

    made: Condensation | None = None
    reasons: tuple[str, ...] = ()
    usage: Mapping[str, Any] = field(default_factory=dict)


class Drafting:
    """Asks the models that condense, in turn.

    `instructions` are the assistant's own, which no record may repeat.
    """

    def __init__(
        self,
        models: Callable[[], Awaitable[Sequence[ChatModel]]],
        windows: Windows,
        instructions: str,
    ) -> None:
        self._models = models
        self._windows = windows
        self._instructions = instructions

    async def draft(self, given: Assignment) -> Draft:
        """Give the first record that may replace history."""
        from apx.memory.ordering import ordered  # noqa: PLC0415 -- patterns of 0.05 s
        from apx.memory.summarising import Summariser  # noqa: PLC0415 -- as above

        order = await asyncio.to_thread(ordered, given)
        reasons: list[str] = []
        for model in await self._models():
            if model.name == OFFLINE:
                continue
            given.asking(model.name)
            try:
                told = await Summariser(model, self._windows, given.patience).write(
                    order
                )
            except ProviderError as error:
                reasons.append(_named(model.name, str(error)))
                continue
            made, reason = await asyncio.to_thread(self._judged, told, given, order)
            if made is not None:
                return Draft(made, tuple(reasons), asdict(told.usage))
            reasons.append(_named(told.model, reason))
        return Draft(None, tuple(reasons))

    def _judged(
        self, told: Written, given: Assignment, order: Order
    ) -> tuple[Condensation | None, str]:
        """Give the condensation, or why the record is none."""
        from apx.domain.gate import refusal  # noqa: PLC0415 -- as above
        from apx.memory.ordering import demanded, made  # noqa: PLC0415 -- as above

        if told.model == OFFLINE:
            return None, "did not answer"
        demand = demanded(given, order, self._instructions)
        reason = refusal(told.candidate, demand)
        return (None, reason) if reason else (made(given, told), "")


def _named(name: str, reason: str) -> str:
    return reason if reason.startswith(name) else f"{name}: {reason}"
