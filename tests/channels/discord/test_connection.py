"""One bot stays connected, whatever the gateway, the network and the portal do."""

import logging
import time
from dataclasses import replace
from functools import partial

import pytest

import apx.logs  # noqa: F401 -- so that what is logged can be looked at
from apx.testing import until
from tests.channels.discord.connected import (
    SHORT,
    RecordingEars,
    connected,
    settled,
)
from tests.servers.discord.furnished import ANA, GENERAL, HOME, WORK


async def test_what_is_said_is_heard_and_guilds_are_known(discord):
    """Guilds are in the cache by the time that they are told of."""
    cached: list[str] = []

    class Ears(RecordingEars):
        def guild(self, raw):
            super().guild(raw)
            guild = known.client.vendor.get_guild(int(raw["id"]))
            cached.append(guild.name if guild else "")

    async with connected(ears=Ears()) as known:
        await settled(known, discord)
        parsed: list[object] = []
        setattr(known.client.vendor, "on_message", parsed.append)  # noqa: B010 -- no such name
        discord.say(GENERAL, ANA, "hello")
        await until(lambda: known.ears.texts == ["hello"])
        assert known.connection.is_settled
        assert known.troubles.text == ""

    assert known.ears.kinds == ["ready", "guild", "guild", "message"]
    assert sorted(cached) == ["Home", "Work"]
    assert parsed == []  # discord.py need not read what we do
    assert discord.bot().sessions == []  # it said farewell


async def test_every_kind_of_event_has_its_ear(discord):
    """Edits, deletions, buttons, threads and guilds, each once."""
    async with connected() as known:
        await settled(known, discord)
        first, *more = [discord.say(GENERAL, ANA, text) for text in "abc"]
        discord.edit(GENERAL, first, "d")
        discord.delete(GENERAL, first)
        discord.delete(GENERAL, *more)
        discord.raw("INTERACTION_CREATE", {"id": "1"})
        discord.raw("THREAD_CREATE", {"id": "1", "guild_id": "5"})
        discord.outage(WORK)
        discord.kick(HOME)
        await until(lambda: known.ears.of("guild_gone"))

    assert known.ears.of("deleted") == [(GENERAL, (first,)), (GENERAL, tuple(more))]
    assert [int(raw["id"]) for raw in known.ears.of("guild_gone")] == [HOME]
    assert {"edited", "interaction", "thread"} <= set(known.ears.kinds)


async def test_what_cannot_be_read_ends_nothing_and_is_not_quoted(discord, caplog):
    """In frames, in events that discord.py reads, and in those that we do."""

    class Ears(RecordingEars):
        def message(self, raw):
            super().message(raw)
            if raw["content"] == "hush":
                raise ValueError(raw["content"])

    async with connected(ears=Ears()) as known:
        await settled(known, discord)
        await discord.raw_text('{"op": "hush"')
        await discord.raw_text("[]")
        for kind in ("MESSAGE_CREATE", "GUILD_UPDATE", "CHANNEL_CREATE", "WHAT"):
            discord.raw(kind, None)
            discord.raw(kind, {"id": "hush"})
        discord.raw("MESSAGE_DELETE", {"id": "hush"})
        discord.raw("GUILD_CREATE", {"id": "hush", "channels": 3})
        discord.say(GENERAL, ANA, "hush")
        discord.say(GENERAL, ANA, "hello")
        await until(
            lambda: "hello" in [raw.get("content") for raw in known.ears.of("message")]
        )

    assert (
        known.ears.of("guild")[-1]["id"] == "hush"
    )  # discord.py stumbled, we need not
    assert (discord.sessions(), discord.resumes) == (1, 0)
    assert "hush" not in caplog.text
    assert "discord_event_unread" in caplog.text


async def test_a_dropped_session_is_taken_up_again(discord):
    """What was said meanwhile comes, and no fresh session is spent."""
    async with connected() as known:
        await settled(known, discord)
        for times, code in enumerate((0, 1000, 1001, 4000), 1):
            await discord.drop(code)
            discord.say(GENERAL, ANA, f"after {code}")
            await until(partial(known.ears.has, "resumed", times))
        await discord.reconnect()
        await until(lambda: len(known.ears.of("resumed")) == 5)
        assert len(known.ears.texts) == 4
        await discord.invalidate(resumable=True)
        discord.say(GENERAL, ANA, "last")
        await until(lambda: known.ears.texts[-1] == "last")

    assert discord.sessions() == 1


