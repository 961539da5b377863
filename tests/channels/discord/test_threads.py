"""A question's thread is made when something is said in it, once; else it is flat."""

import asyncio

import pytest

from apx.domain.errors import Unreachable
from apx.domain.heard import Notice
from channels.discord.places import Own, Places, State
from channels.discord.threads import Threads, Where
from tests.channels.discord.speaking import BEGINS, BOT, outfit
from tests.servers.discord.faults import Drop, Hang, limited, refusal
from tests.servers.discord.furnished import ANA, GENERAL


@pytest.fixture
async def bot(discord):
    del discord
    async with outfit() as bot:
        yield bot


async def asked(discord, bot, text="What is for dinner?"):
    return await bot.own(GENERAL, discord.say(GENERAL, ANA, text))


async def test_any_other_channel_is_where_it_is(discord, bot):
    assert await bot.threads.where(bot.places.thread(GENERAL)) == Where(GENERAL)
    assert discord.calls("POST", BEGINS) == []


async def test_it_is_made_once_whoever_comes(discord, bot):
    """With its name, and the asker in it."""
    said = "What is\nfor " + "dinner " * 30
    number = await bot.own(GENERAL, discord.say(GENERAL, ANA, said), said)
    thread = bot.places.thread(number)
    found = await asyncio.gather(*(bot.threads.where(thread) for _ in range(3)))

    assert found == [Where(number)] * 3
    assert discord.threads(GENERAL) == [number]
    name = discord.channels[number].name
    assert name.startswith("What is for dinner")
    assert len(name) <= 100
    assert len(discord.calls("PUT", f"/channels/{number}/thread-members/{ANA}")) == 1
    assert bot.places.own(number).state is State.MADE


async def test_one_without_a_name_has_one(discord, bot):
    number = await asked(discord, bot)
    await bot.threads.where(bot.places.thread(number))
    assert discord.channels[number].name == "Question"


async def test_another_process_knows_it(discord, bot):
    number = await asked(discord, bot)
    await bot.threads.where(bot.places.thread(number))
    places = Places(BOT, bot.drawer)
    await places.load()
    again = Threads(bot.client, places)
    assert await again.where(places.thread(number)) == Where(number)
    assert len(discord.calls("POST", BEGINS)) == 1


async def test_one_that_is_there_is_taken(discord, bot):
    """A process died before it could write that down."""
    number = await asked(discord, bot)
    discord.fail("POST", BEGINS, Drop(), done=True)
    thread = bot.places.thread(number)
    with pytest.raises(TimeoutError):
        await bot.threads.where(thread)
    assert await bot.threads.where(thread) == Where(number)


async def test_without_the_right_to_it_all_is_flat(discord, bot):
    number = await asked(discord, bot)
    discord.deny(GENERAL, "CREATE_PUBLIC_THREADS")
    thread = bot.places.thread(number)
    assert await bot.threads.where(thread) == Where(GENERAL, number)
    assert await bot.threads.where(thread) == Where(GENERAL, number)
    assert len(discord.calls("POST", BEGINS)) == 1


async def test_where_the_question_is_gone_all_is_flat(discord, bot):
    number = await asked(discord, bot)
    discord.delete(GENERAL, number)
    await bot.deliver(bot.part("Soup.", number))
    assert discord.texts(GENERAL) == ["Soup."]


async def test_where_nothing_is_refused_it_is_tried_again(discord, bot):
    number = await asked(discord, bot)
    discord.fail("POST", BEGINS, limited(400))
    with pytest.raises(Unreachable):
        await bot.threads.where(bot.places.thread(number))
    assert bot.places.own(number).state is State.NEW


async def test_it_goes_without_the_asker(discord, bot):
    number = await asked(discord, bot)
    discord.fail("PUT", "/channels/*/thread-members/*", refusal(403, 50013, "no"))
    assert await bot.threads.where(bot.places.thread(number)) == Where(number)


async def test_the_answer_does_not_wait_for_the_askers_list(discord, bot, monkeypatch):
    """Whatever Discord does with it."""
    monkeypatch.setattr("channels.discord.threads._PATIENCE", 0.05)
    number = await asked(discord, bot)
    discord.fail("PUT", "/channels/*/thread-members/*", Hang())
    await bot.deliver(bot.part("Soup.", number))
    assert discord.texts(number) == ["Soup."]


async def test_an_answer_is_said_in_the_thread_and_replies_to_nothing(discord, bot):
    number = await asked(discord, bot)
    await bot.deliver(bot.part("Soup.", number, asked=number, asked_in=GENERAL))
    assert discord.texts(number) == ["Soup."]
    assert discord.sent(number)[0].reply_to is None


async def test_what_is_flat_pings_whom_it_answers_once(discord, bot):
    """A thread of their own would not ping them for each message in it."""
    number = discord.say(GENERAL, ANA, "Dinner?")
    await bot.places.keep_own(number, Own(GENERAL, ANA, State.FLAT))
    asked = {"asked": number, "asked_in": GENERAL}
    await bot.deliver(bot.part("words " * 900, number, **asked))
    await bot.sender.tell(bot.places.thread(number), Notice("word " * 900))

    assert len(discord.sent(GENERAL)) == 6
    assert [ping.user for ping in discord.pings] == [ANA]


async def test_a_flat_answer_replies_to_the_question(discord, bot):
    """Also what is told unasked, and what comes with a file or in parts."""
    number = discord.say(GENERAL, ANA, "Dinner?")
    await bot.places.keep_own(number, Own(GENERAL, ANA))
    discord.deny(GENERAL, "CREATE_PUBLIC_THREADS")
    await bot.deliver(bot.part("Soup.", number, asked=number, asked_in=GENERAL))
    await bot.deliver(bot.part("words " * 500, number, id=52))
    assert [one.reply_to for one in discord.sent(GENERAL)] == [number] * 3
