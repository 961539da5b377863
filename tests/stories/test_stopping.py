"""Ctrl-C in real processes, while the model says nothing."""

from __future__ import annotations

import asyncio
import signal
import time
from typing import TYPE_CHECKING

from tests.servers.faults import Hang
from tests.stories.scene import ended, everywhere, line, rows, type_line

if TYPE_CHECKING:
    from pathlib import Path

    from tests.stories.scene import Story


@everywhere
async def test_ctrl_c_stops_a_model_that_hangs(story: Story):
    """At once, and on the server's side too."""
    story.server.faults.append(Hang())
    process = story.apx.start("exec", "hi")
    await story.server.until_busy()

    process.send_signal(signal.SIGINT)
    began = time.monotonic()

    assert await ended(process) == 130
    assert time.monotonic() - began < 8  # not the ten seconds that a turn has to end
    await story.server.until_idle()
    assert story.states() == ["stopped"]


async def test_ctrl_c_keeps_what_was_shown(openai: Story):
    """The person has read it."""
    openai.server.faults.append(Hang(1))
    process = openai.apx.start("exec", "hi")
    await openai.server.until_busy()
    await until_shown(openai.apx.home)

    process.send_signal(signal.SIGINT)

    assert await ended(process) == 130
    turns = rows(openai.apx.home, "select state, partial from turn")
    assert turns == [("stopped", "Echo:")]


async def test_ctrl_c_at_an_idle_pipe(openai: Story):
    """Nothing is asked and nothing runs: it just ends."""
    process = openai.apx.start("chat")
    type_line(process, "hi")
    assert await line(process) == "Echo: hi"

    process.send_signal(signal.SIGINT)

    assert await ended(process) == 130


async def test_ctrl_c_before_our_turn_has_come(openai: Story):
    """It ends what we asked, not what another terminal asked in the same thread."""
    openai.server.faults.append(Hang(1))
    await openai.daemon()
    other = openai.apx.start("exec", "first")
    await openai.server.until_busy()
    await until_shown(openai.apx.home)
    ours = openai.apx.start("exec", "second")
    await until_asked(openai.apx.home, 2)

    ours.send_signal(signal.SIGINT)

    assert await ended(ours) == 130
    assert other.poll() is None


async def until_shown(home: Path) -> None:
    """Wait until something of an answer was shown, so that nothing joins its turn."""
    await until(home, "select 1 from event where kind = 'output'", 1)


async def until_asked(home: Path, many: int) -> None:
    """Wait until so many requests are in the ledger."""
    await until(home, "select 1 from request", many)


async def until(home: Path, query: str, many: int) -> None:
    """Wait until the ledger has so many rows."""
    async with asyncio.timeout(40):
        while len(rows(home, query)) < many:
            await asyncio.to_thread(time.sleep, 0.02)
