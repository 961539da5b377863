"""How many tokens a prompt costs, and how many it may."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from apx.domain.text import bounded, estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.message import Message
    from apx.domain.tool import ToolSpec

# A message costs a few tokens more than its text: role, separators.
FRAME: Final = 8
# What a reply may need, out of the window, and never more than a quarter of it.
_RESERVE: Final = 4096
# Nobody pays for a longer prompt by accident, however large the model's window.
_MOST: Final = 60_000
# What a model reads of a picture, as vendors count: 85 to 1,600 tokens.
PICTURE: Final = 1_000
_BYTES: Final = 3  # of a token, as estimate_tokens has it


def budget(window: int) -> int:
    """Say how many tokens a prompt may have in a window."""
    return min(window - min(_RESERVE, window // 4), _MOST)


def cost(messages: Sequence[Message]) -> int:
    """Estimate the tokens of messages."""
    return sum(
        FRAME
        + PICTURE * len(message.images)
        + estimate_tokens(message.text)
        + sum(estimate_tokens(call.name + call.arguments) for call in message.calls)
        for message in messages
    )


def tools_cost(tools: Sequence[ToolSpec]) -> int:
    """Estimate the tokens that the descriptions of the tools take."""
    return sum(
        estimate_tokens(f"{tool.name} {tool.description} {tool.parameters}") + FRAME
        for tool in tools
    )


def within(text: str, tokens: int) -> str:
    """Keep text within so many tokens and say in it how much was cut."""
    return bounded(text, max(tokens, 0) * _BYTES)


def trimmed(message: Message, tokens: int) -> Message:
    """Keep a message's text within so many tokens."""
    return replace(message, text=within(message.text, tokens))
