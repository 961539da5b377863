"""A reply that grows in a message, until it takes the message's place."""

import asyncio

import pytest

from channels.shared.layout import Layout
from tests.channels.telegram.parts import opened, placed, shown
from tests.servers.telegram import Drop, Hang, Refused
from tests.servers.telegram.furnished import ROOM

BUSY = Refused(429, "Too Many Requests: retry after 7", retry_after=7)


class Counted(Layout):
    """The thread that lays out, and how often it was asked to."""

    works = 0

    async def done(self, work):
        self.works += 1
        return await super().done(work)


def edits(telegram):
    return telegram.calls("editMessageText", ROOM)


async def test_in_a_group_a_message_grows_into_the_reply(telegram, bot):
    """One message in all; its button is gone in the end."""
    live = await placed(bot, telegram)
    live.show(", **Ana**")
    seen = await shown(telegram, ROOM, "Well, Ana")
    assert seen.buttons == ("Stop",)
    assert '"stop:5"' in str(seen.json).replace("'", '"')
    live.close()
    given = await bot.deliver(bot.part("Well, **Ana**.", ROOM))

    (last,) = telegram.sent(ROOM)
    assert (last.text, last.buttons, str(last.id)) == ("Well, Ana.", (), given)


async def test_stop_is_there_after_two_seconds(telegram, bot):
    """Without a word of the reply; before that no tool is worth a message."""
    opened(bot, ROOM).work([])
    await bot.time.move(1.9)
    await bot.client.updates(0, 0, [])
    assert telegram.texts(ROOM) == []
    await bot.time.move(0.2)

    assert (await shown(telegram, ROOM, "…")).buttons == ("Stop",)


async def test_what_is_done_is_said_under_the_text(telegram, bot):
    """Until there is more text."""
    live = await placed(bot, telegram)
    live.work(["recall", "remember"])
    await shown(telegram, ROOM, "Well\n\n… recall, remember")
    live.notice("asking another model")
    await bot.time.move(5)
    await shown(telegram, ROOM, "Well\n\n… asking another model")
    live.show(" then")
    await bot.time.move(5)
    await shown(telegram, ROOM, "Well then")


async def test_edits_never_queue(telegram, bot):
    """A thousand pieces in five seconds are a few edits, the latest text among them."""
    live = await placed(bot, telegram)
    for number in range(1_000):
        live.show(f" {number}")
        if number % 100 == 0:
            await bot.time.move(0.5)
            await bot.client.updates(0, 0, [])
    # One may still be on its way when the time is moved.
    while not telegram.texts(ROOM)[0].endswith(" 999"):
        await bot.time.move(5)
        await bot.client.updates(0, 0, [])

    assert len(edits(telegram)) <= 9


async def test_what_there_is_no_room_for_is_not_laid_out(telegram, bot):
    """Laying out is what costs; a closed chat costs nothing."""
    live = await placed(bot, telegram)
    counted = bot.sender._lives._desk.layout = Counted()
    bot.pace.flood(50, ROOM)
    for number in range(40):
        live.show(f" {number}")
        await bot.time.move(1)
        await bot.client.updates(0, 0, [])
    assert counted.works == 0
    await bot.time.move(15)
    await shown(telegram, ROOM, "Well " + " ".join(map(str, range(40))))
    assert counted.works == 1
    counted.close()


async def test_a_long_reply_shows_its_end(telegram, bot):
    """What does not fit is read when it is done."""
    live = opened(bot, ROOM)
    live.show("first " + "words and words\n\n" * 900 + "last")
    await telegram.until(lambda: telegram.texts(ROOM))

    (text,) = telegram.texts(ROOM)
    assert text.startswith("…\nwords")
    assert text.endswith("last")


async def test_a_flood_of_edits_waits_and_the_reply_arrives(telegram, bot):
    """Silence for as long as told; then the reply, not the edits that piled up."""
    live = await placed(bot, telegram)
    telegram.fail("editMessageText", BUSY)
    live.show(" one")
    await telegram.until(lambda: len(edits(telegram)) == 1)
    for word in range(5):
        live.show(f" {word}")
        await bot.time.move(1)
    live.close()
    sending = asyncio.ensure_future(bot.deliver(bot.part("The reply", ROOM)))
    await bot.client.updates(0, 0, [])
    assert len(edits(telegram)) == 1
    await bot.time.move(3)
    await sending

    assert telegram.texts(ROOM) == ["The reply"]
    assert len(edits(telegram)) == 2


async def test_the_reply_waits_for_an_edit_under_way(telegram, bot):
    """A late edit would put the unfinished text back."""
    live = await placed(bot, telegram)
    telegram.fail("editMessageText", Hang())
    live.show(" and so")
    await telegram.until(lambda: edits(telegram))
    live.show(" on")
    live.close()
    sending = asyncio.ensure_future(bot.deliver(bot.part("The reply", ROOM)))
    await bot.client.updates(0, 0, [])
    assert len(edits(telegram)) == 1
    telegram.heal()
    await sending
    await bot.time.move(60)
    await bot.client.updates(0, 0, [])

    assert telegram.texts(ROOM) == ["The reply"]
    assert len(edits(telegram)) == 2


async def test_an_edit_in_doubt_cannot_undo_the_reply(telegram, bot):
    """It may still come, whenever: the reply is a message of its own then."""
    live = await placed(bot, telegram)
    telegram.fail("editMessageText", Drop())
    live.show(" and so")
    await telegram.until(lambda: edits(telegram))
    await bot.time.until_nap(1)
    live.close()
    await bot.deliver(bot.part("The reply", ROOM))

    assert telegram.texts(ROOM) == ["The reply"]
    assert len(edits(telegram)) == 1


