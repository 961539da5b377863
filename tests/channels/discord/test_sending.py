"""What a part becomes in a channel: all of it, in order, once."""

import asyncio

import pytest

from apx.domain.errors import ChannelError, Undeliverable, Unreachable
from apx.domain.heard import Button, Notice
from channels.shared.failures import HalfSaid
from channels.shared.message_id import MessageId
from channels.shared.placeholders import Placeholder
from tests.channels.discord.speaking import BEGINS, EDITS, POSTS, outfit
from tests.servers.discord.faults import Answer, Drop, broken, limited, refusal
from tests.servers.discord.furnished import ANA, GENERAL, OTHER

LONG = "\n\n".join(f"Paragraph {number} " + "words " * 60 for number in range(12))
CODE = "Look:\n\n```python\n" + "value = 1  # and so on\n" * 300 + "```\n\nThat is it."


@pytest.fixture
async def bot(discord):
    del discord
    async with outfit() as bot:
        yield bot


def posts(discord, channel=GENERAL):
    return discord.calls("POST", f"/channels/{channel}/messages")


def bare(texts):
    return "".join("".join(texts).split())


# -- the usual


async def test_a_part_is_one_message(discord, bot):
    """With its looks, without previews, and its id."""
    given = await bot.deliver(bot.part("Hello **Ana**, see https://a.example"))

    (seen,) = discord.sent(GENERAL)
    assert seen.text == "Hello **Ana**, see https://a.example"
    assert (given, bot.noted, seen.reply_to) == (str(seen.id), [], None)
    assert seen.flags == 4


async def test_a_long_part_is_several_messages(discord, bot):
    """Each noted before the next is sent, so that none comes twice."""
    given = await bot.deliver(bot.part(LONG))

    ids = [str(one.id) for one in discord.sent(GENERAL)]
    assert len(ids) == 3
    assert given == ",".join(ids)
    assert bot.noted == [ids[0], ",".join(ids[:2])]
    assert bare(discord.texts(GENERAL)) == bare(LONG)


async def test_a_part_goes_on_where_it_stopped(discord, bot):
    await bot.deliver(bot.part(LONG, id=50))
    whole = discord.texts(GENERAL)

    given = await bot.deliver(bot.part(LONG, message_id="1,2"))

    assert discord.texts(GENERAL) == [*whole, whole[2]]
    assert given == f"1,2,{discord.sent(GENERAL)[-1].id}"
    assert await bot.deliver(bot.part("hello", message_id="7")) == "7"


async def test_nothing_to_say_is_said(discord, bot):
    await bot.deliver(bot.part("\u200b \n"))
    assert discord.texts(GENERAL) == ["(no text)"]


async def test_plain_text_is_shown_as_it_is(discord, bot):
    await bot.deliver(bot.part("my **x**", is_plain=True))
    assert discord.texts(GENERAL) == ["my \\*\\*x\\*\\*"]


async def test_long_code_comes_as_a_file_too(discord, bot):
    await bot.deliver(bot.part(CODE))

    last = discord.sent(GENERAL)[-1]
    assert last.files == ("code-1.py",)
    assert discord.file(GENERAL, last.id) == b"value = 1  # and so on\n" * 300


async def test_a_failure_offers_to_try_again(discord, bot):
    await bot.deliver(bot.part("No.", is_failure=True))
    (seen,) = discord.sent(GENERAL)
    assert seen.buttons == ("Retry",)
    assert "retry:5" in str(seen.json)


# -- whom it answers


async def test_in_a_guild_the_first_message_rings_for_who_asked(discord, bot):
    """Whoever else the reply names."""
    asked = discord.say(GENERAL, ANA, "hello?")
    await bot.deliver(bot.part(f"@everyone <@800000000000000008> {LONG}", asked=asked))

    assert [one.reply_to for one in discord.sent(GENERAL)][:2] == [asked, None]
    assert [ping.user for ping in discord.pings] == [ANA]


async def test_in_private_it_is_no_reply(discord, bot):
    channel = discord.dm(ANA)
    await bot.places.keep_dm(channel, ANA)
    asked = discord.say(channel, ANA, "hello?")
    await bot.deliver(bot.part("hello", channel, asked=asked))
    assert discord.sent(channel)[0].reply_to is None


@pytest.mark.parametrize("answers", ["9.{c}.{id}", "{bot}.77.{id}", "r-4", ""])
async def test_what_was_asked_elsewhere_is_not_replied_to(discord, bot, answers):
    said = discord.say(GENERAL, ANA, "something else")
    name = answers.format(c=GENERAL, bot=bot.client.app_id, id=said)
    await bot.deliver(bot.part("hello", answers=name))
    assert discord.sent(GENERAL)[0].reply_to is None


async def test_a_question_that_is_gone_is_answered_all_the_same(discord, bot):
    asked = discord.say(GENERAL, ANA, "hello?")
    discord.delete(GENERAL, asked)
    await bot.deliver(bot.part("hello", asked=asked))
    assert discord.texts(GENERAL) == ["hello"]


# -- once