async def test_after_three_resumes_in_vain_a_fresh_session_is_begun(discord):
    """The fourth would hardly do better, and nobody is heard meanwhile."""
    async with connected() as known:
        await settled(known, discord)
        discord.refuse_resumes(5, 4000)
        await discord.drop()
        await until(lambda: len(known.ears.of("ready")) == 2)
        discord.say(GENERAL, ANA, "hello")
        await until(lambda: known.ears.texts == ["hello"])

    assert discord.resumes == 3


async def test_a_resume_that_is_refused_is_followed_by_a_fresh_session(discord):
    """It will not be there the next time either."""
    async with connected() as known:
        await settled(known, discord)
        discord.refuse_resumes(1)
        await discord.drop()
        await until(lambda: len(known.ears.of("ready")) == 2)

    assert discord.resumes == 1


async def test_an_impossible_heartbeat_is_not_tried(discord):
    """A thread that never rests would be all that runs."""
    discord.interval = 0.0
    async with connected() as known:
        await until(lambda: known.troubles.text)
        discord.interval = 41.25
        await settled(known, discord)

    assert discord.heartbeats < 5


@pytest.mark.parametrize("code", [4007, 4009])
async def test_a_session_that_is_over_is_not_taken_up(discord, code):
    """Discord says so in two ways."""
    async with connected() as known:
        await settled(known, discord)
        await discord.drop(code)
        await until(lambda: len(known.ears.of("ready")) == 2)
        await discord.invalidate()
        await until(lambda: len(known.ears.of("ready")) == 3)

    assert discord.resumes == 0


@pytest.mark.parametrize("how", ["nothing", "silence", "502"])
async def test_a_gateway_that_does_not_greet_is_left(discord, how):
    """Before the greeting, after it, and with a page of a proxy."""
    discord.greet(how)
    async with connected() as known:
        await settled(known, discord)
        discord.say(GENERAL, ANA, "hello")
        await until(lambda: known.ears.texts == ["hello"])


async def test_a_line_that_went_silent_is_left(discord):
    """Nothing is closed, nothing comes: only that nothing comes tells it."""
    async with connected() as known:
        await settled(known, discord)
        discord.deafen()
        discord.say(GENERAL, ANA, "hello")
        await until(lambda: known.ears.texts == ["hello"])

    assert discord.sessions() == 1


async def test_a_session_that_is_never_said_to_stand_is_left(discord):
    """Heartbeats are answered, and that is all."""
    discord.interval = 0.1
    async with connected() as known:
        await settled(known, discord)
        sessions, discord.bot().sessions = discord.bot().sessions, []
        silent = discord._identify

        async def silently(*_):
            discord.bot().identified.append(0.0)

        discord._identify = silently
        await discord.drop()
        await until(lambda: discord.sessions() == 2)
        discord._identify = silent
        await until(lambda: len(known.ears.of("ready")) == 2)
        assert sessions[0].id != discord.bot().sessions[0].id


async def test_a_quiet_night_is_no_reason_to_hang_up(discord):
    """Heartbeats are answered, and nobody says anything: that is how it should be."""
    discord.interval = 0.05
    waits = replace(SHORT, connecting=0.2, silence=0.4)
    async with connected(waits=waits) as known:
        await settled(known, discord)
        beats = discord.heartbeats
        await until(lambda: discord.heartbeats >= beats + 10)

    assert known.ears.kinds == ["ready", "guild", "guild"]


async def test_a_loop_that_is_held_up_does_no_lasting_harm(discord, caplog):
    """Many heartbeats are missed; the thread that sends them survives, or is new."""
    discord.interval = 0.05
    async with connected() as known:
        await settled(known, discord)
        time.sleep(0.6)  # noqa: ASYNC251 -- this is what is tested
        discord.say(GENERAL, ANA, "hello")
        await until(lambda: known.ears.texts == ["hello"])
        beats = discord.heartbeats
        await until(lambda: discord.heartbeats >= beats + 2)

    assert "Traceback" not in caplog.text


async def test_nothing_of_the_traffic_is_logged(discord, caplog):
    """Neither words nor the token, however much somebody wants to know."""
    with caplog.at_level(logging.DEBUG), caplog.at_level(logging.DEBUG, "channels"):
        async with connected() as known:
            await settled(known, discord)
            discord.say(GENERAL, ANA, "hush")
            await until(lambda: known.ears.texts)

    ours = [one for one in caplog.records if one.name.startswith(("discord", "chan"))]
    told = " ".join(one.getMessage() for one in ours)
    assert "discord_connected" in told
    assert "hush" not in told
    assert discord.bot().token not in told
