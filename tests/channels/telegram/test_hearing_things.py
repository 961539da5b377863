"""What is no text is named, so that a model knows of it."""

import pytest

from apx.domain.attachment import Medium
from channels.telegram.hearing_files import TOO_LARGE
from tests.channels.telegram.hearers import heard


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (
            {"location": {"latitude": 41.4036, "longitude": 2.1744}},
            "[location: 41.4036, 2.1744]",
        ),
        (
            {
                "venue": {
                    "title": "Bar",
                    "address": "Street 1",
                    "location": {"latitude": 1, "longitude": -2.5},
                },
                "location": {"latitude": 1, "longitude": -2.5},
            },
            "[venue: Bar, Street 1; 1, -2.5]",
        ),
        (
            {"contact": {"phone_number": "+34 1", "first_name": "Bo"}},
            "[contact: Bo, +34 1]",
        ),
        ({"sticker": {"file_id": "S", "emoji": "👍"}}, "[sticker: 👍]"),
        ({"sticker": {"file_id": "S"}}, "[sticker]"),
        (
            {
                "poll": {
                    "question": "When?",
                    "options": [{"text": "Mon"}, {"text": "Tue"}],
                }
            },
            "[poll: When?; Mon; Tue]",
        ),
        ({"dice": {"emoji": "🎲", "value": 4}}, "[dice: 🎲 4]"),
        ({"game": {"title": "Chess"}}, "[game: Chess]"),
        (
            {"story": {"chat": {"id": 3, "type": "channel", "title": "News"}, "id": 1}},
            "[story: News]",
        ),
        (
            {"checklist": {"title": "Buy", "tasks": [{"id": 1, "text": "milk"}]}},
            "[checklist: Buy; milk]",
        ),
        (
            {
                "rich_message": {
                    "blocks": [
                        {
                            "type": "paragraph",
                            "text": ["Hello ", {"type": "bold", "text": "you"}],
                        },
                        {
                            "type": "list",
                            "items": [
                                {
                                    "label": "1.",
                                    "blocks": [{"type": "paragraph", "text": "one"}],
                                }
                            ],
                        },
                    ]
                }
            },
            "Hello you\n1. one",
        ),
    ],
)
def test_things_are_named_in_brackets(content, text):
    """A model that sees nothing of them would answer nonsense."""
    assert heard(**content).text == text


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            {
                "photo": [
                    {"file_id": "s", "width": 90, "height": 90, "file_size": 1000},
                    {"file_id": "l", "width": 900, "height": 900, "file_size": 90000},
                    {"file_id": "m", "width": 300, "height": 300, "file_size": 9000},
                ],
                "caption": "look",
            },
            (Medium.PHOTO, "l", "", "image/jpeg", 90000, 0),
        ),
        (
            {
                "document": {
                    "file_id": "D",
                    "file_name": "a.pdf",
                    "mime_type": "application/pdf",
                    "file_size": 9,
                }
            },
            (Medium.DOCUMENT, "D", "a.pdf", "application/pdf", 9, 0),
        ),
        (
            {"voice": {"file_id": "V", "duration": 3}},
            (Medium.VOICE, "V", "", "audio/ogg", 0, 3),
        ),
        (
            {"audio": {"file_id": "A", "duration": 60, "performer": "X", "title": "Y"}},
            (Medium.AUDIO, "A", "X - Y", "audio/mpeg", 0, 60),
        ),
        (
            {"video_note": {"file_id": "N", "duration": 2}},
            (Medium.VIDEO, "N", "", "video/mp4", 0, 2),
        ),
        (
            {
                "animation": {"file_id": "G", "duration": 1},
                "document": {"file_id": "G"},
            },
            (Medium.VIDEO, "G", "", "video/mp4", 0, 1),
        ),
    ],
)
def test_files_are_named_not_fetched(content, expected):
    """The largest photo, and one file where Telegram names it twice."""
    [file] = heard(**content).files

    assert (file.medium, file.ref, file.title) == expected[:3]
    assert (file.media_type, file.size, file.seconds) == expected[3:]
    assert not file.note
    assert not file.is_others


@pytest.mark.parametrize(
    ("size", "note"), [(20 << 20, ""), ((20 << 20) + 1, TOO_LARGE)]
)
def test_what_no_bot_may_fetch_is_known_from_the_start(size, note):
    """Its person is told why, instead of waiting for it."""
    [file] = heard(document={"file_id": "D", "file_size": size}).files

    assert file.note == note
