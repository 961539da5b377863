"""Owns the translation between our words and Gemini's."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any, Final

from apx.domain.message import (
    Finish,
    FinishReason,
    Role,
    TextDelta,
    ToolCall,
    Usage,
)
from apx.providers.leaving import leaving
from apx.providers.prompt import as_object, paired

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from apx.domain.message import Delta, Message
    from apx.domain.tool import ToolSpec

# What Google documents for a call that another model made, or whose mark is lost:
# from Gemini 3 on, a call without a mark is an error.
_NO_SIGNATURE: Final = b"skip_thought_signature_validator"
_UNSIGNED: Final = ("gemini-1", "gemini-2")
_OPENING: Final = "(The conversation goes on.)"

BLOCKS: Final = frozenset(
    {"SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "LANGUAGE"}
    | {"IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION"}
    | {"MODEL_ARMOR", "JAILBREAK", "ESCALATION"}
)
FAILURES: Final = frozenset(
    {"OTHER", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"}
    | {"TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE", "IMAGE_OTHER", "NO_IMAGE"}
)


def to_instruction(messages: Sequence[Message]) -> str:
    """Give the system text: what stands before the first word of the conversation.

    A later SYSTEM message is told in its place instead. Moving it up would change
    the beginning of the prompt, and with it what Gemini has cached.
    """
    opening = leaving(messages[: _opening(messages)])
    return "\n\n".join(message.text for message in opening)


def to_contents(messages: Sequence[Message], model: str) -> list[dict[str, Any]]:
    """Give the conversation as Gemini wants it: user first, roles in turn."""
    names: dict[str, str] = {}
    contents: list[dict[str, Any]] = []
    for message in paired(leaving(messages[_opening(messages) :])):
        names.update((call.id, call.name) for call in message.calls)
        parts = _parts(message, names, model)
        role = "model" if message.role is Role.ASSISTANT else "user"
        if contents and contents[-1]["role"] == role and _alike(contents[-1], parts):
            contents[-1]["parts"] += parts
        elif parts:
            contents.append({"role": role, "parts": parts})
    if not contents or contents[0]["role"] == "model":
        contents.insert(0, {"role": "user", "parts": [{"text": _OPENING}]})
    return contents


def to_tools(tools: Sequence[ToolSpec]) -> list[dict[str, Any]]:
    """Give the tools as Gemini wants them."""
    declared = [
        {
            "name": tool.name,
            "description": tool.description,
            "parameters_json_schema": dict(tool.parameters),
        }
        for tool in tools
    ]
    return [{"function_declarations": declared}]


def to_deltas(chunk: Mapping[str, Any]) -> Iterator[Delta]:
    """Give what a chunk of Gemini's answer says; what it thinks is not shown."""
    candidate = _candidate(chunk)
    for part in (candidate.get("content") or {}).get("parts") or ():
        call, text = part.get("function_call"), part.get("text")
        if call:
            yield _call(call, part.get("thought_signature") or b"")
        elif text and not part.get("thought"):
            yield TextDelta(text)
    if usage := chunk.get("usage_metadata"):
        yield _usage(usage)
    if reason := finish_of(chunk):
        length = reason == "MAX_TOKENS"
        yield Finish(FinishReason.LENGTH if length else FinishReason.STOP)


def finish_of(chunk: Mapping[str, Any]) -> str:
    """Give why the model stopped, in Gemini's word; empty when it goes on."""
    return _word(_candidate(chunk).get("finish_reason"))


def block_of(chunk: Mapping[str, Any]) -> str:
    """Give why the prompt or the answer was blocked; empty when it was not."""
    prompt = _word((chunk.get("prompt_feedback") or {}).get("block_reason"))
    finish = finish_of(chunk)
    return prompt or (finish if finish in BLOCKS else "")


def _candidate(chunk: Mapping[str, Any]) -> Mapping[str, Any]:
    candidates = chunk.get("candidates") or [None]
    return candidates[0] or {}


def _word(value: object) -> str:
    word = str(getattr(value, "value", value) or "")
    return "" if word.endswith("_UNSPECIFIED") else word


def _opening(messages: Sequence[Message]) -> int:
    """Count the SYSTEM messages at the start."""
    for count, message in enumerate(messages):
        if message.role is not Role.SYSTEM:
            return count
    return len(messages)


def _alike(content: Mapping[str, Any], parts: Sequence[Mapping[str, Any]]) -> bool:
    """Whether parts may join a content: results stay among themselves."""
    joined = [*content["parts"], *parts]
    return len({"function_response" in part for part in joined}) == 1


def _parts(
    message: Message, names: Mapping[str, str], model: str
) -> list[dict[str, Any]]:
    if message.role is Role.TOOL:
        answer = {
            "id": message.call_id,
            "name": names.get(message.call_id, ""),
            "response": {"result": message.text},
        }
        return [{"function_response": answer}]
    parts: list[dict[str, Any]] = [{"text": message.text}] if message.text else []
    parts += [
        {"inline_data": {"mime_type": image.media_type, "data": image.data}}
        for image in message.images
    ]
    return parts + _call_parts(message.calls, model)


def _call_parts(calls: Sequence[ToolCall], model: str) -> list[dict[str, Any]]:
    """Give the calls with their marks; of calls made at once the first has it."""
    parts = []
    for place, call in enumerate(calls):
        part: dict[str, Any] = {
            "function_call": {
                "id": call.id,
                "name": call.name,
                "args": as_object(call.arguments),
            }
        }
        signature = _signature(call)
        if not (signature or place or model.startswith(_UNSIGNED)):
            signature = _NO_SIGNATURE
        if signature:
            part["thought_signature"] = signature
        parts.append(part)
    return parts


def _signature(call: ToolCall) -> bytes:
    try:
        return b64decode(call.signature, validate=True)
    except ValueError:
        return b""


def _call(call: Mapping[str, Any], signature: bytes) -> ToolCall:
    return ToolCall(
        call.get("id") or "",
        call.get("name") or "",
        json.dumps(call.get("args") or {}, ensure_ascii=False),
        b64encode(signature).decode(),
    )


def _usage(told: Mapping[str, Any]) -> Usage:
    """Read the usage; thoughts are paid for as the reply is."""
    prompt = told.get("prompt_token_count")
    reply = told.get("candidates_token_count") or 0
    return Usage(
        (prompt or 0) + (told.get("tool_use_prompt_token_count") or 0),
        reply + (told.get("thoughts_token_count") or 0),
        told.get("cached_content_token_count") or 0,
        known=prompt is not None,
    )
