"""What a person does with a model of each provider, in real processes."""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING

import pytest

from apx.desk.client import RemoteDesk
from apx.domain.thread import Thread
from channels.terminal.signs import Arrived, Noticed, Shown
from tests.stories.scene import (
    ASK,
    KINDS,
    QUESTION,
    attentive,
    engine,
    everywhere,
    nobody,
    quoted,
    rows,
    told,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from apx.desk.client import RemoteWatch
    from channels.terminal.signs import Sign
    from tests.cli.conftest import Command
    from tests.servers import Request
    from tests.stories.scene import Story


@everywhere
async def test_said_in_one_thread_known_in_another(story: Story):
    """The main job, through a tool call and a memory block, with date and source."""
    story.server.brain = attentive

    kept = await story("exec", ASK)
    answer = await story("exec", "--thread", "other", QUESTION)
    why = await story("memory", "why")

    today = time.strftime("%Y-%m-%d", time.gmtime())
    line = f"[{today}][terminal] the staging server moved to 10.0.1.5"
    assert kept.startswith("It is kept: saved as note ")
    assert quoted(story.server.requests[-1]) == [line]
    assert answer == f"You told me: {line}\n"
    assert re.search(r"note \d+ .*10\.0\.1\.5", why)
    assert story.states() == story.states("terminal:other") == ["completed"]


@everywhere
async def test_an_answer_grows_before_the_eyes_beside_a_daemon(story: Story):
    """The first word is on the screen while the model still thinks of the second."""
    go_on = asyncio.Event()

    async def brain(_request: Request) -> AsyncIterator[str]:
        yield "one"
        await go_on.wait()
        yield " two"

    story.server.brain = brain
    await story.daemon()
    desk = RemoteDesk(story.apx.home)
    async with desk.watch(Thread.parse("terminal:main")) as watch:
        asking = asyncio.ensure_future(story("exec", "count"))
        first = await seen(watch)
        go_on.set()
        second, last = await seen(watch), await seen(watch)

    assert isinstance(last, Arrived)
    assert [first, second] == [Shown(last.turn, "one"), Shown(last.turn, " two")]
    assert await asking == "one two\n"


async def seen(watch: RemoteWatch) -> Sign:
    """Give the next sign of the answer; a slow machine is told that a model loads."""
    while isinstance(sign := await watch.next(), Noticed):
        pass
    return sign


@everywhere
async def test_auto_finds_the_model_of_the_engine(story: Story):
    """One address in config.json is enough."""
    story.server.models = ["nomic-embed-text", "little-chat"]
    story.configure(model="auto")

    assert (await story("exec", "hi")).startswith("Echo:")

    assert story.server.requests[0].model == "little-chat"
    [served] = rows(story.apx.home, "select model from turn")
    assert served == (f"{story.kind}:little-chat",)


@pytest.mark.parametrize(
    ("first", "second"), list(zip(KINDS, KINDS[1:] + KINDS[:1], strict=True))
)
async def test_the_next_in_the_chain_answers(apx: Command, first: str, second: str):
    """Where nobody listens nobody is waited for; and the status names it."""
    async with told(apx, second) as story:
        story.engines[first] = engine(first, nobody())
        story.configure(model=f"{first}:gone", fallback_models=[f"{second}:tiny"])
        await story.daemon()

        answer = await story("exec", "hi")

        assert answer.startswith("Echo:")
        assert len(story.server.requests) == 1
        [served] = rows(apx.home, "select model from turn")
        assert served == (f"{second}:tiny",)
        assert f"{first}:gone cannot be reached" in await story("status")


async def claiming(_request: Request) -> AsyncIterator[str]:
    yield "Sure! "
    yield "I'll remember that."


async def test_a_claim_to_remember_is_made_true(openai: Story):
    """The person asked for it, so it is saved although the model did not."""
    openai.server.brain = claiming

    said = await openai("exec", ASK)

    assert re.search(
        r"saved as note \d+: the staging server moved to 10\.0\.1\.5", said
    )
    assert "the staging server moved to 10.0.1.5" in await openai("memory", "notes")


async def test_a_claim_that_nobody_asked_for_is_taken_back(openai: Story):
    """Nothing was saved, so nothing says that it was."""
    openai.server.brain = claiming

    said = await openai("exec", "my sister is called Ada")

    assert "I'll remember that." in said
    assert "Correction" in said
    assert "no notes" in await openai("memory", "notes")
