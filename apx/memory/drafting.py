"""Turns a plan into a condensation: the first model whose record passes the gate."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

import structlog

from apx.domain.condensation import Condensation
from apx.domain.errors import ProviderError
from apx.domain.gate import Demand, open_anchors, refusal
from apx.domain.kept import opening, standing
from apx.domain.language import language_name, language_of
from apx.domain.message import Role
from apx.domain.summary import Section, sections_of, written
from apx.memory.summarising import Excerpt, Order, Summariser

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

    from apx.domain.compaction import Plan
    from apx.domain.history import PastTurn
    from apx.memory.summarising import Written
    from apx.memory.windows import Windows
    from apx.ports import ChatModel

log = structlog.get_logger(__name__)

# Who answers under this name writes no records.
OFFLINE: Final = "offline"
# A record is as long as what it is read beside allows, within these bounds.
_SHORTEST: Final = 300
_LONGEST: Final = 2_000
# What tools gave is in the log; the record needs their gist.
_RESULT: Final = 1_000
_SAID: Final = 12_000  # characters that tell the language
_BYTES: Final = 3
_OPEN: Final = (Section.TASK_TRACKING, Section.PENDING)


@dataclass(frozen=True, slots=True)
class Assignment:
    """What is to be condensed: `room` is what a prompt has for it and what it keeps.

    `keep` is what the person wants kept above all; a model has `patience` seconds.
    """

    plan: Plan
    room: int
    keep_first: int = 2
    keep: str = ""
    patience: float = 180.0

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

    async def names(self) -> list[str]:
        """Name the models that would be asked, first choice first."""
        return [model.name for model in await self._models()]

    async def draft(self, given: Assignment) -> Draft:
        """Give the first record that may replace history."""
        order = await asyncio.to_thread(ordered, given)
        reasons: list[str] = []
        for model in await self._models():
            if model.name == OFFLINE:
                continue
            try:
                told = await Summariser(model, self._windows, given.patience).write(
                    order
                )
            except ProviderError as error:
                reasons.append(_named(model.name, str(error)))
                continue
            reason = await asyncio.to_thread(self._refusal, told, given, order)
            if not reason:
                made = await asyncio.to_thread(_made, given, told)
                return Draft(made, tuple(reasons), asdict(told.usage))
            reasons.append(_named(told.model, reason))
        return Draft(None, tuple(reasons))

    def _refusal(self, told: Written, given: Assignment, order: Order) -> str:
        if told.model == OFFLINE:
            return "did not answer"
        demand = Demand(
            messages=given.plan.messages,
            previous=order.previous if _is_a_models(given.plan.base) else "",
            said=_wanted(given.plan),
            kept=_word_for_word(given),
            prompts=(order.instructions(), self._instructions),
            most=given.tokens * _BYTES,
        )
        return refusal(told.candidate, demand)


def ordered(given: Assignment) -> Order:
    """Say what a model is to write, and from what."""
    plan = given.plan
    base = plan.base
    began = opening(None, plan.turns, given.keep_first) if base is None else ()
    said = "\n".join(past.turn.request for past in reversed(plan.turns))
    carry = open_anchors(_wanted(plan), _word_for_word(given))
    return Order(
        events=tuple(event for past in plan.turns for event in _events(past)),
        tokens=given.tokens,
        previous=written(base.sections) if base else "",
        opening=tuple(Excerpt("1", _SPEAKERS[q.role], q.text) for q in began),
        language=language_name(language_of(said[:_SAID])),
        carry=tuple(anchor.text for anchor in carry),
        wish=given.keep,
    )


_SPEAKERS: Final = {Role.USER: "person", Role.ASSISTANT: "assistant"}


def _events(past: PastTurn) -> Iterator[Excerpt]:
    number = str(past.turn.ordinal)
    if not past.count:
        return
    yield Excerpt(number, "person", past.turn.request)
    for step in past.steps:
        for call in step.calls:
            result = step.results.get(call.id, "(no result)")
            text = f"{call.name} {call.arguments[:_RESULT]}\n{result[:_RESULT]}"
            yield Excerpt(number, "tool", text)
    yield Excerpt(number, "assistant", past.answer)


def _made(given: Assignment, told: Written) -> Condensation:
    plan, last = given.plan, given.plan.turns[-1].turn
    return Condensation(
        first=plan.base.first if plan.base else plan.turns[0].turn.ordinal,
        last=last.ordinal,
        at=last.ended_at or last.began_at,
        sections=sections_of(told.candidate.text),
        opening=opening(plan.base, plan.turns, given.keep_first),
        standing=standing(plan.base, plan.turns),
        model=told.model,
    )


def _wanted(plan: Plan) -> tuple[str, ...]:
    """Give what the person said, behind what was open before."""
    before = plan.base.sections if plan.base else {}
    still_open = [line for name in _OPEN for line in before.get(name, "").splitlines()]
    return (*still_open, *(past.turn.request for past in plan.turns if past.count))


def _word_for_word(given: Assignment) -> str:
    plan = given.plan
    quoted = [quote.text for quote in opening(plan.base, plan.turns, given.keep_first)]
    return "\n".join([*quoted, *(s.text for s in standing(plan.base, plan.turns))])


def _is_a_models(base: Condensation | None) -> bool:
    return base is not None and not base.degraded


def _named(name: str, reason: str) -> str:
    return reason if reason.startswith(name) else f"{name}: {reason}"
