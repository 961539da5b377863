"""What was said while nobody listened is read from the channels, oldest first."""

import asyncio
from dataclasses import replace

import pytest

from apx.testing import MemoryDrawer, until
from channels.discord.places import Own, State
from tests.channels.discord.hearers import SWIFT, GoneDoor, ago, hearers
from tests.servers.discord import BOT
from tests.servers.discord.faults import Drop, broken, limited, refusal
from tests.servers.discord.furnished import ANA, BEN, GENERAL, HOME, IDEAS, OTHER

US = f"<@{BOT}>"
HISTORY = "/channels/*/messages"
MISSED = "not all that was said while nobody listened could be read"


def left(discord, **time):
    """The drawer of a bot that was away for so long, and knows a private chat."""
    drawer = MemoryDrawer()
    chat = discord.dm(ANA)
    drawer.values = {"seen/main": ago(discord, **time), f"dm/main/{chat}": str(ANA)}
    return drawer


def asked(discord):
    """In which channels it was looked, once for each time."""
    return [call.path.split("/")[2] for call in discord.calls("GET", HISTORY)]


async def test_what_was_missed_is_heard_in_its_order_and_before_what_is_new(discord):
    """Private chats, channels, threads and posts; each message once."""
    door, drawer = GoneDoor(), left(discord, minutes=5)
    chat, posts = discord.dm(ANA), frozenset({str(IDEAS)})
    for number in range(3):
        discord.say(chat, ANA, f"chat {number}")
        discord.say(GENERAL, BEN, f"{US} hall {number}")
    thread = discord.thread(OTHER, BEN)
    discord.say(thread, BEN, f"{US} thread")
    discord.post(IDEAS, ANA, "A title", "post")

    before, patient = drawer.values["seen/main"], replace(SWIFT, connecting=60.0)
    async with hearers(discord, door, drawer, waits=patient, channels=posts) as bot:
        await until(lambda: bot.receiver._there)
        discord.say(chat, ANA, "chat 3")
        await until(lambda: len(door.heard) == 9)
        await bot.settled(discord)

    texts = door.texts
    assert [one for one in texts if "chat" in one] == [f"chat {n}" for n in range(4)]
    assert [one for one in texts if "hall" in one] == [f"hall {n}" for n in range(3)]
    assert {"thread", "A title\npost"} <= set(texts)
    assert len(texts) == 9
    assert int(drawer.values["seen/main"].split()[0]) > int(before)
    assert bot.told == ""


async def test_a_first_start_and_a_session_that_goes_on_ask_for_nothing(discord):
    """Then nothing is missing."""
    door = GoneDoor()
    discord.say(discord.dm(ANA), ANA, "long ago")

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        await discord.drop(0)
        discord.say(discord.dm(ANA), ANA, "meanwhile")
        await until(lambda: door.heard)

    assert door.texts == ["meanwhile"]
    assert asked(discord) == []


async def test_a_fresh_session_asks_for_what_the_old_one_missed(discord):
    """A gateway that forgot us does not bring it."""
    door = GoneDoor()
    chat = discord.dm(ANA)

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        discord.say(chat, ANA, "before")
        await until(lambda: door.heard)
        discord.forget_sessions()
        await discord.drop(0)
        discord.say(chat, ANA, "meanwhile")
        await until(lambda: len(door.heard) == 2)
        await bot.receiver.lanes.done()

    assert door.texts == ["before", "meanwhile"]


async def test_only_channels_where_something_was_said_are_read(discord):
    """Of guilds that are heard; a channel that may not be read is passed over."""
    quiet = discord.snowflake()
    discord.channel(HOME, quiet, "quiet")
    discord.say(quiet, ANA, f"{US} long ago")
    discord.advance(2 * 86_400)
    door, drawer = GoneDoor(), left(discord, days=1)
    discord.say(GENERAL, ANA, f"{US} hall")
    discord.say(OTHER, ANA, f"{US} other")
    refused = refusal(403, 50001, "Missing Access")
    discord.fail("GET", f"/channels/{OTHER}/messages", refused)

    async with hearers(discord, door, drawer) as bot:
        await bot.settled(discord)
        await until(lambda: "hall" in door.texts)
        await bot.receiver.lanes.done()
        assert bot.told == ""

    assert set(asked(discord)) == {str(n) for n in (GENERAL, OTHER, discord.dm(ANA))}


async def test_a_channel_that_fails_for_a_while_is_asked_again(discord):
    """Nothing said there later is heard before it, all others are heard."""
    door, drawer = GoneDoor(), left(discord, minutes=5)
    chat = discord.dm(ANA)
    discord.say(chat, ANA, "first")
    discord.fail("GET", f"/channels/{chat}/messages", Drop(), times=3)

    async with hearers(discord, door, drawer) as bot:
        await until(lambda: bot.receiver._there)
        discord.say(chat, ANA, "second")
        discord.say(GENERAL, BEN, f"{US} there")
        await until(lambda: len(door.heard) == 3)

    assert [one for one in door.texts if one != "there"] == ["first", "second"]


