"""Whatever stands before Discord and fails keeps no answer from whoever asked."""

import pytest

from tests.channels.discord.controls import controls, done
from tests.channels.telegram.hearers import RecordingDoor
from tests.servers.discord.furnished import ANA, GENERAL
from tests.servers.faults import Answer

CALLBACK = ("POST", "/interactions/*/*/callback")
ANSWER = ("PATCH", "/webhooks/*/*/messages/@original")
MORE = ("POST", "/webhooks/*/*")


@pytest.mark.parametrize("route", [CALLBACK, ANSWER, MORE])
@pytest.mark.parametrize(
    "fault",
    [
        Answer(403, "<html>Sorry, you have been blocked</html>", {}, "text/html"),
        Answer(400, "error code: 1016", {}, "text/plain; charset=UTF-8"),
    ],
)
async def test_who_is_blocked_for_a_moment_answers_there(discord, route, fault):
    """Nobody is left with a bot that thinks, nor has a private answer elsewhere."""
    door = RecordingDoor()
    door.answers = {"/memory": "\n".join(f"note {n} {'x' * 50}" for n in range(60))}
    discord.fail(*route, fault)

    async with controls(discord, door):
        number = discord.slash("memory", user=ANA, channel=GENERAL)
        shown = await done(discord, number)
        await discord.until(lambda: len(discord.answer(number).messages) == 2)

    assert shown.ephemeral
    assert discord.texts(discord.dm(ANA)) == []
    assert discord.texts(GENERAL) == []