async def test_what_comes_again_soon_is_swallowed(discord, bot):
    """By its nonce: the answer to the first try was lost."""
    discord.fail("POST", POSTS, Drop(), done=True)
    with pytest.raises(TimeoutError):
        await bot.deliver(bot.part("hello"))
    await bot.deliver(bot.part("hello"))
    assert discord.texts(GENERAL) == ["hello"]


@pytest.mark.parametrize("text", ["hello", LONG, CODE])
async def test_what_comes_again_late_is_looked_for(discord, bot, text):
    """Discord knows no nonce any more by then."""
    asked = discord.say(GENERAL, ANA, "hello?")
    given = await bot.deliver(bot.part(text, asked=asked))
    seen = discord.texts(GENERAL)
    discord.advance(3_600)

    ids = given.split(",")
    first = ",".join(ids[:-1])
    part = bot.part(text, asked=asked, message_id=first, is_repeat=True)
    assert await bot.deliver(part) == given
    assert discord.texts(GENERAL) == seen


async def test_it_is_found_however_much_was_said_meanwhile(discord, bot):
    """Discord shows a hundred messages at a time."""
    asked = discord.say(GENERAL, ANA, "hello?")
    for number in range(130):
        discord.say(GENERAL, ANA, f"{number}")
    given = await bot.deliver(bot.part("Yes.", asked=asked))
    discord.advance(3_600)

    again = bot.part("Yes.", asked=asked, is_repeat=True)
    assert await bot.deliver(again) == given
    assert discord.texts(GENERAL) == ["Yes."]


async def test_the_same_words_before_the_question_are_no_repeat(discord, bot):
    """Nor are those of somebody else after it."""
    await bot.deliver(bot.part("Yes.", turn=4))
    asked = discord.say(GENERAL, ANA, "hello?")
    discord.say(GENERAL, ANA, "Yes.")
    await bot.deliver(bot.part("Yes.", asked=asked, is_repeat=True))
    assert discord.texts(GENERAL) == ["Yes.", "Yes."]


@pytest.mark.parametrize(
    "fault", [refusal(403, 50001, "Missing Access"), Answer(200, '[{"id": 3}]')]
)
async def test_where_nobody_may_look_it_is_sent(discord, bot, fault):
    discord.fail("GET", POSTS, fault, times=None)
    await bot.deliver(bot.part("hello", is_repeat=True))
    assert discord.texts(GENERAL) == ["hello"]


@pytest.mark.parametrize("fault", [Drop(), limited(400), broken(503)])
async def test_where_nobody_can_look_now_it_waits(discord, bot, fault):
    """Sent on a guess it might be there twice."""
    discord.fail("GET", POSTS, fault, times=None)
    with pytest.raises(Unreachable):
        await bot.deliver(bot.part("hello", is_repeat=True))
    assert posts(discord) == []


async def test_an_outage_costs_no_reply_however_long_it_is(discord, bot):
    """Only what nobody looks for is given up after some tries."""
    discord.fail("POST", POSTS, broken(503), times=None)
    with pytest.raises(TimeoutError):
        await bot.deliver(bot.part("hello"))
    with pytest.raises(Unreachable):
        await bot.deliver(bot.part("hello", is_repeat=True))


async def test_a_thread_that_may_have_been_made_says_that_nothing_was_sent(
    discord, bot
):
    """It is made once, however often it is asked for: no try of the part counts."""
    question = await bot.own(GENERAL, discord.say(GENERAL, ANA, "Dinner?"))
    discord.fail("POST", BEGINS, Drop(), done=True)
    with pytest.raises(Unreachable):
        await bot.deliver(bot.part("Soup.", question))
    await bot.deliver(bot.part("Soup.", question))
    assert discord.texts(question) == ["Soup."]


@pytest.mark.parametrize("is_private", [True, False])
async def test_equal_answers_are_two_answers(discord, bot, is_private):
    """The second question was asked while the first was answered."""
    chat = discord.dm(ANA) if is_private else GENERAL
    if is_private:
        await bot.places.keep_dm(chat, ANA)
    first, second = (discord.say(chat, ANA, text) for text in ("light", "heating"))
    before = await bot.deliver(bot.part("Done.", chat, id=50, asked=first))
    # In a guild what they are replies to tells them apart, too.
    before = before if is_private else ""
    part = bot.part("Done.", chat, asked=second, is_repeat=True, previous=before)

    given = await bot.deliver(part)
    assert discord.texts(chat) == ["Done.", "Done."]
    discord.advance(3_600)
    assert await bot.deliver(part) == given
    assert discord.texts(chat) == ["Done.", "Done."]


async def test_behind_several_messages_it_is_looked_for_too(discord, bot):
    """Of which some were cut, and one has no id."""
    told = [await bot.deliver(bot.part("Done.", id=one)) for one in (48, 49, 50)]
    previous = f"{told[0]}+{told[1]},0,{told[2]},0"
    await bot.deliver(bot.part("Done.", is_repeat=True, previous=previous))
    assert len(discord.texts(GENERAL)) == 4


