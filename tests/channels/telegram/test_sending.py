"""What a part becomes in a chat: all of it, in order, once or marked."""

import asyncio

import pytest

from apx.domain.errors import ChannelError, Unreachable
from apx.domain.heard import Button, Notice
from apx.testing import MemoryDrawer
from channels.shared.answering import Answers
from channels.shared.failures import HalfSaid
from channels.shared.journal import Journal
from tests.channels.telegram.hearers import SWIFT, RecordingDoor, clock
from tests.channels.telegram.parts import outfit
from tests.servers.telegram import Drop, Refused
from tests.servers.telegram.furnished import ANA, FORUM, GROUP, ROOM

LONG = "\n\n".join(f"Paragraph {number} " + "words " * 60 for number in range(30))
CODE = "Look:\n\n```python\n" + "value = 1  # and so on\n" * 800 + "```\n\nThat is it."


@pytest.fixture
async def bot(telegram):
    async with outfit(telegram.origin) as bot:
        bot.time.flows = True
        yield bot


def bad(text, **more):
    return Refused(400, f"Bad Request: {text}", **more)


def answering(bot, telegram, text, chat):
    """A message of Ana's, and what a part that answers it says of it."""
    message = telegram.say(text, chat, ANA)
    return message, f"{bot.client.bot_id}.{chat}.{message['message_id']}"


# -- the usual


async def test_a_part_is_one_message(telegram, bot):
    """With its looks, and its id."""
    given = await bot.deliver(bot.part("Hello **Ana**, see https://a.example", ANA))

    (seen,) = telegram.sent(ANA)
    assert seen.text == "Hello Ana, see https://a.example"
    assert [one["type"] for one in seen.entities] == ["bold", "url"] or [
        one["type"] for one in seen.entities
    ] == ["bold"]
    assert given == str(seen.id)
    assert bot.noted == []
    assert seen.reply_to is None


async def test_no_page_is_fetched_by_telegram_unasked(telegram, bot):
    """A preview would tell its server what the reply was talked into naming."""
    await bot.deliver(bot.part("https://a.example/?q=secret", ANA))

    (call,) = telegram.calls("sendMessage")
    assert "is_disabled" in str(call.params["link_preview_options"])


async def test_a_long_part_is_several_messages(telegram, bot):
    """Each noted before the next is sent, so that none comes twice."""
    given = await bot.deliver(bot.part(LONG, ANA))

    seen = telegram.sent(ANA)
    ids = [str(one.id) for one in seen]
    assert len(ids) == 3
    assert given == ",".join(ids)
    assert bot.noted == [ids[0], ",".join(ids[:2])]
    assert "".join(LONG.split()) == "".join("".join(telegram.texts(ANA)).split())


async def test_a_part_goes_on_where_it_stopped(telegram, bot):
    await bot.deliver(bot.part(LONG, ANA))
    whole = telegram.texts(ANA)
    bot.noted.clear()

    given = await bot.deliver(bot.part(LONG, ANA, message_id="1,2"))

    assert telegram.texts(ANA) == [*whole, whole[2]]
    assert given == f"1,2,{telegram.sent(ANA)[-1].id}"
    assert bot.noted == []


async def test_a_part_that_is_there_is_not_sent(telegram, bot):
    assert await bot.deliver(bot.part("hello", ANA, message_id="7")) == "7"
    assert telegram.calls("sendMessage") == []


async def test_a_repeat_says_so_where_it_begins(telegram, bot):
    """On the first message that may be there already, on no other."""
    await bot.deliver(bot.part(f"**One** {LONG}", ANA, is_repeat=True, message_id="1"))

    first, second = telegram.texts(ANA)
    assert first.startswith("(may be a repeat)\nParagraph")
    assert "repeat" not in second


async def test_a_repeat_keeps_its_looks(telegram, bot):
    await bot.deliver(bot.part("**One** two", ANA, is_repeat=True))

    (seen,) = telegram.sent(ANA)
    assert seen.text == "(may be a repeat)\nOne two"
    (bold,) = seen.entities
    assert (bold["offset"], bold["length"]) == (18, 3)


