"""Raw messages become what the door hears; nothing of them is believed."""

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apx.domain.errors import InputError
from apx.domain.heard import What
from apx.domain.thread import Thread
from channels.discord import hearing
from channels.discord.guilds import Room
from channels.discord.places import Own, State
from channels.discord.settings import GuildMode, ThreadMode
from tests.channels.discord.hearers import (
    ANA,
    DM,
    HALL,
    NUMBER,
    POST,
    US,
    ears,
    heard,
    raw,
)

EDITED = "2030-01-01T12:00:00.123000+00:00"
TO_US = {"content": "<@900> hello", "mentions": [US]}
ALL = {"guild_mode": GuildMode.ALL}


def test_a_private_message_is_heard_with_who_said_it_and_where():
    """Ids that stay, the name for display, the time that the id tells."""
    got = heard(content="hello")

    assert got.text == "hello"
    assert got.external_id == f"901.20.{NUMBER}"
    assert got.at == datetime(2024, 10, 27, 7, 35, 52, 832000, tzinfo=UTC)
    assert str(got.caller.account) == "discord:main:7"
    assert got.caller.thread == Thread("discord", "main:20")
    assert (got.caller.name, got.caller.group) == ("Ana Ruiz", "")
    assert got.what is What.MESSAGE


def test_a_guild_calls_people_as_it_likes():
    """The name is for display alone; the group is the guild."""
    got = heard(HALL, **TO_US, member={"nick": "Chef"})

    assert (got.caller.name, got.caller.group) == ("Chef", "5")


@pytest.mark.parametrize(
    ("content", "settings"),
    [
        (TO_US, {}),
        ({"content": "hello <@!900>", "mentions": [US]}, {}),
        ({"content": "<@&60> hello", "mention_roles": ["60"]}, {}),
        ({"content": "hello"}, ALL),
        ({"content": "hello"}, {"channels": frozenset({"50"})}),
        ({"content": "hello", "referenced_message": {"author": US}, "type": 19}, {}),
    ],
)
def test_in_a_guild_it_has_to_be_for_the_bot(content, settings):
    """It is named, answered, or all is for it there; the name itself is left out."""
    got = heard(HALL, by=ears(**settings), **content)

    assert got.what is What.MESSAGE
    assert got.text == "hello"


@pytest.mark.parametrize("text", ["/new", " /new", "<@900> /new", "/status\nnow"])
def test_a_command_that_we_know_is_for_us(text):
    """Written as text: Discord's own commands come another way."""
    named = {"mentions": [US]} if "<@" in text else {}

    assert heard(HALL, content=text, **named).text.startswith("/")
    assert heard(HALL, content="/roll 2") is None


def test_what_is_not_for_the_bot_is_context_or_nothing():
    """As config.json says; without words there is nothing to know."""
    others = {"content": "<@8> come", "mentions": [{"id": "8", "username": "bo"}]}

    assert heard(HALL, **others) is None
    got = heard(HALL, by=ears(guild_context=True), **others)
    assert (got.what, got.text) == (What.CONTEXT, "@bo come")
    assert heard(HALL, by=ears(guild_context=True)) is None


async def test_in_threads_of_ours_and_posts_of_a_listed_forum_all_is_for_us():
    """A thread is a conversation; so is a post, whose title is its beginning."""
    by = ears(channels=frozenset({"51"}))
    await by.places.keep_own(77, Own(50, 7))
    first = {"id": "70"}

    ours = heard(Room(77, 5, 11, 50), by=by, content="on")
    post = heard(POST, by=by, content="for eggs")
    opening = heard(POST, by=by, content="for eggs", **first)

    assert [one.caller.thread.place for one in (ours, post)] == ["main:77", "main:70"]
    assert post.text == "for eggs"
    assert opening.text == "Which pan?\nfor eggs"
    assert not hearing.began(opening, raw(POST, **first), POST, by)


AUTO = {"thread_mode": ThreadMode.AUTO}


