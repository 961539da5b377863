"""The loopback Telegram: what bots send and what is refused."""

import pytest
from aiogram.exceptions import (
    TelegramBadRequest,
    TelegramNotFound,
)
from aiogram.types import (
    BotCommand,
    BufferedInputFile,
    InputMediaDocument,
    ReactionTypeEmoji,
    ReplyParameters,
)

from tests.channels.telegram.served import bot, buttons, kinds, mark, telegram
from tests.servers.telegram import (
    GENERAL,
)
from tests.servers.telegram.furnished import (
    ANA,
    BEN,
    FORUM,
    GROUP,
    NEWS,
    ROOM,
)

# Fixtures: pytest finds them by their names.
__all__ = ["bot", "telegram"]


# -- what is refused


REFUSED = {
    "empty": ({"text": " \n "}, "text must be non-empty"),
    "unseen": ({"text": "\u200b\u2800\ufeff"}, "text must be non-empty"),
    "long": ({"text": "x" * 4097}, "message is too long"),
    "astral": ({"text": "😀" * 2049}, "message is too long"),
    "unknown chat": ({"chat_id": 404}, "chat not found"),
    "no such name": ({"chat_id": "@nobody"}, "chat not found"),
    "no topics here": ({"message_thread_id": 3}, "message thread not found"),
    "General": (
        {"chat_id": FORUM, "message_thread_id": GENERAL},
        "message thread not found",
    ),
    "lost topic": (
        {"chat_id": FORUM, "message_thread_id": 99},
        "message thread not found",
    ),
    "reply": (
        {"reply_parameters": ReplyParameters(message_id=99)},
        "message to be replied not found",
    ),
    "no data": ({"reply_markup": buttons("")}, "BUTTON_DATA_INVALID"),
    "much data": ({"reply_markup": buttons("é" * 33)}, "BUTTON_DATA_INVALID"),
    "many": ({"reply_markup": buttons(*["x"] * 101)}, "REPLY_MARKUP_TOO_LONG"),
    "half a letter": ({"text": "😀x", "entities": mark("bold", 1, 2)}, "UTF-16"),
    "past the end": ({"entities": mark("bold", 0, 3)}, "ends after the text"),
    "no length": ({"entities": mark("bold", 0, 0)}, "incorrect length"),
    "unknown": ({"entities": mark("huge", 0, 1)}, "unknown type"),
    "no url": ({"entities": mark("text_link", 0, 1)}, 'find field "url"'),
    "odd url": ({"entities": mark("text_link", 0, 1, url="a b")}, "dropped"),
    "crossing": (
        {"text": "abcd", "entities": mark("bold", 0, 3) + mark("italic", 2, 2)},
        "crosses",
    ),
    "in code": (
        {"text": "abcd", "entities": mark("code", 0, 4) + mark("bold", 1, 1)},
        "in a code",
    ),
    "quotes": (
        {
            "text": "abcd",
            "entities": mark("blockquote", 0, 4) + mark("expandable_blockquote", 1, 1),
        },
        "one of its kind",
    ),
    "no host": ({"entities": mark("text_link", 0, 1, url="http://x/y")}, "dropped"),
    "html": ({"text": "<b>x", "parse_mode": "HTML"}, "can't parse entities"),
    "markdown": ({"text": "a.", "parse_mode": "MarkdownV2"}, "'.' is reserved"),
    "mode": ({"parse_mode": "Rtf"}, "unsupported parse_mode"),
}


@pytest.mark.parametrize(("given", "words"), REFUSED.values(), ids=REFUSED)
async def test_a_message_is_refused_in_the_servers_words(bot, telegram, given, words):
    with pytest.raises(TelegramBadRequest, match=words):
        await bot.send_message(**{"chat_id": ANA, "text": "hi"} | given)
    assert telegram.sent(ANA) == telegram.sent(FORUM) == []


async def test_the_doubtful_is_also_complained_of(bot, telegram):
    """The real server would mend it, and nobody would ever know."""
    with pytest.raises(TelegramBadRequest):
        await bot.send_message(ANA, "a b", entities=mark("bold", 1, 1))
    assert telegram.complaints == ["entities: a bold of blanks would be dropped"]


