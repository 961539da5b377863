"""What goes wrong once, and must not go on for ever."""

import asyncio
import json
from dataclasses import replace

import pytest

from apx.domain.errors import (
    Conflict,
    ContextOverflow,
    ProviderUnavailable,
    StoreError,
)
from apx.domain.message import ToolCall
from apx.domain.thread import Thread
from apx.store.ledger import Ledger
from apx.testing import FunctionTool, ScriptedModel, until

MAIN = Thread("terminal", "main")


@pytest.mark.parametrize("change", [{"person": "guest"}, {"model": "x:y"}])
async def test_a_message_of_others_is_a_turn_of_its_own(world, hear, change):
    """A guest's words must not be answered from the owner's memory."""
    gate = asyncio.Event()
    model = ScriptedModel([gate, "first"], ["second"])
    async with world.open(model) as gateway:
        one, two = hear("one"), replace(hear("two"), **change)
        await gateway.hear(one)
        await until(lambda: model.prompts)
        await gateway.hear(two)
        gate.set()
        first = await gateway.settled(MAIN, one.key)
        second = await gateway.settled(MAIN, two.key)

    assert (first.request, second.request) == ("one", "two")
    assert second.wanted == change.get("model", "")


async def test_a_conflict_joins_nothing(world, hear):
    """What was refused must not reach the model."""
    gate = asyncio.Event()
    model = ScriptedModel([gate, "ok"])
    async with world.open(model) as gateway:
        one = hear("one", external_id="7")
        await gateway.hear(one)
        await until(lambda: model.prompts)
        with pytest.raises(Conflict):
            await gateway.hear(hear("other", external_id="7"))
        gate.set()
        await gateway.settled(MAIN, one.key)

    assert len(model.prompts) == 1


class FullOnce(Ledger):
    """A disk that is full for a moment."""

    is_full = True

    async def end(self, turn, ending, at):
        if self.is_full:
            self.is_full = False
            raise StoreError("the disk is full")
        await super().end(turn, ending, at)


async def test_an_ending_is_written_once_that_is_possible(world, hear):
    """Nobody has to write again for it; whoever waits is told."""
    world.ledger = FullOnce(world.database)
    async with world.open(ScriptedModel(["ok"])) as gateway:
        turn = await world.ask(gateway, hear("hello"))
        await until(lambda: world.channel.sent)

    assert turn.final == "ok"


class NotBegun(Ledger):
    """A disk that is full when a turn is to begin, so many times."""

    times = 1

    async def begin(self, thread, at):
        if self.times:
            self.times -= 1
            raise StoreError("the disk is full")
        return await super().begin(thread, at)


async def test_what_could_not_begin_is_begun_once_that_is_possible(world, hear):
    """Whoever pipes lines in waits for an answer, and sends nothing that wakes it."""
    world.ledger = NotBegun(world.database)
    async with (
        asyncio.timeout(5),
        world.open(ScriptedModel(["ok"])) as gateway,
    ):
        turn = await world.ask(gateway, hear("hello"))

    assert turn.final == "ok"


async def test_who_waits_for_what_cannot_go_on_is_told(world, hear):
    """A script would hang for as long as the disk is full; what it said is kept."""
    world.ledger = NotBegun(world.database)
    world.ledger.times = 1_000_000
    async with asyncio.timeout(20), world.open(ScriptedModel(["ok"])) as gateway:
        heard = hear("hello")
        with pytest.raises(StoreError, match="the disk is full"):
            await world.ask(gateway, heard)
        world.ledger.times = 0
        turn = await gateway.settled(MAIN, heard.key)

    assert turn.final == "ok"


async def test_a_fault_of_a_channel_is_not_for_ever(world, hear):
    """The part may have arrived, so it is sent again and marked."""
    world.channel.failures = [RuntimeError("vendor")]
    async with world.open(ScriptedModel(["one"], ["two"])) as gateway:
        await world.ask(gateway, hear("a"))
        await world.ask(gateway, hear("b"))
        await until(lambda: len(world.channel.sent) == 2)

    assert [(p.text, p.is_repeat) for p in world.channel.sent] == [
        ("one", True),
        ("two", False),
    ]


async def test_what_was_shown_is_kept_when_time_is_up(world, hear):
    """All of it, not only what was shown half a second before."""
    heard = hear("hello")
    never = asyncio.Event()
    model = ScriptedModel(["one", " two", never])
    async with world.open(model, drain=0.01) as gateway:
        await gateway.hear(heard)
        await until(lambda: world.channel.lives and world.channel.lives[0].shown[1:])

    assert (await world.ledger.turn_of(heard.key)).partial == "one two"


async def test_arguments_that_were_cut_are_not_sent_back(world, hear):
    """Half of a JSON is a bad request to some vendors."""

    async def act(_):
        return "ok"

    world.tools.append(FunctionTool("act", act))
    long = json.dumps({"text": "x" * 20_000})
    model = ScriptedModel([ToolCall("c", "act", long)], ["ok"], ["next"])
    async with world.open(model) as gateway:
        await world.ask(gateway, hear("a"))
        await world.ask(gateway, hear("b"))

    assert [call for message in model.prompts[2] for call in message.calls] == []


async def test_two_retries_at_once_run_once(world, hear):
    """A nervous finger gets one answer."""
    away = ProviderUnavailable("away", provider="x")
    model = ScriptedModel([away], ["now"])
    async with world.open(model) as gateway:
        await world.ask(gateway, hear("hello"))
        await asyncio.gather(*(gateway.hear(hear("/retry")) for _ in range(3)))
        await until(lambda: len(world.channel.sent) == 2)

    assert len(model.prompts) == 2


async def test_a_command_may_be_followed_by_a_new_line(world, hear):
    """People press Enter where they like."""
    async with world.open(ScriptedModel(["model"])) as gateway:
        answer = await gateway.hear(hear("/remember\ntea at five"))

    assert "tea at five" in (answer or "")


async def test_a_request_that_waits_can_be_withdrawn(world, hear):
    """Stopping it stops nobody else's turn."""
    gate = asyncio.Event()
    async with world.open(ScriptedModel(["first", gate])) as gateway:
        one, two = hear("one"), hear("two")
        await gateway.hear(one)
        await until(lambda: world.channel.lives and world.channel.lives[0].shown)
        await gateway.hear(two)
        await gateway.stop(MAIN, two.key)
        assert await gateway.settled(MAIN, two.key) is None
        gate.set()
        assert (await gateway.settled(MAIN, one.key)).final == "first"

    assert await world.ledger.waiting() == []


async def test_a_small_window_is_learnt(world, hear):
    """The first turn finds it out, the next ones need not."""
    sizes = []

    def script(messages):
        sizes.append(sum(len(m.text) for m in messages))
        if sizes[-1] > 20_000:
            return [ContextOverflow("too long", provider="x")]
        return ["fits"]

    async with world.open(ScriptedModel(script, window=128_000)) as gateway:
        first = await world.ask(gateway, hear("long " * 40_000))
        tries = len(sizes)
        second = await world.ask(gateway, hear("long " * 40_000))

    assert first.final.startswith("fits")
    assert second.final == first.final
    assert 1 < tries <= 5
    assert len(sizes) == tries + 1
