"""What Discord refuses is said in another way; words come before looks."""

import json

import pytest

from apx.domain.errors import ChannelError, Undeliverable, Unreachable
from apx.domain.heard import Button, Notice
from tests.channels.discord.speaking import EDITS, POSTS, outfit
from tests.servers.discord.faults import Answer, Drop, limited, refusal
from tests.servers.discord.furnished import ANA, GENERAL, OTHER

CODE = "Look:\n\n```python\n" + "value = 1  # and so on\n" * 300 + "```\n\nThat is it."


@pytest.fixture
async def bot(discord):
    del discord
    async with outfit() as bot:
        yield bot


def invalid(field, words="is not taken"):
    errors = {field: {"_errors": [{"code": "X", "message": words}]}}
    body = {"message": "Invalid Form Body", "code": 50035, "errors": errors}
    return Answer(400, json.dumps(body))


# -- files


@pytest.mark.parametrize(
    "fault",
    [
        refusal(413, 40005, "Request entity too large"),
        refusal(400, 50045, "File uploaded exceeds the maximum size"),
        Answer(413, "<html>too large</html>", {}, "text/html"),
    ],
)
async def test_a_file_that_is_too_large_is_named(discord, bot, fault):
    """And all else arrives."""
    parts = len(await said(discord, bot)) - 1
    ids = ",".join(str(number) for number in range(1, parts + 1))
    discord.fail("POST", POSTS, fault)
    await bot.deliver(bot.part(CODE, id=52, message_id=ids))

    last = discord.sent(GENERAL)[-1]
    assert last.text == "code-1.py was left out: it is too large for this place"
    assert last.files == ()


async def said(discord, bot):
    await bot.deliver(bot.part(CODE))
    return discord.sent(GENERAL)


async def test_without_the_right_to_files_one_is_named(discord, bot):
    discord.deny(GENERAL, "ATTACH_FILES")
    given = await bot.deliver(bot.part(CODE))

    seen = discord.sent(GENERAL)
    assert seen[-1].text == "code-1.py was left out: no files may be sent here"
    assert given.split(",")[-1] == str(seen[-1].id)


async def test_whether_a_file_is_there_is_seen(discord, bot):
    """Discord has been known to take a message and drop what came along."""
    parts = len(await said(discord, bot)) - 1
    ids = ",".join(str(number) for number in range(1, parts + 1))
    discord.fail("POST", POSTS, Answer(200, '{"id": "77", "attachments": []}'))
    given = await bot.deliver(bot.part(CODE, id=52, message_id=ids))

    last = discord.sent(GENERAL)[-1]
    assert last.text == "code-1.py was left out: Discord did not take it"
    assert given == f"{ids},77,{last.id}"


# -- what is refused of a message


@pytest.mark.parametrize(
    "fault",
    [invalid("message_reference", "Unknown message"), refusal(400, 160002, "history")],
)
async def test_a_reply_that_is_refused_is_none(discord, bot, fault):
    asked = discord.say(GENERAL, ANA, "hello?")
    discord.fail("POST", POSTS, fault)
    await bot.deliver(bot.part("hello", asked=asked))
    (seen,) = discord.sent(GENERAL)
    assert (seen.text, seen.reply_to) == ("hello", None)


async def test_without_the_right_to_the_history_it_is_no_reply(discord, bot):
    asked = discord.say(GENERAL, ANA, "hello?")
    discord.deny(GENERAL, "READ_MESSAGE_HISTORY")
    await bot.deliver(bot.part("hello", asked=asked))
    assert discord.texts(GENERAL) == ["hello"]


@pytest.mark.parametrize("field", ["components", "something"])
async def test_buttons_that_are_refused_are_left_out(discord, bot, field):
    discord.fail("POST", POSTS, invalid(field))
    notice = Notice("Hello", (Button("Yes", "yes:1"),))
    await bot.sender.tell(bot.places.thread(OTHER), notice)
    (seen,) = discord.sent(OTHER)
    assert (seen.text, seen.buttons) == ("Hello", ())


