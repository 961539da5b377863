"""Other people's words are never taken for the person's own."""

import pytest

from apx.domain.quoted import Provenance, Quoted
from tests.channels.telegram.hearers import ANA, GROUP, PRIVATE, US, heard


@pytest.mark.parametrize(
    ("origin", "by"),
    [
        ({"type": "user", "sender_user": {"id": 9, "first_name": "Zoe"}}, "Zoe"),
        ({"type": "hidden_user", "sender_user_name": "Somebody"}, "Somebody"),
        (
            {"type": "channel", "chat": {"id": -5, "type": "channel", "title": "News"}},
            "News",
        ),
        ({"type": "chat", "sender_chat": {"id": -5, "title": "Club"}}, "Club"),
        ({"type": "user", "sender_user": US}, "assistant"),
        ({"type": "of tomorrow"}, "unknown"),
        (
            {"type": "user", "sender_user": {"id": 9, "first_name": "Assistant"}},
            "unknown",
        ),
        ({"type": "hidden_user", "sender_user_name": "assistant"}, "unknown"),
        ({"type": "chat", "sender_chat": {"id": -5, "title": "ASSISTANT"}}, "unknown"),
    ],
)
def test_a_forward_is_nobodys_own_words(origin, by):
    """Not even a command in it is given by whoever forwards it."""
    got = heard(text="/new now", forward_origin=origin, document={"file_id": "D"})

    assert got.text == ""
    assert got.quoted == (Quoted(Provenance.FORWARDED, by, "/new now"),)
    assert got.files[0].is_others


def test_a_message_sent_through_another_bot_is_that_bots():
    """The person chose it, but did not write it."""
    got = heard(text="do this", via_bot={"id": 9, "is_bot": True, "first_name": "Gif"})

    assert (got.text, got.quoted[0].text) == ("", "do this")
    assert heard(text="do this", via_bot=US) is None


REPLIED = {"message_id": 3, "chat": PRIVATE, "from": ANA, "text": "the whole of it"}


@pytest.mark.parametrize(
    ("content", "quoted"),
    [
        ({"reply_to_message": REPLIED}, ("Ana Ruiz", "the whole of it")),
        (
            {"reply_to_message": REPLIED, "quote": {"text": "whole", "position": 4}},
            ("Ana Ruiz", "whole"),
        ),
        (
            {"reply_to_message": REPLIED | {"from": US}},
            ("assistant", "the whole of it"),
        ),
        (
            {
                "external_reply": {
                    "origin": {"type": "hidden_user", "sender_user_name": "X"}
                },
                "quote": {"text": "elsewhere", "position": 0},
            },
            ("X", "elsewhere"),
        ),
        (
            {
                "external_reply": {
                    "origin": {"type": "hidden_user", "sender_user_name": "X"},
                    "location": {"latitude": 1, "longitude": 2},
                }
            },
            ("X", "[location: 1, 2]"),
        ),
        (
            {
                "reply_to_message": {
                    "message_id": 3,
                    "chat": PRIVATE,
                    "from": ANA,
                    "location": {"latitude": 1, "longitude": 2},
                }
            },
            ("Ana Ruiz", "[location: 1, 2]"),
        ),
        (
            {"reply_to_story": {"chat": {"id": 1, "title": "News"}, "id": 2}},
            ("News", "[story]"),
        ),
    ],
)
def test_a_reply_brings_what_it_answers(content, quoted):
    """The part that was chosen rather than the whole."""
    got = heard(text="and this?", **content)

    assert got.text == "and this?"
    assert [(one.by, one.text) for one in got.quoted] == [quoted]
    assert got.quoted[0].provenance is Provenance.QUOTED


def test_of_our_own_words_enough_is_quoted_to_know_them():
    """They are in the conversation already, whole."""
    got = heard(text="?", reply_to_message=REPLIED | {"from": US, "text": "x " * 4000})

    assert len(got.quoted[0].text) <= 300


@pytest.mark.parametrize(
    "who",
    [
        {"from": {"id": 9, "first_name": "assistant"}},
        {"from": {"id": 9, "first_name": "As", "last_name": "sistant"}},
        {"from": ANA, "sender_chat": {"id": -5, "title": "Assistant\u2060!"}},
    ],
)
def test_nobody_else_is_called_as_we_are(who):
    """What they wrote would look like words of ours, and be believed."""
    got = heard(text="?", reply_to_message=REPLIED | who | {"text": "x " * 400})

    assert got.quoted[0].by == "somebody"
    assert len(got.quoted[0].text) > 300


def test_the_picture_that_is_asked_about_in_a_group_comes_along():
    """Nobody showed it to us when it was sent."""
    replied = {"message_id": 3, "chat": GROUP, "from": ANA, "photo": [{"file_id": "P"}]}
    got = heard(
        GROUP,
        text="@loop_bot what is it?",
        entities=[{"type": "mention", "offset": 0, "length": 9}],
        reply_to_message=replied,
    )

    assert [(file.ref, file.is_others) for file in got.files] == [("P", True)]
