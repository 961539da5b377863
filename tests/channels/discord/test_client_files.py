"""Attachments are fetched from Discord alone, and no more of them than was said."""

import pytest

from apx.domain.errors import Undeliverable, Unreachable
from tests.channels.discord.connected import logged_in
from tests.servers.discord.faults import banned, broken
from tests.servers.discord.furnished import ANA, GENERAL
from tests.servers.faults import Answer


@pytest.fixture
async def client(discord):  # noqa: ARG001 -- who is called
    async with logged_in() as client:
        yield client


async def fetched(client, url, most=1_000):
    return b"".join([chunk async for chunk in client.download(url, most)])


def link(discord, content=b"0123456789" * 10):
    number = discord.say(GENERAL, ANA, files=[("a.txt", content, "text/plain")])
    [seen] = [one for one in discord.history(GENERAL) if one.id == number]
    return seen.json["attachments"][0]["url"]


async def test_a_file_is_fetched_without_the_token(discord, client):
    """The server complains of a token that is shown to the CDN."""
    assert await fetched(client, link(discord)) == b"0123456789" * 10


async def test_a_file_that_is_too_large_is_broken_off(discord, client):
    """Whether its size is told before or not."""
    with pytest.raises(Undeliverable, match="larger than"):
        await fetched(client, link(discord), 99)


async def test_a_link_that_expired_is_said_to_be(discord, client):
    """It is in vain to try again."""
    url = link(discord)
    discord.expire_links()
    with pytest.raises(Undeliverable, match="expired"):
        await fetched(client, url)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9/x",
        "https://example.org/x",
        "http://cdn.discordapp.com/x",
        "https://cdn.discordapp.com:8443/x",
        "https://cdn.discordapp.com.example.org/x",
        "https://u:p@example.org/cdn.discordapp.com",
        "file:///etc/passwd",
        "/etc/passwd",
        "",
        "http://[",
    ],
)
async def test_nobody_else_s_address_is_asked_for(client, url):
    """A message may say anything; what it names may be in our own network."""
    with pytest.raises(Undeliverable):
        await fetched(client, url)


async def test_redirects_are_not_followed(discord, client):
    """They would lead out of Discord."""
    discord.fail("GET", "**", Answer(302, "", {"Location": "http://127.0.0.1:9/x"}))
    with pytest.raises(Undeliverable):
        await fetched(client, link(discord))


@pytest.mark.parametrize("fault", [broken(502), broken(503), banned()])
async def test_a_cdn_that_fails_may_be_asked_again(discord, client, fault):
    """Which is not the same as a file that is gone."""
    url = link(discord)
    discord.fail("GET", "**", fault)
    with pytest.raises(Unreachable):
        await fetched(client, url)
    assert await fetched(client, url)
