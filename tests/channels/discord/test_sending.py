"""What a part becomes in a channel: all of it, in order, once."""

import asyncio

import pytest

from apx.domain.errors import ChannelError, Undeliverable, Unreachable
from apx.domain.heard import Button, Notice
from channels.shared.failures import HalfSaid
from tests.channels.discord.speaking import EDITS, POSTS, outfit
from tests.servers.discord.faults import Answer, Drop, limited
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


@pytest.mark.parametrize("fault", [Drop(), limited(400), Answer(200, '[{"id": 3}]')])
async def test_where_nobody_can_look_it_is_sent(discord, bot, fault):
    discord.fail("GET", POSTS, fault, times=None)
    await bot.deliver(bot.part("hello", is_repeat=True))
    assert discord.texts(GENERAL) == ["hello"]


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


async def test_nobody_knows_whether_a_notice_was_said(discord, bot):
    discord.fail("POST", POSTS, Drop(), done=True)
    with pytest.raises(ChannelError) as error:
        await bot.sender.tell(bot.places.thread(OTHER), Notice("Hello"))
    assert not isinstance(error.value, Unreachable | Undeliverable)
