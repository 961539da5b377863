"""Threads in order and side by side; bursts; stopping; draining."""

import asyncio

import pytest

from apx.domain.errors import Conflict, InputError, ProviderUnavailable
from apx.domain.message import ToolCall
from apx.domain.recall import Findings, Kind, Memory
from apx.domain.thread import Thread
from apx.domain.tool import Effect
from apx.domain.turn import TurnState
from apx.testing import FunctionTool, ScriptedModel, until

MAIN = Thread("terminal", "main")


def asked(messages):
    return messages[-1].text


async def test_a_message_gets_one_answer(world, hear):
    """Accepted, answered, delivered."""
    async with world.open(ScriptedModel(["hi", " there"])) as gateway:
        turn = await world.ask(gateway, hear("hello"))

    assert (turn.state, turn.final) == (TurnState.COMPLETED, "hi there")
    assert [part.text for part in world.channel.sent] == ["hi there"]
    assert world.channel.lives[0].shown == ["hi", " there"]


async def test_threads_run_side_by_side(world, hear):
    """One slow answer keeps nobody else waiting."""
    gate = asyncio.Event()

    def script(messages):
        return [gate, "slow"] if asked(messages) == "slow" else ["quick"]

    async with world.open(ScriptedModel(script)) as gateway:
        slow = hear("slow")
        await gateway.hear(slow)
        quick = await world.ask(gateway, hear("quick", thread="terminal:b"))
        assert quick.final == "quick"
        assert gateway.runs.get(MAIN) is not None
        gate.set()
        assert (await gateway.settled(slow.thread, slow.key)).final == "slow"


async def test_a_burst_is_one_turn(world, hear):
    """What comes before anything was shown joins; the model hears all of it."""
    gate = asyncio.Event()
    model = ScriptedModel([gate, "never"], lambda m: [f"all of: {asked(m)}"])
    async with world.open(model) as gateway:
        one, two = hear("one"), hear("two")
        await gateway.hear(one)
        await until(lambda: model.prompts)
        await gateway.hear(two)
        turn = await gateway.settled(two.thread, two.key)

    assert turn.final == "all of: one\ntwo"
    assert (await world.ledger.turn_of(one.key)).id == turn.id
    assert len(world.channel.sent) == 1


async def test_what_comes_after_the_first_word_is_the_next_turn(world, hear):
    """An answer that a person reads already does not change under their eyes."""
    gate = asyncio.Event()
    model = ScriptedModel(["first", gate], lambda m: [f"next: {asked(m)}"])
    async with world.open(model) as gateway:
        one = hear("one")
        await gateway.hear(one)
        await until(lambda: world.channel.lives and world.channel.lives[0].shown)
        two, three = hear("two"), hear("three")
        await gateway.hear(two)
        await gateway.hear(three)
        gate.set()
        first = await gateway.settled(one.thread, one.key)
        second = await gateway.settled(two.thread, two.key)

    assert first.final == "first"
    assert second.final == "next: two\nthree"
    assert (await world.ledger.turn_of(three.key)).id == second.id


async def test_what_comes_after_a_tool_is_the_next_turn(world, hear):
    """A tool that ran for the old request must not be run for the new one."""
    started, gate = asyncio.Event(), asyncio.Event()

    async def act(_):
        started.set()
        await gate.wait()
        return "done"

    world.tools.append(FunctionTool("act", act, Effect.OUTSIDE))
    model = ScriptedModel([ToolCall("c", "act", "{}")], ["after"], ["next"])
    async with world.open(model) as gateway:
        one, two = hear("one"), hear("two")
        await gateway.hear(one)
        await started.wait()
        await gateway.hear(two)
        gate.set()
        assert (await gateway.settled(one.thread, one.key)).final == "after"
        assert (await gateway.settled(two.thread, two.key)).final == "next"


async def test_the_same_message_twice_is_answered_once(world, hear):
    """Also while it is being answered, and after."""
    model = ScriptedModel(["hi"])
    async with world.open(model) as gateway:
        heard = hear("hello", external_id="7")
        first = await world.ask(gateway, heard)
        again = await world.ask(gateway, heard)

    assert first.id == again.id
    assert len(model.prompts) == 1
    assert len(world.channel.sent) == 1


