"""That it is typed, drafts in private, questions: what a person watches."""

import asyncio

import pytest

from apx.domain.errors import ChannelError
from tests.channels.telegram.parts import opened, outfit, placed, shown
from tests.servers.telegram import Drop, Hang, Refused
from tests.servers.telegram.furnished import ANA, FORUM, ROOM

NO_METHOD = Refused(404, "Not Found: method not found")
BUSY = Refused(429, "Too Many Requests: retry after 7", retry_after=7)


def actions(telegram, chat=ANA):
    return len(telegram.calls("sendChatAction", chat))


# -- typing


async def test_it_is_typed_at_once_and_on(telegram, bot):
    live = opened(bot, ANA)
    for many in (1, 2, 3):
        await telegram.until(lambda many=many: actions(telegram) == many)
        await bot.time.until_nap(4.5)
        await bot.time.move(4.5)
    live.close()


async def test_after_the_end_nothing_is_typed(telegram, bot):
    """Not one action, however long one waits."""
    live = opened(bot, ANA)
    await telegram.until(lambda: actions(telegram) == 1)
    await bot.time.until_nap(4.5)
    live.close()
    await bot.time.move(60)
    await bot.client.updates(0, 0, [])

    assert actions(telegram) == 1


async def test_a_turn_that_ends_at_once_types_nothing(telegram, bot):
    live = opened(bot, ANA)
    live.close()
    live.close()
    live.show("late")
    live.ask("late?", "1")
    await bot.time.move(60)
    await bot.client.updates(0, 0, [])

    assert telegram.calls("sendChatAction") == []
    assert telegram.texts(ANA) == []


@pytest.mark.parametrize("fault", [Drop(), BUSY, Refused(400, "Bad Request: x")])
async def test_an_action_that_fails_is_tried_again(telegram, bot, fault):
    """And nothing else suffers from it."""
    telegram.fail("sendChatAction", fault)
    live = opened(bot, ROOM)
    await telegram.until(lambda: actions(telegram, ROOM) == 1)
    live.show("Well")
    await shown(telegram, ROOM, "Well")
    for _ in range(20):
        await bot.time.move(0.5)
        await bot.client.updates(0, 0, [])
    await telegram.until(lambda: actions(telegram, ROOM) >= 2)


async def test_an_action_that_hangs_holds_up_nothing(telegram, bot):
    telegram.fail("sendChatAction", Hang(), times=None)
    live = opened(bot, ROOM)
    live.show("Well")
    await shown(telegram, ROOM, "Well")
    live.close()
    await bot.deliver(bot.part("Well done", ROOM))

    assert telegram.texts(ROOM) == ["Well done"]
    telegram.heal()


async def test_a_topic_is_typed_in(telegram, bot):
    topic = telegram.topic(FORUM, "Garden")
    await placed(bot, telegram, FORUM, topic=topic)
    assert telegram.actions(FORUM, topic)
    assert telegram.sent(FORUM)[-1].topic == topic


# -- drafts


async def test_in_private_a_draft_grows(telegram, bot):
    """With looks and a button to stop; the message comes once, at the end."""
    live = opened(bot, ANA)
    live.show("**Well**, ")
    await telegram.until(lambda: telegram.drafts(ANA))
    await bot.time.until_nap(1)
    live.show("Ana")
    await bot.time.move(1)
    await telegram.until(lambda: len(telegram.drafts(ANA)) == 2)

    first, second = telegram.drafts(ANA)
    assert (first.draft_id, first.can_stop, first.text) == (5, True, "Well,")
    assert second.text == "Well, Ana"
    assert second.entities[0]["type"] == "bold"
    live.close()
    await bot.deliver(bot.part("Well, Ana.", ANA))
    assert telegram.texts(ANA) == ["Well, Ana."]
    assert telegram.draft_now(ANA) is None
    assert telegram.calls("editMessageText", ANA) == []
    assert bot.drawer.values == {}


async def test_a_draft_is_there_before_the_first_word(telegram, bot):
    """So that Stop can be pressed; and again before it fades."""
    live = opened(bot, ANA)
    await bot.time.move(2)
    await telegram.until(lambda: len(telegram.drafts(ANA)) == 1)
    await bot.time.until_nap(20)
    await bot.time.move(20)
    await telegram.until(lambda: len(telegram.drafts(ANA)) == 2)
    assert telegram.drafts(ANA)[0].text == ""
    live.work(["recall"])
    await bot.time.move(1)
    await telegram.until(lambda: telegram.draft_now(ANA).text == "… recall")