async def test_an_edit_that_failed_is_tried_again(telegram, bot):
    """One bad answer does not end what is shown of a turn."""
    live = await placed(bot, telegram)
    telegram.fail("editMessageText", Refused(502, "Bad Gateway"), times=2)
    live.show(" and")
    while telegram.texts(ROOM) != ["Well and"]:
        await bot.time.move(1)
        await bot.client.updates(0, 0, [])
    live.show(" so")
    await bot.time.move(10)
    await shown(telegram, ROOM, "Well and so")
    live.close()
    await bot.deliver(bot.part("The reply", ROOM))

    assert telegram.texts(ROOM) == ["The reply"]
    assert telegram.calls("deleteMessage") == []


async def test_a_first_message_in_doubt_is_not_sent_again(telegram, bot):
    telegram.fail("sendMessage", Refused(502, "Bad Gateway"), times=None)
    live = opened(bot, ROOM)
    live.show("Well")
    await telegram.until(lambda: telegram.calls("sendMessage"))
    live.show(" and so")
    await bot.time.move(60)
    await bot.client.updates(0, 0, [])

    assert len(telegram.calls("sendMessage")) == 1


async def test_what_cannot_be_taken_away_is_edited(telegram, bot):
    """Else it stays there, with its button."""
    live = await placed(bot, telegram)
    telegram.fail("editMessageText", Drop())
    telegram.fail("deleteMessage", Refused(400, "Bad Request: x"))
    live.show(" and so")
    await telegram.until(lambda: edits(telegram))
    live.close()
    await bot.deliver(bot.part("The reply", ROOM))

    assert telegram.texts(ROOM) == ["The reply"]
    assert telegram.sent(ROOM)[0].buttons == ()


async def test_a_message_that_was_taken_away_is_not_put_back(telegram, bot):
    """The reply comes anew."""
    live = await placed(bot, telegram)
    telegram.remove(telegram.sent(ROOM)[0])
    live.show(" and")
    await telegram.until(lambda: edits(telegram))
    live.show(" so")
    await bot.time.move(5)
    live.close()
    await bot.deliver(bot.part("The reply", ROOM))

    assert telegram.texts(ROOM) == ["The reply"]
    assert len(edits(telegram)) == 2


async def test_a_reply_that_is_there_already_is_not_changed(telegram, bot):
    """Telegram refuses to edit what is the same: that is as good."""
    live = await placed(bot, telegram)
    live.close()
    telegram.fail(
        "editMessageText", Refused(400, "Bad Request: message is not modified: x")
    )
    given = await bot.deliver(bot.part("Well", ROOM))
    assert given == str(telegram.sent(ROOM)[0].id)


async def test_a_long_reply_begins_in_the_message_and_goes_on_below(telegram, bot):
    live = await placed(bot, telegram)
    live.close()
    await bot.deliver(bot.part("word " * 1_500, ROOM, is_failure=True))

    first, second = telegram.sent(ROOM)
    assert first.edited
    assert (first.buttons, second.buttons) == ((), ("Retry",))


async def test_only_the_first_part_takes_the_message(telegram, bot):
    live = await placed(bot, telegram)
    live.close()
    await bot.deliver(bot.part("One", ROOM, id=51))
    await bot.deliver(bot.part("Two", ROOM, id=52, number=2))
    assert telegram.texts(ROOM) == ["One", "Two"]


async def test_an_edit_is_no_repeat(telegram, bot):
    """However often the text is put in place, it stands there once."""
    live = await placed(bot, telegram)
    live.close()
    telegram.fail("editMessageText", Drop(), done=True)
    with pytest.raises(TimeoutError):
        await bot.deliver(bot.part("The reply", ROOM))
    await bot.deliver(bot.part("The reply", ROOM, is_repeat=True))

    assert telegram.texts(ROOM) == ["The reply"]


async def test_what_could_not_be_put_in_place_is_a_repeat(telegram, bot):
    live = await placed(bot, telegram)
    live.close()
    telegram.remove(telegram.sent(ROOM)[0])
    await bot.deliver(bot.part("The reply", ROOM, is_repeat=True))
    assert telegram.texts(ROOM) == ["(may be a repeat)\nThe reply"]


async def test_two_turns_of_a_thread_keep_their_messages(telegram, bot):
    """The next turn began before the reply of the last could be sent."""
    first = await placed(bot, telegram, turn=5)
    first.close()
    second = await placed(bot, telegram, turn=6)
    second.close()
    await bot.deliver(bot.part("One", ROOM, id=51, turn=5))
    sending = asyncio.ensure_future(bot.deliver(bot.part("Two", ROOM, id=52, turn=6)))
    await bot.time.move(2)
    await sending

    assert telegram.texts(ROOM) == ["One", "Two"]


async def test_in_a_group_it_replies_to_the_question(telegram, bot):
    """From its first word on: many ask there at once."""
    asked = telegram.say("what is for dinner?", ROOM)
    question = f"{bot.client.bot_id}.{ROOM}.{asked['message_id']}"
    live = bot.sender.live(bot.places.thread(ROOM), 5, question)
    live.show("Soup")
    seen = await shown(telegram, ROOM, "Soup")
    live.close()

    assert seen.reply_to == asked["message_id"]
