"""Leads threads through their condensations, with apx and beside it the others."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from apx.domain.budget import FRAME, cost
from apx.domain.compaction import is_due
from apx.domain.fitting import share
from apx.domain.text import estimate_tokens
from apx.domain.thread import Thread
from scripts.benchmarks.condense_ledger import RULES, rig
from scripts.benchmarks.condense_measure import Tally, measured
from scripts.benchmarks.condense_models import GOOD, model
from scripts.benchmarks.condense_rivals import Rolling, last

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.history import View
    from apx.domain.message import Message
    from apx.memory.condenser import Condenser, Outcome
    from scripts.benchmarks.condense_ledger import Rig
    from scripts.benchmarks.condense_truth import Talk, Told

# So many condensations later it is looked what is left.
LOOKED: Final = (1, 3, 10)
APX: Final = "apx"
ROLLING: Final = "rolling summary"
LAST: Final = "last 40 messages"
METHODS: Final = (APX, ROLLING, LAST)
# Turns between two looks whether a thread is due, as small as costs allow.
_STEP: Final = {8_192: 8}
_ENDLESS: Final = 10**9


@dataclass(frozen=True, slots=True)
class Job:
    """Threads to be led through one summariser and one window."""

    talks: Sequence[Talk]
    kind: str
    window: int


@dataclass(slots=True)
class Findings:
    """What was counted, by method and condensations; how records came about."""

    tallies: dict[tuple[str, int], Tally] = field(default_factory=dict)
    whole: dict[int, list[int]] = field(default_factory=dict)
    sizes: list[tuple[int, int]] = field(default_factory=list)
    made: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, other: Findings) -> None:
        """Take what another one counted."""
        for key, tally in other.tallies.items():
            self.tallies.setdefault(key, Tally()).add(tally)
        for after, tokens in other.whole.items():
            self.whole.setdefault(after, []).extend(tokens)
        self.sizes += other.sizes
        self.made += other.made
        self.reasons += other.reasons


async def led(job: Job) -> Findings:
    """Lead all threads of a job to their ends."""
    findings = Findings()
    async with rig(job.window) as place:
        for talk in job.talks:
            await _Course(place, talk, job.kind, findings).run()
    return findings


class _Course:
    """One thread on its way."""

    def __init__(self, place: Rig, talk: Talk, kind: str, findings: Findings) -> None:
        self._place = place
        self._talk = talk
        self._kind = kind
        self._thread = Thread("bench", str(talk.number))
        self._condenser: Condenser = place.condenser(model(kind, place.window))
        self._rolling = Rolling(model(kind, place.window))
        self._findings = findings

    async def run(self) -> None:
        turns, after = self._talk.turns, 0
        step = _STEP.get(self._place.window, RULES.threshold // 2 + 1)
        for first in range(0, len(turns), step):
            part = turns[first : first + step]
            await self._place.say(self._thread, part, first + 1)
            view = await self._place.history.view(self._thread)
            if not is_due(view, RULES, self._place.room):
                continue
            outcome = await self._condenser.condense(self._thread, self._place.wish)
            if outcome.made is None:
                continue
            after += 1
            await self._folded(outcome)
            if after in LOOKED:
                self._look(outcome, await self._place.history.view(self._thread), after)
            if after == LOOKED[-1]:
                break

    async def _folded(self, outcome: Outcome) -> None:
        """Have the others do what they do at this moment."""
        made, room = outcome.made, self._place.room
        assert made is not None  # noqa: S101 -- the caller saw to it
        self._findings.made["by rule" if made.degraded else "by the model"] += 1
        for reason in outcome.reasons:
            self._findings.reasons[_plain(reason)] += 1
        self._findings.sizes.append((outcome.tokens_before, outcome.tokens_after))
        gone = outcome.before.past[: -len(outcome.after.past) or None]
        record = min(made.tokens, share(room))
        await self._rolling.fold(gone, record)

    def _look(self, outcome: Outcome, view: View, after: int) -> None:
        limit = self._place.limit
        room = limit - cost(last((), limit))
        prompts: dict[str, list[Message]] = {
            APX: self._place.prompt(view, self._thread),
            ROLLING: self._rolling.prompt(view.past, room),
        }
        if self._kind == GOOD:  # asks no model: one of them is enough
            prompts[LAST] = last(outcome.before.past, room)
        turn = outcome.before.past[-1].turn.ordinal
        for method, prompt in prompts.items():
            tally = measured(prompt, self._talk, turn, cost(prompt))
            self._findings.tallies.setdefault((method, after), Tally()).add(tally)
        whole = sum(map(_tokens, self._talk.turns[:turn]))
        self._findings.whole.setdefault(after, []).append(whole)


def _tokens(told: Told) -> int:
    texts = (told.request, told.answer, "".join(told.tool or ()))
    return 2 * FRAME + sum(map(estimate_tokens, texts))


def _plain(reason: str) -> str:
    """Leave out numbers, so that reasons can be counted."""
    return "".join("#" if character.isdecimal() else character for character in reason)
