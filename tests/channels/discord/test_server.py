"""The loopback Discord: what a bot may ask, and what it is told."""

import time
from functools import partial

import pytest

from apx.domain.errors import Undeliverable
from channels.discord.client import Client
from channels.discord.failures import Rejected
from channels.discord.message import Message, parts, payload
from channels.shared.code_files import CodeFile
from channels.shared.failures import WrongToken
from tests.servers.discord import BOT, TOKEN
from tests.servers.discord.faults import refusal
from tests.servers.discord.furnished import ANA, BEN, GENERAL, HOME, IDEAS, WORK
from tests.servers.discord.remote import running

MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = MESSAGES + "/{message_id}"


@pytest.fixture
async def client(discord):
    client = Client(TOKEN)
    await client.login()
    discord.log.clear()
    yield client
    await client.close()


@pytest.fixture
def send(client):
    """Post a message, given by its fields."""

    async def send(channel, **fields):
        return await client.call("POST", MESSAGES, json=fields, channel_id=channel)

    return send


def row(*names, **more):
    buttons = [
        {"type": 2, "style": 1, "label": name, "custom_id": name} | more
        for name in names
    ]
    return {"type": 1, "components": buttons}


async def refused(asked, code):
    with pytest.raises(Rejected) as caught:
        await asked
    assert caught.value.code == code


# -- who asks


async def test_a_token_of_nobody_is_refused(discord):
    """REST says 401, and that somebody tried is noted."""
    client = Client("of.no.body")
    with pytest.raises(WrongToken):
        await client.login()
    await client.close()
    assert discord.complaints.pop() == "GET /users/@me: a token that is of nobody"


async def test_the_bot_learns_who_it_is(discord, client):
    """Its id, the portal's switch, and how many sessions are left."""
    assert client.app_id == BOT
    assert (await client.call("GET", "/applications/@me"))["flags"] == 1 << 19
    discord.portal(content=False)
    assert (await client.call("GET", "/applications/@me"))["flags"] == 0
    gateway = await client.call("GET", "/gateway/bot")
    assert gateway["url"] == discord.gateway_url
    assert gateway["session_start_limit"]["remaining"] == 1000


# -- messages


async def test_messages_are_sent_changed_and_deleted(discord, send, client):
    """As the client shows them, with what they answer, and for whom they ring."""
    asked = discord.say(GENERAL, ANA, f"<@{BOT}> tea?")
    message = Message(
        "Of course.", reply_to=asked, nonce="a", components=(row("Stop"),)
    )
    told = await send(GENERAL, **payload(message))
    ids = {"channel_id": GENERAL, "message_id": int(told["id"])}
    (seen,) = discord.sent(GENERAL)
    assert (seen.text, seen.reply_to, seen.buttons, seen.flags, seen.edited) == (
        "Of course.",
        asked,
        ("Stop",),
        4,
        False,
    )
    assert [(ping.user, ping.message) for ping in discord.pings] == [(ANA, seen.id)]
    await client.call("PATCH", MESSAGE, json=payload(Message("No.", edits=1)), **ids)
    assert discord.sent(GENERAL)[0].buttons == ()
    assert discord.texts(GENERAL) == ["No."]
    await client.call("DELETE", MESSAGE, **ids)
    assert discord.texts(GENERAL) == []
    await refused(client.call("GET", MESSAGE, **ids), 10008)
    assert [call.status for call in discord.calls("", "/channels/*/messages/*")] == [
        200,
        204,
        404,
    ]


