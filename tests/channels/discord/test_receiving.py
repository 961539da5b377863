"""Each message of Discord's is taken once, in its channel's order."""

import asyncio

import pytest

from apx.domain.errors import Conflict, InputError, StoreError
from apx.domain.heard import What
from apx.testing import MemoryDrawer, until
from channels.discord.places import Own, State
from channels.discord.settings import ThreadMode
from channels.shared.apologies import SORRY
from tests.channels.discord.hearers import GoneDoor, ago, hearers
from tests.servers.discord import BOT
from tests.servers.discord.furnished import ANA, BEN, GENERAL, HOME, OFFICE, OTHER, WORK

US = f"<@{BOT}>"


async def test_messages_go_through_the_door_in_the_order_of_their_channel(discord):
    """Channels side by side; nobody is heard who is no person."""
    door = GoneDoor()

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        for number in range(10):
            discord.say(discord.dm(ANA), ANA, f"{number}")
            discord.say(GENERAL, BEN, f"{US} {number}")
        discord.hook(GENERAL, "CI", f"{US} failed")
        discord.system(GENERAL, ANA, 7)
        last = discord.say(OTHER, ANA, "not for us")
        await until(lambda: len(door.heard) == 20)
        await bot.receiver.lanes.done()
        await until(lambda: bot.receiver.mark.number == last)

    for user in (ANA, BEN):
        mine = [one for one in door.heard if one.caller.account.user == str(user)]
        assert [one.text for one in mine] == [str(number) for number in range(10)]
    assert bot.drawer.values[f"dm/main/{discord.dm(ANA)}"] == str(ANA)
    assert bot.drawer.values["seen/main"].split()[0] == str(last)


async def test_a_message_that_comes_twice_is_heard_once(discord):
    """A session that is resumed brings things again."""
    door = GoneDoor()

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        said = discord.say(discord.dm(ANA), ANA, "one")
        discord.again(discord.dm(ANA), said)
        await discord.drop(0)
        discord.say(discord.dm(ANA), ANA, "two")
        await until(lambda: len(door.heard) >= 2)
        discord.again(discord.dm(ANA), said)
        discord.say(discord.dm(ANA), ANA, "three")
        await until(lambda: "three" in door.texts)

    assert door.texts == ["one", "two", "three"]


async def test_what_cannot_be_written_down_is_tried_again_before_what_follows(discord):
    """The order stays, other channels wait for themselves, and people are told."""
    door = GoneDoor()
    door.failures = [StoreError("locked"), OSError("full"), StoreError("locked")]

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        discord.say(discord.dm(ANA), ANA, "one")
        await until(lambda: "messages cannot be written down" in bot.told)
        discord.say(discord.dm(ANA), ANA, "two")
        await until(lambda: len(door.heard) == 2)
        await until(lambda: not bot.told)

    assert door.texts == ["one", "two"]


async def test_what_nobody_can_read_is_set_aside_and_its_person_told_once(discord):
    """What it was is kept, none of its words; the next one is heard."""
    door = GoneDoor()
    chat = discord.dm(ANA)

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        discord.say(chat, ANA, fields={"content": 5})
        door.failures = [InputError("no")]
        bad = discord.say(chat, ANA, "bad")
        discord.say(chat, ANA, "good")
        await until(lambda: door.texts == ["good"])
        await discord.until(lambda: discord.texts(chat) == [SORRY])
        assert "2 updates set aside: 2 x message (InputError)" in bot.told

    aside = bot.drawer.values[f"aside/{BOT}/{bad}"]
    assert "InputError" in aside
    assert "bad" not in aside


async def test_a_command_is_answered_once_also_after_a_crash(discord):
    """What was answered at once is remembered by the number of its message."""
    door, drawer = GoneDoor(), MemoryDrawer()
    door.answers["/status"] = "All is well."
    chat = discord.dm(ANA)

    async with hearers(discord, door, drawer) as bot:
        await bot.settled(discord)
        discord.say(chat, ANA, "/status")
        await discord.until(lambda: discord.texts(chat) == ["All is well."])
        await bot.receiver.lanes.done()
    drawer.values["seen/main"] = ago(
        discord, minutes=5
    )  # as if it had crashed long before

    async with hearers(discord, door, drawer) as bot:
        await bot.settled(discord)
        discord.say(chat, ANA, "after")
        await until(lambda: "after" in door.texts)

    assert discord.texts(chat) == ["All is well."]


async def test_a_long_command_holds_up_neither_stop_nor_what_follows(discord):
    """/compact may take minutes."""
    door = GoneDoor()
    door.answers |= {"/slow": "done at last", "/stop": "stopped"}
    chat = discord.dm(ANA)

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        discord.say(chat, ANA, "/slow")
        discord.say(chat, ANA, "/stop")
        await discord.until(lambda: discord.texts(chat) == ["stopped"])
        door.gate.set()
        await discord.until(lambda: len(discord.texts(chat)) == 2)


