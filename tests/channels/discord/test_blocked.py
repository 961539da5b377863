"""What passes by itself is waited out: it is no refusal of what was asked for."""

import pytest

from apx.domain.errors import Unreachable
from apx.testing import MemoryDrawer, until
from channels.discord.failures import Rejected
from channels.discord.menu import announce
from channels.shared.failures import Answered, Flood
from tests.channels.discord.connected import logged_in
from tests.channels.discord.hearers import COMMANDS, SWIFT, GoneDoor, ago, hearers
from tests.channels.discord.speaking import POSTS, outfit
from tests.servers.discord.faults import refusal
from tests.servers.discord.furnished import ANA, GENERAL
from tests.servers.faults import Answer

BLOCKED = Answer(403, "<html>Sorry, you have been blocked</html>", {}, "text/html")


def say(client, timeout=30.0):
    return client.call(
        "POST",
        "/channels/{channel_id}/messages",
        json={"content": "hello"},
        channel_id=GENERAL,
        timeout=timeout,
    )


@pytest.mark.parametrize(
    "fault",
    [
        BLOCKED,
        Answer(403, "error code: 1020", {}, "text/plain"),
        Answer(400, "<html>400 Bad Request</html>", {}, "text/html; charset=UTF-8"),
        Answer(405, "", {}, "text/plain"),
        refusal(403, 40004, "Send messages has been temporarily disabled."),
        refusal(403, 40006, "This feature has been temporarily disabled"),
        refusal(400, 130000, "API resource is currently overloaded."),
    ],
)
async def test_a_refusal_that_passes_is_for_later(discord, fault):
    """Of whoever stands before Discord, who says no JSON, and of Discord itself."""
    discord.fail("POST", POSTS, fault)
    async with logged_in() as client:
        with pytest.raises(Unreachable) as caught:
            await say(client)
        await say(client)

    assert "<" not in str(caught.value)
    assert discord.texts(GENERAL) == ["hello"]


@pytest.mark.parametrize(
    "fault",
    [
        Answer(413, "<html>too large</html>", {}, "text/html"),
        Answer(404, "404 page not found", {}, "text/plain"),
        Answer(400, '{"message": "no", "code": 50035}'),
        Answer(405, '{"message": "405: Method Not Allowed", "code": 0}'),
    ],
)
async def test_a_refusal_that_stays_is_one(discord, fault):
    """A file is too large for a proxy, too."""
    discord.fail("POST", POSTS, fault)
    async with logged_in() as client:
        with pytest.raises(Rejected):
            await say(client)


async def test_a_reply_waits_until_nobody_blocks_it(discord):
    """With all that belongs to it: nothing of it was refused."""
    asked = discord.say(GENERAL, ANA, "how?")
    discord.fail("POST", POSTS, BLOCKED)
    async with outfit() as out:
        part = out.part("so", asked=asked, is_failure=True)
        with pytest.raises(Unreachable):
            await out.deliver(part)
        await out.deliver(part)

    [said] = discord.sent(GENERAL)
    assert (said.text, said.reply_to, said.buttons) == ("so", asked, ("Retry",))


async def test_what_was_missed_is_read_when_nobody_blocks_it(discord):
    """A channel that may not be read says so in JSON."""
    chat, door, drawer = discord.dm(ANA), GoneDoor(), MemoryDrawer()
    drawer.values = {"seen/main": ago(discord, minutes=5), f"dm/main/{chat}": str(ANA)}
    discord.say(chat, ANA, "meanwhile")
    discord.fail("GET", f"/channels/{chat}/messages", BLOCKED, times=2)

    async with hearers(discord, door, drawer):
        await until(lambda: door.texts == ["meanwhile"])


async def test_commands_are_told_when_nobody_blocks_it(discord):
    """Else there would be none until the next start."""
    discord.fail("PUT", "/applications/*/commands", BLOCKED, times=2)
    async with logged_in() as client:
        await announce(client, MemoryDrawer(), COMMANDS, SWIFT)

    assert [one["name"] for one in discord.commands()] == ["new", "status"]


@pytest.mark.parametrize("told", ["nan", "inf", "-inf", "1e300", "-5", "soon", "0"])
async def test_no_silence_is_without_end(discord, told):
    """Whatever a proxy says of it: whoever sleeps for ever is heard of no more."""
    answers = [
        Answer(429, "error code: 1015", {"Retry-After": told}, "text/plain"),
        Answer(429, '{"retry_after": 1e300}', {"Via": "x", "Retry-After": told}),
    ]
    async with logged_in() as client:
        for answer in answers:
            discord.fail("POST", POSTS, answer)
            with pytest.raises(Flood) as caught:
                await say(client)
            assert 0 <= caught.value.retry_after <= 86_400


@pytest.mark.parametrize("told", ["nan", "0"])
async def test_a_silence_for_all_ends_whatever_is_told(discord, told):
    """Whoever gives up in it leaves nobody behind, who would wait for ever."""
    headers = {"Via": "x", "Retry-After": told}
    body = '{"retry_after": 50, "global": true}'
    discord.fail("POST", POSTS, Answer(429, body, headers))
    async with logged_in() as client:
        with pytest.raises(Flood) as caught:
            await say(client, timeout=2.0)
        await say(client)

    assert 0 < caught.value.retry_after <= 86_400
    assert discord.texts(GENERAL) == ["hello"]


@pytest.mark.parametrize("status", [400, 403])
@pytest.mark.parametrize(
    "body",
    [
        *('{"code": [1]}', '{"code": {"a": 1}}', '{"code": "50013"}', '{"code": null}'),
        *('{"message": ["x"], "code": 1}', '{"errors": {"a": 5}}', "[]", "5", "null"),
    ],
)
async def test_a_refusal_that_nobody_can_read_is_one(discord, status, body):
    """Whatever stands where Discord has a number: no other error leaves a call."""
    discord.fail("POST", POSTS, Answer(status, body))
    async with logged_in() as client:
        with pytest.raises((Rejected, Answered)):
            await say(client)
