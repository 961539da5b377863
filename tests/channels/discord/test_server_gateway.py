"""The loopback Discord's gateway, and what may go wrong at it."""

import asyncio
import json
import zlib

import aiohttp
import discord as vendor
import pytest
import yarl
from discord.gateway import DiscordWebSocket

from tests.servers.discord import BOT, TOKEN
from tests.servers.discord.furnished import (
    ANA,
    BEN,
    GENERAL,
    HOME,
    IDEAS,
    OFFICE,
    OTHER,
    WORK,
)

INTENTS = 1 << 0 | 1 << 9 | 1 << 12 | 1 << 15


class Ear:
    """A bot's end of a socket, without any library's opinion."""

    def __init__(self, socket):
        self.socket = socket
        self.seq = 0
        self._inflate = zlib.decompressobj()

    async def hear(self):
        """Give the next payload, or the code of the close."""
        message = await self.socket.receive(timeout=5)
        if message.type is not aiohttp.WSMsgType.BINARY:
            return self.socket.close_code
        told = json.loads(self._inflate.decompress(message.data))
        self.seq = told["s"] or self.seq
        return told

    async def event(self):
        """Give the next event's kind and data."""
        told = await self.hear()
        return told["t"], told["d"]

    async def say(self, op, data):
        await self.socket.send_json({"op": op, "d": data})

    async def identify(self, intents=INTENTS, token=TOKEN):
        await self.say(2, {"token": token, "intents": intents, "properties": {}})

    async def resume(self, session, seq):
        await self.say(6, {"token": TOKEN, "session_id": session, "seq": seq})

    async def ready(self, intents=INTENTS):
        """Begin a session in both guilds, and give its id."""
        assert (await self.hear())["op"] == 10
        await self.identify(intents)
        kind, ready = await self.event()
        assert kind == "READY"
        kinds = [(await self.event())[0] for _ in ready["guilds"]]
        assert kinds == ["GUILD_CREATE"] * 2
        return ready["session_id"]


@pytest.fixture
async def dial(discord):
    """Open sockets to the gateway."""
    async with aiohttp.ClientSession() as session:

        async def dial():
            query = "?v=10&encoding=json&compress=zlib-stream"
            return Ear(await session.ws_connect(discord.gateway_url + query))

        yield dial


# -- sessions


async def test_events_come_in_their_order_with_who_is_asking(discord, dial):
    """A guild's messages say of which guild they are, and who the member is there."""
    ear = await dial()
    await ear.ready()
    first = discord.say(GENERAL, ANA, f"<@{BOT}> hello")
    second = discord.say(discord.dm(BEN), BEN, "psst", fields={"nonce": "7"})
    kind, told = await ear.event()
    assert (kind, told["id"], told["guild_id"]) == (
        "MESSAGE_CREATE",
        str(first),
        str(HOME),
    )
    assert told["member"]["roles"] == []
    assert [user["id"] for user in told["mentions"]] == [str(BOT)]
    _, told = await ear.event()
    assert (told["id"], "guild_id" in told, "member" in told) == (
        str(second),
        False,
        False,
    )
    discord.edit(GENERAL, first, "changed")
    discord.delete(GENERAL, first)
    assert (await ear.event())[1]["content"] == "changed"
    assert await ear.event() == (
        "MESSAGE_DELETE",
        {"id": str(first), "channel_id": str(GENERAL), "guild_id": str(HOME)},
    )


async def test_what_was_missed_is_told_when_a_session_is_taken_up(discord, dial):
    """Whatever was sent behind the number that the bot knows, then RESUMED."""
    ear = await dial()
    session = await ear.ready()
    await discord.drop(4000)
    assert await ear.hear() == 4000
    discord.say(GENERAL, ANA, "while you were away")
    again = await dial()
    await again.hear()
    await again.resume(session, ear.seq)
    assert (await again.event())[1]["content"] == "while you were away"
    assert await again.event() == ("RESUMED", {})
    assert (discord.resumes, discord.sessions()) == (1, 1)


