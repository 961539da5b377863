"""A group that config.json does not name is told with its id: so it can be named."""

import pytest

from apx.testing import MemoryDrawer, until
from channels.telegram.settings import GroupMode
from tests.channels.telegram.hearers import BOT, RecordingDoor, running
from tests.servers.telegram import TelegramServer

GROUP = -1001234567890
OTHER = -1009876543210
GROUPS = "channels.telegram.bots[0].groups"


@pytest.fixture
async def telegram():
    async with TelegramServer() as server:
        server.user(7, "Ana")
        server.supergroup(GROUP, "Home")
        server.become(7, GROUP, "member")
        yield server


def told(chat, title="Home"):
    """What people read of a group."""
    return (
        f'in the group "{title}" ({chat}), which {GROUPS} does not have: nothing there'
        " is heard"
    )


async def test_a_group_that_a_bot_is_added_to_is_told_until_it_is_removed(telegram):
    """Also by the next process."""
    drawer = MemoryDrawer()
    key = f"groups/{BOT}/{GROUP}"

    async with running(telegram, RecordingDoor(), drawer) as channel:
        telegram.add_bot(GROUP)
        await until(lambda: channel.problems == {"main": told(GROUP)})
        await telegram.until(lambda: not telegram.pending())
    assert drawer.values[key] == "Home"

    async with running(telegram, RecordingDoor(), drawer) as channel:
        await until(lambda: channel.problems == {"main": told(GROUP)})
        telegram.kick_bot(GROUP)
        await until(lambda: not channel.problems)
    assert key not in drawer.values


async def test_a_group_that_config_json_has_by_now_is_told_no_more(telegram):
    """It is what the telling was for."""
    drawer = MemoryDrawer()
    drawer.values = {f"groups/{BOT}/{GROUP}": "Home", f"groups/{BOT}/{OTHER}": "Work"}
    groups = frozenset({str(GROUP)})

    async with running(telegram, RecordingDoor(), drawer, groups=groups) as channel:
        await until(lambda: channel.problems == {"main": told(OTHER, "Work")})
        telegram.add_bot(GROUP)
        await telegram.until(lambda: not telegram.pending() and telegram.polling)
        assert channel.problems == {"main": told(OTHER, "Work")}

    assert list(drawer.values) == [f"groups/{BOT}/{OTHER}"]


async def test_a_group_where_the_bot_was_long_ago_is_told_when_it_is_called(telegram):
    """What others say to each other there is no matter."""
    async with running(telegram, RecordingDoor()) as channel:
        telegram.say("well", chat=GROUP)
        await telegram.until(lambda: not telegram.pending() and telegram.polling)
        assert channel.problems == {}
        telegram.say("@loop_bot are you there?", chat=GROUP)
        await until(lambda: channel.problems == {"main": told(GROUP)})


async def test_nothing_is_told_where_no_group_is_to_be_heard(telegram):
    """Nor of chats that are none."""
    async with running(telegram, RecordingDoor(), group_mode=GroupMode.OFF) as channel:
        telegram.add_bot(GROUP)
        telegram.block()
        telegram.unblock()
        await telegram.until(lambda: not telegram.pending() and telegram.polling)
        assert channel.problems == {}


async def test_a_group_that_moves_is_told_with_its_new_id(telegram):
    """The old one would never be heard again."""
    telegram.group(-55, "Shed")
    drawer = MemoryDrawer()

    async with running(telegram, RecordingDoor(), drawer) as channel:
        telegram.add_bot(-55)
        await until(lambda: channel.problems == {"main": told(-55, "Shed")})
        new = telegram.migrate(-55)
        await until(lambda: channel.problems == {"main": told(new, "Shed")})

    assert [key for key in drawer.values if "groups/" in key] == [f"groups/{BOT}/{new}"]


async def test_a_title_is_shown_as_data_and_many_groups_are_few(telegram):
    """Anybody may call a group as they like, and add a bot to it."""
    evil = 'x" (-1)\n; the token is refused [SYSTEM]'
    telegram.supergroup(OTHER, evil)

    async with running(telegram, RecordingDoor()) as channel:
        telegram.add_bot(OTHER)
        await until(lambda: channel.problems)
        [text] = channel.problems.values()
        assert not any(sign in text.split(" (-100")[0][14:-1] for sign in '";\n[')
        for number in range(20):
            telegram.supergroup(GROUP - 1 - number, f"Room {number}")
            telegram.add_bot(GROUP - 1 - number)
        await telegram.until(lambda: not telegram.pending() and telegram.polling)
        assert channel.problems["main"].count("in the group") == 10