async def test_what_is_too_long_is_halved(discord, bot):
    """Should Discord count otherwise than we do; each half has a nonce of its own."""
    text = "words " * 300
    discord.fail("POST", POSTS, invalid("content", "Must be 1000 or fewer in length."))
    given = await bot.deliver(bot.part(text))

    seen = discord.sent(GENERAL)
    assert " ".join(one.text for one in seen) == text.strip()
    assert given == ",".join(str(one.id) for one in seen)
    assert len(seen) == 2


async def test_what_nothing_helps_is_refused(discord, bot):
    discord.fail("POST", POSTS, invalid("content"), times=None)
    with pytest.raises(ChannelError) as error:
        await bot.deliver(bot.part("hello"))
    assert not isinstance(error.value, Undeliverable | Unreachable)
    assert len(discord.calls("POST", POSTS)) == 1


@pytest.mark.parametrize(
    "refused",
    [refusal(404, 10008, "Unknown Message"), refusal(403, 50005, "of another user")],
)
async def test_what_cannot_be_edited_is_said_anew(discord, bot, refused):
    live = bot.sender.live(bot.places.thread(GENERAL), 5)
    live.show("Well")
    await discord.until(lambda: discord.texts(GENERAL))
    live.close()
    discord.fail("PATCH", EDITS, refused, times=None)
    await bot.deliver(bot.part("hello"))
    assert discord.texts(GENERAL)[-1] == "hello"


# -- places


async def test_a_thread_that_fell_asleep_is_opened(discord, bot):
    thread = discord.thread(GENERAL, ANA)
    discord.archive(thread)
    discord.fail(
        "POST",
        f"/channels/{thread}/messages",
        refusal(400, 50083, "Thread is archived"),
    )
    await bot.deliver(bot.part("hello", thread))
    assert discord.texts(thread) == ["hello"]
    assert len(discord.calls("PATCH", f"/channels/{thread}")) == 1


async def test_a_thread_that_is_locked_is_no_place(discord, bot):
    thread = discord.thread(GENERAL, ANA)
    discord.archive(thread, locked=True)
    discord.fail(
        "POST",
        f"/channels/{thread}/messages",
        refusal(400, 50083, "Thread is archived"),
        times=None,
    )
    with pytest.raises(Undeliverable):
        await bot.deliver(bot.part("hello", thread))


async def test_one_that_stays_closed_is_not_opened_for_ever(discord, bot):
    thread = discord.thread(GENERAL, ANA)
    closed = refusal(400, 50083, "Thread is archived")
    discord.fail("POST", f"/channels/{thread}/messages", closed, times=None)
    with pytest.raises(ChannelError):
        await bot.deliver(bot.part("hello", thread))
    assert len(discord.calls("PATCH", f"/channels/{thread}")) == 1


async def test_where_it_may_not_speak_or_nothing_is_it_is_in_vain(discord, bot):
    discord.deny(GENERAL, "SEND_MESSAGES")
    discord.delete_channel(OTHER)
    for channel in (GENERAL, OTHER):
        with pytest.raises(Undeliverable):
            await bot.deliver(bot.part("hello", channel))


async def test_a_person_who_is_gone_is_not_reached(discord, bot):
    channel = discord.dm(ANA)
    await bot.places.keep_dm(channel, ANA)
    discord.shut.add(ANA)
    with pytest.raises(Undeliverable):
        await bot.deliver(bot.part("hello", channel))


# -- the network


async def test_a_flood_that_is_long_is_for_later(discord, bot):
    discord.fail("POST", POSTS, limited(400))
    with pytest.raises(Unreachable):
        await bot.deliver(bot.part("hello"))
    assert len(discord.calls("POST", POSTS)) == 1


@pytest.mark.parametrize("fault", [Drop(), Answer(200, "{}")])
async def test_what_nobody_knows_is_a_timeout(discord, bot, fault):
    discord.fail("POST", POSTS, fault, times=None)
    with pytest.raises(TimeoutError):
        await bot.deliver(bot.part("hello"))


async def test_a_file_that_nobody_knows_of_holds_up_nothing(discord, bot):
    """Its code is there to be read."""
    parts = len(await said(discord, bot)) - 1
    ids = ",".join(str(number) for number in range(1, parts + 1))
    discord.fail("POST", POSTS, Drop(), times=None)
    assert await bot.deliver(bot.part(CODE, id=52, message_id=ids)) == ids