async def test_a_session_that_is_lost_cannot_be_taken_up(discord, dial):
    """As after `forget_sessions`, and as often as tests want it."""
    ear = await dial()
    session = await ear.ready()
    discord.refuse_resumes(1, 4000)
    discord.refuse_resumes(1)
    ends = []
    for _ in range(3):
        again = await dial()
        await again.hear()
        await again.resume(session, ear.seq)
        told = await again.hear()
        ends.append(told if isinstance(told, int) else (told["op"], told["d"]))
    assert ends == [4000, (9, False), (9, False)]


async def test_whoever_says_goodbye_has_no_session_any_more(discord, dial):
    ear = await dial()
    session = await ear.ready()
    await ear.socket.close(code=1000)
    await discord.until(lambda: not discord.lines)
    again = await dial()
    await again.hear()
    await again.resume(session, ear.seq)
    assert (await again.hear())["op"] == 9


@pytest.mark.parametrize(
    ("intents", "token", "content", "code"),
    [
        (INTENTS, "of.no.body", True, 4004),
        (INTENTS, TOKEN, False, 4014),
        (INTENTS | 1 << 1, TOKEN, True, 4014),
        (1 << 40, TOKEN, True, 4013),
    ],
)
async def test_who_may_not_come_in_is_told_why(
    discord, dial, intents, token, content, code
):
    discord.portal(content=content)
    ear = await dial()
    await ear.hear()
    await ear.identify(intents, token)
    assert await ear.hear() == code


async def test_without_the_intent_a_guilds_words_are_not_told(discord, dial):
    """But those to the bot, by the bot, and in private."""
    ear = await dial()
    await ear.ready(INTENTS & ~(1 << 15))
    own = discord.say(GENERAL, BOT, "mine")
    discord.say(GENERAL, ANA, "among us", files=[("a", b"", "x/y")])
    discord.say(GENERAL, ANA, "an answer", reply_to=own)
    discord.say(GENERAL, ANA, f"<@{BOT}>, for you")
    discord.say(discord.dm(ANA), ANA, "in private")
    discord.forward(GENERAL, ANA, own, GENERAL)
    told = [(await ear.event())[1] for _ in range(6)]
    assert [one["content"] for one in told] == [
        "mine",
        "",
        "an answer",
        f"<@{BOT}>, for you",
        "in private",
        "",
    ]
    assert told[1]["attachments"] == []
    assert told[5]["message_snapshots"][0]["message"]["content"] == ""


async def test_events_that_were_not_asked_for_do_not_come(discord, dial):
    """Neither of channels that the bot does not see."""
    ear = await dial()
    await ear.ready(1 << 12 | 1)
    discord.say(GENERAL, ANA, "not asked for")
    discord.say(discord.dm(ANA), ANA, "asked for")
    assert (await ear.event())[1]["content"] == "asked for"
    discord.deny(OTHER, "VIEW_CHANNEL")
    assert (await ear.event())[0] == "CHANNEL_UPDATE"
    discord.thread(OTHER, ANA, "unseen")
    discord.thread(GENERAL, ANA, "unseen", private=True)
    discord.thread(GENERAL, ANA, "seen")
    kind, told = await ear.event()
    assert (kind, told["name"], told["type"]) == ("THREAD_CREATE", "seen", 11)
    discord.kick(WORK)
    discord.say(OFFICE, ANA, "behind its back")
    discord.join(BOT, WORK)
    assert (await ear.event())[0] == "GUILD_DELETE"
    assert (await ear.event())[0] == "GUILD_CREATE"


# -- what goes wrong


async def test_sessions_that_come_too_often_are_complained_of(discord, dial):
    """Closer than the space between them, and more than there are in a day."""
    discord.space = 60
    discord.bot().starts = 2
    for _ in range(2):
        await (await dial()).ready()
    assert discord.complaints.pop().startswith("gateway: IDENTIFY after 0.")
    ear = await dial()
    await ear.hear()
    await ear.identify()
    await discord.until(lambda: len(discord.complaints) == 2)
    discord.complaints.clear()
    again = await dial()
    await again.hear()
    await again.identify()
    assert await again.hear() == 4004