async def test_a_repeat_with_no_room_for_its_mark_is_two(telegram, bot):
    """4,096 units without it; the ids of both are those of one piece."""
    text = ("word " * 819 + "x")[:4_096]
    given = await bot.deliver(bot.part(text, ANA, is_repeat=True, is_plain=True))

    first, second = telegram.sent(ANA)
    assert first.text.startswith("(may be a repeat)\nword")
    assert given == f"{first.id},{second.id}"


async def test_nothing_to_say_is_said(telegram, bot):
    await bot.deliver(bot.part("\u200b \n", ANA))
    assert telegram.texts(ANA) == ["(no text)"]


async def test_plain_text_is_shown_as_it_is(telegram, bot):
    await bot.deliver(bot.part("my **__init__**", ANA, is_plain=True))
    assert telegram.texts(ANA) == ["my **__init__**"]


# -- groups


async def test_in_a_group_the_first_message_says_what_it_answers(telegram, bot):
    """Many talk at once there."""
    asked, answers = answering(bot, telegram, "hello?", ROOM)
    await bot.deliver(bot.part(LONG, ROOM, answers=answers))

    assert [one.reply_to for one in telegram.sent(ROOM)] == [
        asked["message_id"],
        None,
        None,
    ]


async def test_a_message_that_is_gone_is_answered_all_the_same(telegram, bot):
    asked, answers = answering(bot, telegram, "hello?", ROOM)
    telegram.remove(asked)
    await bot.deliver(bot.part("hello", ROOM, answers=answers))

    assert telegram.texts(ROOM) == ["hello"]


@pytest.mark.parametrize("answers", ["9.{chat}.{id}", "{bot}.-1005.{id}", "r-4", ""])
async def test_what_was_asked_elsewhere_is_not_replied_to(telegram, bot, answers):
    """Another bot and another chat number their messages anew; some ids are ours."""
    said = telegram.say("something else", ROOM, ANA)["message_id"]
    name = answers.format(chat=ROOM, bot=bot.client.bot_id, id=said)
    await bot.deliver(bot.part("hello", ROOM, answers=name))

    assert telegram.sent(ROOM)[0].reply_to is None


async def test_a_topic_is_kept(telegram, bot):
    """For every message and the file."""
    topic = telegram.topic(FORUM, "Garden")
    await bot.deliver(bot.part(CODE, FORUM, topic))

    assert {one.topic for one in telegram.sent(FORUM)} == {topic}
    assert telegram.sent(FORUM)[-1].kind == "document"


async def test_a_topic_that_is_gone_leaves_the_chat(telegram, bot):
    """The same people read it; nobody else is written to."""
    topic = telegram.topic(FORUM, "Garden")
    telegram.drop_topic(FORUM, topic)
    await bot.deliver(bot.part("hello", FORUM, topic))

    assert telegram.texts(FORUM) == ["hello"]
    assert {call.chat for call in telegram.calls()} == {FORUM}


async def test_a_group_that_moved_is_followed(telegram, bot):
    """It is the same thread, also for the next part."""
    _, answers = answering(bot, telegram, "hello?", GROUP)
    part = bot.part("hello", GROUP, answers=answers)
    moved = telegram.migrate(GROUP)
    await bot.deliver(part)
    await bot.deliver(part)

    assert telegram.texts(moved) == ["hello", "hello"]
    assert len(telegram.calls("sendMessage", GROUP)) == 1
    assert bot.places.thread(moved) == part.thread


async def test_a_group_that_says_it_moves_for_ever_is_left_for_later(telegram, bot):
    telegram.fail("sendMessage", bad("x", migrate_to_chat_id=ROOM), times=None)
    with pytest.raises(Unreachable):
        await bot.deliver(bot.part("hello", GROUP))
    assert len(telegram.calls("sendMessage")) == 2


# -- failures, files


async def test_what_failed_can_be_tried_again(telegram, bot):
    """The button is under the end of it."""
    await bot.deliver(bot.part(LONG, ANA, is_failure=True, turn=12))

    assert [one.buttons for one in telegram.sent(ANA)] == [(), (), ("Retry",)]
    assert '"retry:12"' in str(telegram.calls("sendMessage")[-1].params["reply_markup"])


