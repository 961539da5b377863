"""Several processes in one home, of which one ends in the middle of an answer."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING

from tests.stories.scene import ended, line, output, type_line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.servers import Request
    from tests.stories.scene import Story


class Gate:
    """A brain that answers, but a slow question only once it may."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()

    async def __call__(self, request: Request) -> AsyncIterator[str]:
        text = request.last.text
        if text.startswith("slow"):
            await self.opened.wait()
        yield f"answer to {text}"


async def test_an_idle_pipe_serves_the_others(openai: Story):
    """The owner of the home waits for a line, and for whoever needs it meanwhile."""
    first = openai.apx.start("chat")
    type_line(first, "hello")
    assert await line(first) == "Echo: hello"

    second = openai.apx.start("exec", "hi")

    assert await line(second) == "Echo: hi"


async def test_the_second_terminal_takes_over(openai: Story):
    """The owner is killed while it asks for both; each is answered once."""
    openai.server.brain = gate = Gate()
    first = openai.apx.start("chat")
    type_line(first, "slow hello")
    await openai.server.until_busy()
    second = openai.apx.start("chat", "--thread", "two")
    type_line(second, "slow question")
    await openai.server.until_busy(2)

    first.kill()
    await openai.server.until_idle()
    await openai.server.until_busy()
    gate.opened.set()

    assert await line(second) == "answer to slow question"
    assert await output(second) == ""
    assert second.returncode == 0
    assert openai.states("terminal:two") == ["interrupted", "completed"]
    later = await openai("chat", stdin="and on?\n")
    late = "(answer to “slow hello”) answer to slow hello\n"
    assert later == f"{late}answer to and on?\n"


async def test_a_daemon_that_is_told_to_end_finishes_its_answers(openai: Story):
    """The model was asked once, and what it said arrives."""
    openai.server.brain = gate = Gate()
    daemon = await openai.daemon()
    asking = openai.apx.start("exec", "slow question")
    await openai.server.until_busy()

    daemon.send_signal(signal.SIGTERM)
    assert daemon.stderr is not None
    said = await asyncio.to_thread(daemon.stderr.readline)
    gate.opened.set()

    assert said == b"apx is ending\n"
    assert await output(asking) == "answer to slow question\n"
    assert asking.returncode == 0
    assert await ended(daemon) == 0
    assert len(openai.server.requests) == 1


async def test_what_a_daemon_could_not_finish_is_asked_once_more(openai: Story):
    """By the client that waits for it, and by the next owner for one that is gone."""
    openai.server.brain = gate = Gate()
    daemon = await openai.daemon()
    waiting = openai.apx.start("exec", "slow question")
    gone = openai.apx.start("exec", "slow other", "--thread", "gone")
    await openai.server.until_busy(2)
    gone.kill()

    daemon.send_signal(signal.SIGTERM)
    assert await ended(daemon, 15) == 0
    assert daemon.stderr is not None
    told = b"apx is finishing 2 answers that are being written, up to 10 seconds\n"
    assert daemon.stderr.read() == b"apx is ending\n" + told
    await openai.server.until_busy()
    gate.opened.set()

    assert await output(waiting) == "answer to slow question\n"
    assert waiting.returncode == 0
    later = await openai("chat", "--thread", "gone", stdin="hello\n")
    assert later.count("(answer to “slow other”) answer to slow other\n") == 1
    assert later.endswith("answer to hello\n")
    assert openai.states() == ["interrupted", "completed"]
    assert openai.states("terminal:gone") == ["interrupted", "completed", "completed"]
    asked = [request.last.text for request in openai.server.requests]
    assert asked.count("slow question") == asked.count("slow other") == 2