async def test_edits_count_and_previews_do_not(discord):
    """An edit bears its message's id; the same one twice is one."""
    door = GoneDoor()
    chat = discord.dm(ANA)

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        said = discord.say(chat, ANA, "helo")
        discord.unfurl(chat, said)
        discord.edit(chat, said, "hello")
        discord.unfurl(chat, said)
        discord.raw("MESSAGE_UPDATE", {"id": str(said), "channel_id": str(chat)})
        discord.say(chat, ANA, "end")
        await until(lambda: "end" in door.texts)

    assert door.texts == ["helo", "hello", "end"]
    assert door.heard[1].what is What.EDIT
    assert door.heard[1].external_id == door.heard[0].external_id


async def test_a_message_that_the_ledger_knows_otherwise_is_an_edit(discord):
    """It was edited while nobody listened: found again, it is another text."""
    door, drawer = GoneDoor(), MemoryDrawer()
    chat = discord.dm(ANA)
    drawer.values = {"seen/main": ago(discord, minutes=5), f"dm/main/{chat}": str(ANA)}
    edited = discord.say(chat, ANA, "helo")
    discord.edit(chat, edited, "hello")
    discord.say(chat, ANA, "same")
    door.failures = [Conflict("known"), None, Conflict("known")]

    async with hearers(discord, door, drawer) as bot:
        await bot.settled(discord)
        await bot.receiver.lanes.done()
        assert bot.told == ""

    assert [(one.what, one.text) for one in door.heard] == [(What.EDIT, "hello")]


async def test_a_deleted_message_is_told_of_after_it_was_heard(discord):
    """In its lane: it must not overtake what it is about."""
    door = GoneDoor()
    chat = discord.dm(ANA)

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        said = discord.say(chat, ANA, "slow thing")
        discord.delete(chat, said)
        more = [discord.say(GENERAL, ANA, f"{US} {one}") for one in "ab"]
        discord.delete(GENERAL, *more)
        await until(lambda: len(door.deleted) == 2)
        assert door.texts == ["a", "b"]
        door.failures = [StoreError("locked")]
        door.gate.set()
        await until(lambda: len(door.deleted) == 3)

    assert door.deleted[2] == (f"discord:main:{chat}", f"{BOT}.{chat}.{said}")


AUTO = {"thread_mode": ThreadMode.AUTO}


async def test_a_question_begins_a_thread_that_is_known_before_it_is_heard(discord):
    """Its deletion is told in the thread of its own."""
    door = GoneDoor()

    async with hearers(discord, door, **AUTO) as bot:
        await bot.settled(discord)
        said = discord.say(GENERAL, ANA, f"{US} why?")
        await until(lambda: door.heard)
        own = bot.hands.places.own(said)
        discord.delete(GENERAL, said)
        await until(lambda: door.deleted)

    assert own is not None
    assert (own.parent, own.user, own.state) == (GENERAL, ANA, State.NEW)
    assert door.heard[0].caller.thread.place == f"main:{said}"
    assert door.deleted == [(f"discord:main:{said}", f"{BOT}.{GENERAL}.{said}")]


async def test_a_question_of_an_earlier_process_is_deleted_in_its_thread(discord):
    """And in the channel, where it would be if it could have none."""
    door, drawer = GoneDoor(), MemoryDrawer()
    said = discord.say(GENERAL, ANA, f"{US} why?")
    drawer.values[f"own/main/{said}"] = str(Own(GENERAL, ANA))

    async with hearers(discord, door, drawer) as bot:
        await bot.settled(discord)
        discord.delete(GENERAL, said)
        await until(lambda: len(door.deleted) == 2)

    assert {thread for thread, _ in door.deleted} == {
        f"discord:main:{said}",
        f"discord:main:{GENERAL}",
    }


async def test_a_thread_that_people_began_is_a_conversation_of_its_own(discord):
    """What it began with is nobody's question; its first message is Discord's."""
    door = GoneDoor()

    async with hearers(discord, door, **AUTO) as bot:
        await bot.settled(discord)
        said = discord.say(GENERAL, ANA, "a plan")
        thread = discord.thread(GENERAL, ANA, message=said)
        discord.say(thread, BEN, f"{US} what of it?")
        await until(lambda: door.heard)

    assert door.texts == ["what of it?"]
    assert door.heard[0].caller.thread.place == f"main:{thread}"


async def test_a_guild_that_config_json_does_not_name_is_told_with_its_id(discord):
    """Nothing there is heard; it is told when somebody speaks to the bot."""
    door = GoneDoor()
    told = (
        f'in the server "Work" ({WORK}), which channels.discord.bots[0].guilds does'
        " not have: nothing there is heard"
    )

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        discord.say(OFFICE, ANA, "hello all")
        discord.say(OTHER, ANA, f"{US} here")
        await until(lambda: door.heard)
        assert bot.told == ""
        discord.say(OFFICE, ANA, f"{US} hello")
        await until(lambda: bot.told == told)

    async with hearers(discord, door, bot.drawer) as bot:
        await until(lambda: bot.told == told)
        await bot.settled(discord)
        discord.kick(WORK)
        await until(lambda: bot.told == "")

    assert set(door.texts) == {"here"}
    assert not [key for key in bot.drawer.values if key.startswith("guilds/")]


