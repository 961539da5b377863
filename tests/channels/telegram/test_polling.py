"""One poller a bot, whatever the server, the network and other programs do."""

import asyncio
import json

import pytest

from apx.domain.thread import Thread
from apx.testing import until
from channels.telegram.updates import ALLOWED
from tests.channels.telegram.hearers import RecordingDoor, running
from tests.servers.telegram import Drop, Refused, TelegramServer, bad_gateway, garbage
from tests.servers.telegram.bots import Webhook
from tests.servers.telegram.refused import too_many

CONFLICT = Refused(409, "Conflict: terminated by other getUpdates request")


@pytest.fixture
async def telegram():
    async with TelegramServer() as server:
        server.user(7, "Ana")
        yield server


async def test_it_asks_for_what_it_uses_and_no_more(telegram):
    """Each kind by name; Telegram would else remember what another program wanted."""
    async with running(telegram, RecordingDoor()):
        await telegram.until(lambda: telegram.polling)

    told = telegram.calls("getUpdates")[0].params["allowed_updates"]
    assert json.loads(told) == list(ALLOWED)
    assert telegram.complaints == []


@pytest.mark.parametrize(
    "fault",
    [Drop(), Drop(cut=True), bad_gateway(), garbage(), Refused(500, "Internal")],
    ids=["dropped", "cut", "gateway", "garbage", "error"],
)
async def test_a_broken_answer_is_asked_for_again(telegram, fault):
    """What was in it was not confirmed, so it comes again, and is taken once."""
    door = RecordingDoor()
    telegram.say("hello")
    telegram.fail("getUpdates", fault, times=3, done=True)

    async with running(telegram, door) as channel:
        await until(lambda: door.texts and not telegram.pending())
        assert channel.problems == {}

    assert door.texts == ["hello"]
    assert telegram.most_polling == 1


async def test_updates_that_are_no_objects_spoil_no_others(telegram):
    """Whatever the list holds, what can be read of it is."""
    door = RecordingDoor()
    message = (
        '{"message_id": 1, "date": 1, "text": "hello",'
        ' "chat": {"id": 7, "type": "private"}, "from": {"id": 7, "is_bot": false}}'
    )
    body = (
        f'{{"ok": true, "result": [5, null, {{"update_id": 9, "message": {message}}}]}}'
    )
    telegram.fail("getUpdates", garbage(body))

    async with running(telegram, door):
        await until(lambda: door.texts == ["hello"])


async def test_another_program_is_waited_out(telegram):
    """It is named, nothing ends, and hearing begins again by itself."""
    door = RecordingDoor()
    telegram.fail("getUpdates", CONFLICT, times=None)

    async with running(telegram, door) as channel:
        await until(lambda: channel.problems)
        assert channel.problems == {"main": "another program polls this bot"}
        await telegram.until(lambda: len(telegram.calls("getUpdates")) > 3)
        telegram.heal()
        telegram.say("hello")
        await until(lambda: door.texts == ["hello"] and not channel.problems)

    assert telegram.most_polling == 1


async def test_a_webhook_is_taken_away_and_nothing_it_had_is_lost(telegram):
    """Somebody set one once; while it is there, no poll is answered."""
    door = RecordingDoor()
    telegram.say("hello")
    async with running(telegram, door) as channel:
        await until(lambda: channel.problems == {} and door.texts == ["hello"])
        telegram.bot().webhook = Webhook("https://example.org/x")
        telegram.bot().dismiss(CONFLICT)
        telegram.say("more")
        await until(lambda: door.texts == ["hello", "more"])
        assert channel.problems == {}

    [deleted] = telegram.calls("deleteWebhook")
    assert deleted.params.get("drop_pending_updates", "false") in {False, "false"}


async def test_a_token_that_is_refused_is_named_and_looked_at_again(telegram):
    """Where it stands is said, never what it is."""
    door = RecordingDoor()
    bot = telegram.bot()

    async with running(telegram, door) as channel:
        await telegram.until(lambda: telegram.polling)
        bot.alive = False
        bot.dismiss(Refused(401, "Unauthorized"))
        await until(lambda: channel.problems)
        text = channel.problems["main"]
        assert text == "the token in channels.telegram.bots[0].token is refused"
        bot.alive = True
        telegram.say("hello")
        await until(lambda: door.texts == ["hello"] and not channel.problems)


async def test_a_flood_is_waited_out_as_long_as_it_says(telegram):
    """Not a moment less, even for a poll."""
    door = RecordingDoor()
    flood = too_many(1)
    telegram.fail("getUpdates", flood)
    telegram.say("hello")

    async with running(telegram, door):
        await until(lambda: door.texts)

    first, second, *_ = telegram.calls("getUpdates")
    assert second.at - first.answered >= 1


async def test_a_server_that_is_down_is_found_again(telegram):
    """And while it is down, that is what people read."""
    door = RecordingDoor()

    async with running(telegram, door) as channel:
        await telegram.until(lambda: telegram.polling)
        await telegram.go_away()
        await until(lambda: channel.problems)
        assert channel.problems == {"main": "no answer from the server since 12:03 UTC"}
        assert not channel.reaches(Thread("telegram", "main:7"))
        await telegram.come_back()
        telegram.say("hello")
        await until(lambda: door.texts == ["hello"] and not channel.problems)


async def test_there_is_never_a_second_poller(telegram):
    """Also over new connections, the old question is over before the next."""
    door = RecordingDoor()
    telegram.fail("getUpdates", Drop(), times=5)
    async with running(telegram, door) as channel:
        await telegram.until(lambda: telegram.polling)
        bot = channel._bots["main"]
        async with asyncio.TaskGroup() as group:
            for _ in range(5):
                group.create_task(bot.client.rebuild())
        telegram.say("hello")
        await until(lambda: door.texts == ["hello"])

    assert telegram.most_polling == 1