async def test_one_that_fails_for_good_is_told_and_holds_up_nobody(discord):
    """After some tries what is new there is heard; the mark stays where it was."""
    door, drawer = GoneDoor(), left(discord, minutes=5)
    chat, before = discord.dm(ANA), drawer.values["seen/main"]
    discord.say(chat, ANA, "old")
    discord.fail("GET", f"/channels/{chat}/messages", Drop(), times=None)

    async with hearers(discord, door, drawer) as bot:
        await until(lambda: bot.receiver._there)
        discord.say(chat, ANA, "new")
        await until(lambda: door.heard)
        assert bot.told == f"{MISSED} in 1 channel"

    assert door.texts == ["new"]
    assert len(asked(discord)) >= 5
    assert drawer.values["seen/main"].split()[0] == before


async def test_one_that_fails_for_long_is_read_at_last(discord):
    """Then nothing is missing, and nothing told."""
    door, drawer = GoneDoor(), left(discord, minutes=5)
    chat = discord.dm(ANA)
    discord.say(chat, ANA, "old")
    discord.fail("GET", f"/channels/{chat}/messages", broken(503), times=7)

    async with hearers(discord, door, drawer) as bot:
        await until(lambda: bot.told)
        new = discord.say(chat, ANA, "new")
        await until(lambda: len(door.heard) == 2)
        await until(lambda: bot.receiver.mark.number == new)
        assert bot.told == ""

    assert set(door.texts) == {"old", "new"}


async def test_a_long_silence_that_discord_wants_keeps_nobody_waiting(discord):
    """What is said there meanwhile is heard."""
    door, drawer = GoneDoor(), left(discord, minutes=5)
    chat = discord.dm(ANA)
    discord.fail("GET", f"/channels/{chat}/messages", limited(400), times=None)

    async with hearers(discord, door, drawer) as bot:
        await until(lambda: bot.told)
        discord.say(chat, ANA, "new")
        async with asyncio.timeout(20):
            await until(lambda: door.heard)

    assert len(asked(discord)) == 1


async def test_sessions_that_come_and_go_pile_up_no_reading(discord):
    """What is to be read already is read once, from where it began to be missed."""
    door, drawer = GoneDoor(), left(discord, minutes=5)
    chat, patient = discord.dm(ANA), replace(SWIFT, first=30.0, longest=60.0)
    discord.fail("GET", f"/channels/{chat}/messages", broken(503), times=None)

    async with hearers(discord, door, drawer, waits=patient) as bot:
        await until(lambda: asked(discord))
        for _ in range(20):
            bot.receiver.ready({"user": {"id": str(BOT)}, "guilds": []})
        assert len(bot.receiver.lanes._waiting[chat]) == 1


async def test_every_private_chat_is_read(discord):
    """Also of a bot with hundreds, and the oldest one: that may be its owner's."""
    door, drawer = GoneDoor(), left(discord, minutes=5)
    chat = discord.dm(ANA)
    others = {f"dm/main/{chat + 1 + n}": str(10_000 + n) for n in range(220)}
    drawer.values |= others
    discord.say(chat, ANA, "still there?")

    async with hearers(discord, door, drawer) as bot:
        await until(lambda: door.texts == ["still there?"])
        await bot.receiver.lanes.done()
    discord.complaints.clear()  # of chats that are not there


async def test_what_began_a_private_chat_is_read_when_it_goes_on(discord):
    """Nobody knew of it before: Discord gives a bot no list of its chats."""
    door, drawer = GoneDoor(), left(discord, minutes=5)
    chat = discord.dm(BEN)
    discord.say(chat, BEN, "hello")

    async with hearers(discord, door, drawer) as bot:
        await bot.settled(discord)
        for text in ("are you there?", "hm"):
            discord.say(chat, BEN, text)
        await until(lambda: len(door.heard) == 3)
        await bot.receiver.lanes.done()
        many = asked(discord).count(str(chat))
        discord.say(chat, BEN, "well")
        await until(lambda: len(door.heard) == 4)

    assert door.texts == ["hello", "are you there?", "hm", "well"]
    assert asked(discord).count(str(chat)) == many <= 2


@pytest.mark.parametrize("is_lost", [False, True])
async def test_quiet_days_are_no_days_away(discord, is_lost):
    """Nothing was said: nothing is missing, however old the mark is."""
    door, drawer = GoneDoor(), MemoryDrawer()
    chat = discord.dm(ANA)
    async with hearers(discord, door, drawer) as bot:
        await bot.settled(discord)
        discord.say(chat, ANA, "hello")
        discord.say(GENERAL, BEN, f"{US} hello")
        await until(lambda: len(door.heard) == 2)
        await bot.receiver.lanes.done()
    if is_lost:
        discord.say(GENERAL, ANA, f"{US} too late")
    discord.advance(4 * 86_400)

    async with hearers(discord, door, drawer) as bot:
        await bot.settled(discord)
        assert bot.told == (f"{MISSED} in 1 channel" if is_lost else "")
    assert len(door.heard) == 2


