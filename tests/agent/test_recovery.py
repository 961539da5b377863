"""What a dead process left, taken care of once."""

import pytest

from apx.agent.recovery import Recovery
from apx.domain.event import Event, EventKind
from apx.domain.thread import Thread
from apx.domain.tool import Effect
from apx.domain.turn import PartState, TurnState
from apx.testing import ScriptedModel, until

MAIN = Thread("terminal", "main")


async def orphaned(world, hear, text="hello"):
    heard = hear(text)
    await world.ledger.accept(heard)
    turn = await world.ledger.begin(MAIN, world.clock())
    return heard, turn


async def started(world, turn, effect, *, ended):
    kinds = [EventKind.TOOL_START, EventKind.TOOL_RESULT][: 2 if ended else 1]
    for kind in kinds:
        body = {"call": "c", "name": "send", "effect": effect, "ok": True, "text": "x"}
        event = Event(kind, f"{kind}/{turn.id}", world.clock(), body, turn=turn.id)
        await world.ledger.record(event)


async def test_a_request_is_run_once_more(world, hear):
    """The person gets one answer, and knows nothing of the crash."""
    heard, orphan = await orphaned(world, hear)

    async with world.open(ScriptedModel(["hi"])) as gateway:
        await gateway.resume()
        turn = await gateway.settled(heard.thread, heard.key)

    assert (turn.final, turn.retry_of) == ("hi", orphan.id)
    assert (await world.ledger.turn(orphan.id)).state is TurnState.INTERRUPTED
    assert [part.text for part in world.channel.sent] == ["hi"]


async def test_recovering_twice_changes_nothing(world, hear, database):
    """A start that dies is followed by another."""
    await orphaned(world, hear)
    assert await world.recovery().recover() == 1
    before = [tuple(row) for row in await database.fetch("select * from event")]

    assert await world.recovery().recover() == 0

    after = [tuple(row) for row in await database.fetch("select * from event")]
    assert after == before


async def test_a_request_that_kills_the_process_is_not_run_for_ever(world, hear):
    """The second time the person is told instead."""
    heard, _ = await orphaned(world, hear)
    await world.recovery().recover()
    again = await world.ledger.begin(MAIN, world.clock())
    assert again is not None
    await world.recovery().recover()

    async with world.open(ScriptedModel(["never"])) as gateway:
        await gateway.resume()
        turn = await gateway.settled(heard.thread, heard.key)
        gateway.wake(MAIN)
        await until(lambda: world.channel.sent)

    assert turn.id == again.id
    assert turn.state is TurnState.INTERRUPTED
    assert "/retry" in world.channel.sent[0].text


@pytest.mark.parametrize("ended", [True, False])
async def test_after_an_outside_effect_nothing_is_run_again(world, hear, ended):
    """The person is told what had started, and offered to run it again."""
    heard, orphan = await orphaned(world, hear)
    await started(world, orphan, Effect.OUTSIDE, ended=ended)

    model = ScriptedModel(["done"])
    async with world.open(model) as gateway:
        await gateway.resume()
        turn = await gateway.settled(heard.thread, heard.key)
        gateway.wake(MAIN)
        await until(lambda: world.channel.sent)
        assert turn.id == orphan.id
        assert model.prompts == []
        [told] = world.channel.sent
        assert "send" in told.text
        assert ("outcome unknown" in told.text) is not ended

        retry = hear("/retry")
        await gateway.hear(retry)
        assert (await gateway.settled(retry.thread, retry.key)).final == "done"


async def test_effects_inside_the_home_are_run_again(world, hear):
    """A note that is there already is not written twice."""
    heard, orphan = await orphaned(world, hear)
    await started(world, orphan, Effect.HOME, ended=True)

    async with world.open(ScriptedModel(["done"])) as gateway:
        await gateway.resume()
        assert (await gateway.settled(heard.thread, heard.key)).final == "done"


async def test_what_was_being_sent_is_sent_again_and_marked(world, hear, outbox):
    """Better twice and marked than never."""
    async with world.open(ScriptedModel(["hi"])) as gateway:
        world.channel.is_there = False
        await world.ask(gateway, hear("hello"))
    [part] = await outbox.due(MAIN)
    await outbox.mark(part, PartState.SENDING, world.clock())

    world.channel.is_there = True
    async with world.open(ScriptedModel(["no"])) as gateway:
        gateway.wake(MAIN)
        await until(lambda: world.channel.sent)

    [sent] = world.channel.sent
    assert sent.is_repeat
    assert await outbox.counts() == {"sent": 1}


async def test_nobody_elses_chat_is_told_of_what_broke_off(world, ledger, hear, clock):
    """The account behind it was parted while the process was dead."""

    async def never(_):
        return False

    heard = hear("my plans?")
    await ledger.accept(heard)
    turn = await ledger.begin(heard.thread, clock())
    recovery = Recovery(ledger, world.history, world.outbox, clock, never)

    await recovery.recover()

    assert await ledger.waiting() == []
    assert await world.outbox.parts_of(turn.id) == []
    assert (await ledger.turn(turn.id)).state is TurnState.INTERRUPTED
