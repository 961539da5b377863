"""Buttons: each press is answered, and only what worked goes away."""

import pytest

from apx.domain.errors import InputError, StoreError
from apx.domain.heard import Button, Notice
from apx.domain.thread import Thread
from apx.testing import until
from channels.telegram.pressing import EXPIRED
from tests.channels.telegram.hearers import RecordingDoor, running
from tests.servers.telegram import TelegramServer

GROUP = -1001234567890
HERE = Thread("telegram", "main:7")
NOTICE = Notice("Let Bo in?", (Button("Yes", "yes:1"), Button("No", "no:1")))


@pytest.fixture
async def telegram():
    async with TelegramServer() as server:
        server.user(7, "Ana")
        yield server


async def shown(telegram, channel, thread=HERE, notice=NOTICE, chat=7):
    """Have a notice with buttons sent, and give its message."""
    await until(lambda: channel.reaches(thread))
    await channel.tell(thread, notice)
    return telegram.sent(chat)[-1]


async def test_a_press_does_what_it_says_and_its_row_goes(telegram):
    """What the door says is shown in passing."""
    door = RecordingDoor()
    door.outcome = "Bo is let in."

    async with running(telegram, door) as channel:
        message = await shown(telegram, channel)
        query = telegram.press(message, "Yes")
        await telegram.until(lambda: query.answered)
        await telegram.until(lambda: "reply_markup" not in telegram.sent(7)[0].json)

    assert (query.text, query.alert) == ("Bo is let in.", False)
    [press] = door.pressed
    assert (press.data, str(press.caller.account)) == ("yes:1", "telegram:main:7")
    assert len(telegram.texts(7)) == 1


async def test_a_long_outcome_is_a_message(telegram):
    """A toast holds 200 characters."""
    door = RecordingDoor()
    door.outcome = "so " * 100

    async with running(telegram, door) as channel:
        query = telegram.press(await shown(telegram, channel), "Yes")
        await telegram.until(lambda: len(telegram.texts(7)) == 2)

    assert query.answered
    assert query.text == ""


async def test_a_slow_press_is_answered_at_once(telegram):
    """Else the client shows that it waits, and then that it failed."""
    door = RecordingDoor()
    door.outcome = "done"
    notice = Notice("?", (Button("Go", "slow:1"),))

    async with running(telegram, door) as channel:
        query = telegram.press(await shown(telegram, channel, notice=notice), "Go")
        await telegram.until(lambda: query.answered)
        assert door.pressed == []
        door.gate.set()
        await telegram.until(lambda: telegram.texts(7)[-1] == "done")


@pytest.mark.parametrize("admitted", [True, False])
async def test_a_refusal_is_for_the_presser_alone(telegram, admitted):
    """In a group anybody may press; the right one still can, afterwards."""
    telegram.supergroup(GROUP, "Home")
    telegram.become(7, GROUP, "member")
    door = RecordingDoor()
    door.admitted = admitted
    door.failures = [InputError("That is for Bo to say.")]
    thread = Thread("telegram", f"main:{GROUP}")

    async with running(telegram, door) as channel:
        message = await shown(telegram, channel, thread, chat=GROUP)
        query = telegram.press(message, "Yes")
        await telegram.until(lambda: query.answered)

    told = "That is for Bo to say." if admitted else "This is not yours to press."
    assert (query.text, query.alert) == (told, True)
    assert len(telegram.texts(GROUP)) == 1
    assert "reply_markup" in telegram.sent(GROUP)[0].json


async def test_a_button_of_a_message_that_is_gone_has_expired(telegram):
    """Nobody knows in which topic it was, or what it said."""
    door = RecordingDoor()

    async with running(telegram, door) as channel:
        message = await shown(telegram, channel)
        telegram.remove(message)
        query = telegram.press(message, "Yes")
        await telegram.until(lambda: query.answered)

    assert (query.text, query.alert) == (EXPIRED, True)
    assert door.pressed == []


async def test_a_press_that_can_be_answered_no_more_is_told(telegram):
    """Telegram forgets a press after a while."""
    door = RecordingDoor()
    door.outcome = "done"

    async with running(telegram, door) as channel:
        message = await shown(telegram, channel)
        telegram.press(message, "Yes")
        telegram.expire_queries()
        await telegram.until(lambda: telegram.texts(7)[-1] == "done")


async def test_a_press_is_not_lost_while_nothing_can_be_written(telegram):
    """It is pressed again for whoever pressed it."""
    door = RecordingDoor()
    door.outcome = "done"
    door.failures = [StoreError("full"), StoreError("full")]

    async with running(telegram, door) as channel:
        query = telegram.press(await shown(telegram, channel), "Yes")
        await telegram.until(lambda: query.text == "done")

    assert len(door.pressed) == 1


async def test_the_stop_button_of_a_growing_reply_is_pressed(telegram):
    """It is Telegram's own, under a draft."""
    door = RecordingDoor()
    chat = {"id": 7, "type": "private", "first_name": "Ana"}

    async with running(telegram, door):
        telegram.raw({"stopped_message_generation": {"chat": chat, "draft_id": 31}})
        await until(lambda: door.pressed)

    assert door.pressed[0].data == "stop:31"
    assert door.pressed[0].caller.account.user == "7"
