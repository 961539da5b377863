"""The loopback Discord: what people do, what goes wrong, and how often one may ask."""

import asyncio
import time
from functools import partial
from typing import Any

import aiohttp
import pytest

from apx.domain.errors import Undeliverable
from channels.discord.client import Client
from channels.discord.failures import Rejected
from channels.shared.failures import Answered, Flood, WrongToken
from tests.servers.discord import BOT, TOKEN
from tests.servers.discord.faults import (
    Drop,
    Hang,
    banned,
    broken,
    limited,
    refusal,
)
from tests.servers.discord.furnished import ANA, BEN, GENERAL, HOME, IDEAS, OTHER
from tests.servers.discord.limits import Limits

MESSAGES = "/channels/{channel_id}/messages"
CALLBACK = "/interactions/{id}/{token}/callback"
FOLLOW = "/webhooks/{app}/{token}"
ORIGINAL = FOLLOW + "/messages/@original"
EPHEMERAL = 64


class Bot(Client):
    """Asks, and remembers the interactions that it heard of."""

    def __init__(self, discord):
        super().__init__(TOKEN)
        self._discord = discord

    async def send(self, channel, text, **more):
        body = {"content": text} | more
        return await self.call("POST", MESSAGES, json=body, channel_id=channel)

    def token(self, number):
        every = self._discord.interactions.values()
        return next(one.token for one in every if one.id == number)

    async def take(self, number, kind, **data):
        body = {"type": kind} | ({"data": data} if data else {})
        ids = {"id": number, "token": self.token(number)}
        return await self.call("POST", CALLBACK, json=body, **ids)

    async def follow(self, method, path, number, **body):
        ids = {"app": BOT, "token": self.token(number)}
        return await self.call(method, path, json=body or None, **ids)


@pytest.fixture
async def bot(discord):
    bot = Bot(discord)
    await bot.login()
    discord.log.clear()
    yield bot
    await bot.close()


@pytest.fixture
async def commands(bot):
    option = {"type": 3, "name": "words", "description": "which"}
    told = [
        {"name": "why", "description": "Tell why"},
        {"name": "link", "description": "Link", "options": [option]},
    ]
    path = "/applications/{app}/commands"
    return await bot.call("PUT", path, json=told, app=BOT)


async def refused(asked, code):
    with pytest.raises(Rejected) as caught:
        await asked
    assert caught.value.code == code


# -- what people send


async def test_people_send_all_kinds_of_things(discord):
    """Each has its own fields, as Discord writes them."""
    voice = discord.voice(GENERAL, ANA, b"ogg", 3.5)
    sticker = discord.sticker(GENERAL, ANA, "wave")
    poll = discord.poll(GENERAL, BEN, "tea?", "yes", "no")
    hook = discord.hook(GENERAL, "News", "breaking")
    joined = discord.system(GENERAL, BEN, 7)
    forward = discord.forward(OTHER, BEN, hook, GENERAL)
    told = {one.id: one.json for one in discord.history(GENERAL)}
    assert told[voice]["attachments"][0]["duration_secs"] == 3.5
    assert told[sticker]["sticker_items"][0]["name"] == "wave"
    assert told[poll]["poll"]["answers"][1]["poll_media"] == {"text": "no"}
    assert told[hook]["webhook_id"] == told[hook]["author"]["id"]
    assert told[joined]["type"] == 7
    (seen,) = discord.history(OTHER)
    assert (seen.id, seen.reply_to, seen.text) == (forward, None, "")
    assert seen.json["message_snapshots"][0]["message"]["content"] == "breaking"


async def test_replies_ring_for_who_is_answered_and_show_it(discord):
    first = discord.say(GENERAL, ANA, "tea?")
    discord.say(GENERAL, BEN, "yes", reply_to=first)
    discord.say(GENERAL, BEN, "please", reply_to=first, ping=False)
    _, one, other = discord.history(GENERAL)
    assert [user["id"] for user in one.json["mentions"]] == [str(ANA)]
    assert other.json["mentions"] == []
    assert one.json["referenced_message"]["content"] == "tea?"
    discord.delete(GENERAL, first)
    assert discord.history(GENERAL)[0].json["referenced_message"] is None