async def test_who_gives_no_sign_of_life_is_shown_out(discord, dial):
    """And heartbeats are answered unless tests do not want it."""
    ear = await dial()
    await ear.ready()
    await ear.say(1, ear.seq)
    assert (await ear.hear())["op"] == 11
    discord.acknowledge(acks=False)
    await ear.say(1, ear.seq)
    await discord.until(lambda: discord.heartbeats == 2)
    await discord.reconnect()
    assert (await ear.hear())["op"] == 7
    discord.slack, discord.interval = 0, 0.01
    silent = await dial()
    assert (await silent.hear())["d"] == {"heartbeat_interval": 10}
    assert await silent.hear() == 4009
    assert discord.complaints.pop() == "gateway: no heartbeat for 0.0 s"


async def test_greetings_may_be_wanting(discord, dial):
    """Nothing at all, HELLO and then silence, or no websocket."""
    discord.greet("nothing")
    discord.greet("silence")
    discord.greet("502")
    nothing, silence = await dial(), await dial()
    with pytest.raises(aiohttp.WSServerHandshakeError, match="502"):
        await dial()
    await nothing.identify()
    assert (await silence.hear())["op"] == 10
    await silence.identify()
    ear = await dial()
    await ear.ready()
    discord.deafen()
    discord.say(GENERAL, ANA, "x")
    for one in (nothing, silence, ear):
        with pytest.raises(TimeoutError):
            await one.socket.receive(timeout=0.01)


async def test_anything_may_be_sent(discord, dial):
    """What no real gateway sends, the same once more, and no JSON at all."""
    ear = await dial()
    await ear.ready()
    discord.raw("MESSAGE_CREATE", {"id": None})
    assert await ear.event() == ("MESSAGE_CREATE", {"id": None})
    number = discord.say(GENERAL, ANA, "x")
    discord.again(GENERAL, number)
    assert (await ear.event())[1] == (await ear.event())[1]
    await discord.raw_text("{")
    with pytest.raises(ValueError, match="Expecting"):
        await ear.hear()
    await discord.invalidate(resumable=True)
    assert (await ear.hear())["d"] is True


async def test_a_network_that_is_gone_takes_nobody(discord, dial):
    """The sockets break off without a word, and the world is the same afterwards."""
    ear = await dial()
    session = await ear.ready()
    await discord.down()
    assert await ear.hear() == 1006
    with pytest.raises(aiohttp.ClientConnectorError):
        await dial()
    discord.say(GENERAL, ANA, "is anybody there?")
    await discord.up()
    again = await dial()
    await again.hear()
    await again.resume(session, ear.seq)
    assert (await again.event())[1]["content"] == "is anybody there?"


# -- the library itself


class Parrot(vendor.Client):
    async def on_message(self, message):
        if not message.author.bot:
            await message.reply(f"{message.guild}: {message.content}")


async def test_discord_py_connects_resumes_and_reads_the_cache(discord, monkeypatch):
    """Its own parsers take what we send: guilds, rights, threads."""
    monkeypatch.setattr(
        DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(discord.gateway_url)
    )
    intents = vendor.Intents(INTENTS)
    post = discord.post(IDEAS, ANA, "an idea", "what about tea?")
    async with Parrot(intents=intents, guild_ready_timeout=0.01) as bot:
        running = asyncio.create_task(bot.start(TOKEN))
        await discord.until(discord.sessions)
        await bot.wait_until_ready()
        guild = bot.get_guild(HOME)
        assert guild is not None
        assert [thread.name for thread in guild.threads] == ["an idea"]
        general = guild.get_channel(GENERAL)
        assert general is not None
        assert general.permissions_for(guild.me).send_messages
        discord.deny(GENERAL, "SEND_MESSAGES")
        await discord.drop(4000)
        discord.say(post, BEN, "yes")
        await discord.until(lambda: discord.texts(post) == ["Home: yes"])
        assert not general.permissions_for(guild.me).send_messages
        assert (discord.resumes, discord.sessions()) == (1, 1)
        running.cancel()