async def test_a_guild_that_the_bot_just_came_into_is_told_at_once(discord):
    """So that whoever invited it learns the id for config.json."""
    discord.kick(WORK)

    async with hearers(discord, GoneDoor()) as bot:
        await until(lambda: bot.receiver._there)
        discord.join(BOT, WORK)
        await until(lambda: str(WORK) in bot.told)


async def test_a_button_is_in_no_lane(discord):
    """Whoever presses waits for nothing that is said meanwhile."""
    door = GoneDoor()

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        discord.say(discord.dm(ANA), ANA, "slow")
        discord.raw("INTERACTION_CREATE", {"id": "1"})
        await until(lambda: bot.interactions == [{"id": "1"}])


async def test_too_many_messages_at_once_are_asked_for_again(discord):
    """None is lost, none is kept in memory for hours, none comes twice."""
    door = GoneDoor()
    chat = discord.dm(ANA)

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        bot.receiver.lanes._longest = 3
        discord.say(chat, ANA, "slow")
        for number in range(8):
            discord.say(chat, ANA, f"{number}")
        await until(lambda: chat in bot.receiver._overfull)
        discord.say(GENERAL, ANA, f"{US} there")
        await until(lambda: "there" in door.texts)
        assert len(bot.receiver.lanes._waiting[chat]) <= 4
        door.gate.set()
        await until(lambda: len(door.heard) == 10)
        last = discord.say(chat, ANA, "8")
        await until(lambda: len(door.heard) == 11)
        await bot.receiver.lanes.done()
        assert bot.receiver.mark.number == last

    assert door.texts == ["there", "slow", *map(str, range(9))]


async def test_edits_and_deletions_find_room_behind_all_that_waits(discord):
    """Messages that find none are asked for again; these would be lost."""
    door = GoneDoor()
    chat = discord.dm(ANA)

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        bot.receiver.lanes._longest = 3
        discord.say(chat, ANA, "slow")
        one, two, *_ = [discord.say(chat, ANA, f"{number}") for number in range(4)]
        discord.edit(chat, one, "0, I mean")
        discord.delete(chat, two)
        await bot.told_all(discord)
        door.gate.set()
        await bot.receiver.lanes.done()

    assert "0, I mean" in door.texts
    assert door.deleted == [(f"discord:main:{chat}", f"{BOT}.{chat}.{two}")]


async def test_a_disk_that_hangs_keeps_no_process_from_ending(discord, monkeypatch):
    """What the mark does not say is read again."""
    monkeypatch.setattr("channels.discord.receiving._CLOSING", 0.05)
    drawer = MemoryDrawer()

    async def hanging(key, value):
        del key, value
        await asyncio.Event().wait()

    async with hearers(discord, GoneDoor(), drawer) as bot:
        await bot.settled(discord)
        monkeypatch.setattr(drawer, "put", hanging)
        async with asyncio.timeout(20):
            await bot.receiver.close()


async def test_nothing_that_is_no_message_ends_anything(discord):
    """Whatever the gateway says."""
    door = GoneDoor()

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        for kind in ("MESSAGE_CREATE", "MESSAGE_UPDATE", "GUILD_DELETE", "READY"):
            for data in ({}, {"id": 5}, {"id": "x", "guild_id": [], "author": 7}):
                discord.raw(kind, data)
        discord.raw("MESSAGE_DELETE_BULK", {"ids": 5, "channel_id": "5"})
        discord.raw("MESSAGE_CREATE", {"channel_id": "5", "guild_id": str(HOME)})
        discord.say(discord.dm(ANA), ANA, "after")
        async with asyncio.timeout(20):
            await until(lambda: "after" in door.texts)


@pytest.mark.parametrize("kind", ["private", "context"])
async def test_nobody_is_told_of_what_was_not_for_the_bot(discord, kind):
    """An apology in a guild would be about words that others said to each other."""
    door = GoneDoor()
    chat = discord.dm(ANA) if kind == "private" else GENERAL

    async with hearers(discord, door, guild_context=True) as bot:
        await bot.settled(discord)
        door.failures = [InputError("no")]
        discord.say(chat, ANA, "bad")
        await until(lambda: "set aside" in bot.told)
        discord.say(discord.dm(BEN), BEN, "after")
        await until(lambda: "after" in door.texts)
        if kind == "private":
            await discord.until(lambda: discord.texts(chat) == [SORRY])

    assert discord.texts(GENERAL) == []
