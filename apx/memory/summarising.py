"""Has a model write the record of a range of turns, in pieces that it can read."""

from __future__ import annotations

import re
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from apx.domain.budget import FRAME, budget, within
from apx.domain.errors import ContextOverflow, ProviderError, ProviderUnavailable
from apx.domain.gate import Candidate
from apx.domain.message import (
    Finish,
    FinishReason,
    Message,
    Options,
    Role,
    Served,
    TextDelta,
    Usage,
)
from apx.domain.text import estimate_tokens
from apx.domain.untrusted import closed
from apx.memory.prompts import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apx.memory.windows import Windows
    from apx.ports import ChatModel

_PROMPT: Final = load("condense")
# What a model may write, think about it included, and never more than its reserve.
_REPLY: Final = 4_096
_SHORTER: Final = 3
# With less room than this nothing can be condensed.
_LEAST: Final = 256
_WISHED: Final = 200  # tokens of what a person wants kept
_WORDS: Final = 2  # of three tokens
_TOKENS: Final = 3
_DEADLINE: Final = 180.0

_GOAL: Final = """
The conversation began with the messages below. Whatever goal they set, keep it in
USER_CONTEXT as the person put it:
"""
_PREVIOUS: Final = (
    "Event 0 is the record so far, and yours takes its place too: carry over all of it"
    " that still holds."
)
_CARRY: Final = "These must be in your record exactly as they stand here: "
_WISH: Final = "The person asked above all to keep: "


# A mark of an event, however it is written.
_EVENT: Final = re.compile(
    r"[<\uff1c\ufe64\u2039]([\s/\uff0f\u200b-\u200d\u2060]{0,8})(event)", re.IGNORECASE
)


def _round(mark: re.Match[str]) -> str:
    return f"({mark[1]}{mark[2]}"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One event of a range, as the summariser reads it."""

    id: str
    role: str
    text: str

    def written(self, tokens: int) -> str:
        """Write it as a block that its text cannot end; bounded to so many tokens."""
        text = closed(_EVENT.sub(_round, self.text), tokens)
        return f'<EVENT id="{self.id}" role="{self.role}">\n{text}\n</EVENT>'


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be written, from what, and in how many tokens."""

    events: tuple[Excerpt, ...]
    tokens: int
    previous: str = ""
    opening: tuple[Excerpt, ...] = ()
    language: str = ""
    carry: tuple[str, ...] = ()
    wish: str = ""

    def before(self) -> str:
        """Write the record so far as the event that comes first."""
        previous = Excerpt("0", "record", self.previous)
        return previous.written(2 * self.tokens) if self.previous else ""

    def instructions(self) -> str:
        """Write the prompt that stands before the events."""
        more = [
            _PREVIOUS if self.previous else "",
            _GOAL + _blocks(self.opening, self.tokens) if self.opening else "",
            _CARRY + ", ".join(self.carry) if self.carry else "",
            _WISH + within(self.wish, _WISHED) if self.wish else "",
        ]
        return _PROMPT.substitute(
            language=self.language or "the language of the conversation",
            words=self.tokens * _WORDS // _TOKENS,
            more="\n".join(filter(None, more)),
        )


@dataclass(slots=True)
class Written:
    """What a model wrote, who it was, and what it cost."""

    candidate: Candidate
    model: str
    usage: Usage


class Summariser:
    """One model at its work."""

    def __init__(
        self, model: ChatModel, windows: Windows, deadline: float = _DEADLINE
    ) -> None:
        self._model = model
        self._windows = windows
        self._deadline = deadline
        self._usage = Usage()
        self._served = model.name

    async def write(self, order: Order) -> Written:
        """Write the record; raises a `ProviderError` if the model cannot.

        A range that is longer than the model can read is read in pieces whose
        records are then condensed together. What is too long all the same is halved.
        """
        before = self._limit()
        try:
            for _ in range(_SHORTER):
                try:
                    return Written(await self._folded(order), self._served, self._usage)
                except ContextOverflow as error:
                    told = budget(error.window) if error.window else self._limit()
                    # What a provider names stays known, also if all of this fails.
                    before = min(before, told) if error.window else before
                    smaller = told if told < self._limit() else self._limit() // 2
                    self._windows.learn(self._model, smaller)
            return Written(await self._folded(order), self._served, self._usage)
        except ProviderError:
            self._windows.restore(self._model, before)
            raise

    def _limit(self) -> int:
        return self._windows.limit(self._model)

    async def _folded(self, order: Order) -> Candidate:
        fixed = f"{order.instructions()}{order.before()}"
        room = self._limit() - estimate_tokens(fixed) - 4 * FRAME
        if room < _LEAST:
            raise ProviderUnavailable(
                f"{self._model.name} reads too little to condense",
                provider=self._model.name,
            )
        pieces = packed(order.events, room)
        if len(pieces) == 1:
            return await self._ask(order, pieces[0])
        part = replace(order, previous="", opening=(), tokens=room // 4)
        records = []
        for number, piece in enumerate(pieces, start=1):
            told = await self._ask(part, piece)
            text = within(told.text, room // 4)
            records.append(Excerpt(f"part {number}", "record", text))
        return await self._folded(replace(order, events=tuple(records)))

    async def _ask(self, order: Order, events: Sequence[str]) -> Candidate:
        told = "\n".join(filter(None, [order.before(), *events]))
        prompt = [
            Message(Role.SYSTEM, order.instructions()),
            Message(Role.USER, told),
        ]
        most = min(_REPLY, max(self._model.window // 4, _LEAST))
        options = Options(deadline=self._deadline, max_tokens=most)
        texts: list[str] = []
        reason = FinishReason.STOP
        async with aclosing(self._model.stream(prompt, (), options)) as stream:
            async for delta in stream:
                match delta:
                    case TextDelta(text):
                        texts.append(text)
                    case Usage():
                        self._usage += delta
                    case Served(name):
                        self._served = name
                    case Finish(given):
                        reason = given
        return Candidate("".join(texts), reason is not FinishReason.LENGTH)


def packed(events: Iterable[Excerpt], room: int) -> list[list[str]]:
    """Put events into as few pieces as hold `room` tokens each, in their order."""
    pieces: list[list[str]] = [[]]
    spare = room
    for event in events:
        text = event.written(room // 2)
        spent = estimate_tokens(text) + 1
        if spent > spare and pieces[-1]:
            pieces.append([])
            spare = room
        pieces[-1].append(text)
        spare -= spent
    return pieces


def _blocks(events: Sequence[Excerpt], tokens: int) -> str:
    return "\n".join(event.written(tokens // 2) for event in events)
