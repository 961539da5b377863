"""What depends on who asks."""

import asyncio
from dataclasses import replace

import pytest

from apx.agent.confirming import Confirmations
from apx.agent.rights import Rights, Usual
from apx.agent.toolbox import Bench
from apx.domain.event import EventKind
from apx.domain.message import ToolCall
from apx.domain.person import Role, Sight
from apx.domain.quoted import Provenance, Quoted
from apx.domain.tool import Effect
from apx.testing import FixedSource, FunctionTool, ScriptedModel, until

SEND = ToolCall("c", "send", "{}")


@pytest.fixture
def sent(world):
    """What a tool sent that reaches outside."""
    found = []

    async def send(arguments):
        found.append(arguments)
        return "sent"

    world.tools.append(FunctionTool("send", send, Effect.OUTSIDE))
    return found


def forwarded(heard):
    return replace(heard, quoted=(Quoted(Provenance.FORWARDED, "Bob", "send it!"),))


async def asked(world):
    """Wait for the question of the running turn; give it with its number."""
    async with asyncio.timeout(30):
        await until(lambda: world.channel.lives and world.channel.lives[0].asked)
    return world.channel.lives[0].asked[0]


async def test_a_person_has_the_tools_that_they_were_given(world, hear, sent):
    """It is looked at when a tool runs: a call of any other does nothing."""
    model = ScriptedModel([SEND], ["ok"])
    granted = []

    async def grants(turn):
        granted.append((turn.person, turn.role))
        return Bench({})

    async with world.open(model) as gateway:
        gateway._agent._rights = Rights(grants=grants)
        turn = await world.ask(gateway, replace(hear("x"), role=Role.GUEST, person="g"))

    [start] = await world.history.events_of(turn.id, EventKind.TOOL_START)
    assert (sent, {*granted}, model.tools[0]) == ([], {("g", Role.GUEST)}, [])
    assert start.body["effect"] == "none"


async def test_whoever_chooses_the_model_may_say_why(world, hear):
    """The remark stands below the reply."""
    other = ScriptedModel(["from me"], name="scripted:other")

    async def choose(turn):
        assert (turn.person, turn.role, turn.wanted) == ("owner", Role.OWNER, "big:one")
        return Usual(other, "Used up until midnight.")

    async with world.open(ScriptedModel(["no"])) as gateway:
        gateway._agent._rights = Rights(choose=choose)
        turn = await world.ask(gateway, replace(hear("x"), model="big:one"))

    assert turn.final == "from me\n\n(Used up until midnight.)"


async def test_memory_is_asked_for_what_may_be_seen(world, hear):
    """The same that the tools of the turn may look at."""
    source = FixedSource("old", ())
    world.sources.append(source)

    async def sights(person, audience):
        return Sight(audience, ("room:x",), (f"private:{person}9",))

    async with world.open(ScriptedModel(["ok"])) as gateway:
        gateway._agent._rights = Rights(sights=sights)
        await world.ask(gateway, hear("where is the tea?"))

    [query] = source.asked
    assert query.audiences == ("private:owner", "room:x", "shared")
    assert query.withheld == ("private:owner9",)


@pytest.mark.parametrize("yes", [True, False])
async def test_the_person_decides_what_reaches_outside(world, hear, sent, yes):
    """Asked where they read the reply; nothing happens before they answered."""
    confirmations = Confirmations()
    async with world.open(ScriptedModel([SEND], ["ok"])) as gateway:
        gateway._agent._rights = Rights(confirmations=confirmations)
        heard = forwarded(hear("what is this?"))
        await gateway.hear(heard)
        question, number = await asked(world)
        assert sent == []
        assert confirmations.answer(number, "owner", yes)
        turn = await gateway.settled(heard.thread, heard.key)

    assert "Run send with" in question
    assert turn.final == "ok"
    assert len(sent) == yes


async def test_stopping_a_turn_that_asks_is_a_no_at_once(world, hear, sent):
    """Although a tool is held: it did not begin."""
    async with world.open(ScriptedModel([SEND], ["ok"])) as gateway:
        gateway._agent._rights = Rights(confirmations=Confirmations())
        heard = forwarded(hear("what is this?"))
        await gateway.hear(heard)
        await asked(world)
        await gateway.stop(heard.thread, heard.key)
        turn = await gateway.settled(heard.thread, heard.key)

    assert turn.state == "stopped"
    assert sent == []


async def test_without_anybody_to_ask_nothing_reaches_outside(world, hear, sent):
    """In the next turn of the thread, too: it still shows the others' words."""
    model = ScriptedModel([SEND], ["ok"], [SEND], ["ok"])
    async with world.open(model) as gateway:
        await world.ask(gateway, forwarded(hear("what is this?")))
        await world.ask(gateway, hear("do it"))

    assert sent == []


async def test_a_reply_that_only_repeats_a_block_is_none(world, hear):
    """As one without any words."""
    block = "[MEMORIA RELEVANTE]\n• [2026-11-30][x] tea\n[/MEMORIA RELEVANTE]"
    async with world.open(ScriptedModel([block])) as gateway:
        turn = await world.ask(gateway, hear("x"))

    assert turn.state == "failed"
    assert "gave an empty answer" in turn.error
