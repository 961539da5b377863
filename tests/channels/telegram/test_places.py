"""A thread is a chat, whatever number Telegram gives it."""

import pytest

from apx.domain.errors import Undeliverable
from apx.domain.thread import Thread
from apx.testing import MemoryDrawer
from channels.shared.message_id import MessageId
from channels.telegram.places import Place, Places


@pytest.fixture
def drawer():
    return MemoryDrawer()


@pytest.fixture
def places(drawer):
    return Places("main", drawer)


def test_a_chat_has_a_thread_and_a_thread_its_chat(places):
    """Both ways, with a topic and without one."""
    assert str(places.thread(7)) == "telegram:main:7"
    assert str(places.thread(-1005, 12)) == "telegram:main:-1005:12"
    assert places.place(places.thread(-1005, 12)) == Place(-1005, 12)
    assert places.place(places.thread(7)) == Place(7)


def test_general_has_no_number(places):
    """Telegram refuses it by its id, and says it or not as it likes."""
    assert places.thread(-1005, 1) == places.thread(-1005)
    assert places.place(places.thread(-1005, 1)).topic is None


def test_groups_are_told_from_people(places):
    assert places.is_group(places.thread(-5))
    assert not places.is_group(places.thread(5))


async def test_a_group_that_moved_stays_its_thread(places):
    """Old and new number are one conversation; what is sent goes to the new one."""
    old = places.thread(-5)
    await places.migrated(-5, -1005)

    assert places.thread(-1005) == places.thread(-5) == old
    assert places.thread(-1005, 12) == Thread("telegram", "main:-5:12")
    assert places.place(old) == Place(-1005)


async def test_moves_are_followed_also_after_a_start(places, drawer):
    """Twice moved, and read by the next process."""
    await places.migrated(-5, -1005)
    await places.migrated(-1005, -1006)
    later = Places("main", drawer)
    await later.load()

    assert later.place(Thread("telegram", "main:-5")) == Place(-1006)
    assert later.thread(-1006) == Thread("telegram", "main:-5")


async def test_a_move_is_told_again_and_backwards_without_harm(places):
    """Both chats say it, late and out of order; a ring would never end."""
    await places.migrated(-5, -1005)
    await places.migrated(-5, -1005)
    await places.migrated(-1005, -5)
    await places.migrated(-1005, -1005)

    assert places.place(places.thread(-5)) == Place(-1005)
    assert places.thread(-1005) == Thread("telegram", "main:-5")


@pytest.mark.parametrize(
    "name", ["main", "main:", "main:x", "other:7", "main:7:8:9", "mainly:7"]
)
def test_what_is_no_chat_of_the_bot_is_undeliverable(places, name):
    with pytest.raises(Undeliverable, match="no chat of the bot main"):
        places.place(Thread("telegram", name))


def test_a_terminal_is_no_chat(places):
    assert not places.is_own(Thread("terminal", "main:7"))


@pytest.mark.parametrize("text", ["", "12", "a.b.c", "1.2", "1.2.3.4", "m-42"])
def test_an_id_of_something_else_is_none(text):
    assert MessageId.parse(text) is None


def test_a_message_has_three_numbers():
    assert MessageId.parse("42.-1005.7") == MessageId(42, -1005, 7)
    assert str(MessageId(42, -1005, 7)) == "42.-1005.7"
