"""The list of commands reaches Telegram when it has changed, and never in the way."""

import pytest

from apx.testing import MemoryDrawer, until
from channels.telegram.menu import fit
from tests.channels.telegram.hearers import BOT, RecordingDoor, running
from tests.servers.telegram import Hang, Refused, TelegramServer
from tests.servers.telegram.refused import too_many

COMMANDS = (("new", "start afresh"), ("stop", "stop the answer"))


@pytest.fixture
async def telegram():
    async with TelegramServer() as server:
        server.user(7, "Ana")
        yield server


async def test_it_is_told_once(telegram):
    """Setting it counts towards Telegram's limits, so a restart sets nothing."""
    drawer = MemoryDrawer()
    for _ in range(2):
        async with running(telegram, RecordingDoor(), drawer, commands=COMMANDS):
            await until(lambda: drawer.values.get(f"menu/{BOT}") and telegram.polling)
    assert len(telegram.calls("setMyCommands")) == 1

    async with running(telegram, RecordingDoor(), drawer, commands=COMMANDS[:1]):
        await telegram.until(lambda: len(telegram.calls("setMyCommands")) == 2)


async def test_nothing_is_told_where_there_is_nothing(telegram):
    """A bot without commands may have a list by hand."""
    async with running(telegram, RecordingDoor()):
        await telegram.until(lambda: telegram.polling)

    assert telegram.calls("setMyCommands") == []


@pytest.mark.parametrize("fault", [Hang(), Refused(400, "Bad Request: BOT_COMMAND")])
async def test_messages_are_heard_whatever_becomes_of_it(telegram, fault):
    """A list of commands is no reason to be deaf."""
    door, drawer = RecordingDoor(), MemoryDrawer()
    telegram.fail("setMyCommands", fault, times=None)
    telegram.say("hello")

    async with running(telegram, door, drawer, commands=COMMANDS):
        await until(lambda: door.texts == ["hello"])

    assert f"menu/{BOT}" not in drawer.values


async def test_a_flood_is_waited_out(telegram):
    """It is told in the end."""
    flood = too_many(1)
    drawer = MemoryDrawer()
    telegram.fail("setMyCommands", flood)

    async with running(telegram, RecordingDoor(), drawer, commands=COMMANDS):
        await until(lambda: f"menu/{BOT}" in drawer.values)

    first, second = telegram.calls("setMyCommands")
    assert second.at - first.answered >= 1


def test_what_telegram_would_refuse_is_left_out():
    """One wrong name would spoil the whole list."""
    given = [
        ("new", "start\nafresh"),
        ("Bad", "x"),
        ("with-stroke", "x"),
        ("x" * 33, "x"),
        ("empty", " \n"),
        ("long", "y" * 300),
        ("new", "said twice"),
    ]

    listed = fit(given)

    assert listed[0] == ("new", "start afresh")
    assert [name for name, _ in listed] == ["new", "long"]
    assert len(listed[1][1]) == 256
    assert len(fit([(f"c{number}", "x") for number in range(150)])) == 100