@pytest.mark.parametrize(
    ("room", "text", "settings", "thread"),
    [
        (HALL, "<@900> why", AUTO, NUMBER),
        (HALL, "<@900> why", {}, 50),
        (HALL, "/status", AUTO, 50),
        (HALL, "so it is", AUTO | {"guild_context": True}, 50),
        (DM, "why", AUTO, 20),
        (Room(77, 5, 11, 50), "<@900> why", AUTO, 77),
        (Room(78, 5, 2), "<@900> why", AUTO, 78),
        (Room(79, 5), "<@900> why", AUTO, 79),
    ],
)
def test_a_question_in_a_channel_may_begin_a_thread(room, text, settings, thread):
    """Whose id is that of the question; its message stays where it was said."""
    by = ears(**settings)
    content = {"content": text, "mentions": [US] if "<@" in text else []}

    got = heard(room, by=by, **content)

    assert got.caller.thread.place == f"main:{thread}"
    assert got.external_id == f"901.{room.id}.{NUMBER}"
    begins = thread if thread == NUMBER else 0
    assert hearing.began(got, raw(room, **content), room, by) == begins


async def test_what_could_have_no_thread_goes_on_in_replies():
    """Else each answer to an answer would be a conversation without a beginning."""
    by = ears(**AUTO)
    await by.places.keep_own(33, Own(50, 7))
    ours = {"author": US, "message_reference": {"message_id": "33"}}
    content = {"content": "and then?", "type": 19, "referenced_message": ours}

    afresh = heard(HALL, by=by, **content)
    await by.places.became(33, State.FLAT)
    goes_on = heard(HALL, by=by, **content)

    assert afresh.caller.thread.place == f"main:{NUMBER}"
    assert goes_on.caller.thread.place == "main:33"
    assert not hearing.began(goes_on, raw(HALL, **content), HALL, by)


async def test_a_question_keeps_its_thread_whatever_config_json_says_by_then():
    """Found once more after a start, it must not be another question."""
    by = ears()
    await by.places.keep_own(NUMBER, Own(50, 7))

    assert heard(HALL, by=by, **TO_US).caller.thread.place == f"main:{NUMBER}"


@pytest.mark.parametrize(
    "content",
    [
        {"content": "x", "author": ANA | {"bot": True}},
        {"content": "x", "author": US | {"bot": False}},
        {"content": "x", "author": ANA | {"system": True}},
        {"content": "x", "webhook_id": "5"},
        *({"content": "x", "type": kind} for kind in (6, 7, 18, 20, 21, 23, 46, 99)),
        {},
        {"content": " \n"},
        {"embeds": [{"type": "rich", "title": "x"}]},
    ],
)
def test_what_no_person_said_starts_nothing(content):
    """Bots, webhooks, what Discord says itself, and previews."""
    assert heard(**content) is None


def edit(room=DM, by=None, **content):
    return hearing.edit(raw(room, **content), room, by or ears())


def test_an_edit_bears_the_id_of_what_it_edits():
    """The core decides what becomes of it."""
    got = edit(content="better", edited_timestamp=EDITED)

    assert (got.what, got.text) == (What.EDIT, "better")
    assert got.external_id == f"901.20.{NUMBER}"
    assert got.at == datetime.fromisoformat(EDITED)
    assert got.revision == got.at.isoformat()


def test_an_edit_in_a_guild_need_not_name_the_bot():
    """It may be of what did; whether it is, the core knows."""
    got = edit(HALL, content="never mind", edited_timestamp=EDITED)

    assert (got.what, got.text) == (What.EDIT, "never mind")
    assert got.external_id == f"901.50.{NUMBER}"


@pytest.mark.parametrize(
    "content",
    [
        {"content": "a preview came"},
        {"content": "x", "edited_timestamp": EDITED, "author": None},
        {"content": None, "edited_timestamp": EDITED},
        {"content": "x", "edited_timestamp": EDITED, "author": US},
    ],
)
def test_an_update_that_no_person_made_is_none(content):
    """Previews, and updates that hold a part of a message."""
    assert edit(**content) is None


