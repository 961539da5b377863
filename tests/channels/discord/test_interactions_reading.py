"""Interactions as they come: whatever they hold, nothing ends but themselves."""

import socket
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apx.domain.errors import InputError
from apx.testing import MemoryDrawer, until
from channels.discord import interactions_reading as reading
from channels.discord.interactions_bell import Bell
from channels.discord.places import Places
from tests.channels.discord.controls import controls, done
from tests.channels.telegram.hearers import RecordingDoor
from tests.servers.discord.furnished import ANA, GENERAL, HOME, pointed

USER = {"id": str(ANA), "username": "ana_r", "global_name": "Ana"}
RAW = {
    "id": "1300000000000000000",
    "token": "i1",
    "type": 2,
    "channel_id": str(GENERAL),
    "guild_id": str(HOME),
    "member": {"nick": "Queen", "user": USER},
    "data": {"name": "memory", "type": 1, "options": []},
    "message": {"id": "5", "flags": 0, "components": []},
}
JSON = st.recursive(
    st.sampled_from([None, True, 0, 3, -1, 0.5, "", "x", "5", "9" * 30, "\ud800"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*RAW, "user", "custom_id", "name"]), inner)
    ),
    max_leaves=4,
)
PLACES = Places("main", MemoryDrawer())


def with_words(value, name="words"):
    option = {"name": name, "type": 3, "value": value}
    return RAW | {"data": {"name": "memory", "type": 1, "options": [option]}}


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (RAW, "/memory"),
        (with_words(" search tea "), "/memory  search tea"),
        (with_words("a\x00b\ud800"), "/memory ab\ufffd"),
        (with_words(5), "/memory"),
        (with_words("x", "other"), "/memory"),
    ],
)
def test_a_command_is_written_as_it_would_have_been_typed(raw, text):
    """What is behind it is the one option that our commands have."""
    assert reading.command_text(raw) == text


def test_a_command_of_a_menu_is_none_of_ours():
    """Those for a user or a message were left by whoever had the bot before."""
    with pytest.raises(InputError):
        reading.command_text(RAW | {"data": {"name": "Translate", "type": 3}})


def test_who_it_is_stays_the_same_person():
    """The name is for display; a bot is one."""
    in_guild = reading.caller(RAW, 5, "main", PLACES)
    alone = {k: v for k, v in RAW.items() if k not in {"guild_id", "member"}}
    in_dm = reading.caller(alone | {"user": USER | {"bot": True}}, 6, "main", PLACES)

    assert in_guild.account == in_dm.account
    assert (in_guild.name, in_guild.group) == ("Queen", str(HOME))
    assert (in_dm.name, in_dm.group) == ("Ana", "")
    assert (in_guild.is_bot, in_dm.is_bot) == (False, True)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from([*RAW, "user"]), JSON, max_size=3))
def test_any_json_is_read_or_refused(changes):
    """Nothing else is raised, whatever Discord may send some day."""
    raw = RAW | changes
    for read in (reading.ticket, reading.command_text, reading.pressed):
        with suppress(InputError):
            read(raw)
    with suppress(InputError):
        reading.caller(raw, 5, "main", PLACES)
    reading.is_chat_with_us(raw)


@pytest.mark.parametrize("raw", [None, 5, {}, RAW | {"id": 5}, RAW | {"type": 99}])
async def test_what_cannot_be_answered_is_left(discord, raw):
    """And those after it are heard."""
    door = RecordingDoor()
    door.answers["/new"] = "so"

    async with controls(discord, door) as desk:
        desk.interactions.take(raw)
        number = discord.slash("new", user=ANA, channel=GENERAL)
        assert (await done(discord, number)).texts == ["so"]

    assert len(discord.calls("POST", "/interactions/**")) == 1


@pytest.mark.parametrize("guild", [None, "", "0", HOME])
async def test_what_hides_its_guild_is_no_private_chat(discord, guild):
    """Its answer would be for all to read."""
    door = RecordingDoor()
    seen: list[dict[str, object]] = []

    async with controls(discord, door) as desk:
        [ear] = discord.bot().sessions
        ear.take = seen.append
        discord.slash("memory", user=ANA, channel=GENERAL)
        desk.interactions.take(seen[0] | {"guild_id": guild})
        ear.take = desk.interactions.take
        await done(discord, discord.slash("new", user=ANA, channel=GENERAL))

    assert door.texts == ["/new"]
    assert desk.places.dms == {}
    assert len(discord.calls("POST", "/interactions/**")) == 1


@pytest.mark.parametrize(
    ("kind", "data"), [(1, None), (4, {"choices": []}), (5, "I do not know this form.")]
)
async def test_what_we_do_not_offer_is_answered_politely(discord, kind, data):
    """Nobody waits for what does not come."""
    door = RecordingDoor()

    async with controls(discord, door) as desk:
        desk.interactions.take(RAW | {"type": kind})
        await discord.until(lambda: discord.calls("POST", "/interactions/**"))

    [call] = discord.calls("POST", "/interactions/**")
    said = call.body.get("data")
    assert said == data or said["content"] == data
    assert door.heard == door.pressed == []


@pytest.mark.parametrize(
    "change",
    [
        {"member": {}},
        {"data": {"name": "x", "type": 3}},
        {"channel_id": None},
    ],
)
async def test_what_cannot_be_read_is_said(discord, change):
    """It was acknowledged, so that somebody waits."""
    door = RecordingDoor()
    seen: list[dict[str, object]] = []

    async with controls(discord, door) as desk:
        [ear] = discord.bot().sessions
        ear.take = seen.append
        number = discord.slash("memory", user=ANA, channel=GENERAL)
        desk.interactions.take(seen[0] | change)
        await discord.until(lambda: discord.answer(number).texts)

    assert door.heard == []


@pytest.mark.parametrize(
    "change",
    [{"channel": {"id": "1", "type": 3}}, {"channel": {"id": "1"}}, {"context": 2}],
)
async def test_a_private_chat_of_others_is_not_listened_to(discord, change):
    """The bot is a guest in it: whoever asks could have it say things there."""
    door = RecordingDoor()
    seen: list[dict[str, object]] = []

    async with controls(discord, door) as desk:
        [ear] = discord.bot().sessions
        ear.take = seen.append
        number = discord.slash("new", user=ANA, channel=discord.dm(ANA))
        desk.interactions.take(seen[0] | change)
        await discord.until(lambda: discord.answer(number).texts)

    assert door.heard == []
    assert desk.places.dms == {}


def test_the_end_waits_for_no_acknowledgement_that_has_to_wait():
    """A process ends with its threads: each may hang for a moment, none twice."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with pointed(f"http://127.0.0.1:{silent.getsockname()[1]}"):
            bell = Bell("test")
            ringing = [bell.ring(number, "t", {"type": 5}) for number in range(20)]
        bell.close()
    assert sum(one.cancelled() for one in ringing) >= 10


async def test_after_the_end_nothing_is_acknowledged(discord):
    """What was about to be is told so; nobody waits for a thread."""
    bell = Bell("test")
    bell.close()

    ringing = bell.ring(5, "i5", {"type": 5})

    await until(ringing.done)
    assert ringing.exception() is not None
    assert discord.calls("POST", "/interactions/**") == []