async def test_a_nonce_swallows_a_repeat_for_five_minutes(discord, send):
    """The first message comes back, and nothing is said twice."""
    fields = {"content": "once", "nonce": "n" * 25, "enforce_nonce": True}
    first = await send(GENERAL, **fields)
    assert (await send(GENERAL, **fields))["id"] == first["id"]
    assert (await send(GENERAL, content="once", nonce="m"))["id"] != first["id"]
    discord.advance(301)
    assert (await send(GENERAL, **fields))["id"] != first["id"]
    assert discord.texts(GENERAL) == ["once"] * 3


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"content": "x" * 2001}, 50035),
        ({"content": " \n "}, 50006),
        ({}, 50006),
        ({"content": "x", "nonce": "n" * 26}, 50035),
        ({"content": "x", "components": [row(name) for name in "abcdef"]}, 50035),
        ({"content": "x", "components": [row(*"abcdef")]}, 50035),
        ({"content": "x", "components": [row("a", "a")]}, 50035),
        ({"content": "x", "components": [row("a", custom_id="c" * 101)]}, 50035),
        ({"content": "x", "components": [row("a", label="l" * 81)]}, 50035),
        ({"content": "x", "message_reference": {"message_id": "1"}}, 50035),
        ({"content": "x", "flags": 64}, 50035),
        (
            {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
            50035,
        ),
    ],
)
async def test_what_discord_would_not_take_is_refused(send, discord, fields, code):
    """With the number that the real one has for it."""
    await refused(send(GENERAL, **fields), code)
    assert discord.texts(GENERAL) == []


async def test_ringing_for_others_is_complained_of(discord, send):
    """Who did not ask, roles and everyone; a reply rings for who asked, if told so."""
    asked = discord.say(GENERAL, ANA, "x")
    reply = {"message_reference": {"message_id": str(asked)}}
    await send(GENERAL, content=f"<@{BEN}>", **reply)
    assert discord.complaints.pop() == f"rings for {BEN}, who did not ask"
    await send(GENERAL, content=f"<@&{HOME}>")
    assert discord.complaints.pop() == "rings for many, who did not ask"
    quiet = {"allowed_mentions": {"parse": [], "replied_user": False}}
    discord.pings.clear()
    await send(GENERAL, content=f"<@{BEN}> @everyone <@&{HOME}>", **reply, **quiet)
    assert discord.pings == []


async def test_fields_that_are_not_known_are_complained_of(discord, send):
    await send(GENERAL, content="x", parse_mode="html")
    assert discord.complaints.pop() == "unknown fields: ['parse_mode']"


async def test_messages_are_read_in_every_direction(discord, client):
    """The newest first, whatever was asked; links and mentions are in them."""
    said = [discord.say(GENERAL, ANA, str(number)) for number in range(5)]
    ask = partial(client.call, "GET", MESSAGES, channel_id=GENERAL)

    async def read(**query):
        return [int(told["content"]) for told in await ask(query=query)]

    assert await read() == [4, 3, 2, 1, 0]
    assert await read(after=said[1], limit=2) == [3, 2]
    assert await read(before=said[3], limit=2) == [2, 1]
    assert await read(around=said[2], limit=3) == [3, 2, 1]
    assert "guild_id" not in (await ask())[0]
    await refused(ask(query={"limit": 101}), 50035)


async def test_files_go_both_ways_and_links_expire(discord, client):
    """A link is good until it is not; reading the message once more gives another."""
    message = Message("code", CodeFile("a.py", b"print()"))
    form = parts(message)
    await client.call("POST", MESSAGES, parts=form, channel_id=GENERAL)
    (seen,) = discord.sent(GENERAL)
    assert (seen.files, discord.file(GENERAL, seen.id)) == (("a.py",), b"print()")
    number = discord.say(GENERAL, ANA, files=[("b.txt", b"words", "text/plain")])
    ids = {"channel_id": GENERAL, "message_id": number}
    session = client.vendor.http._HTTPClient__session

    async def download():
        told = await client.call("GET", MESSAGE, **ids)
        return told["attachments"][0]["url"]

    async def status(url):
        async with session.get(url) as response:
            return response.status, await response.read()

    old = await download()
    assert await status(old) == (200, b"words")
    discord.expire_links()
    assert (await status(old))[0] == 404
    assert await status(await download()) == (200, b"words")
    async with session.get(old, headers={"Authorization": TOKEN}) as response:
        assert response.status == 404
    assert discord.complaints.pop() == "the token was shown to the CDN"


async def test_too_large_a_file_is_refused(client):
    form = parts(Message("x", CodeFile("a.bin", bytes((10 << 20) + 1))))
    await refused(client.call("POST", MESSAGES, parts=form, channel_id=GENERAL), 40005)


# -- who may what where


