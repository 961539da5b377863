"""Says what a model is to write of a plan, and what its record is measured by."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from apx.domain.anchors.reading import carries
from apx.domain.condensation import Condensation
from apx.domain.digest import is_tainted
from apx.domain.gate import Demand, open_anchors
from apx.domain.kept import opening, pushed_out, standing
from apx.domain.language import language_name, language_of
from apx.domain.marking import marked, parted
from apx.domain.message import Role
from apx.domain.quoted import Provenance, Quoted
from apx.domain.saying import Saying
from apx.domain.summary import Section, sections_of, written
from apx.domain.untrusted import BY_OTHERS, block, harmless
from apx.memory.summarising import Excerpt, Order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from apx.domain.compaction import Plan
    from apx.domain.history import PastTurn
    from apx.memory.drafting import Assignment
    from apx.memory.summarising import Written

# What tools gave is in the log; the record needs their gist.
_RESULT: Final = 1_000
_SAID: Final = 12_000  # characters that tell the language
_BYTES: Final = 3
_OPEN: Final = (Section.TASK_TRACKING, Section.PENDING)
_NAMED: Final = "also named"
_SPEAKERS: Final = {Role.USER: "person", Role.ASSISTANT: "assistant"}


def ordered(given: Assignment) -> Order:
    """Say what a model is to write, and from what."""
    plan = given.plan
    base = plan.base
    began = opening(None, plan.turns, given.keep_first) if base is None else ()
    said = "\n".join(_own(reversed(plan.turns)))
    carry = open_anchors(_wanted(plan), _word_for_word(given))
    return Order(
        events=tuple(event for past in plan.turns for event in _events(past)),
        tokens=given.tokens,
        previous=_before(base) if base else "",
        opening=tuple(Excerpt("1", _SPEAKERS[q.role], harmless(q.text)) for q in began),
        language=language_name(language_of(said[:_SAID])),
        carry=tuple(anchor.text for anchor in carry),
        wish=given.keep,
    )


def _before(base: Condensation) -> str:
    """Write the record so far; what others wrote is data in it."""
    own, others = parted(base.sections)
    theirs = block(Quoted(Provenance.QUOTED, "", others)) if others else ""
    return "\n\n".join(filter(None, [harmless(written(own)), theirs]))


def _events(past: PastTurn) -> Iterator[Excerpt]:
    number = str(past.turn.ordinal)
    if not past.count:
        return
    said = Saying.of(past.turn)
    # Names that a room shows are no part of a record.
    alone = replace(said, quoted=(), speaker="")
    yield Excerpt(number, "guest" if said.is_guests else "person", alone.written())
    for quoted in said.quoted:
        yield Excerpt(number, "others", block(quoted))
    for step in past.steps:
        for call in step.calls:
            is_there = call.id in step.results
            result = step.told(call, _RESULT) if is_there else "(no result)"
            text = f"{call.name} {call.arguments[:_RESULT]}\n{result}"
            yield Excerpt(number, "tool", text)
    yield Excerpt(number, "assistant", harmless(past.answer))


def _own(turns: Iterable[PastTurn]) -> list[str]:
    """Give what the person said, and no guest."""
    return [past.turn.request for past in turns if past.count and past.is_own]


def _others(plan: Plan) -> list[str]:
    """Give what others wrote, in the turns and in the record before them."""
    base = plan.base.sections.values() if plan.base else ()
    lines = [line for text in base for line in text.splitlines() if BY_OTHERS in line]
    told = [line.replace(BY_OTHERS, "") for line in lines]
    return [*told, *(text for past in plan.turns for text in _brought(past))]


def _brought(past: PastTurn) -> Iterator[str]:
    """Give what a turn holds of others: their words, and what a model made of these."""
    said = Saying.of(past.turn)
    yield from (f"{quoted.by} {quoted.text}" for quoted in said.quoted)
    if said.is_guests:
        yield f"{said.speaker} {said.text}"
    if past.is_tainted:
        yield past.answer
        for step in past.steps:
            yield from (step.text, *step.results.values())
            yield from (call.arguments for call in step.calls)


def demanded(given: Assignment, order: Order, instructions: str) -> Demand:
    """Say what a record is measured by."""
    base = given.plan.base
    return Demand(
        messages=given.plan.messages,
        previous=order.previous if base and not base.degraded else "",
        said=_wanted(given.plan),
        kept=_word_for_word(given),
        prompts=(order.instructions(), instructions),
        most=given.tokens * _BYTES,
    )


def made(given: Assignment, told: Written) -> Condensation:
    """Make a condensation of a record that passed, and of what stays beside it."""
    plan, last = given.plan, given.plan.turns[-1].turn
    kept = [*_wanted(plan), _word_for_word(given)]
    sections = marked(sections_of(told.candidate.text), _others(plan), kept)
    return Condensation(
        first=plan.base.first if plan.base else plan.turns[0].turn.ordinal,
        last=last.ordinal,
        at=last.ended_at or last.began_at,
        sections=_completed(sections, given),
        opening=opening(plan.base, plan.turns, given.keep_first),
        standing=standing(plan.base, plan.turns),
        model=told.model,
        tainted=is_tainted(plan.base, plan.turns),
    )


def _completed(sections: dict[Section, str], given: Assignment) -> dict[Section, str]:
    """Add the few open ids, amounts and days that a record that passed has lost."""
    text = written(sections)
    anchors = open_anchors(_wanted(given.plan), _word_for_word(given))
    lost = [anchor.text for anchor in anchors if not carries(text, anchor)]
    if not lost:
        return sections
    tracked = sections.get(Section.TASK_TRACKING, "")
    added = f"- {_NAMED}: {', '.join(lost)}"
    return {**sections, Section.TASK_TRACKING: f"{tracked}\n{added}".strip()}


def _wanted(plan: Plan) -> tuple[str, ...]:
    """Give what the person said, behind what was open before."""
    before = plan.base.sections if plan.base else {}
    lines = [line for name in _OPEN for line in before.get(name, "").splitlines()]
    still_open = [line for line in lines if BY_OTHERS not in line]
    return (*pushed_out(plan.base, plan.turns), *still_open, *_own(plan.turns))


def _word_for_word(given: Assignment) -> str:
    plan = given.plan
    quoted = [quote.text for quote in opening(plan.base, plan.turns, given.keep_first)]
    return "\n".join([*quoted, *(s.text for s in standing(plan.base, plan.turns))])
