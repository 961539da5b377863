"""Owns what every stream of deltas must be: in time, whole and clean."""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from apx.domain.errors import (
    ProviderError,
    ProviderMisconfigured,
    ProviderUnavailable,
)
from apx.domain.message import Finish, FinishReason, TextDelta, ToolCall, Usage
from apx.domain.text import clean
from apx.providers.failure import MODEL_KEY

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from apx.domain.message import Delta
    from apx.providers.failure import Asked

# The half of an emoji, or of a line end, whose other half comes with the next piece.
_UNFINISHED: Final = re.compile("[\ud800-\udbff\r]\\Z")


@dataclass(slots=True)
class _Said:
    """What came so far; text that has not been passed on waits in `held`."""

    held: str = ""
    spoke: bool = False
    usage: Usage = field(default_factory=lambda: Usage(known=False))
    finish: Finish | None = None


async def in_time(
    stream: AsyncGenerator[Delta, None], seconds: float, asked: Asked
) -> AsyncGenerator[Delta, None]:
    """Pass a stream on until the deadline of the whole, however it drips."""
    # The timeout is armed around each step alone: around a `yield` it would cancel
    # whoever is listening.
    until = asyncio.get_running_loop().time() + seconds
    async with aclosing(stream):
        while True:
            try:
                async with asyncio.timeout_at(until):
                    delta = await anext(stream)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise ProviderUnavailable(
                    f"{asked.name} did not finish within {round(seconds, 1):g} s",
                    provider=asked.name,
                ) from error
            yield delta


async def whole(
    stream: AsyncGenerator[Delta, None], asked: Asked, taken: set[str]
) -> AsyncGenerator[Delta, None]:
    """Pass an answer on, and raise if it was cut off or says nothing.

    Text comes at once; the calls come at the end, then the usage and the finish, so
    that an answer that breaks off before its first word can be asked for again.
    `taken` are the ids that a new call must not have.
    """
    said, calls = _Said(), list[ToolCall]()
    async with aclosing(stream):
        async for delta in stream:
            if isinstance(delta, TextDelta):
                text = _heard(said, delta.text)
                if text:
                    yield TextDelta(text)
            elif isinstance(delta, ToolCall):
                calls.append(_named(delta, taken))
            else:
                _note(said, delta)
    rest = clean(said.held)
    if rest and (said.spoke or rest.strip()):
        said.spoke = True
        yield TextDelta(rest)
    try:
        finish = _ending(said, asked, called=bool(calls))
    except ProviderError as error:
        # It is paid for; told as a delta, it would keep the next model from trying.
        error.usage = said.usage
        raise
    for call in calls:
        yield call
    yield said.usage
    yield finish


def _heard(said: _Said, piece: str) -> str:
    """Give the text that can be shown now.

    Blanks before the first word wait: many models put some before a call.
    """
    text = said.held + piece
    unfinished = _UNFINISHED.search(text)
    cut = unfinished.start() if unfinished else len(text)
    if not said.spoke and not text[:cut].strip():
        said.held = text
        return ""
    said.held, said.spoke = text[cut:], True
    return clean(text[:cut])


def _named(call: ToolCall, taken: set[str]) -> ToolCall:
    """Make a call's id the only one of its kind; some servers say `call_0` for ever."""
    # Nine letters and digits, as Mistral demands; every other vendor takes them.
    name = call.id if call.id and call.id not in taken else uuid4().hex[:9]
    taken.add(name)
    return replace(call, id=clean(name), arguments=clean(call.arguments))


def _note(said: _Said, delta: Delta) -> None:
    if isinstance(delta, Usage):
        said.usage = delta
    elif isinstance(delta, Finish):
        said.finish = delta


def _ending(said: _Said, asked: Asked, *, called: bool) -> Finish:
    """Give the finish of a whole answer, or raise for one that is none."""
    if said.finish is None:
        raise ProviderUnavailable(
            f"{asked.name} broke off before the end of its answer", provider=asked.name
        )
    if called:
        cut = said.finish.reason is FinishReason.LENGTH
        return said.finish if cut else Finish(FinishReason.TOOLS)
    if not said.spoke:
        raise _nothing(said.finish, asked)
    cut = said.finish.reason is FinishReason.LENGTH
    return said.finish if cut else Finish(FinishReason.STOP)


def _nothing(
    finish: Finish, asked: Asked
) -> ProviderUnavailable | ProviderMisconfigured:
    if finish.reason is not FinishReason.LENGTH:
        return ProviderUnavailable(
            f"{asked.name} gave an empty answer", provider=asked.name
        )
    # A model that thinks until its reply may grow no longer does so again, and each
    # time costs the full length: not worth a retry, the next model is asked.
    return ProviderMisconfigured(
        f"{asked.name} used up the length of its reply before the first word: "
        f"choose a {MODEL_KEY} that thinks less",
        provider=asked.name,
        key=MODEL_KEY,
    )
