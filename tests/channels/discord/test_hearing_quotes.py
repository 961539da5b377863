"""Other people's words come as quotes, their files as theirs."""

import pytest

from apx.domain.attachment import Medium
from apx.domain.quoted import Provenance, Quoted
from channels.discord.hearing_files import TOO_LARGE, Source
from channels.discord.settings import GuildMode
from tests.channels.discord.hearers import ANA, DM, HALL, NUMBER, US, ears, heard

ALL = {"guild_mode": GuildMode.ALL}
LINK = "https://cdn.discordapp.com/a/31/plan.pdf?ex=1"
FILE = {
    "id": "31",
    "filename": "plan.pdf",
    "size": 5,
    "content_type": "application/pdf",
    "url": LINK,
}


def answered(**content):
    """A reply in a guild to a message of these fields."""
    there = {"id": "40", "channel_id": "50", "author": ANA, "content": ""} | content
    by = ears(**ALL)
    return heard(HALL, by=by, content="why?", type=19, referenced_message=there)


def test_a_reply_quotes_what_it_is_to():
    """Whose words they are is said; names in them are read as people see them."""
    got = answered(content="so <#50>", sticker_items=[{"name": "Wave"}])

    assert got.text == "why?"
    quoted = Quoted(Provenance.QUOTED, "Ana Ruiz", "so #general\n[sticker: Wave]")
    assert got.quoted == (quoted,)


def test_our_own_words_are_shortened():
    """They stand in the conversation already."""
    got = answered(author=US, content="word " * 200)

    assert got.quoted[0].by == "assistant"
    assert len(got.quoted[0].text) <= 300


@pytest.mark.parametrize("name", ["assistant", "Assistant", "\u200bas.sistant "])
@pytest.mark.parametrize("field", ["global_name", "username"])
def test_nobody_else_is_called_as_we_are(name, field):
    """What they wrote would look like words of ours, and be believed."""
    who = {"id": "8", "username": "eve"} | {field: name}
    got = answered(author=who, content="word " * 200)

    assert got.quoted[0].by == "somebody"
    assert len(got.quoted[0].text) > 300


def test_cards_of_bots_are_read_previews_are_not():
    """A webhook's news are in its card; a preview is what some page says of itself."""
    card = {
        "type": "rich",
        "title": "Build",
        "description": "failed",
        "fields": [{"name": "By", "value": "Bo"}, 5],
        "footer": {"text": "CI"},
    }
    got = answered(embeds=[card, {"type": "link", "title": "evil"}], content="")

    assert got.quoted[0].text == "Build\nfailed\nBy: Bo\nCI"


def test_a_deleted_message_is_no_quote():
    """Discord says null then."""
    got = heard(content="why?", type=19, referenced_message=None)

    assert got.quoted == ()


def forwarding(*snapshots, channel="50"):
    return {
        "message_reference": {"type": 1, "channel_id": channel, "message_id": "9"},
        "message_snapshots": [{"message": one} for one in snapshots],
    }


@pytest.mark.parametrize(("channel", "by"), [("50", "#general"), ("99", "unknown")])
def test_what_is_forwarded_is_nobodys_own_words(channel, by):
    """Discord does not say whose they are."""
    got = heard(
        HALL, by=ears(**ALL), **forwarding({"content": "look"}, channel=channel)
    )

    assert got.text == ""
    assert got.quoted == (Quoted(Provenance.FORWARDED, by, "look"),)


def test_an_answer_to_something_forwarded_quotes_that():
    """The message itself has no words."""
    got = answered(**forwarding({"content": "look", "attachments": [FILE]}))

    assert got.quoted[0].text == "look"
    assert [file.is_others for file in got.files] == [True]


def test_files_are_named_by_where_they_are():
    """Whoever fetches one knows where a fresh link is."""
    got = heard(DM, attachments=[FILE])

    [file] = got.files
    assert (file.medium, file.title, file.size) == (Medium.DOCUMENT, "plan.pdf", 5)
    assert Source.parse(file.ref) == Source(20, NUMBER, 31, LINK)
    assert not file.is_others


@pytest.mark.parametrize(
    ("kind", "flags", "medium"),
    [
        ("image/png", 0, Medium.PHOTO),
        ("image/svg+xml", 0, Medium.DOCUMENT),
        ("IMAGE/JPEG; q=1", 0, Medium.PHOTO),
        ("audio/ogg", 0, Medium.AUDIO),
        ("audio/ogg", 1 << 13, Medium.VOICE),
        (None, 1 << 13, Medium.VOICE),
        ("video/mp4", 0, Medium.VIDEO),
        ("video/mp4", 1 << 13, Medium.VIDEO),
        (None, 0, Medium.DOCUMENT),
        (5, 0, Medium.DOCUMENT),
    ],
)
def test_files_are_of_the_kind_that_discord_says(kind, flags, medium):
    """A voice message is one by its flag."""
    raw = FILE | {"content_type": kind, "duration_secs": 2.6}

    [file] = heard(DM, attachments=[raw], flags=flags).files

    assert (file.medium, file.seconds) == (medium, 3)


def test_a_file_that_is_too_large_has_words_for_it():
    """Before anybody begins to fetch it."""
    [file] = heard(DM, attachments=[FILE | {"size": 60_000_000}]).files

    assert file.note == TOO_LARGE


def test_files_of_forwarded_and_answered_messages_are_others():
    """A forwarded one is fetched through the message that it came in."""
    shared = heard(DM, **forwarding({"content": "", "attachments": [FILE]}))
    quoted = answered(attachments=[FILE, {"id": "bad"}])
    ours = answered(author=US, attachments=[FILE])

    assert Source.parse(shared.files[0].ref).message == NUMBER
    assert Source.parse(quoted.files[0].ref).message == 40
    assert shared.files[0].is_others
    assert [file.is_others for file in quoted.files] == [True]
    assert ours.files == ()


def test_in_a_private_chat_files_of_answered_messages_are_there_already():
    """They came with that message."""
    there = {"id": "40", "channel_id": "20", "author": ANA, "attachments": [FILE]}

    got = heard(DM, content="why?", referenced_message=there)

    assert got.files == ()
