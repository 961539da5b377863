"""Models that write records of conversations, well and badly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Protocol

from apx.testing import ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from apx.testing import Say

_EVENT: Final = re.compile(
    r'<EVENT id="[^"]*" role="(\w+)">\n(.*?)\n</EVENT>', re.DOTALL
)
UNHELPFUL: Final = (
    "USER_CONTEXT:\n- The user and the assistant had a nice and helpful conversation"
    " about several interesting topics.\n\nCURRENT_STATE:\n- Everything is going well"
    " and the assistant is ready to help with whatever comes next.\n"
)


class Worded(Protocol):
    """A message of a prompt, as we have it or as a server read it."""

    @property
    def text(self) -> str:
        """What it says."""
        ...


def events(prompt: Sequence[Worded]) -> list[tuple[str, str]]:
    """Give the events that a summariser was shown: who, and what."""
    return _EVENT.findall(prompt[-1].text)


def faithful(prompt: Sequence[Worded]) -> list[Say]:
    """Write a record that carries what it was told to carry, and all events' ends."""
    shown = events(prompt)
    said = [text for role, text in shown if role == "person"]
    before = [text for role, text in shown if role == "record"]
    carried = re.findall(r"exactly as they stand here: (.*)", prompt[0].text)
    lines = [
        "USER_CONTEXT:",
        f"- it began with {said[0][:200] if said else 'nothing'}",
        "TASK_TRACKING:",
        *(f"- {what}" for what in carried),
        "PENDING:",
        *(f"- {text[:300]}" for text in said[-4:]),
        "CURRENT_STATE:",
        f"- {len(said)} messages were said and answered, one after the other",
        *(f"- earlier: {text.replace(chr(10), ' ')[:900]}" for text in before),
        "- " + "nothing else of note happened in this part of it " * 6 + "at all.",
    ]
    return ["\n".join(lines)]


def good(name: str = "scripted:good", window: int = 32_000) -> ScriptedModel:
    """Make a model whose records pass."""
    return ScriptedModel(faithful, name=name, window=window)


def saying(text: str | Exception, name: str = "scripted:bad") -> ScriptedModel:
    """Make a model that always says, or raises, the same."""
    return ScriptedModel([text], name=name)


def counting(
    answer: Callable[[Sequence[Worded]], list[Say]], sizes: list[int]
) -> Callable[[Sequence[Worded]], list[Say]]:
    """Note how long each prompt is, in characters."""

    def script(prompt: Sequence[Worded]) -> list[Say]:
        sizes.append(sum(len(m.text) for m in prompt))
        return answer(prompt)

    return script
