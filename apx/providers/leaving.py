"""Takes the tokens of chat templates out of all that leaves for a vendor."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from apx.domain.untrusted import untemplated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.message import Message, ToolCall


def leaving(messages: Sequence[Message]) -> list[Message]:
    """Give a prompt in which nobody's words are tokens; all other text stays as it is.

    Servers at home put a prompt through a template and read tokens wherever they
    stand: in what was forwarded, in a tool's result, in a reply that repeats these.
    """
    return [_plain(message) for message in messages]


def _plain(message: Message) -> Message:
    text = untemplated(message.text)
    calls = tuple(map(_plain_call, message.calls))
    if text == message.text and calls == message.calls:
        return message
    return replace(message, text=text, calls=calls)


def _plain_call(call: ToolCall) -> ToolCall:
    name, arguments = untemplated(call.name), _plain_arguments(call.arguments)
    return replace(call, name=name, arguments=arguments)


def _plain_arguments(arguments: str) -> str:
    """Give a call's arguments, in which an escape may hide a token."""
    if "\\" not in arguments and untemplated(arguments) == arguments:
        return arguments
    try:
        told = json.loads(arguments)
        plain = _plain_value(told)
    except (ValueError, RecursionError):
        return untemplated(arguments)
    return arguments if plain == told else json.dumps(plain, ensure_ascii=False)


def _plain_value(value: object) -> object:
    if isinstance(value, str):
        return untemplated(value)
    if isinstance(value, list):
        return [_plain_value(one) for one in value]
    if isinstance(value, dict):
        return {untemplated(key): _plain_value(one) for key, one in value.items()}
    return value
