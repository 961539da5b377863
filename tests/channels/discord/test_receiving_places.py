"""Where something was said decides who reads the answer: nothing of that is guessed."""

import pytest

from apx.domain.heard import What
from apx.testing import MemoryDrawer, until
from channels.discord.settings import ThreadMode
from tests.channels.discord.hearers import GoneDoor, hearers
from tests.servers.discord import BOT
from tests.servers.discord.furnished import ANA, BEN, GENERAL, HOME, OFFICE

US = f"<@{BOT}>"
AUTO = {"thread_mode": ThreadMode.AUTO}


def told(discord, text=f"{US} hello", **fields):
    """Write a message of Ana's as it would come, with these fields."""
    return {
        "id": str(discord.snowflake()),
        "channel_id": str(GENERAL),
        "type": 0,
        "author": discord.users[ANA],
        "content": text,
        "edited_timestamp": None,
        "mentions": [discord.users[BOT]] if US in text else [],
    } | fields


async def test_what_a_guild_says_is_never_private(discord):
    """Also where the event does not name it: the channel is known as one of its."""
    door = GoneDoor()

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        discord.raw("MESSAGE_CREATE", told(discord))
        discord.raw("MESSAGE_CREATE", told(discord, "not for us"))
        discord.raw("MESSAGE_CREATE", told(discord, channel_id=str(OFFICE)))
        discord.say(discord.dm(BEN), BEN, "after")
        await until(lambda: "after" in door.texts)
        await bot.receiver.lanes.done()
        assert bot.hands.places.dms == {discord.dm(BEN): BEN}

    hello, after = sorted(door.heard, key=lambda one: one.text, reverse=True)
    assert (hello.text, hello.caller.group) == ("hello", str(HOME))
    assert (after.text, after.caller.group) == ("after", "")


@pytest.mark.parametrize(
    "fields",
    [
        {"guild_id": ""},
        {"guild_id": "0"},
        {"guild_id": HOME},
        {"guild_id": ["5"]},
        {"member": {"roles": []}},
        {"channel_id": GENERAL, "guild_id": str(HOME)},
        {"channel_id": None},
        {"author": 5, "guild_id": str(HOME)},
    ],
)
async def test_what_does_not_say_where_it_was_is_set_aside(discord, fields):
    """It is told of, with none of its words; nobody hears of it in a chat."""
    door = GoneDoor()

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        bad = told(discord, **fields)
        discord.raw("MESSAGE_CREATE", bad)
        await until(lambda: "1 update set aside: 1 x message (InputError)" in bot.told)
        discord.say(discord.dm(BEN), BEN, "after")
        await until(lambda: door.heard)
        assert bot.hands.places.dms == {discord.dm(BEN): BEN}

    assert door.texts == ["after"]
    assert "hello" not in bot.drawer.values[f"aside/{BOT}/{bad['id']}"]
    assert discord.calls("POST", "/channels/*/messages") == []


async def test_a_channel_that_was_taken_for_a_private_chat_is_none_any_more(discord):
    """An earlier process believed an event; the guild itself knows better."""
    asleep = discord.thread(GENERAL, BEN)
    discord.archive(asleep)
    chat, drawer = discord.dm(ANA), MemoryDrawer()
    for number in (GENERAL, OFFICE, asleep, chat):
        drawer.values[f"dm/main/{number}"] = str(ANA)

    async with hearers(discord, GoneDoor(), drawer) as bot:
        await bot.settled(discord)
        places = bot.hands.places
        await until(lambda: set(places.dms) == {asleep, chat})
        # A thread that sleeps is in no list until somebody says something there.
        discord.say(asleep, BEN, "not for us")
        await until(lambda: set(places.dms) == {chat})
        await until(lambda: f"dm/main/{asleep}" not in drawer.values)

    kept = {key for key in drawer.values if key.startswith("dm/")}
    assert kept == {f"dm/main/{chat}"}


async def test_an_edit_counts_also_without_the_bots_name(discord):
    """What somebody takes back in this way was for the bot before."""
    door = GoneDoor()

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        said = discord.say(GENERAL, ANA, f"{US} I live in Elm Street")
        discord.edit(GENERAL, said, "never mind")
        await until(lambda: len(door.heard) == 2)

    first, second = door.heard
    assert (second.what, second.text) == (What.EDIT, "never mind")
    assert second.external_id == first.external_id
    assert second.caller.thread == first.caller.thread


async def test_the_name_of_a_thread_tells_no_secret(discord):
    """Everybody reads it, also when the question is deleted by then."""
    door = GoneDoor()

    async with hearers(discord, door, **AUTO) as bot:
        await bot.settled(discord)
        words = "my password is hunter2-Kx9!qq, what is it for?"
        said = discord.say(GENERAL, ANA, f"{US} {words}")
        await until(lambda: door.heard)
        title = bot.hands.places.title(said)

    assert title.startswith("my password is ")
    assert "hunter2" not in title


async def test_a_strangers_question_begins_no_thread(discord):
    """Else all would be for the bot in the thread that people begin from it."""
    door = GoneDoor()
    door.admitted = False

    async with hearers(discord, door, **AUTO) as bot:
        await bot.settled(discord)
        said = discord.say(GENERAL, ANA, f"{US} hello?")
        await until(lambda: door.heard)
        thread = discord.thread(GENERAL, BEN, "lunch", message=said)
        await bot.told_all(discord)
        discord.say(thread, BEN, "where shall we eat?")
        discord.say(thread, BEN, f"{US} what do you say?")
        await until(lambda: "what do you say?" in door.texts)
        assert bot.hands.places.owns == {}

    assert door.texts == ["hello?", "what do you say?"]
    assert not [key for key in bot.drawer.values if key.startswith("own/")]
