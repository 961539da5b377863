"""In a group the bot hears what is meant for it, and no more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.heard import What
from channels.telegram import groups, hearing
from channels.telegram.groups import Me
from channels.telegram.settings import BotSettings, GroupMode
from tests.channels.telegram.hearers import BOT, ears
from tests.servers.telegram import TOKEN

ANA = {"id": 7, "is_bot": False, "first_name": "Ana"}
US = {"id": BOT, "is_bot": True, "first_name": "Loop", "username": "loop_bot"}
GROUP = {"id": -100, "type": "supergroup", "title": "Home"}
FORUM = GROUP | {"is_forum": True}
COMMANDS = (("new", "start afresh"),)
OURS = {"message_id": 3, "chat": GROUP, "from": US, "text": "what I said"}
THEIRS = {"message_id": 3, "chat": GROUP, "from": ANA, "text": "what she said"}


def units(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def marked(text, *covered, kind="mention", **more):
    """Give a text with entities where Telegram counts them."""
    found = [(units(text[: text.index(one)]), units(one)) for one in covered]
    entities = [{"type": kind, "offset": o, "length": n, **more} for o, n in found]
    return {"text": text, "entities": entities}


def message(content, chat=GROUP):
    base = {"message_id": 5, "date": 1_900_000_000, "chat": chat, "from": ANA}
    return base | content


def said(content, chat=GROUP, **settings):
    settings.setdefault("commands", COMMANDS)
    raw = {"update_id": 1, "message": message(content, chat)}
    got = hearing.message(raw, ears(**settings))
    return got and got.text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (marked("@loop_bot hello", "@loop_bot"), "hello"),
        (marked("@Loop_Bot, hello", "@Loop_Bot"), "hello"),
        (marked("hello @loop_bot", "@loop_bot"), "hello"),
        (marked("what time is it, @loop_bot?", "@loop_bot"), "what time is it?"),
        (marked("tell @loop_bot that", "@loop_bot"), "tell @loop_bot that"),
        (marked("👩‍👩‍👧 @loop_bot", "@loop_bot"), "👩‍👩‍👧"),
        (marked("שלום @loop_bot", "@loop_bot"), "שלום"),
        (marked("@loop_bot", "@loop_bot"), "@loop_bot"),
        (marked("Loop hi", "Loop", kind="text_mention", user=US), "hi"),
        (marked("/new@loop_bot now", "/new@loop_bot", kind="bot_command"), "/new now"),
        (marked("/else@LOOP_bot x", "/else@LOOP_bot", kind="bot_command"), "/else x"),
        (marked("/new now", "/new", kind="bot_command"), "/new now"),
        ({"text": "yes", "reply_to_message": OURS}, "yes"),
        (
            {"text": "yes", "reply_to_message": OURS, "message_thread_id": 3},
            "yes",
        ),
        (
            {
                "photo": [{"file_id": "P"}],
                "caption": "@loop_bot what",
                "caption_entities": [{"type": "mention", "offset": 0, "length": 9}],
            },
            "what",
        ),
    ],
)
def test_it_is_for_us(content, text):
    """Named, answered or ordered; the name itself is no part of what is said."""
    assert said(content) == text


TOPIC = {"message_thread_id": 4, "is_topic_message": True}
OPENED = {"message_id": 4, "chat": FORUM, "from": US, "forum_topic_created": {}} | TOPIC


@pytest.mark.parametrize(
    "content",
    [
        {"text": "hello all"},
        {"text": "@loop_bot without a mark"},
        marked("@loop_bottom hello", "@loop_bottom"),
        marked("Ana hi", "Ana", kind="text_mention", user=ANA),
        marked("/new@other_bot", "/new@other_bot", kind="bot_command"),
        marked("/weather", "/weather", kind="bot_command"),
        marked("see /new", "/new", kind="bot_command"),
        {"text": "yes", "reply_to_message": THEIRS},
        # Clients put the first message of a topic there, which we may have opened.
        {"text": "hello", "reply_to_message": OPENED} | TOPIC,
        marked("@loop_bot x", "@loop_bot") | {"forward_origin": {"type": "channel"}},
    ],
)
def test_it_is_not_for_us(content):
    """People talk to each other, and to other bots."""
    assert said(content) is None


def test_a_command_for_another_bot_is_never_ours():
    """Not where everything else is, and not as something overheard either."""
    other = marked("/new@other_bot", "/new@other_bot", kind="bot_command")

    assert said(other, group_mode=GroupMode.ALL) is None
    assert said(other, group_context=True) is None


@pytest.mark.parametrize(
    ("chat", "content", "topics"),
    [
        (FORUM, TOPIC, {"-100:4"}),
        (FORUM, {}, {"-100:1"}),
    ],
)
def test_in_a_topic_of_its_own_everything_is(chat, content, topics):
    """General is written by its number there, for want of another name."""
    content = {"text": "hello"} | content

    assert said(content, chat, topics=frozenset(topics)) == "hello"
    assert said(content, chat, topics=frozenset({"-100:9", "-200:4"})) is None


def test_modes_say_how_much_is_heard():
    """Everything, or nothing at all, not even what names it."""
    assert said({"text": "hello"}, group_mode=GroupMode.ALL) == "hello"
    named = marked("@loop_bot hello", "@loop_bot")
    assert said(named, group_mode=GroupMode.OFF, group_context=True) is None


def test_the_rest_is_context_where_that_is_wanted():
    """It is heard, and starts nothing."""
    raw = {"update_id": 1, "message": message({"text": "hello all"})}

    assert hearing.message(raw, ears()) is None
    got = hearing.message(raw, ears(group_context=True))
    assert got is not None
    assert (got.what, got.text) == (What.CONTEXT, "hello all")


def test_in_private_all_is_for_us():
    """There is nobody else; even a command that names another bot."""
    chat = {"id": 7, "type": "private", "first_name": "Ana"}

    assert said({"text": "hello"}, chat, group_mode=GroupMode.OFF) == "hello"
    other = marked("/new@old_name x", "/new@old_name", kind="bot_command")
    assert said(other, chat) == "/new x"
    start = marked("/start abc-1", "/start", kind="bot_command")
    assert said(start, chat) == "/start abc-1"


@given(st.text(), st.text(), st.booleans())
def test_no_text_is_harmed_by_names_in_it(before, after, spaced):
    """What is left is what was there, but for the name and what parted it."""
    gap = " " if spaced else ""
    text = f"{before}{gap}@loop_bot{gap}{after}"
    start = units(before + gap)
    entity = {"type": "mention", "offset": start, "length": 9}
    settings = BotSettings(name="main", token=TOKEN)
    raw = message({"text": text, "entities": [entity]})

    got = groups.words(raw, Me(BOT, "loop_bot"), settings, is_ours=False)

    assert got.is_ours
    assert _bare(got.text) in {_bare(text), _bare(before + after)}


def _bare(text):
    return "".join(one for one in text if not one.isspace() and one not in ",:;.?!")
