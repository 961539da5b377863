"""Updates that are brought: only by Telegram, and thanked for once they are safe."""

import asyncio
import json
import socket
from dataclasses import replace
from datetime import timedelta

import aiohttp
import pytest

from apx.domain.errors import StoreError
from apx.domain.thread import Thread
from apx.testing import until
from channels.telegram.settings import BotSettings, Webhook
from channels.telegram.updates import ALLOWED
from tests.channels.telegram.hearers import NOW, RecordingDoor, running
from tests.servers.telegram import Drop, Refused, TelegramServer, garbage

OTHER = "4343002:BBloopbackLoopbackLoopbackLoopback2"
HEADER = "X-Telegram-Bot-Api-Secret-Token"
SECRET = "s3cret-s3cret"  # noqa: S105 -- of nobody


@pytest.fixture
async def telegram():
    async with TelegramServer() as server:
        server.user(7, "Ana")
        yield server


@pytest.fixture
def hook():
    with socket.socket() as held:
        # Ours alone to listen on: who asks for any port is not given this one.
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        url = f"http://127.0.0.1:{port}/telegram"
        yield Webhook(url, SECRET, "127.0.0.1", port)


async def test_updates_are_brought_and_confirmed(telegram, hook):
    """Telegram is told where, with which secret, and what to bring."""
    door = RecordingDoor()
    door.answers["/status"] = "fine"

    async with running(telegram, door, webhook=hook):
        await telegram.until(lambda: telegram.bot().webhook)
        telegram.say("hello")
        telegram.say("/status")
        await telegram.until(lambda: telegram.texts(7) == ["fine"])
        await telegram.until(lambda: not telegram.pending())

    assert door.texts == ["hello", "/status"]
    told = telegram.calls("setWebhook")[0].params
    assert (told["url"], told["secret_token"]) == (hook.url, SECRET)
    assert json.loads(told["allowed_updates"]) == list(ALLOWED)
    assert telegram.polls == 0
    assert telegram.complaints == []


async def test_what_cannot_be_written_is_brought_again(telegram, hook):
    """It is not thanked for, and nobody's fault."""
    door = RecordingDoor()
    door.failures = [StoreError("full"), StoreError("full")]

    async with running(telegram, door, webhook=hook) as channel:
        await telegram.until(lambda: telegram.bot().webhook)
        telegram.say("hello")
        await telegram.until(lambda: not telegram.pending())
        assert telegram.bot().webhook.statuses == [500, 500, 200]
        assert channel.problems == {}

    assert door.texts == ["hello"]


async def test_an_update_brought_twice_is_taken_once(telegram, hook):
    """Telegram does so when an answer comes late; even both at once."""
    door = RecordingDoor()
    message = {"message_id": 1, "date": 1, "text": "slow"}
    message |= {"chat": {"id": 7, "type": "private"}, "from": {"id": 7}}
    update = {"update_id": 5, "message": message}

    async with (
        running(telegram, door, webhook=hook),
        aiohttp.ClientSession(headers={HEADER: SECRET}) as session,
    ):
        await telegram.until(lambda: telegram.bot().webhook)

        async def brought():
            async with session.post(hook.url, json=update) as answer:
                return answer.status

        door.gate.set()
        assert set(await asyncio.gather(brought(), brought())) == {200}

    assert door.texts == ["slow"]


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({}, b"{}", 401),
        ({HEADER: "other"}, b"{}", 401),
        ({HEADER: SECRET + "x"}, b"{}", 401),
        ({HEADER: SECRET}, b"{", 400),
        ({HEADER: SECRET}, b"[]", 400),
        ({HEADER: SECRET}, b"[" * 200_000, 400),
        ({HEADER: SECRET}, b'{"message": {}}', 400),
        ({HEADER: SECRET}, b"\xff\xfe", 400),
        ({HEADER: SECRET}, b'{"update_id": 1, "of_tomorrow": 1}', 200),
    ],
)
async def test_only_telegram_may_bring_something(telegram, hook, headers, body, status):
    """Anybody can find the address."""
    door = RecordingDoor()

    async with (
        running(telegram, door, webhook=hook),
        aiohttp.ClientSession() as session,
    ):
        await telegram.until(lambda: telegram.bot().webhook)
        async with session.post(hook.url, data=body, headers=headers) as answer:
            assert answer.status == status
            # Whoever knows no secret is not talked to any longer.
            closes = answer.headers.get("Connection") == "close"
            assert closes == (status == 401)

    assert door.heard == []


