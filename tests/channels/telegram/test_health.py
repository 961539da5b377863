"""A server that takes questions and never answers is noticed."""

from dataclasses import replace

import pytest

from apx.domain.errors import Exhausted
from apx.testing import until
from channels.telegram.health import Health, Troubles
from channels.telegram.settings import BotSettings
from tests.channels.telegram.hearers import SWIFT, RecordingDoor, clock, running
from tests.servers.telegram import TOKEN, HalfClose, Hang, TelegramServer

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

    async with TelegramServer() as deaf:
        deaf.fail("*", Hang(), times=None)
        other = BotSettings(name="other", token=TOKEN, base_url=deaf.origin)
        async with running(telegram, door, waits=QUICK, more=[other]):
            # By then it has taken three times as long as a silence.
            await deaf.until(lambda: len(deaf.calls("getMe")) == 4)
            assert len(telegram.calls("getUpdates")) == 1
            door.gate.set()
            await until(lambda: door.texts == ["slow"])


async def test_a_server_that_is_deaf_to_one_bot_ends_no_other(telegram):
    """A new process would not help the one, and costs the others."""
    door = RecordingDoor()

    async with TelegramServer() as deaf:
        deaf.fail("*", Hang(), times=None)
        other = BotSettings(name="other", token=TOKEN, base_url=deaf.origin)
        waits = replace(QUICK, poll=0)
        async with running(telegram, door, waits=waits, more=[other]) as channel:
            await deaf.until(lambda: len(deaf.calls("getMe")) > 4)
            telegram.say("hello")
            await until(lambda: door.texts == ["hello"])
            assert list(channel.problems) == ["other"]
            assert not channel.ended.done()


def test_silence_is_counted_from_the_question():
    """What was said in between, and how long handling took, is no matter."""
    times = iter([10.0, 69.9, 70.0, 1000.0, 1001.0])
    health = Health(60.0, lambda: next(times))

    assert health.asking() == 70.0
    assert [health.is_overdue, health.is_overdue] == [False, True]
    health.answered()
    assert health.asking() == 1060.0
    assert not health.is_overdue


def test_only_silence_in_a_row_counts():
    """A network that is down says so, and an answer begins anew."""
    health = Health(60.0)
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
