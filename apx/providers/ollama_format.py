"""Owns the translation between our words and Ollama's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from apx.domain.message import Finish, FinishReason, TextDelta, ToolCall, Usage
from apx.providers.leaving import leaving
from apx.providers.prompt import as_object, paired

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from apx.domain.message import Delta, Message
    from apx.domain.tool import ToolSpec


def to_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Give a prompt as Ollama wants it; a result names its tool, not its call."""
    names: dict[str, str] = {}
    told = []
    for message in paired(leaving(messages)):
        names.update((call.id, call.name) for call in message.calls)
        told.append(_message(message, names))
    return told


def to_tools(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Give the tools as Ollama wants them."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": _schema(tool.parameters),
            },
        }
        for tool in tools
    ]


def to_deltas(chunk: Mapping[str, Any]) -> Iterator[Delta]:
    """Give what a chunk of Ollama's answer says; what it thinks is not shown."""
    message = chunk.get("message") or {}
    if text := message.get("content"):
        yield TextDelta(text)
    for call in message.get("tool_calls") or ():
        function = call.get("function") or {}
        arguments = json.dumps(function.get("arguments") or {}, ensure_ascii=False)
        yield ToolCall("", function.get("name") or "", arguments)
    if chunk.get("done"):
        yield _usage(chunk)
        length = chunk.get("done_reason") == "length"
        yield Finish(FinishReason.LENGTH if length else FinishReason.STOP)


def _message(message: Message, names: Mapping[str, str]) -> dict[str, Any]:
    told: dict[str, Any] = {"role": message.role.value, "content": message.text}
    if message.call_id:
        told["tool_name"] = names.get(message.call_id, "")
    if message.images:
        told["images"] = [image.data for image in message.images]
    if message.calls:
        told["tool_calls"] = [
            {"function": {"name": call.name, "arguments": as_object(call.arguments)}}
            for call in message.calls
        ]
    return told


def _schema(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Say `anyOf` as a list of types: the SDK drops every key but a few."""
    properties = parameters.get("properties") or {}
    flat = {name: _property(schema) for name, schema in properties.items()}
    return {**parameters, "properties": flat}


def _property(schema: Mapping[str, Any]) -> dict[str, Any]:
    choices = schema.get("anyOf")
    if not choices:
        return dict(schema)
    types = [choice["type"] for choice in choices if "type" in choice]
    merged = {key: value for choice in choices for key, value in choice.items()}
    return {**merged, **schema, "type": types}


def _usage(chunk: Mapping[str, Any]) -> Usage:
    # Ollama leaves the prompt's count out when its cache held all of the prompt.
    prompt, completion = chunk.get("prompt_eval_count"), chunk.get("eval_count")
    known = prompt is not None and completion is not None
    return Usage(prompt or 0, completion or 0, known=known)
