"""What hinders a connection is said once, waited out, and no longer said."""

import pytest

import apx.logs  # noqa: F401 -- so that what is logged can be looked at
from apx.testing import MemoryDrawer, until
from channels.discord.connection import NO_CONTENT
from tests.channels.discord.connected import KEY, connected, settled
from tests.servers.discord.furnished import ANA, GENERAL
from tests.servers.discord.sessions import MESSAGE_CONTENT
from tests.servers.faults import Answer


async def test_without_the_intent_it_says_so_once_and_goes_on(discord, caplog):
    """One line that names the switch; what names the bot can still be read."""
    discord.bot().content = False
    async with connected() as known:
        await settled(known, discord)
        discord.say(GENERAL, ANA, "secret")
        await until(lambda: known.ears.texts == [""])
        discord.forget_sessions()
        await discord.drop()
        await until(lambda: len(known.ears.of("ready")) == 2)
        assert known.troubles.text == NO_CONTENT
        assert "Message Content Intent" in NO_CONTENT
        assert not discord.bot().sessions[0].intents & MESSAGE_CONTENT

    assert discord.sessions() == 3
    assert caplog.text.count("Message Content Intent") == 1


async def test_a_token_that_is_refused_is_named_and_tried_again(discord):
    """Where it stands is said, never what it is; at the start, and later."""
    bot = discord.bot()
    bot.alive = False
    async with connected() as known:
        await until(lambda: known.troubles.text)
        assert known.troubles.text == f"the token in {KEY} is refused"
        bot.alive = True
        await settled(known, discord)
        assert known.troubles.text == ""
        bot.alive = False
        await discord.drop(4004)
        await until(lambda: "is refused" in known.troubles.text)
        bot.alive = True
        await until(lambda: len(known.ears.of("ready")) == 2)
        assert known.troubles.text == ""
    discord.complaints.clear()  # it asked with a token that was of nobody


async def test_a_refusal_is_said_and_waited_out(discord):
    """Too many guilds: nothing here mends that, but somebody may."""
    async with connected() as known:
        await settled(known, discord)
        await discord.drop(4011)
        await until(lambda: "too many guilds" in known.troubles.text)
        await until(lambda: len(known.ears.of("ready")) == 2)
        assert known.troubles.text == ""


async def test_a_network_that_is_gone_is_waited_for(discord):
    """At the start and later; the session goes on when it is back."""
    await discord.down()
    async with connected() as known:
        await until(lambda: known.troubles.text)
        assert known.troubles.text.startswith("no answer from the server since")
        await discord.up()
        await settled(known, discord)
        assert known.troubles.text == ""
        await discord.down()
        await until(lambda: known.troubles.text)
        await discord.up()
        discord.say(GENERAL, ANA, "hello")
        await until(lambda: known.ears.texts == ["hello"])


async def test_sessions_are_counted_beyond_the_process(discord):
    """Whoever dies and comes back is one program to Discord."""
    drawer = MemoryDrawer()
    for _ in range(3):
        async with connected(drawer) as known:
            await settled(known, discord)

    [key] = drawer.values
    assert key == f"identifies/{discord.bot().id}"
    assert drawer.values[key].count(",") == 2


async def test_a_drawer_that_fails_does_not_keep_it_from_connecting(discord):
    """A full disk is no reason to hear nobody."""
    drawer = MemoryDrawer()
    drawer.failures.append(OSError("full"))
    async with connected(drawer) as known:
        await settled(known, discord)


async def test_the_last_session_of_a_day_is_never_begun(discord):
    """A thousand, and the token is taken back; it is said how long that takes."""
    discord.bot().starts = 1
    async with connected() as known:
        await until(lambda: "started too often" in known.troubles.text)
        assert "1440 min" in known.troubles.text
        assert discord.sessions() == 0
        discord.bot().starts = 1000
        await settled(known, discord)
        assert known.troubles.text == ""


@pytest.mark.parametrize(
    "body", ["{}", "[]", '{"url": "http://x"}', '{"url": 5}', "null", "text"]
)
async def test_a_gateway_that_is_not_named_is_asked_for_again(discord, body):
    """Whatever is answered instead."""
    discord.fail("GET", "/gateway/bot", Answer(200, body), times=2)
    async with connected() as known:
        await settled(known, discord)
