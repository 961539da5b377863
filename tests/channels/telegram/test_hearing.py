"""Raw messages become what the door hears; nothing of them is believed."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.errors import InputError
from apx.domain.heard import What
from apx.domain.thread import Thread
from channels.telegram import hearing
from channels.telegram.settings import GroupMode
from tests.channels.telegram.hearers import (
    ANA,
    BOT,
    GROUP,
    NOW,
    PRIVATE,
    US,
    ears,
    heard,
)

REPLIED = {"message_id": 3, "chat": PRIVATE, "from": ANA, "text": "the whole of it"}


def test_a_text_is_heard_with_who_said_it_and_where():
    """Ids that stay, the name for display, the time with its zone."""
    got = heard(text="hello")

    assert got.text == "hello"
    assert got.external_id == f"{BOT}.7.5"
    assert got.at == datetime.fromtimestamp(1_900_000_000, UTC)
    assert str(got.caller.account) == "telegram:main:7"
    assert got.caller.thread == Thread("telegram", "main:7")
    assert (got.caller.name, got.caller.group) == ("Ana Ruiz", "")
    assert got.what is What.MESSAGE


def test_an_edit_bears_the_id_of_what_it_edits():
    """The core decides what becomes of it."""
    got = heard(kind="edited_message", text="better", edit_date=1_900_000_060)

    assert got.what is What.EDIT
    assert got.external_id == f"{BOT}.7.5"
    assert got.revision == "1900000060"
    assert got.at.timestamp() == 1_900_000_060


def test_a_place_that_moves_is_not_a_message_each_time():
    """Live locations are edits, many a minute."""
    moved = {"location": {"latitude": 1, "longitude": 2}, "edit_date": 1_900_000_060}

    assert heard(kind="edited_message", **moved) is None


def test_pictures_of_an_album_know_each_other():
    """Across chats and bots the number means nothing."""
    got = heard(photo=[{"file_id": "P"}], media_group_id="77")

    assert got.album == f"{BOT}.7.77"


@pytest.mark.parametrize(
    ("chat", "topic", "place"),
    [
        (GROUP, {}, "main:-100"),
        (GROUP, {"message_thread_id": 4, "is_topic_message": True}, "main:-100:4"),
        (GROUP, {"message_thread_id": 1, "is_topic_message": True}, "main:-100"),
        # A discussion that is no topic.
        (GROUP, {"message_thread_id": 4}, "main:-100"),
        (PRIVATE, {"message_thread_id": 4, "is_topic_message": True}, "main:7:4"),
    ],
)
def test_each_topic_is_a_thread(chat, topic, place):
    """General has a number that must not be used."""
    got = heard(chat, text="x", settings={"group_mode": GroupMode.ALL}, **topic)

    assert got.caller.thread == Thread("telegram", place)
    assert got.caller.group == ("-100" if chat is GROUP else "")


@pytest.mark.parametrize(
    "content",
    [
        {"new_chat_members": [ANA]},
        {"left_chat_member": ANA},
        {"pinned_message": {"message_id": 1, "chat": GROUP, "date": 0}},
        {"new_chat_title": "Other"},
        {"new_chat_photo": [{"file_id": "P"}]},
        {"forum_topic_created": {"name": "x"}},
        {"of_tomorrow": {"text": "x"}},
        {"text": "x", "from": US},
        {"text": "x", "from": ANA | {"is_bot": True}},
        {"text": "x", "sender_chat": GROUP},
        {"text": "x", "chat": {"id": -9, "type": "channel", "title": "News"}},
    ],
)
def test_what_no_person_said_starts_nothing(content):
    """Service messages, bots, channels and whoever hides behind the group."""
    assert heard(GROUP, settings={"group_mode": GroupMode.ALL}, **content) is None


@pytest.mark.parametrize(
    "content",
    [
        {"text": 5},
        {"text": ["a"]},
        {"caption": {}},
        {"text": "x", "message_id": "5"},
        {"text": "x", "message_id": True},
        {"text": "x", "date": 10**30},
        {"text": "x", "date": -1},
        {"text": "x", "date": None},
        {"text": "x", "chat": "Ana"},
        {"text": "x", "chat": {"id": 7, "type": "of tomorrow"}},
        {"text": "x", "from": None},
        {"text": "x", "from": {"is_bot": False}},
        {"voice": {"duration": 3}},
        {"text": "x", "media_group_id": 7},
    ],
)
def test_what_cannot_be_read_is_refused(content):
    """Rather set aside, and its person told, than heard as something else."""
    with pytest.raises(InputError):
        heard(**content)


@pytest.mark.parametrize(
    "content",
    [
        {"entities": 5},
        {"entities": [5, {"type": "mention"}, {"offset": -1, "length": 2}]},
        {"entities": [{"type": "mention", "offset": 2, "length": 900}]},
        {"reply_to_message": "x"},
        {"reply_to_message": {"from": 5}},
        {"quote": 5},
        {"forward_origin": 5},
        {"photo": 5},
    ],
)
def test_what_only_adorns_never_spoils_a_message(content):
    """Telegram changes such fields without asking us."""
    assert heard(text="hello", **content).text == "hello"


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "\u202eevil", "x" * 5000, "\n\n"])
def test_no_name_breaks_anything(name):
    """Names are what anybody likes to call themselves."""
    who = ANA | {"first_name": name, "last_name": name}
    got = heard(
        text=f"hi {name}",
        **{"from": who},
        forward_origin=None,
        document={"file_id": "D", "file_name": name},
        reply_to_message=REPLIED | {"from": who},
    )

    told = [got.text, got.caller.name, got.files[0].title, got.quoted[0].by]
    assert not any("\0" in one or "\ud800" in one for one in told)
    assert "\u202e" not in got.caller.name
    "".join(told).encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = [
    *("text", "caption", "entities", "photo", "document", "voice", "location", "poll"),
    *("reply_to_message", "quote", "external_reply", "forward_origin", "via_bot"),
    *("from", "chat", "sender_chat", "date", "message_id", "media_group_id"),
    *("rich_message", "checklist", "contact", "story", "message_thread_id", "venue"),
]


@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6))
def test_whatever_comes_is_heard_left_or_refused(content):
    """No other error: nothing that Telegram sends may end whoever hears it."""
    try:
        got = heard(GROUP, settings={"group_mode": GroupMode.ALL}, **content)
    except InputError:
        return
    assert got is None or got.external_id


def test_the_button_under_a_growing_reply_stops_its_turn():
    """The draft bears the turn's number; its chat is the person."""
    press = hearing.stopped({"chat": PRIVATE, "draft_id": 31}, ears(), NOW)

    assert press is not None
    assert (press.data, press.caller.account.user) == ("stop:31", "7")
    assert press.caller.thread == Thread("telegram", "main:7")
    assert hearing.stopped({"chat": GROUP, "draft_id": 31}, ears(), NOW) is None
