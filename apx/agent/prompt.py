"""What a model is sent, in an order that lets providers reuse the beginning.

System, then the turns of the thread, then what changes with every message: the time,
the recalled memory, the newest message. No prompt is longer than its budget.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from apx.agent.prompts import load
from apx.domain.message import Message, Role
from apx.domain.text import bounded, estimate_tokens
from apx.memory.merge import render, render_threads

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

    from apx.domain.history import View
    from apx.domain.recall import Recall
    from apx.domain.thread import Thread
    from apx.domain.tool import ToolSpec

_SYSTEM: Final = load("system")

# A message costs a few tokens more than its text: role, separators.
_FRAME: Final = 8
# What a reply may need, out of the window, and never more than a quarter of it.
_RESERVE: Final = 4096
# Of a longer message of an earlier turn the beginning is shown.
_PAST: Final = 4000
# Nobody pays for a longer prompt by accident, however large the model's window.
_MOST: Final = 60_000


@dataclass(frozen=True, slots=True)
class Setting:
    """What of the prompt is the same for all turns, and where the person lives."""

    instructions: str
    zone: tzinfo


@dataclass(frozen=True, slots=True)
class Material:
    """All that one prompt is made from."""

    setting: Setting
    tools: Sequence[ToolSpec]
    view: View
    recall: Recall
    thread: Thread
    at: datetime
    request: str
    steps: Sequence[Message] = ()


def budget(window: int) -> int:
    """Say how many tokens a prompt may have in a window."""
    return min(window - min(_RESERVE, window // 4), _MOST)


def assemble(material: Material, limit: int) -> list[Message]:
    """Build the prompt; what does not fit is left out, oldest first.

    The instructions and the newest message are always there. If they alone are too
    long, the message is cut with a visible mark; then the results of tools are.
    """
    system = Message(Role.SYSTEM, system_text(material.setting))
    spare = limit - cost([system]) - tools_cost(material.tools)
    request = Message(Role.USER, _within(material.request, max(spare // 2, 64)))
    spare -= cost([request])
    steps = _fit_steps(material.steps, max(spare, 64))
    spare -= cost(steps)
    surroundings = _fit_one(_surroundings(material), spare)
    spare -= cost(surroundings)
    past = _newest(material.view, spare)
    return [system, *past, *surroundings, request, *steps]


def system_text(setting: Setting) -> str:
    """Write the instructions; the same bytes for every turn of a home."""
    return _SYSTEM.substitute(instructions=setting.instructions).strip()


def tools_cost(tools: Sequence[ToolSpec]) -> int:
    """Estimate the tokens that the descriptions of the tools take."""
    return sum(
        estimate_tokens(f"{tool.name} {tool.description} {tool.parameters}") + _FRAME
        for tool in tools
    )


def cost(messages: Sequence[Message]) -> int:
    """Estimate the tokens of messages."""
    return sum(
        _FRAME
        + estimate_tokens(message.text)
        + sum(estimate_tokens(call.name + call.arguments) for call in message.calls)
        for message in messages
    )


def _surroundings(material: Material) -> str:
    zone = material.setting.zone
    here = material.at.astimezone(zone)
    place = f"[{here:%A %Y-%m-%d %H:%M} {here.tzname()}, in {material.thread}]"
    parts = [
        place,
        render_threads(material.recall, zone),
        render(material.recall, zone),
    ]
    return "\n\n".join(filter(None, parts))


def _fit_one(text: str, spare: int) -> list[Message]:
    message = Message(Role.USER, text)
    return [message] if cost([message]) <= spare else []


def _newest(view: View, spare: int) -> list[Message]:
    kept: list[list[Message]] = []
    for past in reversed(view.past):
        messages = [replace(m, text=_within(m.text, _PAST)) for m in past.messages()]
        spare -= cost(messages)
        if spare < 0:
            break
        kept.append(messages)
    return [message for messages in reversed(kept) for message in messages]


def _fit_steps(steps: Sequence[Message], spare: int) -> list[Message]:
    if cost(steps) <= spare:
        return list(steps)
    share = max(spare // max(len(steps), 1) - _FRAME, 16)
    kept = [Message(m.role, _within(m.text, share), m.calls, m.call_id) for m in steps]
    while cost(kept) > spare and len(kept) > 1:
        kept = _without_first_group(kept)
    return kept


def _without_first_group(steps: Sequence[Message]) -> list[Message]:
    rest = list(steps[1:])
    while rest and rest[0].role is Role.TOOL:
        rest.pop(0)
    return rest


def _within(text: str, tokens: int) -> str:
    return bounded(text, tokens * 3)
