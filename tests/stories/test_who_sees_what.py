"""Persons x places x ways to ask: nothing leaks, and what is theirs arrives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apx.memory import reindexing
from apx.memory.condenser import Rule, Wish
from tests.servers import OpenAIServer
from tests.stories.crowd import HINT, QUESTION, Crowd, parrot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from apx.domain.thread import Thread

COMMANDS = (
    "/memory",
    "/memory search PIN hint",
    "/memory history PIN hint",
    "/memory review",
    "/mem",
    "/mem search PIN hint",
    "/mem review",
    "/why",
    "/threads",
    "/status",
    "/usage",
    "/help",
    "/people",
    "/model",
    "/compact",
    "/retry",
)
# Besides their own, the persons' keys and names are nobody's secret.


@pytest.fixture
async def crowd(tmp_path: Path) -> AsyncIterator[Crowd]:
    async with OpenAIServer(parrot) as server:
        crowd = Crowd(tmp_path, server)
        await crowd.open()
        try:
            yield crowd
        finally:
            await crowd.close()


async def told(crowd: Crowd) -> None:
    """Have everybody say their secret, and note it, in each of their places."""
    await crowd.gather()
    for place in crowd.places.values():
        await crowd.say(place, HINT.format(token=place.token))
        await crowd.say(place, f"/remember the PIN hint is {place.token}")
    owner = crowd.places["owner"]
    await crowd.say(owner, "/remember the PIN hint of us all is zqsharedblue")
    await crowd.say(owner, "/share zqsharedblue")
    await crowd.house.memory.recall.keep_up()


async def kept(crowd: Crowd) -> None:
    """Have a rule and a decision hold for each place, and proposals wait in each."""
    for place in crowd.places.values():
        await crowd.keep(place, "constraint")
        await crowd.keep(place, "decision")
        await crowd.say(place, f"/mem add decision: the PIN hint is {place.token}")
    await crowd.house.memory.curating.keep_up()


async def asked(crowd: Crowd) -> dict[str, int]:
    """Ask in every place in every way; give what leaked, by place and way."""
    leaks = {}
    for place in crowd.places.values():
        chat = await crowd.say(place, QUESTION)
        leaks[place.name, "chat"] = crowd.leaked(place, chat)
        missing = {token for token in place.finds if token not in chat.text}
        assert not missing, (place.name, missing)
        for command in COMMANDS:
            traffic = await crowd.say(place, command)
            leaks[place.name, command] = crowd.leaked(place, traffic)
    return {f"{who} {way}": many for (who, way), many in leaks.items() if many}


async def test_nothing_leaks_and_everything_arrives(crowd: Crowd):
    """By chat, tools and commands; while reindexing, condensed, after a restart."""
    await told(crowd)
    await kept(crowd)
    assert await asked(crowd) == {}

    # The vectors are made anew while people go on asking.
    await crowd.house.memory.recall.reindexing.start(
        reindexing.Wish(full=True, provider="")
    )
    assert await asked(crowd) == {}
    await crowd.house.memory.recall.reindexing.stop()

    # Every conversation is shown condensed from now on.
    for place in crowd.places.values():
        await _condensed(crowd, place.caller.thread)
    assert await asked(crowd) == {}

    await crowd.close()
    await crowd.open()
    assert await asked(crowd) == {}


async def test_what_is_withheld_is_counted_and_said(crowd: Crowd):
    """In a room: so many private memories not used here."""
    await told(crowd)

    await crowd.say(crowd.places["family"], QUESTION)
    why = await crowd.say(crowd.places["family"], "/why")
    private = await crowd.say(crowd.places["anna"], QUESTION)
    at_home = await crowd.say(crowd.places["anna"], "/why")

    assert "1 private memory not used here" in why.text
    assert crowd.leaked(crowd.places["family"], why) == 0
    assert "not used here" not in at_home.text
    assert private.text.count(crowd.places["anna"].token)


async def _condensed(crowd: Crowd, thread: Thread) -> None:
    wish = Wish(8_000, asks=False, rule=Rule.ALWAYS)
    outcome = await crowd.house.condensing.condense(thread, wish)
    assert outcome.made is not None or len(outcome.before.past) == 1