@pytest.mark.parametrize("right", ["VIEW_CHANNEL", "SEND_MESSAGES"])
async def test_rights_are_asked_for(discord, send, right):
    """Also what a role of the bot gives back counts."""
    discord.deny(GENERAL, right, to=HOME)
    with pytest.raises(Undeliverable):
        await send(GENERAL, content="x")
    discord.role(HOME, 5, "bots")
    discord.give(HOME, BOT, 5)
    discord.allow(GENERAL, right, to=5)
    await send(GENERAL, content="x")
    assert discord.texts(GENERAL) == ["x"]


async def test_private_chats_need_a_guild_of_both(discord, client, send):
    told = await client.call("POST", "/users/@me/channels", json={"recipient_id": BEN})
    number = int(told["id"])
    assert number == discord.dm(BEN)
    await send(number, content="hello")
    discord.leave(BEN, HOME)
    await send(number, content="still")
    discord.leave(BEN, WORK)
    with pytest.raises(Undeliverable):
        await send(number, content="gone")
    assert discord.calls("POST", "/channels/**")[-1].code == 50007
    assert discord.texts(number) == ["hello", "still"]


async def test_channels_and_guilds_go(discord, client, send):
    discord.delete_channel(GENERAL)
    with pytest.raises(Undeliverable):
        await send(GENERAL, content="x")
    member = partial(client.call, "GET", "/guilds/{g}/members/{u}", g=HOME)
    assert (await member(u=ANA))["user"]["global_name"] == "Ana"
    discord.leave(ANA, HOME)
    await refused(member(u=ANA), 10007)
    discord.kick(HOME)
    with pytest.raises(Undeliverable):
        await member(u=BEN)


async def test_threads_begin_with_a_message(discord, client, send):
    """The id is the message's; a second one is refused, and so is a forum's channel."""
    number = discord.say(GENERAL, ANA, "a question")
    ids = {"channel_id": GENERAL, "message_id": number}
    begin = partial(client.call, "POST", MESSAGE + "/threads")
    told = await begin(json={"name": "A question"}, **ids)
    assert (told["id"], told["type"], told["owner_id"]) == (str(number), 11, str(BOT))
    assert discord.threads(GENERAL) == [number]
    await refused(begin(json={"name": "again"}, **ids), 160004)
    await send(number, content="an answer")
    discord.archive(number)
    await send(number, content="it opens")
    discord.archive(number, locked=True)
    with pytest.raises(Undeliverable):
        await send(number, content="it does not")
    assert discord.texts(number) == ["an answer", "it opens"]
    discord.deny(GENERAL, "CREATE_PUBLIC_THREADS")
    ids["message_id"] = discord.say(GENERAL, ANA, "another")
    with pytest.raises(Undeliverable):
        await begin(json={"name": "no"}, **ids)
    with pytest.raises(Undeliverable):
        await send(IDEAS, content="a forum has posts alone")


# -- in a process of its own


def test_a_server_of_its_own_is_asked_with_plain_calls(tmp_path):
    """The same methods; it outlives its network, and keeps its world and port."""
    with running(tmp_path / "ports", furnished=True) as discord:
        port = (tmp_path / "ports").read_text().split()[0]
        assert discord.origin.endswith(port)
        number = discord.say(GENERAL, ANA, "x", files=[("a", b"\x00\xff", "x/y")])
        discord.until(lambda: discord.history(GENERAL))
        (seen,) = discord.history(GENERAL)
        assert (seen.id, seen.text, seen.files) == (number, "x", ("a",))
        assert discord.file(GENERAL, number) == b"\x00\xff"
        discord.down()
        discord.up()
        discord.fail("POST", "**", refusal(403, 50013, "Missing"), times=None)
        discord.limit(routes={"PATCH /channels/{channel}": (1, 2.0)})
        assert discord.get("origin") == discord.origin
        assert [*discord.get("complaints"), *discord.calls(), *discord.pings] == []
        with pytest.raises(LookupError, match="there is no nothing"):
            discord.nothing()
        start = time.monotonic()
        with pytest.raises(TimeoutError, match="never held"):
            discord.until(lambda: False, 0.1)
        assert time.monotonic() - start < 5
