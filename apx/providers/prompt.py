"""Owns what every vendor demands of a prompt, whatever the prompt was before."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from apx.domain.message import Message, Role
from apx.domain.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BLIND: Final = "(There are pictures here. You cannot see pictures: say so.)"
NO_RESULT: Final = "(The result of this call is not known.)"


def paired(messages: Sequence[Message]) -> Iterator[Message]:
    """Put each tool result directly behind its call; a result of no call goes.

    All three vendors reject a prompt in which a call has no answer.
    """
    for place, message in enumerate(messages):
        if message.role is Role.TOOL:
            continue
        yield message
        if message.calls:
            results = _results(islice(messages, place + 1, None))
            for call in message.calls:
                yield Message(
                    Role.TOOL, results.get(call.id, NO_RESULT), call_id=call.id
                )


def unseen(messages: Sequence[Message]) -> list[Message]:
    """Take the pictures out of a prompt, and say so where each was."""
    return [
        replace(m, images=(), text=f"{m.text}\n{_BLIND}") if m.images else m
        for m in messages
    ]


def call_ids(messages: Iterable[Message]) -> set[str]:
    """Give the ids of all calls of a prompt."""
    return {call.id for message in messages for call in message.calls}


def as_object(arguments: str) -> dict[str, Any]:
    r"""Read a call's arguments; what is no JSON object becomes an empty one.

    The model wrote them, and a vendor that gets them back reads them strictly: no
    NaN, and no half of a character, which an escape such as `\ud83d` hides.
    """
    try:
        parsed = json.loads(arguments)
        if not isinstance(parsed, dict):
            return {}
        plain = json.dumps(parsed, ensure_ascii=False, allow_nan=False)
        again = json.loads(clean(plain))
    except (ValueError, RecursionError):
        return {}
    return dict(again)


def as_text(arguments: str) -> str:
    """Give a call's arguments for a vendor that wants them as JSON text.

    They go back as the model wrote them, save when they are broken: some servers
    read them with the whole prompt, and would then refuse the thread for ever.
    """
    return arguments if as_object(arguments) else "{}"


def _results(rest: Iterable[Message]) -> dict[str, str]:
    """Give the results that follow, up to the next calls; the first of each counts."""
    found: dict[str, str] = {}
    for message in rest:
        if message.calls:
            break
        if message.role is Role.TOOL:
            found.setdefault(message.call_id, message.text)
    return found
