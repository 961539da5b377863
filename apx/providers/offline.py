"""The model that needs nothing: it keeps and finds memories, and says so."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from apx.domain.intent import Intent, Wish, language_of, read
from apx.domain.message import (
    Finish,
    FinishReason,
    Role,
    TextDelta,
    ToolCall,
    Usage,
)
from apx.domain.text import content_terms
from apx.providers.offline_lines import wishes
from apx.providers.offline_telling import (
    curated,
    fresh,
    quote,
    tell_forgotten,
    tell_found,
    tell_notes,
    tell_saved,
    with_curated,
    with_fresh,
)
from apx.providers.phrases import phrases

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from apx.domain.message import Delta, Message, Options
    from apx.domain.tool import ToolSpec
    from apx.providers.offline_telling import Kept
    from apx.providers.phrases import Phrases

_WINDOW: Final = 1_000_000
# What it is asked for stands at the beginning; reading all of a megabyte takes long.
_READ: Final = 20_000
# Tools that are asked for in one round.
_AT_ONCE: Final = 100
_PIECE: Final = re.compile(r"\s*\S{1,24}\s*")


class OfflineModel:
    """Acts on plain wishes about memory, in the language they were made in."""

    def __init__(self, language: str = "") -> None:
        self._language = language

    @property
    def name(self) -> str:
        """Name the model as config.json does."""
        return "offline"

    @property
    def window(self) -> int:
        """Give a window that no prompt fills."""
        return _WINDOW

    async def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        options: Options,  # noqa: ARG002 - the port's; this model costs nothing
    ) -> AsyncGenerator[Delta, None]:
        """Ask for the tools that the last message wants, or tell their results."""
        act = _act(messages, {tool.name for tool in tools}, self._language)
        if isinstance(act, str):
            for piece in _PIECE.findall(act):
                yield TextDelta(piece)
        else:
            for call in act:
                yield call
        yield Usage()
        is_said = isinstance(act, str)
        yield Finish(FinishReason.STOP if is_said else FinishReason.TOOLS)


@dataclass(frozen=True, slots=True)
class _Errand:
    """The tool that serves a wish, its argument, and how to tell its result."""

    tool: str
    argument: str
    tell: Callable[[str, Phrases], str]


@dataclass(frozen=True, slots=True)
class _Done:
    """A tool that ran since the person spoke, and what it answered."""

    tool: str
    text: str


@dataclass(frozen=True, slots=True)
class _Wished:
    """One of the things that a person asked for, and how it went; None is not yet."""

    intent: Intent
    errand: _Errand
    result: str | None


def _act(
    messages: Sequence[Message], tools: set[str], language: str
) -> list[ToolCall] | str:
    """Ask for what is still to be done, or tell all of it."""
    asked, done = _last_request(messages)
    todo = _matched([one for one in wishes(asked) if one.kind in _ERRANDS], done)
    if not todo:
        intent = read(asked)
        say = phrases(intent.language or language)
        said = say.abilities if content_terms(asked) else say.small_talk
        return f"{said}\n{say.real_model}"
    number = 1 + sum(len(message.calls) for message in messages)
    return _calls(todo, tools, number) or _told(todo, asked, _kept(messages), language)


def _last_request(messages: Sequence[Message]) -> tuple[str, list[_Done]]:
    """Find what the person said last, and what tools have answered since."""
    since: list[Message] = []
    asked = ""
    for message in reversed(messages):
        if message.role is Role.USER:
            # What came along is in the text too, and is nobody's wish.
            asked = message.text if message.own is None else message.own
            break
        since.insert(0, message)
    names = {call.id: call.name for message in since for call in message.calls}
    results = [message for message in since if message.role is Role.TOOL]
    done = [_Done(names.get(one.call_id, ""), one.text.strip()) for one in results]
    return asked[:_READ], done


def _kept(messages: Sequence[Message]) -> list[Kept]:
    """Read the curated memories that came along with what the person said last."""
    asked = [at for at, one in enumerate(messages) if one.role is Role.USER][-1:]
    before = messages[: asked[0]][-1:] if asked else ()
    return [
        kept for one in before if one.role is Role.USER for kept in curated(one.text)
    ]


def _matched(todo: Sequence[Intent], done: Sequence[_Done]) -> list[_Wished]:
    """Give each wish the result of its tool; tools are asked in the wishes' order."""
    found, left = [], list(done)
    for intent in todo:
        errand = _ERRANDS[intent.kind]
        is_done = bool(left) and left[0].tool == errand.tool
        found.append(_Wished(intent, errand, left.pop(0).text if is_done else None))
    return found


def _calls(todo: Sequence[_Wished], tools: set[str], number: int) -> list[ToolCall]:
    """Ask for the first of what can still be done, with its likes right after it.

    A note and a question about it are two rounds: tools of one run side by side.
    """
    open_ = [one for one in todo if one.result is None and one.errand.tool in tools]
    alike = takewhile(lambda one: one.errand is open_[0].errand, open_[:_AT_ONCE])
    return [_call(one, place) for place, one in enumerate(alike, start=number)]


def _call(wished: _Wished, number: int) -> ToolCall:
    argument = wished.errand.argument
    values = {argument: wished.intent.subject} if argument else {}
    arguments = json.dumps(values, ensure_ascii=False)
    return ToolCall(f"offline-{number}", wished.errand.tool, arguments)


def _told(
    todo: Sequence[_Wished], asked: str, kept: Sequence[Kept], language: str
) -> str:
    """Tell how each wish went; of several questions, which of them."""
    usual = language_of(asked) or language
    questions = [one for one in todo if one.intent.kind is Wish.ASK]
    lines: list[str] = []
    saved: list[str] = []
    for one in todo:
        say = phrases(one.intent.language or usual)
        if one.intent.kind is Wish.ASK and len(questions) > 1:
            lines.append(quote(one.intent.subject))
        told = _tell(one, saved, say, asked)
        if one.intent.kind is Wish.ASK and one.result is not None:
            # What was found is about the one question, also without a word of it.
            sure = [each for each in kept if not each.is_rule and len(questions) == 1]
            about = [k for k in kept if k in sure or k.is_about(one.intent.subject)]
            told = with_curated(told, about, say)
        lines.append(told)
        if one.intent.kind is Wish.REMEMBER and one.result is not None:
            saved.append(one.result)
    return "\n".join(lines)


def _tell(one: _Wished, saved: Sequence[str], say: Phrases, asked: str) -> str:
    if one.result is None:
        return say.no_tool.format(tool=one.errand.tool)
    told = one.errand.tell(one.result, say)
    if one.intent.kind is Wish.ASK:
        told = with_fresh(told, fresh(one.intent.subject, saved, say), say)
    # "What can you do?" has no answer in memory, but it deserves one.
    is_lost = told == say.nothing_found and not content_terms(asked)
    return f"{told}\n{say.abilities}\n{say.real_model}" if is_lost else told


_ERRANDS: Final = {
    Wish.REMEMBER: _Errand("remember", "text", tell_saved),
    Wish.FORGET: _Errand("forget_note", "what", tell_forgotten),
    Wish.LIST_NOTES: _Errand("list_notes", "", tell_notes),
    Wish.ASK: _Errand("recall_search", "query", tell_found),
}
