"""Who can read a channel is what Discord says now; the unknown is a no."""

import json

import pytest

from apx.domain.errors import ChannelError
from apx.domain.person import Account
from apx.domain.thread import Thread
from channels.discord.places import Own, State
from channels.discord.rooms import has_member
from tests.channels.discord.hearers import GoneDoor, hearers
from tests.servers.discord import BOT
from tests.servers.discord.faults import Drop, refusal
from tests.servers.discord.furnished import ANA, BEN, GENERAL, HOME, IDEAS, OTHER
from tests.servers.faults import Answer

MEMBER = "/guilds/*/members/*"
CARL = 600_000_000_000_000_006


@pytest.fixture
async def bot(discord):
    async with hearers(discord, GoneDoor()) as bot:
        await bot.settled(discord)
        yield bot


async def reads(bot, channel, user=ANA):
    """Whether somebody can read a channel."""
    account = Account("discord", "main", str(user))
    hands = bot.hands
    thread = hands.places.thread(channel)
    return await has_member(hands.client, hands.places, thread, account)


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


async def test_whatever_is_unknown_is_a_no(bot):
    """A channel or a bot of somebody else's, a platform of another name."""
    places, client = bot.hands.places, bot.hands.client
    ana = Account("discord", "main", str(ANA))

    assert not await reads(bot, 12345)
    assert not await reads(bot, GENERAL, "x")
    for thread in (Thread("discord", f"other:{GENERAL}"), Thread("telegram", "main:5")):
        assert not await has_member(client, places, thread, ana)
    telegram = Account("telegram", "main", str(ANA))
    here = places.thread(GENERAL)
    assert not await has_member(client, places, here, telegram)


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
