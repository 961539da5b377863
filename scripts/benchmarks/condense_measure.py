"""Counts what of a thread is in a prompt: goals, limits, tasks, exact things."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from apx.domain.anchors.carrying import is_said
from apx.domain.anchors.reading import anchors
from apx.domain.text import flatten
from scripts.benchmarks.condense_truth import Truth

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from apx.domain.message import Message
    from scripts.benchmarks.condense_truth import Fact, Talk

DONE: Final = "done"
_ENDS: Final = ".!?。 "
_COMPLETED: Final = "COMPLETED:"


@dataclass(frozen=True, slots=True)
class Miss:
    """Something that a prompt should hold and does not."""

    what: str
    text: str
    talk: int
    language: str


@dataclass(slots=True)
class Tally:
    """How many were wanted and how many found, by what they are; tokens by prompt."""

    wanted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    tokens: list[int] = field(default_factory=list)
    misses: list[Miss] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take what another one counted."""
        self.wanted += other.wanted
        self.found += other.found
        self.tokens += other.tokens
        self.misses += other.misses

    def share(self, what: str) -> float | None:
        """Say which share was found; nothing if none was wanted."""
        wanted = self.wanted[what]
        return self.found[what] / wanted if wanted else None


def measured(prompt: Sequence[Message], talk: Talk, turn: int, tokens: int) -> Tally:
    """Look for all that is true after a turn in a prompt."""
    text = "\n".join(message.text for message in prompt)
    tally = Tally(tokens=[tokens])
    for what, wanted, is_there in _looked_for(text, talk.facts, turn):
        tally.wanted[what] += 1
        tally.found[what] += is_there
        if not is_there:
            tally.misses.append(Miss(what, wanted, talk.number, talk.language))
    return tally


def _looked_for(
    text: str, facts: Iterable[Fact], turn: int
) -> Iterator[tuple[str, str, bool]]:
    flat = flatten(text)
    folded = flat.casefold()
    for fact in facts:
        if fact.since > turn:
            continue
        match fact.truth:
            case Truth.TASK if fact.is_over(turn):
                if fact.text.casefold() in folded:
                    yield DONE, fact.ending, _is_done(text, flat, fact)
            case Truth.TASK:
                yield Truth.TASK, fact.text, fact.text.casefold() in folded
            case _ if fact.is_over(turn):
                continue
            case Truth.ANCHOR:
                yield Truth.ANCHOR, fact.text, is_carried(text, flat, fact.text)
            case _:
                yield fact.truth, fact.text, is_verbatim(flat, fact.text)


def is_verbatim(flat: str, sentence: str) -> bool:
    """Whether a sentence is in a text, word for word."""
    return flatten(sentence).rstrip(_ENDS) in flat


def is_carried(text: str, flat: str, exact: str) -> bool:
    """Whether a text says something exact, if in another usual form."""
    found = _anchors(exact)
    return all(is_said(text, one) for one in found) if found else exact in flat


def _is_done(text: str, flat: str, fact: Fact) -> bool:
    """Whether what tells of a task tells that it is done, too."""
    if is_verbatim(flat, fact.ending):
        return True
    _, _, behind = text.partition(_COMPLETED)
    completed = behind.partition("\n\n")[0].casefold()
    return fact.text.casefold() in completed


_anchors = lru_cache(maxsize=4096)(anchors)