async def test_a_message_delivered_again_does_not_join_its_own_turn(world, hear):
    """Platforms repeat themselves; the model must not hear it twice."""
    gate = asyncio.Event()
    model = ScriptedModel([gate, "once"])
    async with world.open(model) as gateway:
        heard = hear("hello", external_id="7")
        await gateway.hear(heard)
        await until(lambda: model.prompts)
        await gateway.hear(heard)
        gate.set()
        turn = await gateway.settled(heard.thread, heard.key)

    assert turn.request == "hello"
    assert len(model.prompts) == 1


async def test_an_id_with_another_text_is_refused(world, hear):
    """It is not answered as if it were the first."""
    async with world.open(ScriptedModel(["hi"])) as gateway:
        await world.ask(gateway, hear("hello", external_id="7"))
        with pytest.raises(Conflict):
            await gateway.hear(hear("other", external_id="7"))


@pytest.mark.parametrize("text", ["", "  \n\t ", "\x00\x00"])
async def test_an_empty_message_is_refused(world, hear, text):
    """With one clear line; no turn begins."""
    async with world.open(ScriptedModel(["hi"])) as gateway:
        with pytest.raises(InputError, match="empty"):
            await gateway.hear(hear(text))
    assert await world.ledger.newest(MAIN) is None


async def test_a_thread_of_a_channel_that_is_not_here_is_refused(world, hear):
    """Its reply could never be delivered."""
    async with world.open(ScriptedModel(["hi"])) as gateway:
        with pytest.raises(InputError, match="no channel 'matrix'"):
            await gateway.hear(hear("hello", thread="matrix:1"))
        assert (await world.ask(gateway, hear("hello"))).final == "hi"


async def test_surrogates_and_nul_never_reach_the_store(world, hear):
    """Text is made clean at the door."""
    async with world.open(ScriptedModel(["hi"])) as gateway:
        turn = await world.ask(gateway, hear("a\x00b\udce9c"))
    assert turn.request == "ab\ufffdc"


async def test_stop_while_it_streams(world, hear):
    """The stream is closed at once, what was shown is kept, the next turn is free."""
    gate = asyncio.Event()
    model = ScriptedModel(["half", gate, "never"], ["next"])
    async with world.open(model) as gateway:
        one = hear("one")
        await gateway.hear(one)
        await until(lambda: world.channel.lives and world.channel.lives[0].shown)
        assert await gateway.hear(hear("/stop")) == "Stopped."
        turn = await gateway.settled(one.thread, one.key)
        after = await world.ask(gateway, hear("two"))

    assert (turn.state, turn.partial, turn.final) == (TurnState.STOPPED, "half", None)
    assert after.final == "next"
    assert {"one", "half"}.isdisjoint(m.text for m in model.prompts[1])


async def test_stop_while_a_tool_runs(world, hear):
    """The tool finishes and its result is kept; the model is not asked again."""
    started, gate = asyncio.Event(), asyncio.Event()

    async def act(_):
        started.set()
        await gate.wait()
        return "done"

    world.tools.append(FunctionTool("act", act))
    model = ScriptedModel([ToolCall("c", "act", "{}")], ["never"])
    async with world.open(model) as gateway:
        one = hear("one")
        await gateway.hear(one)
        await started.wait()
        await gateway.hear(hear("/stop"))
        gate.set()
        turn = await gateway.settled(one.thread, one.key)

    assert turn.state is TurnState.STOPPED
    assert len(model.prompts) == 1
    events = await world.history.events(0, 100)
    assert [e.body["text"] for e in events if e.kind == "tool_result"] == ["done"]


async def test_stop_with_nothing_running(world, hear):
    """And never the turn that begins after it."""
    async with world.open(ScriptedModel(["hi"])) as gateway:
        assert "Nothing" in (await gateway.hear(hear("/stop")) or "")
        assert (await world.ask(gateway, hear("go"))).state is TurnState.COMPLETED


async def test_retry_runs_the_failed_request_again(world, hear):
    """Under a turn of its own that says what it repeats."""
    away = ProviderUnavailable("away", provider="x")
    async with world.open(ScriptedModel([away], ["now"])) as gateway:
        failed = await world.ask(gateway, hear("hello"))
        again = hear("/retry")
        assert "hello" in (await gateway.hear(again) or "")
        turn = await gateway.settled(again.thread, again.key)

    assert failed.state is TurnState.FAILED
    assert (turn.final, turn.retry_of) == ("now", failed.id)