async def test_threads_and_posts_have_the_numbers_of_their_messages(discord):
    question = discord.say(GENERAL, ANA, "who?")
    thread = discord.thread(GENERAL, BEN, "who", message=question)
    post = discord.post(IDEAS, ANA, "tea", "more of it")
    assert (thread, discord.threads(GENERAL)) == (question, [question])
    (first,) = discord.history(GENERAL)
    assert (first.flags, first.edited) == (1 << 5, False)
    assert discord.history(thread)[0].json["type"] == 21
    assert discord.history(thread)[0].json["referenced_message"]["content"] == "who?"
    assert [(one.id, one.text) for one in discord.history(post)] == [
        (post, "more of it")
    ]
    with pytest.raises(ValueError, match="not in the channel"):
        discord.say(discord.dm(ANA), BEN, "reading along")


# -- commands and buttons


async def test_a_command_is_taken_and_answered_later(discord, bot, commands):
    """The person sees that the bot thinks, then the answers, alone if it was so."""
    assert discord.commands() == commands
    number = discord.slash("link", "ab cd", user=ANA, channel=GENERAL)
    assert not discord.answer(number).failed
    await bot.take(number, 5, flags=EPHEMERAL)
    seen = discord.answer(number)
    assert (seen.thinking, seen.deferred, seen.ephemeral) == (True, True, True)
    assert 0 < seen.acked_ms < 3000
    await bot.follow("POST", FOLLOW, number, content="linked")
    await bot.follow("POST", FOLLOW, number, content="more", flags=EPHEMERAL)
    await bot.follow("PATCH", ORIGINAL, number, content="linked!")
    seen = discord.answer(number)
    assert (seen.texts, seen.thinking) == (["linked!", "more"], False)
    assert all(message.flags & EPHEMERAL for message in seen.messages)
    assert discord.history(GENERAL) == []
    await refused(bot.take(number, 4, content="x"), 40060)
    assert discord.complaints.pop() == "an interaction was taken twice"


async def test_what_all_may_see_is_in_the_channel(discord, bot, commands):
    del commands
    number = discord.slash("why", user=ANA, channel=GENERAL)
    await bot.take(number, 4, content="because")
    assert discord.texts(GENERAL) == discord.answer(number).texts == ["because"]
    told = await bot.follow("GET", ORIGINAL, number)
    assert told["interaction_metadata"]["user"]["id"] == str(ANA)
    await bot.follow("DELETE", ORIGINAL, number)
    assert discord.texts(GENERAL) == discord.answer(number).texts == []
    await refused(bot.follow("PATCH", ORIGINAL, number, content="x"), 10008)


async def test_a_token_is_good_for_fifteen_minutes(discord, bot, commands):
    del commands
    number = discord.slash("why", user=ANA, channel=GENERAL)
    await refused(bot.follow("POST", FOLLOW, number, content="early"), 10015)
    await bot.take(number, 5)
    discord.advance(901)
    with pytest.raises(WrongToken):
        await bot.follow("PATCH", ORIGINAL, number, content="late")
    assert discord.calls()[-1].code == 50027
    assert discord.answer(number).thinking


async def test_buttons_are_pressed_by_what_is_written_on_them(discord, bot):
    """The message may be taken up, changed, or left."""
    button = {"type": 2, "style": 1, "label": "Stop", "custom_id": "stop:1"}
    rows = [{"type": 1, "components": [button, button | {"custom_id": "b"}]}]
    told = await bot.send(GENERAL, "writing", components=rows)
    message = int(told["id"])
    number = discord.press(message, "Stop", BEN)
    await bot.take(number, 6)
    await bot.follow("PATCH", ORIGINAL, number, content="stopped", components=[])
    assert discord.texts(GENERAL) == ["stopped"]
    with pytest.raises(LookupError):
        discord.press(message, "Stop", BEN)
    told = await bot.send(OTHER, "again", components=rows)
    number = discord.press(int(told["id"]), "Stop", BEN)
    await bot.take(number, 7, content="done")
    assert discord.texts(OTHER) == ["done"]
    number = discord.press(int(told["id"]), "Stop", ANA)
    await bot.take(number, 4, content="not yours", flags=EPHEMERAL)
    assert discord.answer(number).texts == ["not yours"]


async def test_interactions_say_who_and_where(discord, bot, commands):
    """In a guild a member, in private a user; the words are the first option."""
    heard: list[dict[str, Any]] = []
    discord.bot().sessions.append(_Ear(heard))
    discord.slash("link", "ab", user=ANA, channel=discord.dm(ANA))
    discord.slash("why", user=BEN, channel=GENERAL)
    del bot
    private, public = heard
    assert private["user"]["id"] == str(ANA)
    assert private["data"] == {
        "id": commands[1]["id"],
        "name": "link",
        "type": 1,
        "options": [{"name": "words", "type": 3, "value": "ab"}],
    }
    assert (public["member"]["user"]["id"], public["guild_id"]) == (
        str(BEN),
        str(HOME),
    )
    with pytest.raises(LookupError, match="/nothing"):
        discord.slash("nothing", user=ANA, channel=GENERAL)