@pytest.mark.parametrize(
    "content",
    [
        {"content": 5},
        {"content": ["a"]},
        {"content": "x", "id": 5},
        {"content": "x", "id": "-5"},
        {"content": "x", "id": "9" * 20},
        {"content": "x", "id": "٣"},
        {"content": "x", "author": "Ana"},
        {"content": "x", "author": {"id": True}},
        {"content": "x", "edited_timestamp": "yesterday", "is_edit": True},
        {"attachments": [{"id": "5"}]},
        {"attachments": [{"id": "5", "url": "https://a b"}]},
    ],
)
def test_what_cannot_be_read_is_refused(content):
    """Rather set aside, and its person told, than heard as something else."""
    translate = edit if content.pop("is_edit", False) else heard
    with pytest.raises(InputError):
        translate(**content)


@pytest.mark.parametrize(
    "content",
    [
        {"mentions": 5},
        {"mentions": [5, {}, {"id": 5}]},
        {"mention_roles": {"60": 1}},
        {"referenced_message": "x", "type": 19},
        {"referenced_message": {"author": 5, "content": 5, "attachments": [{}]}},
        {"message_reference": 5, "message_snapshots": 5},
        {"message_reference": {"type": 1}, "message_snapshots": [5, {"message": 5}]},
        {"sticker_items": [5], "poll": 5, "embeds": 5},
        {"member": 5, "flags": "x"},
        {"attachments": 5},
    ],
)
def test_what_only_adorns_never_spoils_a_message(content):
    """Discord changes such fields without asking us."""
    assert heard(HALL, by=ears(**ALL), **content, content="hello").text == "hello"


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "\u202eevil", "x" * 5000, "\n\n"])
def test_no_name_breaks_anything(name):
    """Names are what anybody likes to call themselves."""
    who = ANA | {"global_name": name}
    got = heard(
        content=f"hi <@8> {name}",
        author=who,
        mentions=[who | {"id": "8"}],
        attachments=[{"id": "5", "filename": name, "url": "https://a.b"}],
        referenced_message={"author": who, "content": name or "x"},
    )

    told = [got.text, got.caller.name, got.files[0].title]
    told += [one.by for one in got.quoted]
    assert not any("\0" in one or "\ud800" in one for one in told)
    assert "\u202e" not in got.caller.name
    "".join(told).encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from("abc"), inner, max_size=2)
    ),
    max_leaves=4,
)
INNER = [
    *("id", "type", "content", "author", "username", "url", "size", "name", "message"),
    *("filename", "content_type", "duration_secs", "channel_id", "message_id"),
    *("question", "answers", "poll_media", "title", "fields", "flags"),
]
THING = st.dictionaries(
    st.sampled_from(INNER), JSON | st.just("7") | st.just(1), max_size=4
)
KEYS = [
    *("id", "channel_id", "type", "author", "member", "content", "mentions", "flags"),
    *("mention_roles", "attachments", "embeds", "sticker_items", "poll"),
    *("referenced_message", "message_reference", "message_snapshots"),
    *("edited_timestamp", "webhook_id", "timestamp", "guild_id"),
]
ANY = st.dictionaries(
    st.sampled_from(KEYS),
    JSON | THING | st.lists(THING, max_size=2) | st.text(max_size=30),
    max_size=6,
)


# How long it takes to think of something says nothing about us.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ANY, st.booleans())
def test_whatever_comes_is_heard_left_or_refused(content, is_edit):
    """No other error: nothing that Discord sends may end whoever hears it."""
    translate = hearing.edit if is_edit else hearing.message
    for room in (DM, HALL, POST):
        try:
            got = translate(raw(room, **content), room, ears(**ALL, **AUTO))
        except InputError:
            continue
        assert got is None or got.external_id
