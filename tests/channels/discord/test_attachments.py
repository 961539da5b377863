"""Files are fetched while their links live, and after."""

import pytest

from apx.domain.attachment import Attachment, Medium
from apx.domain.errors import ChannelError, Undeliverable, Unreachable
from apx.testing import until
from channels.discord.attachments import fetch
from channels.discord.hearing_files import TOO_LARGE, link
from tests.channels.discord.hearers import GoneDoor, hearers
from tests.servers.discord.faults import Drop
from tests.servers.discord.furnished import ANA

MESSAGE = "/channels/*/messages/*"
GONE = "Discord has it no more: its message was deleted"


@pytest.fixture
async def bot(discord):
    async with hearers(discord, GoneDoor()) as bot:
        await bot.settled(discord)
        yield bot


async def sent(discord, bot, **more):
    """Send a file, and give what was heard of it."""
    chat = discord.dm(ANA)
    said = discord.say(chat, ANA, files=[("a.txt", b"hello", "text/plain")], **more)
    await until(lambda: bot.door.heard)
    return said, bot.door.heard[-1].files[0]


async def whole(bot, file):
    return b"".join([chunk async for chunk in fetch(bot.hands.client, file)])


async def test_a_file_is_fetched_by_its_link(discord, bot):
    """Nobody else need be asked."""
    _, file = await sent(discord, bot)

    assert await whole(bot, file) == b"hello"
    assert discord.calls("GET", MESSAGE) == []


async def test_a_link_that_has_expired_is_asked_for_anew(discord, bot):
    """They live for a day; a store may have been full for longer."""
    _, file = await sent(discord, bot)
    discord.expire_links()

    assert await whole(bot, file) == b"hello"
    assert len(discord.calls("GET", MESSAGE)) == 1


async def test_a_forwarded_file_is_asked_for_where_it_was_forwarded(discord, bot):
    """The message that it is from may be in a place where we are not."""
    chat = discord.dm(ANA)
    said, _ = await sent(discord, bot)
    discord.forward(chat, ANA, said, chat)
    await until(lambda: len(bot.door.heard) == 2)
    [file] = bot.door.heard[1].files

    assert file.is_others
    assert await whole(bot, file) == b"hello"


def test_a_fresh_link_is_found_also_in_what_was_forwarded():
    """By the number of the file."""
    inner = {"attachments": [{"id": "5", "url": "https://a"}, {"id": "6"}]}
    message = {"attachments": 5, "message_snapshots": [{"message": inner}, 7]}

    assert [link(message, number) for number in (5, 6, 7)] == ["https://a", "", ""]


async def test_what_is_gone_is_said_in_words(discord, bot):
    """They are in the prompt, and told to its person."""
    said, file = await sent(discord, bot)
    discord.expire_links()
    discord.delete(discord.dm(ANA), said)

    with pytest.raises(Undeliverable, match=GONE):
        await whole(bot, file)


async def test_a_network_that_fails_is_tried_again_by_who_asks(discord, bot):
    """It says so by its error."""
    _, file = await sent(discord, bot)
    discord.fail("GET", "/attachments/**", Drop(), times=None)

    with pytest.raises((Unreachable, TimeoutError)):
        await whole(bot, file)


@pytest.mark.parametrize(
    ("ref", "size", "words"),
    [
        ("5 6 7 https://evil.example/a", 1, "not kept by Discord"),
        ("5 6 7 file:///etc/passwd", 1, ""),
        ("what", 1, "no attachment of Discord's"),
        ("5 6 7 https://cdn.discordapp.com/a", 60_000_000, TOO_LARGE),
    ],
)
async def test_nothing_is_fetched_from_anywhere_else(bot, ref, size, words):
    """Nor what is too large, whatever its link."""
    file = Attachment(Medium.DOCUMENT, ref, size=size)

    with pytest.raises(ChannelError) as raised:
        await whole(bot, file)

    assert words in str(raised.value) or str(raised.value) == GONE
