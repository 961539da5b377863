"""A person at a terminal who does not wait until the answer is there."""

from __future__ import annotations

import asyncio
import signal
import stat
from typing import TYPE_CHECKING

import pytest

from tests.cli.typist import PATIENCE, Typist
from tests.stories.scene import rows, told

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.cli.conftest import Command
    from tests.servers import Request
    from tests.stories.scene import Story


class Gate:
    """A brain that begins at once, and ends a slow answer when it may."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()

    async def __call__(self, request: Request) -> AsyncIterator[str]:
        text = request.last.text
        yield f"beginning of {text}\n"
        if text.startswith("slow"):
            await self.opened.wait()
        yield f"\nend of {text}"


@pytest.fixture
async def story(apx: Command) -> AsyncIterator[Story]:
    async with told(apx, "openai") as story:
        yield story


@pytest.fixture
async def gate(story: Story) -> Gate:
    story.server.brain = gate = Gate()
    return gate


@pytest.fixture
async def typist(story: Story) -> AsyncIterator[Typist]:
    typist = Typist(story.apx)
    await typist.sees("/help\n>")
    yield typist
    typist.hang_up()


async def test_an_answer_is_seen_while_it_grows(gate: Gate, typist: Typist):
    """And stands there once when it is whole, below what it answers."""
    typist.type("slow <one> __two__\r")
    await typist.sees("beginning of slow <one> __two__")

    gate.opened.set()
    await typist.sees("end of slow <one> __two__")
    typist.type("\x04")
    await typist.leaves()

    screen = typist.screen()
    assert screen.count("beginning of slow <one> __two__") == 1
    assert screen.index("> slow <one>") < screen.index("beginning of")
    assert screen.count("end of") == 1


async def test_what_is_typed_meanwhile_waits_for_its_turn(
    story: Story, gate: Gate, typist: Typist
):
    """Ctrl-C stops the answer, not what was said after it."""
    typist.type("slow one\r")
    await typist.sees("beginning of slow one")
    typist.type("two\r")
    await typist.sees("(waits) two")

    typist.type("\x03")
    await typist.sees("end of two")
    typist.type("/quit\r")
    await typist.leaves()

    assert story.states() == ["stopped", "completed"]
    screen = typist.screen()
    places = ["> slow one", "beginning of slow one", "Stopped.", "> two", "end of two"]
    found = [screen.index(words) for words in places]
    assert found == sorted(found)
    assert [screen.count(words) for words in places] == [1] * len(places)
    assert "(waits)" not in screen
    assert not gate.opened.is_set()


async def test_what_waits_is_kept_when_all_is_killed(
    story: Story, gate: Gate, typist: Typist
):
    """It is in the ledger before its turn has come."""
    typist.type("slow one\r")
    await typist.sees("beginning of slow one")
    typist.type("two\r")
    await typist.sees("(waits) two")
    texts = "select text from request order by rowid"
    async with asyncio.timeout(PATIENCE):
        while len(rows(story.apx.home, texts)) < 2:  # noqa: ASYNC110 -- another process
            await asyncio.sleep(0.01)

    typist.process.kill()
    typist.process.wait()
    gate.opened.set()

    assert rows(story.apx.home, texts) == [("slow one",), ("two",)]
    assert "end of two" in await asyncio.to_thread(story.apx, "exec", "three")


async def test_a_burst_is_one_question(story: Story, typist: Typist):
    """What is typed before anything was shown is answered with the first."""
    opened = asyncio.Event()

    async def brain(request: Request) -> AsyncIterator[str]:
        await opened.wait()
        yield f"both of: {request.last.text}."

    story.server.brain = brain
    typist.type("one\r")
    await story.server.until_busy(1)
    typist.type("two\r")
    async with asyncio.timeout(PATIENCE):
        while story.server.requests[-1].last.text != "one\ntwo":  # noqa: ASYNC110 -- another process
            await asyncio.sleep(0.01)
    opened.set()
    await typist.sees("(answered above)")
    typist.type("/quit\r")
    await typist.leaves()

    assert story.states() == ["completed"]
    assert typist.screen().count("both of:") == 1


async def test_commands_do_not_wait(story: Story, gate: Gate, typist: Typist):
    """Whoever wants to know what goes on wants to know it now."""
    typist.type("slow one\r")
    await typist.sees("beginning of slow one")

    typist.type("/status\r")
    await typist.sees("turns: 1 running")
    typist.type("/nothing of ours\r")
    await typist.sees("(waits) /nothing of ours")
    typist.type("/stop\r")
    await typist.sees("end of /nothing of ours")
    typist.type("\x04")
    await typist.leaves()

    assert story.states() == ["stopped", "completed"]
    assert typist.screen().count("Stopped.") == 1
    assert not gate.opened.is_set()


async def test_typing_does_not_disturb_the_answer(gate: Gate, typist: Typist):
    """Nor the answer what is typed; Ctrl-C takes that back before it stops anything."""
    typist.type("slow one\r")
    await typist.sees("beginning of slow one")
    typist.type("half a thought")
    await typist.sees("> half a thought")
    typist.type("\x03")
    typist.type("a whole one")
    gate.opened.set()
    await typist.sees("end of slow one")
    typist.type("\r")
    await typist.sees("end of a whole one")

    assert "half" not in typist.screen()
    assert "Stopped" not in typist.screen()


async def test_another_size_leaves_no_copies(gate: Gate, typist: Typist):
    """The window is made narrower and wider while the answer grows."""
    typist.type("slow one\r")
    await typist.sees("beginning of slow one")
    for number, columns in enumerate((60, 35, 79, 40)):
        typist.resize(columns)
        typist.process.send_signal(signal.SIGWINCH)
        typist.type(f"{number}")
        await typist.sees("> " + "0123"[: number + 1])

    assert typist.screen().count("beginning of") == 1
    gate.opened.set()
    await typist.sees("end of slow one")
    assert typist.screen().count("beginning of") == 1
    await typist.sees("end of slow one\n> 0123")


async def test_leaving_loses_nothing(story: Story, gate: Gate, typist: Typist):
    """The answer that is being written, and what waited for it, come later."""
    typist.type("slow one\r")
    await typist.sees("beginning of slow one")
    typist.type("two\r")
    await typist.sees("(waits) two")

    typist.type("\x04")
    await typist.sees("answered for your next")
    gate.opened.set()
    await typist.leaves()

    again = Typist(story.apx)
    await again.sees("(answer to “slow one”)")
    await again.sees("end of two")
    again.hang_up()
    assert again.screen().count("end of slow one") == 1


async def test_a_terminal_that_is_closed_loses_nothing(
    story: Story, gate: Gate, typist: Typist
):
    """The window is closed in the middle of an answer."""
    typist.type("slow one\r")
    await typist.sees("beginning of slow one")
    typist.type("two\r")
    await typist.sees("(waits) two")

    typist.hang_up()
    typist.process.send_signal(signal.SIGHUP)
    gate.opened.set()
    await asyncio.to_thread(typist.process.wait, PATIENCE)

    heard = rows(
        story.apx.home, "select text from request where retry_of is null order by rowid"
    )
    assert heard == [("slow one",), ("two",)]
    assert story.states()[0] == "completed"


async def test_a_paste_is_one_message(story: Story, typist: Typist):
    """With all its lines; and the history is nobody else's business."""
    text = "\n".join(f"line {number}" for number in range(200))
    typist.type(f"\x1b[200~{text}\x1b[201~")
    await typist.sees("line 199")
    typist.type("\r")
    await typist.sees("Echo: line 0")
    typist.type("\x04")
    await typist.leaves()

    assert story.server.requests[0].last.text == text
    mode = (story.apx.home / "history").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


async def test_lines_that_one_breaks_oneself(story: Story, typist: Typist):
    """With Alt-Enter; bytes that are no text do no harm."""
    typist.type(b"one\x1b\rtwo \xff\r")
    await typist.sees("Echo: one two")
    typist.type("\x04")
    await typist.leaves()

    assert story.server.requests[0].last.text.startswith("one\ntwo")


async def test_ctrl_c_where_nothing_is_to_be_stopped(typist: Typist):
    """It tells how one leaves; and goes away with the next word."""
    typist.type("\x03")
    await typist.sees("Ctrl-D or /quit leaves")
    typist.type("hi\r")
    await typist.sees("Echo: hi")

    assert "Ctrl-D or" not in typist.screen()
    assert typist.process.poll() is None


@pytest.mark.parametrize(
    ("columns", "term"), [(20, "xterm"), (3, "xterm"), (80, "dumb")]
)
async def test_poor_terminals(story: Story, columns: int, term: str):
    """Narrow ones, and one that can do nothing but print."""
    typist = Typist(story.apx, columns, TERM=term)
    typist.type("日本語 hi\r")
    await typist.gets(b"Echo:")
    typist.type("/exit\r")
    await typist.leaves()
    typist.hang_up()

    assert len(story.server.requests) == 1
