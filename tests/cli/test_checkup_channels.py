"""What `apx doctor` says of the bots in config.json."""

import json

import pytest

from apx.cli.checkup_channels import channels
from apx.config import Config
from tests.servers.discord import TOKEN
from tests.servers.discord.furnished import HOME, WORK, furnished, pointed


@pytest.fixture
async def discord():
    async with furnished() as discord:
        with pointed(discord.origin):
            yield discord


async def looked(discord, **told):
    section = {"enabled": True, "base_url": discord.origin} | told
    text = json.dumps({"channels": {"discord": section}})
    config = Config.model_validate_json(text)
    return [look async for look in channels(config)]


async def test_a_bot_that_answers_is_named_with_its_link(discord):
    """And what somebody may want to change is a remark, no fault."""
    guilds = [str(HOME), str(WORK)]
    well, link = await looked(discord, bots=[{"token": TOKEN, "guilds": guilds}])
    *_, idle = await looked(discord, bots=[{"token": TOKEN, "guilds": guilds[:1]}])

    assert well == (True, "discord, main: apx answers")
    assert link[0] is None
    assert "https://discord.com/oauth2/authorize" in link[1]
    assert idle[0] is None
    assert str(WORK) in idle[1]


async def test_a_token_that_is_refused_is_named_by_its_key(discord):
    """The bots beside it are looked at all the same."""
    bots = [{"token": "none"}, {"name": "b", "token": TOKEN}]
    refused, well, *_ = await looked(discord, bots=bots)
    discord.complaints.clear()

    assert refused[0] is False
    assert "channels.discord.bots[0].token" in refused[1]
    assert well == (True, "discord, b: apx answers")


@pytest.mark.parametrize(("bots", "key"), [([], "bots"), ([{}], "bots[0].token")])
async def test_what_cannot_be_asked_is_a_fault(discord, bots, key):
    """In a sentence that names the key."""
    [(well, text)] = await looked(discord, bots=bots)

    assert well is False
    assert text.startswith(f"channels.discord.{key}: ")


async def test_bots_that_are_off_are_a_remark(discord):
    """Nobody is asked; without bots nothing is said."""
    [(well, text)] = await looked(discord, enabled=False, bots=[{"token": TOKEN}])

    assert well is None
    assert text == "discord: off; channels.discord.enabled turns it on"
    assert await looked(discord, enabled=False) == []
    assert discord.calls("GET", "**") == []
