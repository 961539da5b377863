"""Consecutive prompts begin with the same bytes, so that providers can reuse them."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tests.stories.scene import ASK, QUESTION, attentive, everywhere

if TYPE_CHECKING:
    from tests.stories.scene import Story


@everywhere
async def test_consecutive_prompts_begin_alike(story: Story):
    """Instructions, tools, and the thread up to what changes with each message."""
    story.server.brain = attentive

    said = await story("chat", stdin=f"{ASK}\n{QUESTION}\nand again?\nonce more?\n")

    assert said.count("10.0.1.5") == 4
    # The first turn asked twice, as it called a tool.
    _, *bodies = [request.body for request in story.server.requests]
    assert [len(past(story.kind, body)) for body in bodies] == lengths(story.kind)
    for earlier, later in pairwise(bodies):
        before, after = past(story.kind, earlier), past(story.kind, later)
        assert json.dumps(after).startswith(json.dumps(before)[:-1])
        assert frame(earlier) == frame(later)


def lengths(kind: str) -> list[int]:
    """Count the messages before the newest: a system message, unless it is apart.

    Then four of the turn that called a tool, and two of each other.
    """
    system = 0 if kind == "gemini" else 1
    return [system, system + 4, system + 6, system + 8]


def past(kind: str, body: dict[str, Any]) -> list[Any]:
    """Give a request's messages up to the time, which changes with each."""
    messages = body["contents" if kind == "gemini" else "messages"]
    times = [", in terminal:main]" in str(message) for message in messages]
    found: list[Any] = messages[: times.index(True)]
    return found


def frame(body: dict[str, Any]) -> str:
    """Write all of a request but its messages: tools, instructions, options."""
    rest = {k: v for k, v in body.items() if k not in {"contents", "messages"}}
    return json.dumps(rest)
