"""Who can read a channel is what Discord says now; the unknown is a no."""

import asyncio
import json

import pytest

from apx.domain.errors import ChannelError, Unreachable
from apx.domain.person import Account
from apx.domain.thread import Thread
from apx.testing import MemoryDrawer
from channels.discord.bot import Bot
from channels.discord.places import Own, State
from channels.discord.rooms import Readers
from channels.discord.settings import BotSettings
from channels.shared.troubles import SILENT
from tests.channels.discord.connected import now
from tests.channels.discord.hearers import KEY, SWIFT, GoneDoor, hearers
from tests.servers.discord import BOT, TOKEN
from tests.servers.discord.faults import Drop, refusal
from tests.servers.discord.furnished import ANA, BEN, GENERAL, HOME, IDEAS, OTHER
from tests.servers.discord.things import VOICE
from tests.servers.faults import Answer

MEMBER = "/guilds/*/members/*"
CARL = 600_000_000_000_000_006


@pytest.fixture
async def bot(discord):
    async with hearers(discord, GoneDoor()) as bot:
        await bot.settled(discord)
        yield bot


def readers(bot):
    return Readers(bot.hands.client, bot.hands.places)


async def reads(bot, channel, user=ANA):
    """Whether somebody can read a channel."""
    account = Account("discord", "main", str(user))
    return await readers(bot).has_member(bot.hands.places.thread(channel), account)


async def test_a_private_chat_is_read_by_whose_it_is(discord, bot):
    """Discord need not be asked."""
    chat = discord.dm(ANA)
    await bot.hands.places.keep_dm(chat, ANA)

    assert await reads(bot, chat)
    assert not await reads(bot, chat, BEN)
    assert discord.calls("GET", MEMBER) == []


async def test_a_channel_is_read_by_members_who_may_see_it(discord, bot):
    """As they are now: who left, or may no more, does not."""
    discord.user(CARL, "Carl")
    assert await reads(bot, GENERAL)

    discord.deny(GENERAL, "VIEW_CHANNEL", to=ANA)
    discord.leave(BEN, HOME)
    await bot.told_all(discord)

    assert not await reads(bot, GENERAL)
    assert not await reads(bot, GENERAL, BEN)
    assert await reads(bot, GENERAL, CARL)
    assert not await reads(bot, GENERAL, 5)


async def test_who_may_not_look_back_does_not_read_it(discord, bot):
    """They see what is said while they look, and nothing of before."""
    discord.deny(GENERAL, "READ_MESSAGE_HISTORY", to=ANA)
    await bot.told_all(discord)

    assert not await reads(bot, GENERAL)
    assert await reads(bot, GENERAL, BEN)


async def test_beside_a_call_only_those_read_who_may_join_it(discord, bot):
    """Discord shows them the channel, and not what is written there."""
    call = discord.snowflake()
    may_join = {"id": str(HOME), "type": 0, "allow": str(1 << 20), "deny": "0"}
    may_not = {"id": str(ANA), "type": 1, "allow": "0", "deny": str(1 << 20)}
    lounge = discord.channels[GENERAL].json(discord.users)
    lounge |= {"id": str(call), "type": VOICE, "bitrate": 64_000, "user_limit": 0}
    lounge["permission_overwrites"] = [may_join, may_not]
    discord.raw("CHANNEL_CREATE", lounge)
    await bot.told_all(discord)

    assert not await reads(bot, call)
    assert await reads(bot, call, BEN)


async def test_roles_count(discord, bot):
    """A channel for some of a guild alone."""
    role = discord.snowflake()
    discord.role(HOME, role, "Cooks")
    discord.deny(OTHER, "VIEW_CHANNEL", to=HOME)
    discord.allow(OTHER, "VIEW_CHANNEL", to=role)
    discord.allow(OTHER, "VIEW_CHANNEL", to=BOT)
    discord.give(HOME, ANA, role)
    await bot.told_all(discord)

    assert await reads(bot, OTHER)
    assert not await reads(bot, OTHER, BEN)


async def test_a_thread_is_read_by_who_reads_its_parent(discord, bot):
    """Also one that sleeps, which the cache does not know, and a post."""
    awake = discord.thread(GENERAL, BEN)
    post = discord.post(IDEAS, BEN, "A title", "text")
    asleep = discord.thread(GENERAL, BEN)
    discord.archive(asleep)
    await bot.told_all(discord)

    for thread in (awake, post, asleep):
        assert await reads(bot, thread)
    discord.deny(GENERAL, "VIEW_CHANNEL", to=ANA)
    await bot.told_all(discord)
    assert [await reads(bot, one) for one in (awake, post, asleep)] == [
        False,
        True,
        False,
    ]


