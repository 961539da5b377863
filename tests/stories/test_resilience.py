"""A provider in trouble: the reply is never empty, and never a traceback."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pytest

from tests.servers import saying
from tests.servers.faults import Cut, Drop, Raw, events, failing, lines, web_page
from tests.stories.scene import KEY, everything_in, everywhere, told

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.cli.conftest import Command
    from tests.servers import Request
    from tests.stories.scene import Story

# How often a model is asked when it fails before its first word.
ATTEMPTS: Final = 3
NOTHING: Final = {
    "ollama": lines({"message": {"role": "assistant", "content": ""}, "done": True}),
    "openai": events({"choices": []}, "data: [DONE]\n"),
    "gemini": events({"candidates": []}),
}
BROKEN: Final = {
    "ollama": lines({"error": "llama runner process has terminated"}),
    "openai": events({"error": {"message": "overloaded", "type": "server_error"}}),
    "gemini": events(
        {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}
    ),
}


@dataclass(frozen=True)
class Blocked:
    """What Gemini sends when Google's rules stop an answer, or the question."""

    name: str
    sent: Raw


SAFETY: Final = [
    Blocked("answer", events({"candidates": [{"index": 0, "finishReason": "SAFETY"}]})),
    Blocked("question", events({"promptFeedback": {"blockReason": "SAFETY"}})),
]


@everywhere
async def test_a_server_that_is_out_of_order_for_a_moment(story: Story):
    """Asking again is for programs; the person notices nothing."""
    story.server.faults.extend([failing(500), failing(503)])

    assert (await story("exec", "hi")).startswith("Echo:")


@everywhere
async def test_a_connection_that_breaks_before_the_first_byte(story: Story):
    """The same."""
    story.server.faults.append(Drop(0))

    assert (await story("exec", "hi")).startswith("Echo:")


@everywhere
async def test_a_web_page_is_no_model(story: Story):
    """A wrong port or a hotspot; the reply says which key to look at."""
    story.server.faults.append(web_page())

    said = await story.fails("hi")

    assert f"engines.{story.kind}.base_url" in said


@everywhere
async def test_an_answer_of_nothing(story: Story):
    """However often it is asked for."""
    story.server.faults.extend([NOTHING[story.kind]] * ATTEMPTS)

    said = await story.fails("hi")

    assert f"{story.kind}:tiny" in said
    assert "/retry" in said


@everywhere
async def test_an_error_inside_a_good_stream(story: Story):
    """The status was 200 before the server knew better."""
    story.server.faults.extend([BROKEN[story.kind]] * ATTEMPTS)

    said = await story.fails("hi")

    assert f"{story.kind}:tiny is out of order" in said
    assert "/retry" in said


@pytest.mark.parametrize("blocked", SAFETY, ids=lambda blocked: blocked.name)
async def test_the_rules_of_google(apx: Command, blocked: Blocked):
    """The person hears that it was refused, and that at once."""
    async with told(apx, "gemini") as story:
        story.server.faults.append(blocked.sent)

        said = await story.fails("hi")

        assert "rules" in said
        assert len(story.server.requests) == 1


@pytest.mark.parametrize(
    ("kind", "status", "text"),
    [
        ("openai", 401, f"Incorrect API key provided: {KEY}"),
        ("gemini", 400, f"API key not valid: {KEY}. Please pass a valid API key."),
    ],
    ids=["openai", "gemini"],
)
async def test_a_wrong_key_is_named_and_never_shown(
    apx: Command, kind: str, status: int, text: str
):
    """Vendors repeat the key in their errors; we name the place where it stands."""
    async with told(apx, kind) as story:
        story.server.faults.extend([story.server.error(status, text)] * 2)

        said = await story.fails("hi")
        found = await story("doctor", code=1) + apx.err

        assert f"engines.{kind}.api_key" in said
        assert f"engines.{kind}.api_key" in found
        assert KEY not in said + found
        assert KEY.encode() not in everything_in(apx.home)
        assert (apx.home / "apx.log").stat().st_size > 0


async def test_a_model_that_was_not_pulled(apx: Command):
    """The cure is a command, and it is in the reply."""
    async with told(apx, "ollama") as story:
        missing = story.server.error(404, "model 'tiny' not found")
        story.server.faults.append(missing)

        assert "ollama pull tiny" in await story.fails("hi")


async def in_pieces(_request: Request) -> AsyncIterator[str]:
    for piece in ("one", " two", " three"):
        yield piece


@everywhere
async def test_what_was_said_before_a_cut_is_kept(story: Story):
    """The person has read it, and the next prompt holds it."""
    story.server.brain = in_pieces
    story.server.faults.append(Cut(2))

    said = await story.fails("count")

    [turn] = json.loads(await story("threads", "show", "terminal:main", "--json"))
    assert "/retry" in said
    assert turn["state"] == "failed"
    assert turn["partial"] == "one two"


@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside a daemon"])
async def test_retry_in_a_pipe_is_answered(openai: Story, *, beside: bool):
    """There, as on a screen, the answer comes where it was asked for."""
    openai.server.brain = in_pieces
    openai.server.faults.append(Cut(2))
    if beside:
        await openai.daemon()

    said = await openai("chat", stdin="count\n/retry\n", code=1)

    assert openai.states() == ["failed", "completed"]
    assert "one two three" in said


@everywhere
async def test_a_prompt_that_was_too_long_is_sent_again_shorter(story: Story):
    """The person never hears of it."""
    full = "the request exceeds the available context size"
    story.server.faults.append(story.server.error(400, full))

    assert (await story("exec", "hi")).startswith("Echo:")

    assert len(story.server.requests) == 2


async def test_a_long_thread_in_a_small_window_goes_on(openai: Story):
    """A server at home reads 8k tokens where we assume 128k."""
    openai.server.brain = saying("ok")
    long = "all work and no play makes Jack a dull boy " * 200
    await openai("chat", stdin=f"{long}\n" * 12)
    openai.server.room = 24_000

    assert await openai("exec", "and now?") == "ok\n"


@everywhere
async def test_many_requests_are_waited_out(story: Story):
    """For as long as the server asks, if that is short."""
    busy = story.server.error(429, "slow down", retry_after="1")
    story.server.faults.append(busy)
    began = time.monotonic()

    assert (await story("exec", "hi")).startswith("Echo:")

    assert time.monotonic() - began >= 1
    assert len(story.server.requests) == 2
