"""The loopback Telegram: what people do, and how bots hear of it."""

import asyncio

import pytest
from aiogram import Dispatcher
from aiogram.exceptions import (
    ClientDecodeError,
    TelegramBadRequest,
    TelegramConflictError,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramUnauthorizedError,
)
from aiohttp import web

from tests.channels.telegram.served import bot, kinds, telegram
from tests.servers.telegram import (
    TOKEN,
)
from tests.servers.telegram.furnished import (
    ANA,
    FORUM,
    GROUP,
    NEWS,
    ROOM,
    client,
)

# Fixtures: pytest finds them by their names.
__all__ = ["bot", "telegram"]


# -- who may not


async def test_chats_that_do_not_want_the_bot_say_so(bot, telegram):
    telegram.user(9, "Cy", started=False)
    telegram.block(ANA)
    telegram.kick_bot(GROUP)
    telegram.add_bot(ROOM, status="left")
    for chat, words in (
        (ANA, "bot was blocked by the user"),
        (GROUP, "bot was kicked from the group chat"),
        (ROOM, "bot is not a member of the supergroup chat"),
        (9, "bot can't initiate conversation with a user"),
    ):
        with pytest.raises(TelegramForbiddenError, match=words):
            await bot.send_message(chat, "x")
    updates = [u.my_chat_member for u in await bot.get_updates()]
    told = [u.new_chat_member.status for u in updates if u]
    assert told == ["kicked", "kicked", "left"]
    telegram.unblock(ANA)
    await bot.send_message(ANA, "back")


async def test_rights_are_kept(bot, telegram):
    topic = telegram.topic(FORUM, "Closed")
    telegram.close_topic(FORUM, topic)
    said = telegram.say("mine", ROOM)["message_id"]
    await bot.send_message(FORUM, "an admin may", message_thread_id=topic)
    telegram.add_bot(FORUM, status="member")
    telegram.add_bot(NEWS, status="member")
    for act, words in (
        (bot.send_message(FORUM, "x", message_thread_id=topic), "TOPIC_CLOSED"),
        (bot.create_forum_topic(FORUM, "New"), "not enough rights"),
        (bot.create_forum_topic(ROOM, "New"), "the chat is not a forum"),
        (bot.send_message(NEWS, "x"), "need administrator rights"),
        (bot.get_chat_member(NEWS, ANA), "member list is inaccessible"),
        (bot.delete_message(ROOM, said), "message can't be deleted"),
    ):
        with pytest.raises(TelegramBadRequest, match=words):
            await act
    telegram.add_bot(ROOM, status="restricted")
    with pytest.raises(TelegramBadRequest, match="not enough rights to send"):
        await bot.send_message(ROOM, "x")
    own = telegram.say("mine")["message_id"]
    assert await bot.delete_messages(ANA, [own, 99])
    assert telegram.history(ANA) == []


async def test_a_group_that_was_upgraded_names_the_new_chat(bot, telegram):
    new = telegram.migrate(GROUP)
    with pytest.raises(TelegramMigrateToChat) as caught:
        await bot.send_message(GROUP, "x")
    assert caught.value.migrate_to_chat_id == new
    assert [u.message.migrate_to_chat_id for u in await bot.get_updates()] == [
        new,
        None,
    ]
    assert (await bot.send_message(new, "x")).message_id == 2


async def test_tokens_rotate_and_bots_are_replaced(bot, telegram):
    """A new token keeps what waits; another bot has nothing of it."""
    new, other = TOKEN[:-1] + "2", "777:another"
    telegram.say("waits")
    telegram.rotate(TOKEN, new)
    with pytest.raises(TelegramUnauthorizedError):
        await bot.get_me()
    async with client(telegram.origin, new) as same:
        assert (await same.get_me()).id == bot.id
        (update,) = await same.get_updates()
        assert update.message.text == "waits"
    telegram.new_bot(other, "second_bot")
    telegram.retire(new)
    telegram.say("hello second")
    async with client(telegram.origin, other) as second:
        assert [u.message.text for u in await second.get_updates()] == ["hello second"]
        assert (await second.get_me()).username == "second_bot"


# -- updates


async def test_offsets_confirm_and_the_unconfirmed_comes_again(bot, telegram):
    for text in "abcd":
        telegram.say(text)
    first = (await bot.get_updates(limit=1))[0].update_id
    assert [u.update_id - first for u in await bot.get_updates()] == [0, 1, 2, 3]
    assert len(await bot.get_updates(offset=first + 1)) == 3
    assert [u.message.text for u in await bot.get_updates(offset=-1)] == ["d"]
    assert len(telegram.pending()) == 1
    # The offset of another bot is out of this world.
    assert len(await bot.get_updates(offset=first + 5000)) == 1
    assert await bot.get_updates(offset=first + 4) == []
    assert telegram.polls == 6


async def test_only_wanted_updates_are_kept(bot, telegram):
    """What is wanted is remembered; reactions and members come only when named."""
    message = telegram.say("a")
    telegram.react(message, "👍")
    telegram.edit(message, "b")
    assert await kinds(bot) == ["message", "edited_message"]
    await bot.get_updates(offset=-1, allowed_updates=["message_reaction", "message"])
    telegram.react(message, "")
    telegram.edit(message, "c")
    assert (await kinds(bot))[-1] == "message_reaction"
    assert telegram.history(ANA)[0].text == "c"
    assert telegram.complaints == []


