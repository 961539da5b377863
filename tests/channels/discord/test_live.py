"""That it is typed, a message that grows, questions: what a person watches."""

import asyncio
from itertools import pairwise

import pytest

from channels.discord.places import Own, State
from channels.shared.layout import Layout
from tests.channels.discord.growing import (
    EDITS,
    GAP,
    POSTS,
    outfit,
    placed,
    private,
    shown,
)
from tests.servers.discord.faults import Drop, Hang, refusal
from tests.servers.discord.furnished import ANA, GENERAL, OTHER

NO_ACCESS = refusal(403, 50001, "Missing Access")
GONE = refusal(404, 10003, "Unknown Channel")


@pytest.fixture
async def bot(discord):
    del discord
    async with outfit() as bot:
        yield bot


def typed(discord, channel=GENERAL):
    return len(discord.calls("POST", f"/channels/{channel}/typing"))


def edits(discord):
    return discord.calls("PATCH", EDITS)


class AtOnce(Layout):
    """Lays out where it is asked to: no other thread takes its time."""

    async def done(self, work):
        return work()


async def next_edit(bot, discord):
    """Let time pass, in small steps, until there is one more edit."""
    seen = len(edits(discord))
    while len(edits(discord)) == seen:
        await bot.time.move(GAP / 9)
        for _ in range(300):  # of the loop: what was asked is answered meanwhile
            await asyncio.sleep(0)


# -- typing


async def test_it_is_typed_until_there_is_a_text(discord, bot):
    """And again while tools are at work: Discord ends it with whatever is said."""
    live = bot.open(GENERAL)
    live.work(["recall"])
    for many in (1, 2):
        await discord.until(lambda many=many: typed(discord) == many)
        await bot.time.until_nap(8)
        await bot.time.move(8)
        await bot.asked()
    live.show("Well")
    await bot.time.move(30)
    await bot.asked()
    seen = typed(discord)
    await bot.time.move(60)
    await bot.asked()
    assert typed(discord) == seen

    live.work(["recall"])
    await bot.time.move(9)
    await discord.until(lambda: typed(discord) == seen + 1)
    live.close()
    await bot.time.move(60)
    await bot.asked()
    assert typed(discord) == seen + 1


@pytest.mark.parametrize("refused", [NO_ACCESS, GONE, refusal(403, 0, "no")])
async def test_where_it_may_not_be_typed_nobody_asks_again(discord, bot, refused):
    """And the reply is shown all the same, if it can be."""
    discord.fail("POST", "/channels/*/typing", refused, times=None)
    live = bot.open(GENERAL)
    await discord.until(lambda: typed(discord) == 1)
    live.show("Well")
    await shown(discord, GENERAL, "Well")
    live.work(["recall"])
    for _ in range(20):
        await bot.time.move(1)
        await bot.asked()
    assert typed(discord) == 1


async def test_what_is_typed_and_hangs_holds_up_nothing(discord, bot):
    discord.fail("POST", "/channels/*/typing", Hang(), times=None)
    live = bot.open(GENERAL)
    live.show("Well")
    await shown(discord, GENERAL, "Well")
    live.close()
    await bot.deliver("Well done", GENERAL)
    assert discord.texts(GENERAL) == ["Well done"]


# -- a message


async def test_a_message_grows_into_the_reply(discord, bot):
    """One in all, in private too; its button is gone in the end."""
    channel = await private(bot, discord)
    live = await placed(bot, discord, channel)
    live.show(", **Ana**")
    seen = await shown(discord, channel, "Well, **Ana**")
    assert seen.buttons == ("Stop",)
    assert "stop:5" in str(seen.json)
    live.close()
    given = await bot.deliver("Well, Ana.", channel)

    (last,) = discord.sent(channel)
    assert (last.id, last.text, last.buttons) == (given, "Well, Ana.", ())


async def test_it_replies_to_the_question_and_rings_once(discord, bot):
    """From its first word on: many ask there at once. Nobody else is rung for."""
    question = discord.say(GENERAL, ANA, "what is for dinner?")
    live = bot.open(GENERAL, reply_to=question)
    live.show("Soup, @everyone <@800000000000000008>")
    await discord.until(lambda: discord.sent(GENERAL))
    await bot.time.until_nap(GAP)
    live.show("!")
    await bot.time.move(GAP)
    await discord.until(lambda: edits(discord))

    (seen,) = discord.sent(GENERAL)
    assert seen.reply_to == question
    assert [ping.user for ping in discord.pings] == [ANA]


async def test_a_question_that_is_gone_is_answered_all_the_same(discord, bot):
    refused = refusal(400, 50035, "Invalid Form Body")
    discord.fail("POST", POSTS, refused)
    bot.open(GENERAL, reply_to=discord.say(GENERAL, ANA, "Soup?")).show("Soup")
    seen = await shown(discord, GENERAL, "Soup")
    assert seen.reply_to is None


