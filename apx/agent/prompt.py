"""What a model is sent, in an order that lets providers reuse the beginning.

System, then what stands in for the older turns, then the turns of the thread, then what
changes with every message: the time, the recalled memory, the newest message. No prompt
is longer than its limit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from apx.domain.budget import FRAME, PICTURE, cost, tools_cost, trimmed
from apx.domain.fitting import fit, messages
from apx.domain.message import Message, Role
from apx.domain.untrusted import closed
from apx.memory.merge import render, render_threads
from apx.memory.prompts import load

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

    from apx.domain.history import View
    from apx.domain.message import Image
    from apx.domain.recall import Recall
    from apx.domain.saying import Saying
    from apx.domain.thread import Thread
    from apx.domain.tool import ToolSpec

_SYSTEM: Final = load("system", "apx.agent.prompts")

# What a thread leaves of a limit to the newest message and what is recalled for it.
_NEWEST: Final = 8
# Pictures get a third of a limit at most.
_OF_PICTURES: Final = 3
# No message is cut shorter than this, and no instructions.
_LEAST: Final = 64


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
    said: Saying
    steps: Sequence[Message] = ()
    images: tuple[Image, ...] = ()

    @property
    def is_tainted(self) -> bool:
        """Whether other people's words are in it, but for what tools bring.

        A name that a room shows is one: people put whole sentences there.
        """
        record = self.view.condensation
        past = [past for past in self.view.past if past.count]
        return (
            self.said.is_untrusted
            or any(p.is_tainted for p in past)
            or any((self.said.speaker, *(p.turn.speaker for p in past)))
            or (record is not None and record.tainted)
            or any(memory.untrusted for memory in self.recall.memories)
        )


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent; `cuts` say for people what is too long, whatever is asked.

    `is_cut` says that of the newest message only the beginning is there, `is_tainted`
    that other people's words may be in it.
    """

    messages: list[Message]
    tools: Sequence[ToolSpec]
    cuts: tuple[str, ...] = ()
    is_cut: bool = False
    is_tainted: bool = False


def assemble(material: Material, limit: int) -> Prompt:
    """Build the prompt; what of the thread does not fit is condensed by rule.

    The instructions and the newest message are always there. What is too long alone is
    cut with a visible mark; tools that leave no room for anything else are left out.
    """
    tools = material.tools if tools_cost(material.tools) <= limit // 2 else ()
    whole = system_message(material.setting)
    spare = limit - tools_cost(tools)
    system = _trimmed(whole, max(spare // 2, _LEAST))
    spare -= cost([system])
    said = material.said
    # Pictures leave room for what was said before.
    images = material.images[: limit // _OF_PICTURES // PICTURE]
    asked = Message(Role.USER, said.written(), own=said.text, images=images)
    request = _asked(said, asked, max(spare // 2, _LEAST))
    spare -= cost([request])
    steps = _fit_steps(material.steps, max(spare, _LEAST))
    spare -= cost(steps)
    surroundings = _fit_one(_surroundings(material), spare)
    spare -= cost(surroundings)
    past = messages(fit(material.view, spare), spare, material.setting.zone)
    cuts = []
    if system != whole:
        cuts.append("the instructions are longer than it reads and were cut")
    if len(tools) < len(material.tools):
        cuts.append("it reads too little to be given tools")
    return Prompt(
        [system, *past, *surroundings, request, *steps],
        tools,
        tuple(cuts),
        is_cut=request != asked,
        is_tainted=material.is_tainted,
    )


def room_for(limit: int, setting: Setting, tools: Sequence[ToolSpec]) -> int:
    """Say how many tokens of a limit a thread may usually take."""
    fixed = cost([system_message(setting)]) + tools_cost(tools)
    return limit - min(fixed, limit * 3 // 4) - limit // _NEWEST


def system_message(setting: Setting) -> Message:
    """Write the instructions; the same bytes for every turn of a home."""
    text = _SYSTEM.substitute(instructions=setting.instructions).strip()
    return Message(Role.SYSTEM, text)


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


def _fit_steps(steps: Sequence[Message], spare: int) -> list[Message]:
    if cost(steps) <= spare:
        return list(steps)
    share = max(spare // max(len(steps), 1) - FRAME, 16)
    kept = [Message(m.role, closed(m.text, share), m.calls, m.call_id) for m in steps]
    while cost(kept) > spare and len(kept) > 1:
        kept = _without_first_group(kept)
    return kept


def _without_first_group(steps: Sequence[Message]) -> list[Message]:
    rest = list(steps[1:])
    while rest and rest[0].role is Role.TOOL:
        rest.pop(0)
    return rest


def _asked(said: Saying, whole: Message, tokens: int) -> Message:
    if cost([whole]) <= tokens:
        return whole
    return replace(whole, text=said.written(tokens - FRAME))


def _trimmed(message: Message, tokens: int) -> Message:
    return message if cost([message]) <= tokens else trimmed(message, tokens - FRAME)