async def test_a_private_thread_is_read_by_who_is_in_it(discord, bot):
    """Or by who may manage threads."""
    discord.allow(GENERAL, "MANAGE_THREADS")
    thread = discord.thread(GENERAL, BEN, private=True)
    await bot.told_all(discord)
    inside = Answer(200, json.dumps({"id": str(thread), "user_id": str(BEN)}))
    path = f"/channels/{thread}/thread-members"
    discord.fail("GET", f"{path}/{BEN}", inside)
    discord.fail("GET", f"{path}/{ANA}", refusal(404, 10007, "Unknown Member"))
    assert await reads(bot, thread, BEN)
    assert not await reads(bot, thread)

    discord.allow(GENERAL, "MANAGE_THREADS", to=ANA)
    await bot.told_all(discord)
    assert await reads(bot, thread)


@pytest.mark.parametrize("state", list(State))
async def test_a_thread_of_ours_is_as_public_as_where_it_began(discord, bot, state):
    """Whether it was made or not."""
    number = discord.say(GENERAL, ANA, "why?")
    await bot.hands.places.keep_own(number, Own(GENERAL, ANA, state))

    assert await reads(bot, number, BEN)
    assert not await reads(bot, number, 5)


async def test_all_threads_of_ours_in_a_channel_are_asked_for_at_once(discord, bot):
    """A guild may have a thousand, and a turn waits for them."""
    known, places = readers(bot), bot.hands.places
    ana = Account("discord", "main", str(ANA))
    for number in range(501, 551):
        await places.keep_own(number, Own(GENERAL, ANA, State.MADE))
    threads = [places.thread(number) for number in places.owns]

    read = await asyncio.gather(*(known.has_member(one, ana) for one in threads))
    assert read == [True] * 50
    assert len(discord.calls("GET", MEMBER)) == 1

    # What they may do there is looked up as it is by then.
    discord.deny(GENERAL, "VIEW_CHANNEL", to=ANA)
    await bot.told_all(discord)
    assert not await known.has_member(threads[0], ana)
    assert len(discord.calls("GET", MEMBER)) == 1


async def test_a_bot_that_hears_nothing_does_not_know(discord):
    """Rights are told by the gateway: what it told last may be over."""
    del discord
    bot = Bot(BotSettings("main", TOKEN), MemoryDrawer(), now, SWIFT, KEY)
    try:
        await bot.client.login()
        await bot.places.keep_dm(5, ANA)
        chat, ana = bot.places.thread(5), Account("discord", "main", str(ANA))
        assert await bot.has_member(chat, ana)
        bot.troubles.has(SILENT, "Discord says nothing")
        with pytest.raises(Unreachable):
            await bot.has_member(chat, ana)
    finally:
        await bot.close()


async def test_whatever_is_unknown_is_a_no(bot):
    """A channel or a bot of somebody else's, a platform of another name."""
    places, known = bot.hands.places, readers(bot)
    ana = Account("discord", "main", str(ANA))

    assert not await reads(bot, 12345)
    assert not await reads(bot, GENERAL, "x")
    for thread in (Thread("discord", f"other:{GENERAL}"), Thread("telegram", "main:5")):
        assert not await known.has_member(thread, ana)
    telegram = Account("telegram", "main", str(ANA))
    here = places.thread(GENERAL)
    assert not await known.has_member(here, telegram)


_OTHER = """{"user": {"id": "1", "username": "x", "discriminator": "0",
"avatar": null}, "roles": [], "flags": 0}"""


@pytest.mark.parametrize("body", ["[]", "{}", '{"user": 5}', _OTHER])
async def test_an_answer_that_nobody_can_read_is_a_no(discord, bot, body):
    """Rather than an error in the middle of a turn."""
    discord.fail("GET", MEMBER, Answer(200, body))

    assert not await reads(bot, GENERAL)


async def test_a_network_that_fails_is_an_error(discord, bot):
    """Then nobody knows; who asks takes that for a no, for now."""
    discord.fail("GET", MEMBER, Drop(), times=None)

    with pytest.raises(ChannelError):
        await reads(bot, GENERAL)
