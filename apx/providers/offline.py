"""The model that needs nothing: it keeps and finds memories, and says so."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.intent import Intent, Wish, read
from apx.domain.message import (
    Finish,
    FinishReason,
    Role,
    TextDelta,
    ToolCall,
    Usage,
)
from apx.domain.text import content_terms, excerpt
from apx.providers.phrases import phrases

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from apx.domain.message import Delta, Message, Options
    from apx.domain.tool import ToolSpec
    from apx.providers.phrases import Phrases

_WINDOW: Final = 1_000_000
_BEST: Final = 3
_LONGEST_QUOTE: Final = 400
# What it is asked for stands at the beginning; reading all of a megabyte takes long.
_READ: Final = 20_000
_PIECE: Final = re.compile(r"\s*\S{1,24}\s*")

_SAVED: Final = re.compile(r"saved as note (\d+):\s*(.*)", re.DOTALL)
_FORGOT: Final = re.compile(r"forgot note (\d+):\s*(.*)", re.DOTALL)
_MEMORY: Final = re.compile(
    r"[•*-]\s*\[(\d{4}-\d\d-\d\d)[^\]]*\](?:\[([^\]]*)\])?\s*(.*?)"
    r"\s*\((note|turn) (\d+)\)"
)


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
        """Ask for the one tool that the last message wants, or tell its result."""
        act = _act(messages, {tool.name for tool in tools}, self._language)
        if isinstance(act, ToolCall):
            yield act
        else:
            for piece in _PIECE.findall(act):
                yield TextDelta(piece)
        yield Usage()
        is_call = isinstance(act, ToolCall)
        yield Finish(FinishReason.TOOLS if is_call else FinishReason.STOP)


@dataclass(frozen=True, slots=True)
class _Errand:
    """The tool that serves a wish, its argument, and how to tell its result."""

    tool: str
    argument: str
    tell: Callable[[str, Phrases], str]


def _act(messages: Sequence[Message], tools: set[str], language: str) -> ToolCall | str:
    asked, results = _last_request(messages)
    intent = read(asked)
    say = phrases(intent.language or language)
    errand = _ERRANDS.get(intent.kind)
    if errand is None:
        said = say.abilities if content_terms(asked) else say.small_talk
        return f"{said}\n{say.real_model}"
    if results:
        told = errand.tell(results[-1].strip(), say)
        # "What can you do?" has no answer in memory, but it deserves one.
        is_lost = told == say.nothing_found and not content_terms(asked)
        return f"{told}\n{say.abilities}\n{say.real_model}" if is_lost else told
    if errand.tool not in tools:
        return say.no_tool.format(tool=errand.tool)
    return _call(errand, intent, messages)


def _last_request(messages: Sequence[Message]) -> tuple[str, list[str]]:
    """Find what the person said last, and what tools have answered since."""
    results: list[str] = []
    for message in reversed(messages):
        if message.role is Role.USER:
            # What came along is in the text too, and is nobody's wish.
            said = message.text if message.own is None else message.own
            return said[:_READ], results[::-1]
        if message.role is Role.TOOL:
            results.append(message.text)
    return "", []


def _call(errand: _Errand, intent: Intent, messages: Sequence[Message]) -> ToolCall:
    number = 1 + sum(len(message.calls) for message in messages)
    values = {errand.argument: intent.subject} if errand.argument else {}
    arguments = json.dumps(values, ensure_ascii=False)
    return ToolCall(f"offline-{number}", errand.tool, arguments)


def _tell_saved(result: str, say: Phrases) -> str:
    found = _SAVED.search(result)
    if found is None:
        return say.not_saved.format(reason=_quote(result))
    return say.saved.format(number=found[1], text=_quote(found[2]))


def _tell_found(result: str, say: Phrases) -> str:
    if result.startswith("nothing found"):
        return say.nothing_found
    lines = _memories(result, say)[:_BEST]
    if not lines:
        return say.search_failed.format(reason=_quote(result))
    return "\n".join([say.found, *lines])


def _tell_notes(result: str, say: Phrases) -> str:
    if result.startswith("no notes"):
        return say.no_notes
    lines = _memories(result, say)
    if not lines:
        return say.notes_failed.format(reason=_quote(result))
    return "\n".join([say.notes, *lines])


def _tell_forgotten(result: str, say: Phrases) -> str:
    if found := _FORGOT.search(result):
        return say.forgotten.format(number=found[1], text=_quote(found[2]))
    if result.startswith("no note matches"):
        return say.not_forgotten
    lines = _memories(result, say)
    if not lines:
        return say.forget_failed.format(reason=_quote(result))
    [first, *_] = _MEMORY.finditer(result)
    return "\n".join([say.several.format(number=first[5]), *lines])


def _memories(result: str, say: Phrases) -> list[str]:
    """Rewrite the lines of a tool for a person, and leave out all others."""
    found = (_MEMORY.fullmatch(line.strip()) for line in result.splitlines())
    return [_memory(line, say) for line in found if line]


def _memory(line: re.Match[str], say: Phrases) -> str:
    date, channel, text, kind, number = line.groups()
    ref = say.note if kind == "note" else say.turn
    origin = [
        date,
        say.terminal if channel == "terminal" else (channel or "").title(),
        ref.format(number=number),
    ]
    return f"• {_quote(text)} ({' · '.join(filter(None, origin))})"


def _quote(text: str) -> str:
    return excerpt(text, _LONGEST_QUOTE)


_ERRANDS: Final = {
    Wish.REMEMBER: _Errand("remember", "text", _tell_saved),
    Wish.FORGET: _Errand("forget_note", "what", _tell_forgotten),
    Wish.LIST_NOTES: _Errand("list_notes", "", _tell_notes),
    Wish.ASK: _Errand("recall_search", "query", _tell_found),
}