async def test_where_drafts_are_not_known_a_message_does(telegram, bot):
    """And nobody asks again, for an hour."""
    telegram.fail("sendMessageDraft", NO_METHOD)
    live = opened(bot, ANA)
    live.show("Well")
    await telegram.until(lambda: telegram.calls("sendMessageDraft"))
    await bot.time.until_nap(1)
    await bot.time.move(1)
    seen = await shown(telegram, ANA, "Well")
    assert seen.buttons == ("Stop",)
    live.close()
    await bot.deliver(bot.part("Well done", ANA))
    opened(bot, ANA, 6).show("Second")
    await bot.time.move(5)
    await shown(telegram, ANA, "Second")

    assert len(telegram.calls("sendMessageDraft")) == 1
    assert telegram.texts(ANA) == ["Well done", "Second"]
    bot.time.now += 3_600
    opened(bot, ANA, 7).show("Third")
    await telegram.until(lambda: telegram.draft_now(ANA))


async def test_one_bad_answer_turns_off_no_drafts(telegram, bot):
    """`Not Found` alone may mean a token, or a gateway: only this reply has none."""
    telegram.fail("sendMessageDraft", Refused(404, "Not Found"))
    live = opened(bot, ANA)
    live.show("Well")
    await telegram.until(lambda: telegram.calls("sendMessageDraft"))
    await bot.time.until_nap(1)
    await bot.time.move(1)
    await shown(telegram, ANA, "Well")
    opened(bot, ANA, 6).show("Second")
    await bot.time.move(5)
    await telegram.until(lambda: telegram.drafts(ANA))


async def test_what_was_read_of_a_stopped_reply_stays(telegram, bot):
    """A draft just ends; it becomes a message, and a late part takes its place."""
    live = opened(bot, ANA)
    live.show("Once upon a **time**")
    await telegram.until(lambda: telegram.drafts(ANA))
    await bot.time.until_nap(1)
    live.close()
    await bot.time.move(15)
    await shown(telegram, ANA, "Once upon a time\n\n(stopped)")
    await bot.deliver(bot.part("The end", ANA))

    assert telegram.texts(ANA) == ["The end"]


async def test_a_draft_without_a_word_just_ends(telegram, bot):
    live = opened(bot, ANA)
    await bot.time.move(2)
    await telegram.until(lambda: telegram.drafts(ANA))
    live.close()
    await bot.time.move(60)
    await bot.client.updates(0, 0, [])

    assert telegram.texts(ANA) == []


async def test_a_draft_that_became_a_reply_is_not_said_twice(telegram, bot):
    live = opened(bot, ANA)
    live.show("Well")
    await telegram.until(lambda: telegram.drafts(ANA))
    await bot.time.until_nap(1)
    live.close()
    await bot.deliver(bot.part("Well done", ANA))
    await bot.time.move(60)
    await bot.client.updates(0, 0, [])

    assert telegram.texts(ANA) == ["Well done"]


async def test_the_reply_waits_for_a_draft_under_way(telegram, bot):
    """One that came after it would stand there for half a minute."""
    telegram.fail("sendMessageDraft", Hang())
    live = opened(bot, ANA)
    live.show("Well")
    await telegram.until(lambda: telegram.calls("sendMessageDraft"))
    live.close()
    sending = asyncio.ensure_future(bot.deliver(bot.part("Well done", ANA)))
    await bot.client.updates(0, 0, [])
    assert telegram.calls("sendMessage") == []
    telegram.heal()
    await sending

    assert telegram.draft_now(ANA) is None


# -- questions


async def test_a_question_has_buttons_until_the_turn_ends(telegram, bot):
    live = opened(bot, ANA)
    live.ask("Send the mail to **Ben**?", "a7")
    await telegram.until(lambda: telegram.texts(ANA))
    (seen,) = telegram.sent(ANA)
    assert seen.text == "Send the mail to **Ben**?"
    assert seen.buttons == ("Yes", "No")
    live.close()
    await telegram.until(lambda: telegram.sent(ANA)[0].buttons == ())
    assert telegram.texts(ANA) == ["Send the mail to **Ben**?"]


async def test_a_question_that_cannot_be_asked_ends_nothing(telegram, bot):
    telegram.fail("sendMessage", Refused(400, "Bad Request: x"), times=2)
    live = opened(bot, ANA)
    live.ask("Now?", "1")
    live.ask("Or now?", "2")
    await telegram.until(lambda: telegram.texts(ANA) == ["Or now?"])
    live.close()


async def test_a_blocked_bot_shows_nothing_and_fails_nothing(telegram, bot):
    telegram.block(ANA)
    live = opened(bot, ANA)
    live.show("Well")
    await telegram.until(lambda: telegram.calls("sendMessageDraft"))
    live.show(" then")
    await bot.time.move(10)
    live.close()
    with pytest.raises(ChannelError):
        await bot.deliver(bot.part("Well", ANA))
    assert len(telegram.calls("sendMessageDraft")) == 1


async def test_a_closed_channel_leaves_no_task(telegram):
    async with outfit(telegram.origin) as bot:
        opened(bot, ROOM).show("Well")
        opened(bot, ANA)
    others = asyncio.all_tasks() - {asyncio.current_task()}
    assert not [task for task in others if "live" in task.get_name()]
