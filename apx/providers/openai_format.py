"""Owns the translation between our words and OpenAI's chat completions."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from apx.domain.message import (
    Finish,
    FinishReason,
    Message,
    Role,
    TextDelta,
    ToolCall,
    Usage,
)
from apx.providers.leaving import leaving
from apx.providers.prompt import as_text, paired

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from apx.domain.message import Delta, Image
    from apx.domain.tool import ToolSpec


def to_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Give a prompt as OpenAI wants it."""
    return [_message(message) for message in paired(leaving(opened_once(messages)))]


def opened_once(messages: Sequence[Message]) -> list[Message]:
    """Join the SYSTEM messages that a prompt begins with into one.

    The chat templates of many local models raise an error for a second one. Later
    ones stay in their places.
    """
    many = next(
        (at for at, message in enumerate(messages) if message.role is not Role.SYSTEM),
        len(messages),
    )
    if many <= 1:
        return list(messages)
    text = "\n\n".join(filter(None, (message.text for message in messages[:many])))
    images = tuple(image for message in messages[:many] for image in message.images)
    return [Message(Role.SYSTEM, text, images=images), *messages[many:]]


def to_tools(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Give the tools as OpenAI wants them."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(tool.parameters),
            },
        }
        for tool in tools
    ]


@dataclass(slots=True)
class _Piecework:
    index: int | None
    id: str
    name: str
    arguments: str = ""


@dataclass(slots=True)
class Gathered:
    """Tool calls, put together from the pieces that a stream brings."""

    _calls: list[_Piecework] = field(default_factory=list)

    def add(self, piece: Mapping[str, Any]) -> None:
        """Take a piece; it belongs to its index, else its id, else the last call."""
        function = piece.get("function") or {}
        name, arguments = function.get("name") or "", function.get("arguments") or ""
        if not isinstance(arguments, str):  # some servers send the object itself
            arguments = json.dumps(arguments, ensure_ascii=False)
        call = self._find(piece.get("index"), piece.get("id") or "", name)
        if name not in ("", call.name):
            call.name += name
        call.arguments += arguments

    def calls(self) -> list[ToolCall]:
        """Give the calls, with the arguments as the model wrote them."""
        return [ToolCall(call.id, call.name, call.arguments) for call in self._calls]

    def _find(self, index: int | None, call_id: str, name: str) -> _Piecework:
        for call in reversed(self._calls):
            if call.index == index:
                if _continues(call, call_id, name):
                    call.id = call.id or call_id
                    return call
                break
        self._calls.append(_Piecework(index, call_id, name))
        return self._calls[-1]


@dataclass(slots=True)
class Reading:
    """An answer on its way: what was read of it so far."""

    finish: Finish | None = None
    blocked: str = ""
    _calls: Gathered = field(default_factory=Gathered)

    def take(self, chunk: Mapping[str, Any]) -> Iterator[Delta]:
        """Read a chunk and give what can be passed on already.

        Some chunks have no choice, or null for one; what a model reasons is skipped.
        """
        choices = chunk.get("choices") or [None]
        choice = choices[0] or {}
        delta = choice.get("delta") or {}
        if text := delta.get("content"):
            yield TextDelta(text)
        for piece in delta.get("tool_calls") or ():
            self._calls.add(piece)
        if usage := chunk.get("usage"):
            yield _usage(usage)
        self._end(choice.get("finish_reason"), delta.get("refusal"))

    def rest(self) -> Iterator[Delta]:
        """Give what only the end of the stream makes certain."""
        yield from self._calls.calls()
        if self.finish:
            yield self.finish

    def _end(self, reason: str | None, refusal: str | None) -> None:
        if refusal:
            self.blocked = "refusal"
        elif reason == "content_filter":
            self.blocked = reason
        elif reason:
            length = reason in {"length", "max_tokens"}
            self.finish = Finish(FinishReason.LENGTH if length else FinishReason.STOP)


def _continues(call: _Piecework, call_id: str, name: str) -> bool:
    """Whether a piece goes on with a call; some servers give every call index 0."""
    if call_id and call.id:
        return call_id == call.id
    # A name after arguments is the next call's.
    return not (name and call.arguments)


def _usage(told: Mapping[str, Any]) -> Usage:
    """Read the usage block; what was cached is a part of the prompt."""
    prompt, completion = told.get("prompt_tokens"), told.get("completion_tokens")
    details = told.get("prompt_tokens_details") or {}
    return Usage(
        prompt or 0,
        completion or 0,
        details.get("cached_tokens") or 0,
        known=prompt is not None and completion is not None,
    )


def _message(message: Message) -> dict[str, Any]:
    told: dict[str, Any] = {"role": message.role.value, "content": message.text}
    if message.role is Role.TOOL:
        told["tool_call_id"] = message.call_id
    if message.images:
        text = [{"type": "text", "text": message.text}] if message.text else []
        told["content"] = [*text, *map(_picture, message.images)]
    if message.calls:
        told["content"] = message.text or None
        told["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": as_text(call.arguments)},
            }
            for call in message.calls
        ]
    return told


def _picture(image: Image) -> dict[str, Any]:
    data = b64encode(image.data).decode()
    return {
        "type": "image_url",
        "image_url": {"url": f"data:{image.media_type};base64,{data}"},
    }
