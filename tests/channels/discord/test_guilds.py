"""What is known of channels is what discord.py's cache has; nothing is invented."""

import pytest

from apx.testing import MemoryDrawer, until
from channels.discord.guilds import last_said
from channels.discord.settings import GuildMode
from tests.channels.discord.hearers import GoneDoor, hearers
from tests.servers.discord import BOT
from tests.servers.discord.furnished import ANA, GENERAL, HOME, IDEAS, OFFICE, WORK


async def test_a_channel_is_told_by_its_kind_and_its_names(discord):
    """Of a thread its parent too; of the unknown its number alone."""
    role = discord.snowflake()

    async with hearers(discord, GoneDoor()) as bot:
        await bot.settled(discord)
        discord.role(HOME, role, "Cooks")
        thread = discord.thread(GENERAL, ANA, "talk")
        post = discord.post(IDEAS, ANA, "A title", "text")
        await bot.told_all(discord)
        guilds = bot.receiver.guilds
        hall, talk, idea = (guilds.room(one) for one in (GENERAL, thread, post))
        strange, chat = guilds.room(5, HOME), guilds.room(discord.dm(ANA))

    assert (hall.guild, hall.is_thread, hall.may_begin_threads) == (HOME, False, True)
    assert (talk.parent, talk.in_forum, talk.is_thread) == (GENERAL, False, True)
    assert (idea.parent, idea.in_forum, idea.may_begin_threads) == (IDEAS, True, False)
    assert [hall.names.channel(one) for one in (GENERAL, thread, 5)] == [
        "general",
        "talk",
        "",
    ]
    assert [hall.names.role(one) for one in (role, 5)] == ["Cooks", ""]
    assert (strange.guild, strange.kind, strange.may_begin_threads) == (HOME, -1, False)
    assert (chat.id, chat.guild, chat.kind) == (discord.dm(ANA), 0, -1)


async def test_a_name_is_told_where_everybody_may_know_it(discord):
    """What is hidden has its name where it is itself, and nowhere else."""
    hidden = discord.snowflake()
    async with hearers(discord, GoneDoor()) as bot:
        await bot.settled(discord)
        discord.channel(HOME, hidden, "layoffs-may")
        discord.deny(hidden, "VIEW_CHANNEL", to=HOME)
        discord.allow(hidden, "VIEW_CHANNEL", to=BOT)
        below = discord.thread(hidden, ANA, "whom")
        party = discord.thread(GENERAL, BOT, "party", private=True)
        talk = discord.thread(GENERAL, ANA, "talk")
        await bot.told_all(discord)
        guilds = bot.receiver.guilds
        every = (hidden, below, party, talk)
        known = guilds.room(5, HOME).names
        here = [guilds.room(one, HOME).names.channel(one) for one in every]

    assert [known.channel(one) for one in every] == ["", "", "", "talk"]
    assert here == ["layoffs-may", "whom", "party", "talk"]


async def test_a_guild_is_heard_if_config_json_says_so(discord):
    """And not at all where guilds are switched off; then nobody is told either."""
    door = GoneDoor()

    async with hearers(discord, door, guild_mode=GuildMode.OFF) as bot:
        await bot.settled(discord)
        discord.say(GENERAL, ANA, f"<@{BOT}> hello")
        discord.say(OFFICE, ANA, f"<@{BOT}> hello")
        discord.say(discord.dm(ANA), ANA, "end")
        await until(lambda: door.heard)
        assert bot.told == ""

    assert door.texts == ["end"]


async def test_what_config_json_names_by_now_is_told_no_more(discord):
    """It is what the telling was for."""
    drawer = MemoryDrawer()
    drawer.values = {f"guilds/main/{HOME}": "Home", f"guilds/main/{WORK}": "Work"}

    async with hearers(discord, GoneDoor(), drawer) as bot:
        assert "Work" in bot.told
        assert "Home" not in bot.told

    assert f"guilds/main/{HOME}" not in drawer.values


async def test_only_so_many_guilds_are_told(discord):
    """Anybody may invite a bot into as many as they like."""
    async with hearers(discord, GoneDoor()) as bot:
        await bot.settled(discord)
        for number in range(20):
            discord.guild(300 + number, f"Guild; {number}")
        await bot.told_all(discord)
        await until(lambda: bot.told.count("server") == 10)

    assert sum(key.startswith("guilds/") for key in bot.drawer.values) == 10
    assert "Guild; " not in bot.told


@pytest.mark.parametrize("listed", [None, 5, [], [5, {}, {"id": "7", "type": 15}]])
def test_a_guild_without_channels_has_nothing_to_read(listed):
    """Forums are lists of threads; nobody talks there."""
    assert list(last_said({"channels": listed, "threads": listed})) == []