async def test_blanks_at_the_ends_are_taken_off_unless_they_are_code(bot, telegram):
    """Entities move along; of two that cover the same, either may come first."""
    await bot.send_message(ANA, "\n\n x \n", entities=mark("bold", 3, 1))
    both = mark("code", 0, 1) + mark("blockquote", 0, 1)
    await bot.send_message(ANA, "x", entities=both)
    await bot.send_message(ANA, "  x\ny", entities=mark("pre", 0, 5))
    assert telegram.texts(ANA) == ["x", "x", "  x\ny"]
    assert [one.entities[0]["offset"] for one in telegram.sent(ANA)] == [0, 0, 0]
    assert telegram.complaints == []
    await bot.send_message(ANA, "x y", entities=mark("bold", 0, 2))
    assert telegram.complaints == ["text: blanks at the end of an entity"]


HTML = {
    "<b>a &amp; <i>b</i></b>": ("a & b", [("bold", 0, 5), ("italic", 4, 1)]),
    '😀<a href="https://x.y?a=1&amp;b">l</a>': ("😀l", [("text_link", 2, 1)]),
    '<pre><code class="language-py">x</code></pre>': ("x", [("pre", 0, 1)]),
    "<blockquote expandable>q</blockquote>": ("q", [("expandable_blockquote", 0, 1)]),
    '<span class="tg-spoiler">s</span> &#128512; &copy;': (
        "s 😀 &copy;",
        [("spoiler", 0, 1)],
    ),
    "  <b>x </b> ": ("x", [("bold", 0, 1)]),
    "<b>x</i>": 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"',
    "é<chad@x>": 'Unsupported start tag "chad@x" at byte offset 2',
    "a < b": "Unclosed start tag at byte offset 2",
    "x</b>": "Unexpected end tag at byte offset 1",
    "<i>x": 'Can\'t find end tag corresponding to start tag "i"',
    "<span>x</span>": 'Tag "span" must have class "tg-spoiler"',
}
MARKDOWN = {
    r"*a _b_* __c__ ~d~ ||e||": (
        "a b c d e",
        [
            ("bold", 0, 3),
            ("italic", 2, 1),
            ("underline", 4, 1),
            ("strikethrough", 6, 1),
            ("spoiler", 8, 1),
        ],
    ),
    r"[l\]](https://x.y/\)) 1\.": ("l] 1.", [("text_link", 0, 2)]),
    "```py\nx\\`\n``` `c`": ("x`\n c", [("pre", 0, 3), ("code", 4, 1)]),
    ">q\n>r\nplain": ("q\nr\nplain", [("blockquote", 0, 4)]),
    "a_b*c[": "Can't find end of",
    "*open": "Can't find end of Bold entity at byte offset 0",
    "é`open": "Can't find end of Code entity at byte offset 2",
    "1-2": "Character '-' is reserved and must be escaped with the preceding '\\\\'",
}
PARSED = [("HTML", *item) for item in HTML.items()]
PARSED += [("MarkdownV2", *item) for item in MARKDOWN.items()]


@pytest.mark.parametrize(("mode", "source", "wanted"), PARSED)
async def test_markup_is_read_as_telegram_reads_it(bot, telegram, mode, source, wanted):
    if isinstance(wanted, str):
        with pytest.raises(TelegramBadRequest, match=wanted.replace("(", r"\(")):
            await bot.send_message(ANA, source, parse_mode=mode)
        return
    await bot.send_message(ANA, source, parse_mode=mode)
    (seen,) = telegram.sent(ANA)
    marks = [(each["type"], each["offset"], each["length"]) for each in seen.entities]
    assert (seen.text, marks) == wanted
    assert telegram.complaints == []


# -- what is shown