async def test_a_fault_of_ours_ends_one_turn_only(world, hear):
    """The person is told, the thread goes on."""
    async with world.open(ScriptedModel([ZeroDivisionError("secret")], ["ok"])) as g:
        broken = await world.ask(g, hear("hello"))
        fine = await world.ask(g, hear("again"))

    assert broken.state is TurnState.FAILED
    assert "ZeroDivisionError" in world.channel.sent[0].text
    assert "secret" not in world.channel.sent[0].text
    assert fine.final == "ok"


async def test_ending_waits_for_what_runs(world, hear):
    """A turn that ends in time is completed and delivered."""
    gate = asyncio.Event()
    async with world.open(ScriptedModel([gate, "done"])) as gateway:
        heard = hear("hello")
        await gateway.hear(heard)
        await until(lambda: gateway.runs.get(MAIN))
        asyncio.get_running_loop().call_later(0.01, gate.set)

    assert (await world.ledger.turn_of(heard.key)).final == "done"
    assert len(world.channel.sent) == 1


async def test_what_does_not_end_in_time_is_run_again_at_the_next_start(world, hear):
    """Interrupted, then taken up once; the person gets one answer."""
    heard = hear("hello")
    never = asyncio.Event()
    async with world.open(ScriptedModel([never]), drain=0.01) as gateway:
        await gateway.hear(heard)
        await until(lambda: gateway.runs.get(MAIN))
    first = await world.ledger.turn_of(heard.key)
    assert first.state is TurnState.INTERRUPTED

    async with world.open(ScriptedModel(["done"])) as gateway:
        await gateway.resume()
        turn = await gateway.settled(heard.thread, heard.key)

    assert (turn.final, turn.retry_of) == ("done", first.id)
    assert [part.text for part in world.channel.sent] == ["done"]


async def test_a_message_after_closing_waits_for_the_next_start(world, hear):
    """It is in the ledger, so it is not lost."""
    async with world.open(ScriptedModel(["no"])) as gateway:
        pass
    late = hear("late")
    await gateway.hear(late)
    assert await world.ledger.newest(MAIN) is None

    async with world.open(ScriptedModel(["yes"])) as gateway:
        await gateway.resume()
        assert (await gateway.settled(late.thread, late.key)).final == "yes"


async def test_many_threads_lose_and_double_nothing(world, hear):
    """Two hundred threads at once, three messages each."""
    model = ScriptedModel(lambda m: [asked(m)])
    heard = [
        hear(f"{n}-{t}", thread=f"terminal:t{t}") for n in range(3) for t in range(200)
    ]
    async with world.open(model) as gateway:
        await asyncio.gather(*(gateway.hear(message) for message in heard))
        await asyncio.gather(
            *(gateway.settled(message.thread, message.key) for message in heard)
        )

    said = [line for part in world.channel.sent for line in part.text.split("\n")]
    assert sorted(said) == sorted(message.text for message in heard)


@pytest.mark.parametrize("steps", range(8))
async def test_what_joins_while_memory_is_asked_fails_no_turn(world, hear, steps):
    """So many steps of the loop later: what is recorded is what was asked for then."""
    second = hear("and what about tea?")

    def later(many, run):
        if many:
            asyncio.get_running_loop().call_soon(later, many - 1, run)
        else:
            run.join(second)

    class Joined:
        name = "joined"
        count = 0

        async def fetch(self, query):
            self.count += 1
            if self.count == 1:
                later(steps, next(iter(gateway.runs.values())))
            memory = Memory(Kind.NOTE, f"n{self.count}", query.at, "x", "note 1")
            return Findings((memory,))

    world.sources = [Joined()]
    async with world.open(ScriptedModel(["ok"])) as gateway:
        turn = await world.ask(gateway, hear("hello"))

    assert turn.state is TurnState.COMPLETED


@pytest.mark.parametrize("many", [2, 5, 9])
async def test_a_long_paste_stays_one_question_in_its_order(world, hear, many):
    """Clients cut it into messages that come as fast as they can be written down."""
    gate = asyncio.Event()
    async with world.open(ScriptedModel(lambda _: [gate, "ok"])) as gateway:
        pieces = [hear(f"piece{number} " + "word " * 800) for number in range(many)]
        for piece in pieces:
            await gateway.hear(piece)
        gate.set()
        turn = await gateway.settled(pieces[0].thread, pieces[-1].key)

    found = [word for word in turn.request.split() if word.startswith("piece")]
    assert found == [f"piece{number}" for number in range(many)]