async def test_of_too_many_messages_the_first_and_the_last_are_heard(discord):
    """A hundred of the oldest, four hundred of the newest; it is told."""
    door, drawer = GoneDoor(), left(discord, minutes=5)
    chat = discord.dm(ANA)
    for number in range(520):
        discord.say(chat, ANA, f"{number}")

    async with hearers(discord, door, drawer) as bot:
        await until(lambda: len(door.heard) == 500)
        await bot.receiver.lanes.done()
        assert bot.told == f"{MISSED} in 1 channel"

    heard = [int(text) for text in door.texts]
    assert heard == [*range(100), *range(120, 520)]


@pytest.mark.parametrize("many", [99, 100, 101, 250, 499])
async def test_up_to_a_bound_none_is_missing(discord, many):
    """Whether a page is full or not."""
    door, drawer = GoneDoor(), left(discord, minutes=5)
    for number in range(many):
        discord.say(discord.dm(ANA), ANA, f"{number}")

    async with hearers(discord, door, drawer) as bot:
        await until(lambda: len(door.heard) == many)
        await bot.receiver.lanes.done()
        assert bot.told == ""

    assert door.texts == [f"{number}" for number in range(many)]


async def test_what_is_older_than_three_days_is_left_and_told(discord):
    """Nobody waits for an answer to it any more; but they should know."""
    chat = discord.dm(ANA)
    discord.say(chat, ANA, "old")
    discord.advance(5 * 86_400)
    discord.say(chat, ANA, "new")
    door, drawer = GoneDoor(), left(discord, days=7)

    async with hearers(discord, door, drawer) as bot:
        await until(lambda: door.heard)
        await bot.receiver.lanes.done()
        assert bot.told == f"{MISSED} in 1 channel"

    assert door.texts == ["new"]


async def test_threads_of_ours_that_fell_asleep_are_looked_into(discord):
    """They are in no list, but whoever asked there waits all the same."""
    door, drawer = GoneDoor(), left(discord, days=2)
    asleep = discord.thread(GENERAL, ANA)
    discord.say(asleep, ANA, "still there?")
    discord.archive(asleep)
    own = Own(GENERAL, ANA, State.MADE)
    drawer.values[f"own/main/{asleep}"] = str(own)

    async with hearers(discord, door, drawer):
        await until(lambda: door.texts == ["still there?"])


async def test_a_guild_that_comes_late_is_caught_up_with_then(discord):
    """Discord has lost it for a while; the mark does not wait for ever."""
    door, drawer = GoneDoor(), left(discord, minutes=5)
    discord.say(GENERAL, ANA, f"{US} before")
    ready = {
        "user": {"id": str(BOT)},
        "guilds": [{"id": str(HOME), "unavailable": True}],
    }

    async with hearers(discord, door) as bot:
        await bot.settled(discord)
        receiver = bot.receiver
        receiver.mark._newest = mark = int(drawer.values["seen/main"].split()[0])
        receiver.ready(ready)
        receiver.mark.begin(mark + 99)
        receiver.mark.end(mark + 99)
        assert receiver.mark.number == mark
        await until(lambda: receiver.mark.number == mark + 99)
        discord.available(HOME)
        await until(lambda: door.texts == ["before"])


async def test_what_was_heard_in_the_last_minute_is_not_heard_again(discord):
    """What a stranger wrote before they were let in is nothing to the ledger."""
    door, drawer = GoneDoor(), left(discord, minutes=5)
    chat = discord.dm(ANA)

    async with hearers(discord, door, drawer) as bot:
        await bot.settled(discord)
        discord.say(chat, ANA, "hello, who are you?")
        await until(lambda: door.texts)
    discord.say(chat, ANA, "and while nobody was there?")
    async with hearers(discord, door, drawer) as bot:
        await until(lambda: len(door.texts) == 2)
        await bot.settled(discord)

    assert door.texts == ["hello, who are you?", "and while nobody was there?"]


async def test_a_crash_before_all_is_read_reads_it_again(discord):
    """The mark stays where it was until the last channel is done."""
    door, drawer = GoneDoor(), left(discord, minutes=5)
    before = drawer.values["seen/main"]
    chat = discord.dm(ANA)
    discord.say(chat, ANA, "slow")
    discord.say(GENERAL, ANA, f"{US} hall")

    async with hearers(discord, door, drawer) as bot:
        await until(lambda: "hall" in door.texts)
        discord.say(GENERAL, ANA, f"{US} more")
        await until(lambda: "more" in door.texts)
        assert bot.receiver.mark.number == int(before)
    assert drawer.values["seen/main"].split()[0] == before

    door.gate.set()
    async with hearers(discord, door, drawer):
        await until(lambda: "slow" in door.texts)