async def test_another_question_has_another_nonce(discord, bot):
    """A home that was made anew counts its turns anew; every nonce is short enough."""
    for asked in (discord.say(GENERAL, ANA, "a"), discord.say(GENERAL, ANA, "b")):
        await bot.deliver(bot.part("hello", asked=asked))
    await bot.deliver(bot.part("hello", id=10**15, turn=10**15))
    assert discord.texts(GENERAL) == ["hello"] * 3
    assert max(len(call.body["nonce"]) for call in posts(discord)) <= 25


# -- replies that grew


async def test_the_growing_reply_becomes_the_first_message(discord, bot):
    live = bot.sender.live(bot.places.thread(GENERAL), 5)
    live.show("Well")
    await discord.until(lambda: discord.texts(GENERAL))
    live.close()
    await bot.deliver(bot.part(LONG))

    seen = discord.sent(GENERAL)
    assert bare(one.text for one in seen) == bare(LONG)
    assert [one.buttons for one in seen] == [()] * 3


async def test_a_growing_reply_that_was_deleted_is_said_anew(discord, bot):
    live = bot.sender.live(bot.places.thread(GENERAL), 5)
    live.show("Well")
    await discord.until(lambda: discord.texts(GENERAL))
    live.close()
    discord.delete(GENERAL, discord.sent(GENERAL)[0].id)
    await bot.deliver(bot.part("hello"))
    assert discord.texts(GENERAL) == ["hello"]
    assert len(discord.calls("PATCH", EDITS)) <= 2


async def test_what_replaced_a_growing_reply_is_found_as_well(discord, bot):
    """That was deleted; nobody knows whether what was said anew arrived."""
    gone = MessageId(bot.client.app_id, GENERAL, discord.say(GENERAL, ANA, "hello?"))
    key = f"live/main/{bot.places.thread(GENERAL)}"
    bot.drawer.values[key] = str(Placeholder(5, gone))
    discord.delete(GENERAL, gone.message_id)
    discord.fail("POST", POSTS, Drop(), done=True)
    with pytest.raises(TimeoutError):
        await bot.deliver(bot.part("hello"))
    discord.advance(3_600)

    await bot.deliver(bot.part("hello", is_repeat=True))
    assert discord.texts(GENERAL) == ["hello"]


async def test_a_growing_reply_that_says_it_all_loses_its_button(discord, bot):
    """A process died before it could take it away."""
    live = bot.sender.live(bot.places.thread(GENERAL), 5)
    live.show("hello")
    await discord.until(lambda: discord.texts(GENERAL))
    live.close()
    await bot.deliver(bot.part("hello", is_repeat=True))
    (seen,) = discord.sent(GENERAL)
    assert (seen.text, seen.buttons) == ("hello", ())


# -- notices


async def test_a_notice_has_its_buttons_at_its_end(discord, bot):
    notice = Notice(LONG + " __init__", (Button("Let in", "yes:1"),))
    await bot.sender.tell(bot.places.thread(OTHER), notice)

    seen = discord.sent(OTHER)
    assert [one.buttons for one in seen] == [(), (), ("Let in",)]
    assert seen[-1].text.endswith("\\_\\_init\\_\\_")


async def test_a_notice_may_be_said_twice(discord, bot):
    for _ in range(2):
        await bot.sender.tell(bot.places.thread(OTHER), Notice("Hello"))
    assert discord.texts(OTHER) == ["Hello", "Hello"]


async def test_of_a_notice_that_broke_off_the_rest_is_given(discord, bot):
    """In its own words, not in those that Discord was told."""
    text = "\n".join(
        f"{number} __x__ - #y https://a.b/c_{number}," for number in range(300)
    )
    bot.time.flows = False
    telling = asyncio.create_task(
        bot.sender.tell(bot.places.thread(OTHER), Notice(text))
    )
    await discord.until(lambda: len(discord.texts(OTHER)) == 5)
    discord.fail("POST", POSTS, limited(400), times=None)
    await bot.time.until_nap(5.3)
    await bot.time.move(6)
    with pytest.raises(HalfSaid) as error:
        await telling

    said = discord.texts(OTHER)
    assert len(said) == 5
    assert error.value.retry_after == pytest.approx(400)
    rest = error.value.rest.text
    assert text.endswith(rest)
    number = int(rest.split()[0])
    assert f"https://a.b/c_{number - 1}>" in said[-1]


async def test_a_notice_is_said_once_also_if_its_first_try_is_in_doubt(discord, bot):
    """Discord knows it again."""
    discord.fail("POST", POSTS, Drop(), times=2, done=True)
    await bot.sender.tell(bot.places.thread(OTHER), Notice("Hello"))
    assert discord.texts(OTHER) == ["Hello"]
    assert len(posts(discord, OTHER)) == 3


async def test_after_a_minute_nobody_knows_whether_a_notice_was_said(discord, bot):
    discord.fail("POST", POSTS, broken(503), times=None)
    with pytest.raises(ChannelError) as error:
        await bot.sender.tell(bot.places.thread(OTHER), Notice("Hello"))
    assert not isinstance(error.value, Unreachable | Undeliverable)
