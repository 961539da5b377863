"""Calls to Discord: what happened is said in our words, and known where it can be."""

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest
from discord.http import Route

from apx.domain.errors import Undeliverable, Unreachable
from apx.testing import until
from channels.discord.client import Client
from channels.discord.failures import Rejected
from channels.discord.vendor import base
from channels.shared.failures import Answered, Flood, WrongToken
from tests.channels.discord.connected import logged_in
from tests.servers.discord import TOKEN
from tests.servers.discord.faults import (
    Drop,
    Hang,
    banned,
    broken,
    limited,
    refusal,
)
from tests.servers.discord.furnished import GENERAL, OTHER
from tests.servers.faults import Answer

SAYING = "/channels/{channel_id}/messages"


@pytest.fixture
async def client(discord):  # noqa: ARG001 -- who is called
    async with logged_in() as client:
        yield client


def say(client, text, channel=GENERAL, timeout=30.0):
    return client.call(
        "POST", SAYING, json={"content": text}, channel_id=channel, timeout=timeout
    )


async def test_what_is_asked_is_done(discord, client):
    """The answer is JSON; of an empty one there is nothing."""
    said = await say(client, "hello")
    path = SAYING + "/{message_id}"
    gone = await client.call(
        "DELETE", path, channel_id=GENERAL, message_id=int(said["id"])
    )

    assert (said["content"], gone) == ("hello", None)
    assert client.app_id == discord.bot().id


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (Drop(), Answered),
        (broken(503), Answered),
        (Answer(200, "<html>", {}, "text/html"), Answered),
        (Answer(200, "{"), Answered),
        (Answer(429, "{}", {"Via": "x"}), Flood),
        (banned(), Flood),
        (limited(90.0), Flood),
        (refusal(401, 0, "401: Unauthorized"), WrongToken),
        (refusal(403, 50001, "Missing Access"), Undeliverable),
        (refusal(400, 50035, "Invalid"), Rejected),
    ],
)
async def test_each_failure_has_its_word(discord, client, fault, kind):
    """None of them is discord.py's or aiohttp's."""
    discord.fail("POST", "/channels/*/messages", fault)
    with pytest.raises(Exception, match=r".") as caught:
        await say(client, "hello")

    assert type(caught.value) is kind


async def test_a_ban_lasts_as_long_as_it_says(discord, client):
    """A proxy's words are no JSON, but it says for how long."""
    discord.fail("POST", "/channels/*/messages", banned())
    with pytest.raises(Flood) as caught:
        await say(client, "hello")

    assert caught.value.retry_after == 3600


async def test_nobody_there_means_that_nothing_was_done(discord, client):
    """Before the login, behind a closed port, and after the end."""
    with pytest.raises(Unreachable):
        await say(Client(TOKEN), "hello")
    await discord.down()
    with suppress(TimeoutError):
        await say(client, "over a connection that seems to be open")
    with pytest.raises(Unreachable):
        await say(client, "hello")
    await client.close()
    with pytest.raises(Unreachable):
        await say(client, "hello")
    await discord.up()


async def test_silence_leaves_it_open(discord, client):
    """It may have been done; a session closed meanwhile does not tell either."""
    discord.fail("POST", "/channels/*/messages", Hang(), times=2)
    with pytest.raises(TimeoutError) as caught:
        await say(client, "hello", timeout=0.5)
    assert not isinstance(caught.value, Answered)

    asking = asyncio.create_task(say(client, "hello"))
    await until(lambda: len(discord.calls("POST", "/channels/*/messages")) == 2)
    await client.close()
    with pytest.raises(TimeoutError):
        await asking


async def test_the_last_of_a_bucket_is_answered_at_once(discord, client):
    """Only the next one waits: what was done is known as soon as it is."""
    discord.limit(most=2, seconds=1.0)
    loop = asyncio.get_running_loop()
    began = loop.time()
    await say(client, "one")
    await say(client, "two")
    assert loop.time() - began < 0.9
    await asyncio.gather(*(say(client, text) for text in ("three", "four")))
    assert loop.time() - began > 0.9

    assert discord.limits.refused == 0
    assert sorted(discord.texts(GENERAL)) == ["four", "one", "three", "two"]


async def test_what_a_bucket_kept_back_was_not_sent(discord, client):
    """A deadline that ends there is no doubt; others get their turns afterwards."""
    discord.limit(most=1, seconds=1.0)
    await say(client, "one")
    late = asyncio.create_task(say(client, "two"))
    with pytest.raises(Unreachable):
        await say(client, "three", timeout=0.1)
    late.cancel()
    await say(client, "four")

    assert discord.texts(GENERAL) == ["one", "four"]


async def test_a_bucket_that_is_closed_for_long_says_so_at_once(discord, client):
    """Two minutes are for another day."""
    discord.limit(most=1, seconds=120.0)
    await say(client, "one")
    with pytest.raises(Flood) as caught:
        await say(client, "two")

    assert 100 < caught.value.retry_after <= 120


async def test_whoever_gives_up_in_a_silence_for_all_leaves_nobody_behind(
    discord, client
):
    """discord.py has all others wait for the one who was told; it must not be gone."""
    told = limited(0.1, everywhere=True)
    everywhere = replace(told, headers={**told.headers, "Retry-After": "0.3"})
    discord.fail("POST", "/channels/*/messages", everywhere)
    asking = asyncio.create_task(say(client, "one"))
    await until(lambda: discord.calls("POST", "/channels/*/messages"))
    while client.vendor.http._global_over.is_set():  # noqa: ASYNC110 -- has no event
        await asyncio.sleep(0)
    asking.cancel()
    with suppress(asyncio.CancelledError):
        await asking
    await say(client, "two", OTHER, timeout=5.0)

    assert discord.texts(OTHER) == ["two"]


async def test_a_deadline_in_a_silence_is_a_flood(discord, client):
    """It says how long that lasts."""
    discord.fail("POST", "/channels/*/messages", limited(20.0))
    with pytest.raises(Flood) as caught:
        await say(client, "one", timeout=0.5)

    assert caught.value.retry_after == 21


async def test_a_wrong_token_is_told_from_a_network_that_is_gone(discord):
    """And a client may log in again and again, over new connections."""
    client = Client("nonsense")
    for _ in range(2):
        with pytest.raises(WrongToken):
            await client.login()
    await discord.down()
    with pytest.raises(Unreachable):
        await client.login()
    await client.close()
    discord.complaints.clear()


def test_the_address_of_discord_is_said_once(discord):  # noqa: ARG001 -- it sets it back
    """With or without a slash."""
    base("http://127.0.0.1:9/")
    assert Route("GET", "/x").url == "http://127.0.0.1:9/api/v10/x"