async def test_a_webhook_that_is_refused_is_said_and_tried_again(telegram, hook):
    """Such as an address that Telegram does not like."""
    telegram.fail("setWebhook", Refused(400, "Bad Request: bad webhook"), times=2)

    async with running(telegram, RecordingDoor(), webhook=hook) as channel:
        await until(lambda: channel.problems)
        assert "bad webhook" in channel.problems["main"]
        await telegram.until(lambda: telegram.bot().webhook)
        await until(lambda: not channel.problems)


async def test_a_webhook_that_is_taken_away_is_set_again(telegram, hook):
    """Else a bot is deaf for ever, and well."""
    door = RecordingDoor()

    async with running(telegram, door, webhook=hook) as channel:
        await telegram.until(lambda: telegram.bot().webhook)
        telegram.bot().webhook = None
        await until(lambda: channel.problems)
        said = "another program has taken the webhook of this bot"
        assert channel.problems == {"main": said}
        telegram.say("hello")
        await until(lambda: door.texts == ["hello"] and not channel.problems)


def _info(url, at):
    result = {"url": url, "has_custom_certificate": False, "pending_update_count": 3}
    result |= {"last_error_date": at, "last_error_message": "SSL error; bad"}
    return garbage(json.dumps({"ok": True, "result": result}))


async def test_what_telegram_complains_of_is_passed_on(telegram, hook):
    """As long as it is new: what failed before we listened is over."""
    written = hook.url.replace("http://", "HTTP://")

    async with running(telegram, RecordingDoor(), webhook=hook) as channel:
        lately = (NOW + timedelta(seconds=1)).timestamp()
        telegram.fail("getWebhookInfo", _info(written, int(lately)), times=None)
        await until(lambda: channel.problems)
        said = "Telegram cannot bring updates: SSL error, bad"
        assert channel.problems == {"main": said}
        telegram.heal()
        before = (NOW - timedelta(seconds=1)).timestamp()
        telegram.fail("getWebhookInfo", _info(written, int(before)), times=None)
        await until(lambda: not channel.problems)

    assert len(telegram.calls("setWebhook")) == 1


async def test_a_line_that_is_down_is_noticed(telegram, hook):
    """Nobody polls, so somebody has to ask."""
    here = Thread("telegram", "main:7")

    async with running(telegram, RecordingDoor(), webhook=hook) as channel:
        await until(lambda: channel.reaches(here))
        telegram.fail("getWebhookInfo", Drop(), times=None)
        await until(lambda: not channel.reaches(here))
        assert channel.problems == {"main": "no answer from the server since 12:03 UTC"}
        telegram.heal()
        await until(lambda: channel.reaches(here) and not channel.problems)


async def test_a_port_that_is_taken_is_named(telegram, hook):
    """Such as by the other bot; it is tried again."""
    door = RecordingDoor()
    telegram.new_bot(OTHER)
    second = replace(hook, url=f"{hook.url}/other")
    other = BotSettings("other", OTHER, telegram.origin, second)

    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind((hook.host, hook.port))
        taken.listen()
        async with running(telegram, door, more=[other]) as channel:
            await until(lambda: channel.problems)
            assert channel.problems == {"other": f"stopped: port {hook.port} is in use"}
            taken.close()
            await until(lambda: not channel.problems)
            telegram.say("hello", to=OTHER)
            await until(lambda: door.texts == ["hello"])