async def test_stop_is_there_after_two_seconds(discord, bot):
    """Before that nothing but a word of the reply is worth a message."""
    bot.open(GENERAL).work([])
    await bot.time.move(1.9)
    await bot.asked()
    assert discord.texts(GENERAL) == []
    await bot.time.move(0.2)

    assert (await shown(discord, GENERAL, "…")).buttons == ("Stop",)


async def test_a_thread_of_our_own_begins_with_the_reply(discord, bot):
    """Until then it is typed beside the question."""
    question = discord.say(GENERAL, ANA, "what is for dinner?")
    await bot.places.keep_own(question, Own(GENERAL, ANA))
    live = bot.open(question)
    await discord.until(lambda: typed(discord, GENERAL) == 1)
    assert discord.threads(GENERAL) == []
    live.work(["recall"])
    await bot.time.move(2)
    await shown(discord, question, "-# … recall")
    await bot.time.move(6)
    await discord.until(lambda: typed(discord, question) == 1)

    assert discord.threads(GENERAL) == [question]
    assert discord.texts(GENERAL) == []


async def test_a_thread_that_could_not_be_made_is_a_reply_in_its_channel(discord, bot):
    """What takes its place knows where it stands."""
    question = discord.say(GENERAL, ANA, "what is for dinner?")
    await bot.places.keep_own(question, Own(GENERAL, ANA, State.FLAT))
    live = bot.open(question)
    live.show("Soup")
    seen = await shown(discord, GENERAL, "Soup")
    assert seen.reply_to == question
    await bot.time.until_nap(GAP)
    live.show(" for all")
    await bot.time.move(GAP)
    await shown(discord, GENERAL, "Soup for all")
    await bot.time.until_nap(GAP)
    live.close()
    await bot.time.until_nap(15)
    await bot.time.move(15)
    await shown(discord, GENERAL, "Soup for all\n\n(stopped)")


async def test_edits_never_queue(discord, bot):
    """A thousand pieces in twenty seconds are few edits, the latest text among them."""
    live = await placed(bot, discord)
    for number in range(1_000):
        live.show(f" {number}")
        if number % 100 == 0:
            await bot.time.move(GAP)
            await bot.client.call("GET", "/gateway/bot")
    # One may still be on its way when the time is moved.
    while not discord.texts(GENERAL)[0].endswith(" 999"):
        await bot.time.move(GAP)
        await bot.client.call("GET", "/gateway/bot")

    assert len(edits(discord)) <= 12


async def test_a_reply_grows_evenly(discord, bot):
    """No edit is early and then another one late, and all find room."""
    discord.limit(clock=bot.time)
    bot.lives._desk.layout = layout = AtOnce()
    live = await placed(bot, discord)
    times = []
    for number in range(1, 12):
        live.show(f" {number}")
        await next_edit(bot, discord)
        times.append(bot.time.now)
    layout.close()

    gaps = [late - early for early, late in pairwise(times)]
    assert max(gaps) < 2 * GAP
    assert discord.limits.refused == 0


async def test_a_piece_that_shows_nothing_new_holds_up_none_that_does(discord, bot):
    """Models begin with such ones; a whole gap of silence would follow."""
    live = await placed(bot, discord)
    await bot.time.move(3)
    live.show("")
    await bot.time.until_nap(0.2)
    live.show(" and")
    await bot.time.move(0.2)
    await discord.until(lambda: edits(discord))

    assert discord.texts(GENERAL) == ["Well and"]


async def test_a_final_text_finds_room_beside_edits(discord, bot):
    """Discord's own limit is on: nothing is refused, and nothing waits."""
    discord.limit(clock=bot.time)
    live = await placed(bot, discord)
    for number in range(12):
        live.show(f" {number}")
        await next_edit(bot, discord)
    live.close()
    before = len(edits(discord))
    # The time of the bot stands: whoever waited would wait for ever.
    async with asyncio.timeout(20):
        await bot.deliver("Done", GENERAL)
    assert before >= 4
    assert discord.texts(GENERAL) == ["Done"]
    assert discord.limits.refused == 0


async def test_a_message_that_was_taken_away_is_not_put_back(discord, bot):
    """Its person or a moderator did not want it."""
    live = await placed(bot, discord)
    discord.delete(GENERAL, discord.sent(GENERAL)[0].id)
    live.show(" and")
    await discord.until(lambda: edits(discord))
    live.show(" so")
    await bot.time.move(30)
    await bot.asked()

    assert discord.texts(GENERAL) == []
    assert len(edits(discord)) == 1


async def test_a_channel_where_nothing_may_be_said_is_left_alone(discord, bot):
    discord.deny(GENERAL, "SEND_MESSAGES")
    live = bot.open(GENERAL)
    live.show("Well")
    await discord.until(lambda: discord.calls("POST", POSTS))
    live.show(" and")
    await bot.time.move(30)
    await bot.asked()
    assert len(discord.calls("POST", POSTS)) == 1