async def test_people_see_what_is_left_of_messages(bot, telegram):
    """Edits and deletions count; an edit without buttons takes them away."""
    first = await bot.send_message(ANA, "one", reply_markup=buttons("x"))
    second = await bot.send_message(ANA, "two")
    assert [one.buttons for one in telegram.sent(ANA)] == [("bx",), ()]
    with pytest.raises(TelegramBadRequest, match="message is not modified"):
        await second.edit_text("two")
    await first.edit_text("uno")
    await second.delete()
    for act in (second.edit_text("x"), second.delete()):
        with pytest.raises(TelegramBadRequest, match=r"to (edit|delete) not found"):
            await act
    (seen,) = telegram.sent(ANA)
    assert (seen.text, seen.edited, seen.buttons) == ("uno", True, ())
    own = telegram.say("mine")
    with pytest.raises(TelegramBadRequest, match="message can't be edited"):
        await bot.edit_message_text("x", chat_id=ANA, message_id=own["message_id"])


async def test_files_go_both_ways(bot, telegram):
    """What is too big to be had says so; what is empty or no picture is refused."""
    up = BufferedInputFile(b"a,b", "t.csv")
    await bot.send_document(ANA, up, caption="<b>t</b>", parse_mode="HTML")
    (seen,) = telegram.sent(ANA)
    assert (seen.kind, seen.name, seen.document, seen.text) == (
        "document",
        "t.csv",
        b"a,b",
        "t",
    )
    down = telegram.document(b"text", "n.txt", "read this")["document"]["file_id"]
    assert (await bot.download(down)).read() == b"text"
    big = telegram.voice(size=21 << 20)["voice"]["file_id"]
    with pytest.raises(TelegramBadRequest, match="file is too big"):
        await bot.get_file(big)
    with pytest.raises(TelegramBadRequest, match="must be non-empty"):
        await bot.send_document(ANA, BufferedInputFile(b"", "t.csv"))
    with pytest.raises(TelegramBadRequest, match="IMAGE_PROCESS_FAILED"):
        await bot.send_photo(ANA, BufferedInputFile(b"text", "t.jpg"))
    with pytest.raises(TelegramBadRequest, match="caption is too long"):
        await bot.send_document(ANA, up, caption="x" * 1025)
    media = [InputMediaDocument(media=BufferedInputFile(b"x", n)) for n in ("a", "b")]
    assert len(await bot.send_media_group(ANA, media)) == 2


async def test_topics_are_kept_apart(bot, telegram):
    """General has no id; a topic's messages reply to the one that opened it."""
    topic = telegram.topic(FORUM, "Trips")
    telegram.say("there", FORUM, topic=topic)
    telegram.say("here", FORUM)
    _opened, there, here = [u.message for u in await bot.get_updates()]
    assert (there.message_thread_id, there.is_topic_message) == (topic, True)
    assert there.reply_to_message.forum_topic_created.name == "Trips"
    assert (here.message_thread_id, here.is_topic_message) == (None, None)
    await there.answer("a")
    await here.answer("b")
    await there.reply("c")
    assert telegram.texts(FORUM, topic) == ["a", "c"]
    assert telegram.texts(FORUM, GENERAL) == ["b"]
    assert [one.reply_to for one in telegram.sent(FORUM, topic)] == [
        None,
        there.message_id,
    ]
    await bot.send_chat_action(FORUM, "typing", message_thread_id=topic)
    await bot.send_chat_action(FORUM, "typing", message_thread_id=GENERAL)
    assert [name for name, _ in telegram.actions(FORUM, topic)] == ["typing"]
    telegram.drop_topic(FORUM, topic)
    with pytest.raises(TelegramBadRequest, match="message thread not found"):
        await there.answer("late")
    made = await bot.create_forum_topic(FORUM, "New")
    await bot.send_message(FORUM, "x", message_thread_id=made.message_thread_id)


async def test_a_reply_in_a_supergroup_has_a_thread_that_is_no_topic(bot, telegram):
    first = telegram.say("first", ROOM)
    telegram.say("second", ROOM, reply_to=first)
    told = (await bot.get_updates())[1].message
    assert told.message_thread_id == first["message_id"]
    assert not told.is_topic_message
    await told.reply("third")
    assert telegram.sent(ROOM)[0].reply_to == told.message_id


