"""What `apx doctor` says of a bot."""

import pytest
from discord import Permissions
from yarl import URL

from apx.domain.errors import Unreachable
from channels.discord.checkup import look
from channels.discord.settings import BotSettings
from channels.shared.failures import WrongToken
from tests.servers.discord import BOT, TOKEN
from tests.servers.discord.furnished import HOME, WORK
from tests.servers.faults import Answer


def settings(*guilds, token=TOKEN):
    return BotSettings("main", token, guilds=frozenset(map(str, guilds)))


async def test_a_bot_that_is_well_set_up_has_no_remarks(discord):  # noqa: ARG001 -- asked
    """Its name is said, so that one sees whose token this is."""
    looked = await look(settings(HOME, WORK))

    assert (looked.username, looked.remarks) == ("apx", ())


async def test_the_invitation_asks_for_what_is_needed_and_no_more(discord):  # noqa: ARG001 -- asked
    """A bot that asks for everything is invited by nobody careful."""
    invite = URL((await look(settings())).invite)
    asked = Permissions(int(invite.query["permissions"]))

    assert invite.query["client_id"] == str(BOT)
    assert invite.query["scope"] == "bot applications.commands"
    assert {name for name, has in asked if has} == {
        "read_messages",
        "send_messages",
        "send_messages_in_threads",
        "create_public_threads",
        "read_message_history",
        "attach_files",
    }


async def test_the_switches_of_the_portal_are_named(discord):
    """By the words that stand there."""
    discord.bot().content = False
    about = "/applications/@me"
    [remark] = (await look(settings(HOME, WORK))).remarks
    assert "Message Content Intent" in remark

    discord.bot().content = True
    body = '{"id": "5", "flags": 524288, "interactions_endpoint_url": "https://x"}'
    discord.fail("GET", about, Answer(200, body))
    [remark] = (await look(settings(HOME, WORK))).remarks
    assert "Interactions Endpoint URL" in remark


async def test_guilds_that_differ_are_named(discord):  # noqa: ARG001 -- asked
    """One that it is not in yet, and one that it only sits in."""
    missing, idle = (await look(settings(HOME, 5))).remarks

    assert "not in the server 5" in missing
    assert f"{WORK} (Work)" in idle


async def test_no_name_writes_lines_of_the_doctors(discord):
    """Anybody may call their guild so and invite the bot."""
    discord.guild(300, "x\x1b[2J\nok    discord: all is well\u202e")

    [remark] = (await look(settings(HOME, WORK))).remarks

    assert remark.isprintable()
    assert remark.startswith("it is in the server 300 (x")


@pytest.mark.parametrize(
    "body", ["5", '{"id": "1"}', "[5, {}]", '[{"id": ["1"]}]', '[{"id": "-1"}]']
)
async def test_a_list_of_guilds_that_nobody_can_read_is_empty(discord, body):
    """Rather than an error of the doctor's."""
    discord.fail("GET", "/users/@me/guilds", Answer(200, body))

    [remark] = (await look(settings())).remarks

    assert remark.startswith("it is in no server yet")


async def test_a_guild_without_a_name_is_told_all_the_same(discord):
    """By its number."""
    body = '[{"id": "300", "name": {"a": 1}}]'
    discord.fail("GET", "/users/@me/guilds", Answer(200, body))

    [remark] = (await look(settings())).remarks

    assert remark.startswith("it is in the server 300 (")


async def test_what_cannot_be_asked_is_raised(discord):
    """The doctor has its own words for that."""
    with pytest.raises(WrongToken):
        await look(settings(token="none"))  # noqa: S106 -- of nobody
    await discord.down()
    with pytest.raises(Unreachable):
        await look(settings())
    discord.complaints.clear()
