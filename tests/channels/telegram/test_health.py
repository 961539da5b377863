"""A server that takes questions and never answers is noticed."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from aiogram.exceptions import (
    ClientDecodeError,
    TelegramNetworkError,
    TelegramServerError,
)
from aiogram.methods import GetMe
from aiohttp import ConnectionTimeoutError, ServerDisconnectedError

from apx.domain.errors import Exhausted
from apx.testing import until
from channels.shared.troubles import Troubles
from channels.telegram.client import Client
from channels.telegram.health import Health
from channels.telegram.insisting import Line, insisted
from channels.telegram.polling import Poller
from channels.telegram.settings import BotSettings
from channels.telegram.waits import Waits
from tests.channels.telegram.hearers import SWIFT, RecordingDoor, clock, running
from tests.channels.telegram.moved import Leaps, Scripted
from tests.servers.telegram import TOKEN, HalfClose, Hang, TelegramServer

QUICK = replace(SWIFT, silence=0.15)


async def poll(line):
    """Ask for updates; nothing is ever heard, so nobody hears it."""
    nobody: Any = None
    await Poller(line, nobody).run()


async def greet(line):
    """Ask who the bot is."""
    await insisted(line, GetMe())


@asynccontextmanager
async def asked(asks, ending):
    """Have somebody ask on, with the waits of people, in a time that is moved."""
    session = Scripted(ending)
    client = Client(TOKEN, session=lambda: session)
    line = Line(client, Troubles(clock), Waits(), "key")
    leaps = Leaps()
    task = asyncio.create_task(asks(line))
    try:
        yield session, leaps, task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


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


def test_silence_is_counted_while_a_question_is_open():
    """What was said in between, how long handling took and pauses are no matter."""
    times = iter([10.0, 75.0, 1000.0, 1024.9, 2000.0, 2000.1, 3000.0])
    health = Health(90.0, lambda: next(times))

    assert health.asking() == 100.0
    assert not health.unheard()
    assert health.asking() == 1025.0
    assert not health.unheard()
    assert round(health.asking(), 3) == 2000.1
    assert health.unheard()
    health.answered()
    assert health.asking() == 3090.0


def test_only_silence_in_a_row_counts():
    """An answer begins anew; that nobody could be asked is no silence."""
    health = Health(60.0, lambda: 0.0)
    for _ in range(3):
        health.rebuilt()
    health.answered()
    for _ in range(3):
        health.rebuilt()
        health.unasked()

    with pytest.raises(Exhausted):
        health.rebuilt()


async def _unconnected(method):
    raise TelegramNetworkError(method, "x") from ConnectionTimeoutError()


async def _hung_up(method):
    raise TelegramNetworkError(method, "x") from ServerDisconnectedError()


async def _failing(method):
    raise TelegramServerError(method, "Bad Gateway")


async def _foreign(method):
    raise ClientDecodeError(f"{method}", ValueError(), "<html>log in</html>")


async def _silent(method):
    await asyncio.Event().wait()
    raise AssertionError(method)


@pytest.mark.parametrize("asks", [poll, greet])
@pytest.mark.parametrize("ending", [_unconnected, _hung_up, _failing, _foreign])
async def test_a_network_that_is_down_ends_nothing(asks, ending):
    """With the waits that people have: it comes back in an hour, or in a week."""
    async with asked(asks, ending) as (session, leaps, task):
        await leaps.move(3600)
        assert not task.done()
        assert session.asked > 60


@pytest.mark.parametrize("asks", [poll, greet])
async def test_silence_ends_the_process_whatever_the_pauses(asks):
    """Four sessions, each of which was silent for as long as it may be."""
    async with asked(asks, _silent) as (_, leaps, task):
        await leaps.move(4 * 90)
        assert not task.done()
        await leaps.move(60)
        with pytest.raises(Exhausted):
            await task


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