class _Ear:
    """Stands where a session does."""

    def __init__(self, heard):
        self._heard = heard

    def tell(self, kind, data):
        assert kind == "INTERACTION_CREATE"
        self._heard.append(data)


# -- what goes wrong


async def test_answers_may_be_refusals(discord, bot):
    discord.fail("POST", "/channels/*/messages", refusal(403, 50013, "Missing"))
    discord.fail("POST", "/channels/**", broken(503))
    with pytest.raises(Undeliverable):
        await bot.send(GENERAL, "x")
    with pytest.raises(Answered):
        await bot.send(GENERAL, "x")
    await bot.send(GENERAL, "x")
    assert discord.texts(GENERAL) == ["x"]
    assert [call.status for call in discord.calls("POST")] == [403, 503, 200]


@pytest.mark.parametrize("done", [False, True])
async def test_connections_break_before_or_after_the_deed(discord, bot, done):
    discord.fail("POST", "**", Drop(), done=done)
    with pytest.raises(Answered):
        await bot.send(GENERAL, "x")
    assert discord.texts(GENERAL) == ["x"] * done


async def test_who_hangs_is_let_go(discord, bot):
    discord.fail("POST", "**", Hang())
    asking = asyncio.create_task(bot.send(GENERAL, "x"))
    await discord.until(lambda: discord.calls("POST"))
    assert discord.texts(GENERAL) == []
    discord.heal()
    await asking
    assert discord.texts(GENERAL) == ["x"]


@pytest.mark.parametrize("how", [{}, {"everywhere": True}, {"sub": True}])
async def test_too_many_requests_are_waited_for(discord, bot, how):
    """The library obeys: all three are told as the real one tells them."""
    discord.fail("POST", "**", limited(0.05, **how))
    start = time.monotonic()
    await bot.send(GENERAL, "x")
    assert time.monotonic() - start >= 0.05
    assert [call.status for call in discord.calls("POST")] == [429, 200]


async def test_a_proxys_ban_is_no_answer_of_discord(discord, bot):
    discord.fail("POST", "**", banned())
    with pytest.raises(Flood):
        await bot.send(GENERAL, "x")
    assert len(discord.calls("POST")) == 1


# -- how often one may ask


async def test_each_channel_has_its_bucket_and_says_what_is_left(discord, bot):
    """The library waits by itself, and is never refused."""
    discord.limit(most=2, seconds=0.1)
    start = time.monotonic()
    for _ in range(3):
        await bot.send(GENERAL, "x")
    await bot.send(OTHER, "x")
    assert 0.1 <= time.monotonic() - start < 5
    assert discord.limits.refused == 0


async def test_limits_count_by_a_clock_of_their_own():
    """A route's own numbers, hidden ones, one for all, and who does not stop."""
    now = [0.0]
    complaints: list[str] = []
    limits = Limits(
        routes={"PATCH": (3, 2.0)},
        hidden={"PATCH": (1, 9.0)},
        everywhere=4,
        clock=lambda: now[0],
    )
    admit = partial(limits.admit, complain=complaints.append)
    headers, waits, _ = admit("PATCH", "7")
    assert (waits, headers["X-RateLimit-Remaining"]) == (0, "2")
    headers, waits, _ = admit("PATCH", "7")
    assert (waits, headers["X-RateLimit-Remaining"]) == (9, "1")
    assert admit("PATCH", "8")[1] == 0
    assert admit("POST", "8")[1:] == (0, False)
    assert admit("POST", "8")[1:] == (1, True)
    now[0] = 1.5
    assert admit("PATCH", "7")[1] == 7.5
    assert complaints == []
    for _ in range(15):
        admit("POST", "7")
    assert complaints


async def test_a_hand_on_the_wire_sees_what_clients_see(discord):
    """Without discord.py: headers, kinds and an empty answer."""
    discord.limit(most=1, seconds=60)
    url = f"{discord.origin}/api/v10/channels/{GENERAL}/typing"
    told = {"Authorization": f"Bot {TOKEN}"}
    async with aiohttp.ClientSession(headers=told) as session:
        async with session.post(url) as response:
            assert (response.status, await response.read()) == (204, b"")
        async with session.post(url) as response:
            assert response.status == 429
            assert response.headers["Content-Type"] == "application/json"
            assert response.headers["Via"]
            assert (await response.json())["retry_after"] > 50
    assert len(discord.typing(GENERAL)) == 1
