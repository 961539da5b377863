"""The outbox on its way."""

import asyncio
from datetime import UTC, datetime

import pytest

from apx.domain.errors import ChannelError, Undeliverable
from apx.domain.thread import Thread
from apx.testing import ScriptedModel, until

EVER = datetime(2000, 1, 1, tzinfo=UTC)
MAIN = Thread("terminal", "main")


async def test_what_nobody_could_receive_waits(world, hear, outbox):
    """And comes in order when somebody is there again."""
    async with world.open(ScriptedModel(lambda m: [f"re {m[-1].text}"])) as gateway:
        world.channel.is_there = False
        for text in ("a", "b"):
            await world.ask(gateway, hear(text))
        assert world.channel.sent == []
        assert [part.attempts for part in await outbox.due(MAIN)] == [0, 0]

        world.channel.is_there = True
        gateway.wake(MAIN)
        await until(lambda: len(world.channel.sent) == 2)

    assert [part.text for part in world.channel.sent] == ["re a", "re b"]


async def test_a_failed_part_is_tried_again_before_the_next(world, hear, outbox):
    """A reply never arrives without its beginning."""
    async with world.open(ScriptedModel(lambda m: [f"re {m[-1].text}"])) as gateway:
        world.channel.failures = [ChannelError("refused")]
        await world.ask(gateway, hear("a"))
        await world.ask(gateway, hear("b"))

    assert [part.text for part in world.channel.sent] == ["re a", "re b"]
    assert await outbox.counts() == {"sent": 2}


async def test_what_can_never_arrive_is_given_up_and_told(world, hear, outbox):
    """A block is not tried for ever; what comes after it is tried all the same."""
    async with world.open(ScriptedModel(lambda m: [f"re {m[-1].text}"])) as gateway:
        world.channel.failures = [Undeliverable("the person blocked this bot")]
        await world.ask(gateway, hear("a"))
        await world.ask(gateway, hear("b"))

    assert [part.text for part in world.channel.sent] == ["re b"]
    assert await outbox.given_up(EVER) == [
        ("terminal:main", "the person blocked this bot")
    ]


async def test_a_reply_that_is_too_old_is_given_up(world, hear, outbox):
    """Nobody wants yesterday's answer to come today; a terminal waits for ever."""
    async with world.open(ScriptedModel(["old"], ["new"])) as gateway:
        world.channel.is_there = False
        await world.ask(gateway, hear("a"))
        world.channel.lifetime = 86_400.0
        for _ in range(86_400):
            world.clock()
        world.channel.is_there = True
        await world.ask(gateway, hear("b"))

    assert [part.text for part in world.channel.sent] == ["new"]
    assert await outbox.counts() == {"expired": 1, "sent": 1}


async def test_a_part_goes_on_where_it_broke_off(world, hear, outbox):
    """The platform's ids of what was sent outlive a failure and a crash."""
    seen = []

    async def deliver(part, note):
        seen.append((part.message_id, part.is_repeat))
        if not part.message_id:
            await note("m1")
            raise ChannelError("the network is gone")
        if not part.is_repeat:
            await note("m1,m2")
            raise TimeoutError
        return "m1,m2,m3"

    async with world.open(ScriptedModel(["long"])) as gateway:
        world.channel.deliver = deliver
        await world.ask(gateway, hear("a"))
        for _ in range(2):
            gateway.wake(MAIN)
            await until(lambda: MAIN not in gateway._workers)

    assert seen == [("", False), ("m1", False), ("m1,m2", True)]
    assert await outbox.counts() == {"sent": 1}


async def test_a_part_that_is_always_refused_holds_up_no_other(world, hear, outbox):
    """Some words a platform takes in no form; the next answer is worth more."""
    refused = [ChannelError("no such emoji")] * 50
    async with world.open(ScriptedModel(["bad"], ["good"])) as gateway:
        world.channel.failures = refused
        await world.ask(gateway, hear("a"))
        for _ in range(11):
            gateway.wake(MAIN)
            await until(lambda: MAIN not in gateway._workers)
        world.channel.failures = []
        await world.ask(gateway, hear("b"))

    assert [part.text for part in world.channel.sent] == ["good"]
    assert await outbox.given_up(EVER) == [("terminal:main", "no such emoji")]


async def test_a_slow_chat_holds_up_no_other(world, hear):
    """Two hundred chats wait after an outage, and one of them is flooded."""
    never = asyncio.Event()
    names = [f"telegram:7:{number}" for number in range(5)]
    async with world.open(ScriptedModel(["ok"]), drain=0.0) as gateway:
        world.channel.is_there = False
        for name in names:
            await world.ask(gateway, hear("a", name))
        world.channel.is_there = True
        deliver = world.channel.deliver

        async def slow(part, note):
            if str(part.thread) == names[0]:
                await never.wait()
            return await deliver(part, note)

        world.channel.deliver = slow
        sending = asyncio.create_task(gateway._delivery.deliver_all())
        await until(lambda: len(world.channel.sent) == 4)
        never.set()
        await sending

    assert {str(part.thread) for part in world.channel.sent} == set(names)


async def test_what_fails_is_not_tried_at_every_look(world, hear):
    """A minute apart in the end; a new reply in the thread is tried at once."""
    async with world.open(ScriptedModel(["ok"])) as gateway:
        world.channel.failures = [ChannelError("no")] * 3
        await world.ask(gateway, hear("a"))
        await until(lambda: len(world.channel.failures) == 2)
        for _ in range(20):
            await gateway._delivery.deliver_all()

        assert len(world.channel.failures) == 2


async def test_a_look_waits_out_a_failure_that_is_under_way(world, hear):
    """It would be a second try at once: the pause is set when the first has failed."""
    async with world.open(ScriptedModel(["ok"])) as gateway:
        may_fail, looks = asyncio.Event(), []
        tries = world.channel.failures = [ChannelError("no")] * 3
        deliver = world.channel.deliver

        async def slow(part, note):
            await may_fail.wait()
            return await deliver(part, note)

        world.channel.deliver = slow
        await world.ask(gateway, hear("a"))
        for _ in range(3):
            looks.append(asyncio.create_task(gateway._delivery.deliver_all()))
            # One that was asked later has its answer later: the look has its own.
            await gateway._delivery._outbox.due_threads("test")
            await gateway._delivery._outbox.due_threads("test")
        may_fail.set()
        await asyncio.gather(*looks)

    assert len(tries) == 2


@pytest.mark.parametrize("fault", [TimeoutError(), RuntimeError("ours")])
async def test_what_nobody_knows_of_is_not_sent_for_ever(world, hear, fault):
    """Each try may be one more message for its person."""
    async with world.open(ScriptedModel(["bad"], ["good"])) as gateway:
        world.channel.failures = [fault] * 50
        await world.ask(gateway, hear("a"))
        for _ in range(11):
            gateway.wake(MAIN)
            await until(lambda: MAIN not in gateway._workers)
        left = len(world.channel.failures)
        world.channel.failures = []
        await world.ask(gateway, hear("b"))

    assert left == 40
    assert [part.text for part in world.channel.sent] == ["good"]
