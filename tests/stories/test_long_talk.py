"""A talk that is condensed behind a person's back, in front of a real server."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Final

from tests.memory.records import UNHELPFUL, faithful
from tests.stories.scene import rows

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.servers import Request
    from tests.stories.scene import Story

GOAL: Final = "I want to move my shop to a new server. Never touch the live database."
FACT: Final = "By the way, I live in Rome now."
_CONDENSING: Final = "You keep the record of a conversation"


def is_condensing(request: Request) -> bool:
    return request.system.startswith(_CONDENSING)


async def able(request: Request) -> AsyncIterator[str]:
    """Chat, and write good records."""
    yield str(faithful(request.messages)[0]) if is_condensing(request) else "Fine."


async def unable(request: Request) -> AsyncIterator[str]:
    """Chat, and write a record that fits everything."""
    yield UNHELPFUL if is_condensing(request) else "Fine."


def said(count: int) -> str:
    """Type so many lines; the second one tells where the person lives."""
    rest = [f"what about the {n}th box of the move?" for n in range(3, count + 1)]
    return "\n".join([GOAL, FACT, *rest]) + "\n"


async def compacts(story: Story, count: int = 1) -> list[dict[str, object]]:
    """Wait until the log has so many condensations."""
    query = "select body from event where kind = 'compact' order by seq"
    while len(found := rows(story.apx.home, query)) < count:  # noqa: ASYNC110 -- another process
        await asyncio.sleep(0.02)
    return [json.loads(row[0]) for row in found]


async def test_a_long_talk_is_condensed_and_can_be_undone(openai: Story):
    """By the daemon, after a reply; the goal is there, and all can be found."""
    openai.server.brain = able
    await openai.daemon()
    await openai("chat", stdin=said(32))
    [made] = await compacts(openai)
    view = await openai("threads", "show", "terminal:main", "--view")
    found = await openai("threads", "search", "4th box")
    undone = await openai("compact", "terminal:main", "--undo")
    whole = await openai("threads", "show", "terminal:main", "--view")

    assert made["model"] == "openai:tiny"
    assert made["condenser"] == "v2"
    assert "[RESUMEN COMPACTADO turnos 1-" in view
    assert GOAL in view
    assert "what about the 4th box" in found
    assert "Undone" in undone
    assert "RESUMEN COMPACTADO turnos 1-" not in whole
    assert "what about the 4th box" in whole


async def test_what_lasts_is_proposed_and_kept_when_it_is_accepted(openai: Story):
    """The model never calls `remember`; a second run proposes nothing twice."""
    openai.server.brain = able
    await openai("chat", stdin=f"{FACT}\n/new\n{FACT}\n/new\n")
    [proposed] = json.loads(await openai("memory", "review", "--json"))
    await openai("memory", "review", "--accept", str(proposed["id"]))
    nothing = await openai("memory", "review")
    notes = await openai("memory", "notes")

    assert "Rome" in proposed["text"]
    assert "nothing to review" in nothing.lower()
    assert notes.count("Rome") == 1


async def test_a_model_that_cannot_condense_is_said_to_fail(openai: Story):
    """Nothing is lost; a rule folds what has become too long, and status says so."""
    openai.server.brain = unable
    await openai.daemon()
    await openai("chat", stdin=said(62))
    [made] = await compacts(openai)
    # A rule may have folded what was too long before the models were asked; they are
    # again after the next turn.
    while "⚠ terminal:main: " not in (told := await openai("status")):
        await openai("chat", stdin="what about the van?\n")
    view = await openai("threads", "show", "terminal:main", "--view")

    assert made["degraded"] is True
    assert "condensed by rule, as no model did it: terminal:main" in told
    assert "openai:tiny" in told
    assert "what about" not in "\n".join(
        line for line in told.splitlines() if line.startswith("⚠")
    )
    assert GOAL in view


async def test_the_daily_log_has_each_event_once(openai: Story):
    """What was said, and the condensation with what it rests on."""
    openai.server.brain = able
    await openai.daemon()
    await openai("chat", stdin=said(32))
    await compacts(openai)
    files = openai.apx.home / "log" / "main"
    query = "select max(seq) from event where kind = 'compact'"
    [(seq,)] = rows(openai.apx.home, query)
    lines: list[dict[str, object]] = []
    while seq not in {line["seq"] for line in lines}:
        await asyncio.sleep(0.02)
        lines = [
            json.loads(line)
            for file in sorted(files.glob("*.jsonl"))
            for line in file.read_text("utf-8").splitlines()
        ]

    seqs = [line["seq"] for line in lines]
    assert seqs == sorted(set(seqs))  # type: ignore[type-var]  # numbers, as we wrote them
    assert sum(line["type"] == "message" for line in lines) == 64
    [compact] = [line for line in lines if line["type"] == "compact"]
    assert compact["condenser"] == "v2"