async def test_long_code_comes_as_a_file_too(telegram, bot):
    """In five messages nobody can copy it."""
    given = await bot.deliver(bot.part(CODE, ANA, is_failure=True))

    *texts, file = telegram.sent(ANA)
    assert len(texts) > 2
    assert file.name == "code-1.py"
    assert file.document == b"value = 1  # and so on\n" * 800
    assert texts[-1].buttons == ("Retry",)
    assert given == ",".join(str(one.id) for one in telegram.sent(ANA))


@pytest.mark.parametrize(
    "fault", [bad("IMAGE_PROCESS_FAILED"), Refused(413, "too large"), Drop()]
)
async def test_a_file_that_cannot_be_sent_loses_no_text(telegram, bot, fault):
    """Nor is it tried for ever."""
    telegram.fail("sendDocument", fault, times=None)
    given = await bot.deliver(bot.part(CODE, ANA))

    texts = telegram.sent(ANA)
    assert given == ",".join(str(one.id) for one in texts)
    assert len(telegram.calls("sendDocument")) == 1


async def test_a_file_comes_once_the_flood_is_over(telegram, bot):
    """What surely was not sent is not given up; the texts are noted by then."""
    telegram.fail("sendDocument", Refused(429, "x", retry_after=61))
    with pytest.raises(Unreachable):
        await bot.deliver(bot.part(CODE, ANA))
    texts = telegram.sent(ANA)
    bot.time.now += 61
    await bot.deliver(bot.part(CODE, ANA, message_id=bot.noted[-1]))

    assert telegram.sent(ANA)[:-1] == texts
    assert telegram.sent(ANA)[-1].name == "code-1.py"


# -- told unasked


async def test_a_notice_goes_on_where_it_broke_off(telegram, bot):
    """Once, and without a mark: all the rest was surely not sent."""
    bot.time.flows = False
    notice = Notice("word " * 4_000 + "end", (Button("Yes", "yes"),))
    thread = bot.places.thread(ANA)
    telling = asyncio.ensure_future(bot.sender.tell(thread, notice))
    await telegram.until(lambda: len(telegram.sent(ANA)) == 3)
    bot.pace.flood(61, ANA)
    await bot.time.move(5)
    with pytest.raises(HalfSaid) as raised:
        await telling
    assert raised.value.retry_after
    bot.time.flows = True
    bot.time.now += 61
    await bot.sender.tell(thread, raised.value.rest)

    assert "".join(telegram.texts(ANA)).replace(" ", "") == "word" * 4_000 + "end"
    assert [one.buttons for one in telegram.sent(ANA)][-2:] == [(), ("Yes",)]


async def test_an_answer_says_the_rest_and_nothing_twice(bot):
    told, thread = [], bot.places.thread(ANA)

    async def tell(_, notice):
        told.append(notice.text)
        if len(told) == 1:
            raise HalfSaid(Unreachable("away"), Notice("the rest"))

    async with asyncio.TaskGroup() as group:
        journal = Journal(bot.client.bot_id, bot.drawer, clock)
        answers = Answers(RecordingDoor(), tell, journal, group, SWIFT)
        answers.say(thread, Notice("all, and the rest"))

    assert told == ["all, and the rest", "the rest"]


async def test_a_notice_is_told_with_its_buttons(telegram, bot):
    notice = Notice("Ben wants in: **who**?", (Button("Let in", "in:8"),))
    await bot.sender.tell(bot.places.thread(ANA), notice)

    (seen,) = telegram.sent(ANA)
    assert seen.text == "Ben wants in: **who**?"
    assert seen.buttons == ("Let in",)


async def test_a_long_notice_has_its_buttons_at_its_end(telegram, bot):
    notice = Notice("word " * 1_500, (Button("Yes", "yes"),))
    await bot.sender.tell(bot.places.thread(ANA), notice)

    assert [one.buttons for one in telegram.sent(ANA)] == [(), ("Yes",)]


async def test_a_notice_in_doubt_is_a_channel_error(telegram, bot):
    """It may be lost, and is not told twice."""
    telegram.fail("sendMessage", Drop())
    with pytest.raises(ChannelError):
        await bot.sender.tell(bot.places.thread(ANA), Notice("hello"))


async def test_nothing_is_kept_of_a_part(telegram, bot):
    """The drawer is for what was not finished."""
    await bot.deliver(bot.part("hello", ANA))
    assert bot.drawer.values == MemoryDrawer().values
    assert telegram.texts(ANA) == ["hello"]