async def test_a_first_message_in_doubt_is_there_once(discord, bot):
    """The nonce says that it is the same: so it is known which one grows."""
    discord.fail("POST", POSTS, Drop(), done=True)
    live = bot.open(GENERAL)
    live.show("Well")
    await discord.until(lambda: discord.calls("POST", POSTS))
    live.show(" then")
    for _ in range(6):
        await bot.time.move(1)
        await bot.asked()
    await shown(discord, GENERAL, "Well then")
    assert len(discord.calls("POST", POSTS)) == 2
    assert len(discord.sent(GENERAL)) == 1


@pytest.mark.parametrize("arrived", [True, False])
async def test_the_reply_takes_the_place_of_a_message_in_doubt(discord, bot, arrived):
    """Also where the turn ends before it was tried again."""
    discord.fail("POST", POSTS, Drop(), done=arrived)
    live = bot.open(GENERAL)
    live.show("Well")
    await discord.until(lambda: discord.calls("POST", POSTS))
    await bot.asked()
    await bot.time.until_nap(GAP)
    live.close()
    await bot.deliver("The reply", GENERAL)
    await bot.time.move(60)
    await bot.asked()

    (seen,) = discord.sent(GENERAL)
    assert (seen.text, seen.buttons) == ("The reply", ())


async def test_what_was_in_doubt_when_it_was_stopped_loses_its_button(discord, bot):
    """A click on it would be for nobody."""
    discord.fail("POST", POSTS, Drop(), done=True)
    live = bot.open(GENERAL)
    live.show("Well")
    await discord.until(lambda: discord.calls("POST", POSTS))
    await bot.asked()
    await bot.time.until_nap(GAP)
    live.close()
    await bot.time.until_nap(15)
    await bot.time.move(15)
    seen = await shown(discord, GENERAL, "Well\n\n(stopped)")
    assert seen.buttons == ()


async def test_what_discord_forgot_is_not_settled(discord, bot):
    """It would be there twice."""
    discord.fail("POST", POSTS, Drop(), done=True)
    live = bot.open(GENERAL)
    live.show("Well")
    await discord.until(lambda: discord.calls("POST", POSTS))
    await bot.asked()
    await bot.time.until_nap(GAP)
    bot.time.now += 600
    live.close()
    await bot.deliver("The reply", GENERAL)
    assert discord.texts(GENERAL) == ["Well", "The reply"]


async def test_an_edit_in_doubt_cannot_undo_the_reply(discord, bot):
    """It may still come, whenever: the reply is a message of its own then."""
    live = await placed(bot, discord)
    discord.fail("PATCH", EDITS, Drop())
    live.show(" and so")
    await discord.until(lambda: edits(discord))
    await bot.time.until_nap(GAP)
    live.close()
    await bot.deliver("The reply", GENERAL)

    assert discord.texts(GENERAL) == ["The reply"]
    assert len(edits(discord)) == 1


async def test_the_reply_waits_for_an_edit_under_way(discord, bot):
    """A late edit would put the unfinished text back."""
    live = await placed(bot, discord)
    discord.fail("PATCH", EDITS, Hang())
    live.show(" and so")
    await discord.until(lambda: edits(discord))
    sending = asyncio.ensure_future(bot.deliver("The reply", GENERAL))
    await bot.asked()
    assert len(edits(discord)) == 1
    discord.heal()
    await sending

    assert discord.texts(GENERAL) == ["The reply"]
    assert len(edits(discord)) == 2


# -- questions


async def test_a_question_has_buttons_until_the_turn_ends(discord, bot):
    live = bot.open(GENERAL)
    live.ask("Send the mail to **Ben**?", "a7")
    await discord.until(lambda: discord.texts(GENERAL))
    (seen,) = discord.sent(GENERAL)
    assert "**" not in seen.text.replace(r"\*", "")
    assert seen.buttons == ("Yes", "No")
    live.close()
    await discord.until(lambda: discord.sent(GENERAL)[0].buttons == ())
    assert discord.texts(GENERAL) == [seen.text]


async def test_a_question_in_doubt_is_asked_once(discord, bot):
    """It is sent again, as nobody knows; the nonce says that it is the same."""
    discord.fail("POST", POSTS, Drop(), done=True)
    live = bot.open(GENERAL)
    live.ask("Now?", "1")
    await discord.until(lambda: discord.texts(GENERAL))
    await bot.asked()
    await bot.time.move(1)
    await discord.until(lambda: len(discord.calls("POST", POSTS)) == 2)
    live.close()
    await discord.until(lambda: discord.sent(GENERAL)[0].buttons == ())
    assert discord.texts(GENERAL) == ["Now?"]


async def test_a_question_that_cannot_be_asked_ends_nothing(discord, bot):
    discord.fail("POST", POSTS, refusal(403, 50013, "Missing Permissions"))
    live = bot.open(OTHER)
    live.ask("Now?", "1")
    live.ask("Or now?", "2")
    await discord.until(lambda: discord.texts(OTHER) == ["Or now?"])
    live.close()


async def test_a_closed_bot_leaves_no_task(discord):
    del discord
    async with outfit() as bot:
        bot.open(GENERAL).show("Well")
        bot.open(OTHER)
    others = asyncio.all_tasks() - {asyncio.current_task()}
    assert not [task for task in others if "live" in task.get_name()]