async def test_a_poll_waits_and_a_second_one_ends_it(bot, telegram):
    async with asyncio.TaskGroup() as tasks, client(telegram.origin) as other:
        older = tasks.create_task(_conflict(bot))
        await telegram.until(lambda: telegram.polling == 1)
        newer = tasks.create_task(other.get_updates(timeout=20))
        assert "make sure that only one bot instance is running" in await older
        telegram.say("now")
        assert len(await newer) == 1
    assert telegram.polls == telegram.most_polling == 2
    assert telegram.polling == 0


async def _conflict(bot):
    with pytest.raises(TelegramConflictError) as caught:
        await bot.get_updates(timeout=20)
    return caught.value.message


async def test_a_poller_that_dies_leaves_its_updates(bot, telegram):
    async with asyncio.TaskGroup() as tasks:
        dying = tasks.create_task(bot.get_updates(timeout=20))
        await telegram.until(lambda: telegram.polling == 1)
        dying.cancel()
        await telegram.until(lambda: telegram.polling == 0)
        telegram.say("late")
        assert len(await bot.get_updates()) == 1


async def test_a_webhook_is_tried_again_until_it_answers(bot, telegram):
    answers, heard = [503, 200, 200], []

    async def hook(http):
        secret = http.headers["X-Telegram-Bot-Api-Secret-Token"]
        heard.append((secret, (await http.json())["message"]["text"]))
        return web.Response(status=answers.pop(0))

    app = web.Application()
    app.router.add_post("/hook", hook)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    await bot.set_webhook(url, secret_token="s3cret")  # noqa: S106 -- of nobody
    telegram.say("a")
    telegram.say("b")
    await telegram.until(lambda: not telegram.bot().pending)
    assert heard == [("s3cret", "a"), ("s3cret", "a"), ("s3cret", "b")]
    assert "503" in (await bot.get_webhook_info()).last_error_message
    with pytest.raises(TelegramConflictError, match="while webhook is active"):
        await bot.get_updates()
    await bot.delete_webhook()
    assert await bot.get_updates() == []
    await runner.cleanup()


# -- what people send


async def test_everything_that_people_send_is_read_by_the_client(bot, telegram):
    first = telegram.say("/start@loop_bot go, @ana", ANA)
    telegram.photo(caption="see")
    telegram.voice()
    telegram.audio()
    telegram.sticker()
    telegram.location(1.5, 2.5)
    telegram.contact("+15550100", "Zoe")
    telegram.poll("Tea?", ["yes", "no"])
    telegram.quote(first, "go", "where?")
    for origin in ("user", "hidden", "channel"):
        telegram.forward("news", origin)
    telegram.say("post", NEWS)
    updates = await bot.get_updates()
    said = [update.message for update in updates[:-1]]
    assert [one.content_type for one in said[:8]] == [
        "text",
        "photo",
        "voice",
        "audio",
        "sticker",
        "location",
        "contact",
        "poll",
    ]
    marked = [entity.extract_from(said[0].text) for entity in said[0].entities]
    assert marked == ["/start@loop_bot", "@ana"]
    assert (said[8].quote.text, said[8].reply_to_message.message_id) == ("go", 1)
    assert [one.forward_origin.type for one in said[9:]] == [
        "user",
        "hidden_user",
        "channel",
    ]
    assert updates[-1].channel_post.sender_chat.id == NEWS


async def test_an_album_may_come_out_of_order_and_a_paste_in_pieces(bot, telegram):
    telegram.album([b"1", b"2", b"3", b"4"], "trip", shuffled=True)
    album = [update.message for update in await bot.get_updates()]
    assert len({one.media_group_id for one in album}) == 1
    numbers = [one.message_id for one in album]
    assert sorted(numbers) == [1, 2, 3, 4] != numbers
    assert [one.caption for one in album if one.message_id == 1] == ["trip"]
    assert [len(one["text"]) for one in telegram.paste("x" * 5000)] == [4096, 904]


async def test_privacy_keeps_talk_of_others_from_the_bot(bot, telegram):
    telegram.bot().reads_all = False
    telegram.say("between us", ROOM)
    telegram.say("hey @loop_bot", ROOM)
    telegram.say("/new", ROOM)
    telegram.say("/new@other_bot", ROOM)
    asked = await bot.send_message(ROOM, "?")
    telegram.say("yes", ROOM, reply_to=asked.message_id)
    heard = [update.message.text for update in await bot.get_updates()]
    assert heard == ["hey @loop_bot", "/new", "yes"]


async def test_malformed_updates_come_as_they_are(bot, telegram):
    telegram.raw({"message": {"text": 5}})
    with pytest.raises(ClientDecodeError):
        await bot.get_updates()


async def test_a_whole_conversation_through_the_clients_own_loop(bot, telegram):
    """The dispatcher polls, confirms and answers as it would the real Telegram."""
    dispatcher = Dispatcher()

    @dispatcher.message()
    async def answer(message):
        await bot.send_chat_action(message.chat.id, "typing")
        shown = await message.answer("...")
        await shown.edit_text(f"you said {message.text}")

    async with asyncio.TaskGroup() as tasks:
        polling = dispatcher.start_polling(bot, handle_signals=False)
        running = tasks.create_task(polling)
        for text in ("one", "two"):
            telegram.say(text)
            await telegram.until(
                lambda text=text: f"you said {text}" in telegram.texts(ANA)
            )
        await dispatcher.stop_polling()
        await running
    assert telegram.pending() == telegram.complaints == []
