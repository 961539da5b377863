"""Who is in a guild is asked once for all who want to know within half a minute."""

import asyncio
import json

import pytest

from channels.discord.rooms_members import Members
from tests.channels.discord.connected import logged_in
from tests.channels.hand_time import HandTime
from tests.servers.discord.faults import Hang
from tests.servers.discord.furnished import ANA, BEN, HOME
from tests.servers.faults import Answer

MEMBER = "/guilds/*/members/*"


def asked(discord):
    return len(discord.calls("GET", MEMBER))


async def test_who_asks_at_once_shares_an_answer_for_half_a_minute(discord):
    """Of each person; later it is asked anew, as people come and go."""
    time = HandTime()
    async with logged_in() as client:
        members = Members(client, time)
        told = await asyncio.gather(*(members.of(HOME, ANA) for _ in range(50)))
        await members.of(HOME, BEN)
        await members.of(HOME, ANA)
        assert asked(discord) == 2
        discord.leave(ANA, HOME)
        time.now += 31
        gone = [await members.of(HOME, ANA) for _ in range(3)]

    assert {one["user"]["id"] for one in told} == {str(ANA)}
    # That somebody is not there is an answer, too.
    assert gone == [None] * 3
    assert asked(discord) == 3


async def test_a_failure_is_everybodys_and_is_not_kept(discord):
    """Who was there was not told: the next one asks again."""
    page = Answer(200, "<html>", content_type="text/html")
    discord.fail("GET", MEMBER, page)

    async with logged_in() as client:
        members = Members(client, HandTime())
        waiting = (members.of(HOME, ANA) for _ in range(5))
        failed = await asyncio.gather(*waiting, return_exceptions=True)
        told = await members.of(HOME, ANA)

    assert all(isinstance(one, TimeoutError) for one in failed)
    assert told["user"]["id"] == str(ANA)
    assert asked(discord) == 2


async def test_who_gives_up_does_not_take_the_answer_from_others(discord):
    """A turn waits a moment only."""
    discord.fail("GET", MEMBER, Hang())

    async with logged_in() as client:
        members = Members(client, HandTime())
        first, second = (asyncio.create_task(members.of(HOME, ANA)) for _ in "ab")
        await discord.until(lambda: asked(discord) == 1)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        discord.heal()
        told = await second

    assert told["user"]["id"] == str(ANA)
    assert asked(discord) == 1


async def test_only_so_many_are_kept(discord):
    """People of all guilds may ask; whoever was asked for first is forgotten."""
    body = json.dumps({"user": {"id": "1"}})
    discord.fail("GET", MEMBER, Answer(200, body), times=None)

    async with logged_in() as client:
        members = Members(client, HandTime())
        await asyncio.gather(*(members.of(HOME, one) for one in range(1, 202)))
        before = asked(discord)
        await members.of(HOME, 201)
        assert asked(discord) == before == 201
        await members.of(HOME, 1)

    assert asked(discord) == 202
