"""A server that takes questions and never answers is noticed."""

import asyncio
from dataclasses import replace

import pytest

from apx.testing import until
from channels.telegram.health import Exhausted, Health, Troubles
from tests.channels.telegram.hearers import SWIFT, RecordingDoor, clock, running
from tests.servers.telegram import HalfClose, Hang, TelegramServer

QUICK = replace(SWIFT, silence=0.15)


@pytest.fixture
async def telegram():
    async with TelegramServer() as server:
        server.user(7, "Ana")
        yield server


@pytest.mark.parametrize("fault", [Hang(), HalfClose()], ids=["deaf", "half closed"])
async def test_a_silent_line_is_made_anew(telegram, fault):
    """Waiting on it would last for ever."""
    door = RecordingDoor()
    telegram.fail("getUpdates", fault, times=2)
    telegram.say("hello")

    async with running(telegram, door, waits=QUICK):
        await until(lambda: door.texts == ["hello"])

    assert telegram.most_polling <= 1


@pytest.mark.parametrize("method", ["getUpdates", "getMe"])
async def test_three_new_lines_in_vain_end_the_process(telegram, method):
    """Whoever watches over it starts another; what is wrong may be in this one."""
    telegram.fail(method, Hang(), times=None)

    async with running(telegram, RecordingDoor(), waits=QUICK) as channel:
        with pytest.raises(Exhausted):
            await channel.ended
        assert "no answer from the server" in channel.problems["main"]

    assert len(telegram.calls(method)) == 4


async def test_slow_handling_is_no_silence(telegram):
    """A model, or a disk, may take as long as it likes."""
    door = RecordingDoor()
    telegram.say("slow")

    async with running(telegram, door, waits=QUICK):
        await telegram.until(lambda: telegram.calls("getUpdates"))
        await asyncio.sleep(0.5)  # several times what would be silence
        assert len(telegram.calls("getUpdates")) == 1
        door.gate.set()
        await until(lambda: door.texts == ["slow"])


async def test_a_network_that_is_down_ends_nothing(telegram):
    """It says so, and it comes back: a new process would find the same."""
    door = RecordingDoor()

    async with running(telegram, door, waits=QUICK) as channel:
        await telegram.until(lambda: telegram.polling)
        await telegram.go_away()
        await asyncio.sleep(1.0)  # many times what would be silence
        await telegram.come_back()
        telegram.say("hello")
        await until(lambda: door.texts == ["hello"])
        assert not channel.ended.done()


async def test_silence_is_counted_from_the_question():
    """An answer, whatever it says, begins it anew."""
    health = Health(60.0)
    loop = asyncio.get_running_loop()

    first = health.asking()
    assert first == pytest.approx(loop.time() + 60, abs=1)
    assert health.asking() == first
    assert not health.is_overdue

    assert Health(0.0).asking() <= loop.time()
    for _ in range(3):
        health.rebuilt(was_silent=True)
    health.answered()
    for _ in range(9):
        health.rebuilt(was_silent=False)
    for _ in range(3):
        health.rebuilt(was_silent=True)
    with pytest.raises(Exhausted):
        health.rebuilt(was_silent=True)


def test_each_trouble_is_said_once():
    """And gone when it is over."""
    troubles = Troubles(clock)

    assert troubles.has("a", "first")
    assert not troubles.has("a", "first")
    assert troubles.silent()
    assert not troubles.silent()
    assert troubles.text == "first; no answer from the server since 12:03 UTC"
    troubles.over("a", "silent")
    assert troubles.text == ""