async def test_drafts_are_for_one_person_and_may_be_unknown(bot, telegram):
    await bot.send_message_draft(chat_id=ANA, draft_id=1, text="he", can_stop=True)
    await bot.send_message_draft(chat_id=ANA, draft_id=1, text="hello")
    assert [draft.text for draft in telegram.drafts(ANA)] == ["he", "hello"]
    await bot.send_message(ANA, "hello you")
    assert telegram.draft_now(ANA) is None
    await bot.send_message_draft(chat_id=ANA, draft_id=2, can_stop=True)
    telegram.stop_draft(ANA)
    assert await kinds(bot) == ["stopped_message_generation"]
    with pytest.raises(TelegramBadRequest, match="TEXTDRAFT_PEER_INVALID"):
        await bot.send_message_draft(chat_id=ROOM, draft_id=1, text="x")
    telegram.drafts_known = False
    with pytest.raises(TelegramNotFound):
        await bot.send_message_draft(chat_id=ANA, draft_id=1, text="x")


async def test_a_press_is_answered_once_and_in_time(bot, telegram):
    await bot.send_message(ANA, "?", reply_markup=buttons("yes", "no"))
    (seen,) = telegram.sent(ANA)
    query = telegram.press(seen, "byes", ANA)
    (update,) = await bot.get_updates()
    assert (update.callback_query.data, update.callback_query.from_user.id) == (
        "yes",
        ANA,
    )
    assert not query.answered
    await update.callback_query.answer("done")
    assert (query.answered, query.text) == (True, "done")
    second = telegram.press(seen, "bno")
    for number in (query.id, "1"):
        with pytest.raises(TelegramBadRequest, match="query is too old"):
            await bot.answer_callback_query(number)
    telegram.expire_queries()
    with pytest.raises(TelegramBadRequest, match="query is too old"):
        await bot.answer_callback_query(second.id)
    await bot.delete_message(ANA, seen.id)
    telegram.press(seen, "bno")
    assert (await bot.get_updates())[-1].callback_query.message.date == 0


@pytest.mark.usefixtures("telegram")
async def test_ids_are_counted_where_telegram_counts_them(bot):
    """One count for private chats and groups, one for each supergroup."""
    numbers = [
        (await bot.send_message(chat, "x")).message_id
        for chat in (ANA, GROUP, BEN, ROOM, NEWS)
    ]
    assert numbers == [1, 2, 3, 2, 2]


async def test_commands_reactions_and_members_follow_the_tables(bot, telegram):
    menu = [BotCommand(command="new", description="Begin")]
    await bot.set_my_commands(menu)
    (told,) = await bot.get_my_commands()
    assert (told.command, told.description) == ("new", "Begin")
    await bot.delete_my_commands()
    assert await bot.get_my_commands() == []
    for wrong, words in (
        (menu * 101, "TOO_MUCH"),
        ([BotCommand(command="New", description="x")], "BOT_COMMAND_INVALID"),
        ([BotCommand(command="n", description="x" * 257)], "DESCRIPTION_INVALID"),
    ):
        with pytest.raises(TelegramBadRequest, match=words):
            await bot.set_my_commands(wrong)
    said = telegram.say("hi")["message_id"]
    await bot.set_message_reaction(ANA, said, [ReactionTypeEmoji(emoji="👀")])
    assert telegram.reactions(ANA, said) == ["👀"]
    with pytest.raises(TelegramBadRequest, match="REACTION_INVALID"):
        await bot.set_message_reaction(ANA, said, [ReactionTypeEmoji(emoji="🪿")])
    for status in ("member", "left", "administrator", "kicked", "creator"):
        telegram.become(BEN, ROOM, status)
        assert (await bot.get_chat_member(ROOM, BEN)).status == status
    with pytest.raises(TelegramBadRequest, match="user not found"):
        await bot.get_chat_member(ROOM, 404)
    assert (await bot.get_chat(FORUM)).is_forum
    assert (await bot.me()).username == "loop_bot"
