"""Interactions are answered by their own tokens, and wait behind nothing."""

import pytest
from aiohttp import ClientSession

from channels.discord.failures import Rejected
from channels.shared.failures import Answered, Flood
from tests.channels.discord.connected import logged_in
from tests.servers.discord.faults import Drop, broken, limited, refusal
from tests.servers.discord.furnished import ANA, GENERAL
from tests.servers.faults import Answer


@pytest.fixture
async def client(discord):  # noqa: ARG001 -- who is called
    async with logged_in() as client:
        yield client


@pytest.fixture
def pressed(discord):
    """Give an interaction, as the gateway would bring it: its number and its token."""
    discord.bot().commands = [{"id": "1", "name": "help", "type": 1, "options": []}]
    number = discord.slash("help", user=ANA, channel=GENERAL)
    one = next(one for one in discord.interactions.values() if one.id == number)
    return one.id, one.token


async def acknowledged(discord, pressed):
    """Say that it was heard, and give the token to say more with."""
    number, token = pressed
    url = f"{discord.origin}/api/v10/interactions/{number}/{token}/callback"
    async with ClientSession() as session:
        await session.post(url, json={"type": 5})
    return token


async def test_an_interaction_is_answered_beside_every_limit(discord, client, pressed):
    """Deferred, then answered, added to, and taken away."""
    discord.limit(most=1, seconds=120.0)
    say = ("POST", "/channels/{channel_id}/messages")
    await client.call(*say, json={"content": "one"}, channel_id=GENERAL)
    token = await acknowledged(discord, pressed)
    speaks = client.interactions
    edited = await speaks.edit_original(token, {"content": "done"})
    more = await speaks.followup(token, {"content": "more"})
    await speaks.delete_original(token)

    assert (edited["content"], more["content"]) == ("done", "more")


async def test_a_token_that_is_over_is_a_refusal(discord, client, pressed):
    """Then a message says it instead."""
    token = await acknowledged(discord, pressed)
    discord.ahead = 901.0
    for failing in (
        client.interactions.edit_original(token, {"content": "late"}),
        client.interactions.followup("nonsense", {"content": "late"}),
    ):
        with pytest.raises(Rejected) as caught:
            await failing
        assert caught.value.code in {50027, 10015, 10062}


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (limited(2.0), Flood),
        (broken(502), Answered),
        (Drop(), Answered),
        (refusal(401, 50027, "Invalid Webhook Token"), Rejected),
        (Answer(404, "page", {}, "text/html"), Rejected),
    ],
)
async def test_an_interaction_fails_in_our_words(discord, client, pressed, fault, kind):
    """And no address with a token in it is among these."""
    _, token = pressed
    discord.fail("POST", "**", fault)
    with pytest.raises(Exception, match=r".") as caught:
        await client.interactions.followup(token, {"content": "more"})

    assert type(caught.value) is kind
    assert token not in f"{caught.value!r} {caught.value.__cause__!r}"
