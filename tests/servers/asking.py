"""How tests ask a model: one call, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.domain.message import Message, Options, Role, TextDelta
from apx.domain.tool import ToolSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apx.domain.message import Delta
    from apx.ports import ChatModel

REMEMBER = ToolSpec(
    "remember",
    "Keep a fact.",
    {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "the fact"},
            "about": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["text"],
    },
)


def user(text: str) -> Message:
    """Say something as a person."""
    return Message(Role.USER, text)


async def ask(
    model: ChatModel,
    prompt: str | Sequence[Message] = "hello there",
    tools: Sequence[ToolSpec] = (REMEMBER,),
    options: Options | None = None,
) -> list[Delta]:
    """Ask a model and wait for the whole answer."""
    messages = [user(prompt)] if isinstance(prompt, str) else prompt
    stream = model.stream(messages, tools, options or Options(deadline=30))
    return [delta async for delta in stream]


def text_of(deltas: Iterable[Delta]) -> str:
    """Put the text of an answer together."""
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
