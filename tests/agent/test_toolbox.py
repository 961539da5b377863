"""How tools are run, and what of it is written down."""

import asyncio

import pytest

from apx.agent.toolbox import Bench, Toolbox
from apx.domain.errors import StoreError
from apx.domain.event import EventKind
from apx.domain.message import Reply, ToolCall
from apx.domain.tool import Effect, ToolOutcome, ToolSpec
from apx.testing import FunctionTool


class Recording:
    """A tool that keeps the scenes it was run in."""

    spec = ToolSpec("look", "looks", {"type": "object"}, Effect.OUTSIDE)

    def __init__(self):
        self.scenes = []

    async def run(self, arguments, scene):
        self.scenes.append(scene)
        return ToolOutcome("seen", ok=arguments != "wrong")


@pytest.fixture
def look():
    return Recording()


@pytest.fixture
async def turn(ledger, clock, hear):
    heard = hear("hello")
    await ledger.accept(heard)
    return await ledger.begin(heard.thread, clock())


@pytest.fixture
def toolbox(look, turn, ledger, clock):
    async def fail(_):
        raise StoreError("the disk is full")

    tools = {"look": look, "fail": FunctionTool("fail", fail)}
    return Toolbox(Bench(tools), turn, ledger, clock)


def calls(*arguments, name="look"):
    return Reply(calls=tuple(ToolCall("same", name, text) for text in arguments))


async def test_a_tool_knows_for_whom_it_acts(toolbox, look, turn):
    """And has an operation of its own for each call, also in a later round."""
    await toolbox.run(calls("a", "b"))
    await toolbox.run(calls("a"))

    assert len({scene.op for scene in look.scenes}) == 3
    for scene in look.scenes:
        assert (scene.turn, scene.thread) == (turn.id, turn.thread)
        assert (scene.person, scene.audience) == (turn.person, turn.audience)


async def test_each_call_is_in_the_log_before_and_after(toolbox, turn, history):
    """With its effect: whoever finds it half done must know what that may mean."""
    await toolbox.run(calls("a"))

    [start] = await history.events_of(turn.id, EventKind.TOOL_START)
    [result] = await history.events_of(turn.id, EventKind.TOOL_RESULT)
    assert start.body["effect"] == "outside"
    assert start.body["call"] == result.body["call"]
    assert (result.body["ok"], result.body["text"]) == (True, "seen")


async def test_a_tool_that_failed_has_done_nothing(toolbox):
    """So that a claim to have saved something is not believed."""
    await toolbox.run(calls("wrong"))
    assert toolbox.done == set()
    await toolbox.run(calls("right"))
    assert toolbox.done == {"look"}


async def test_an_error_of_ours_is_an_outcome(toolbox):
    """The model is told; the other calls of the reply have their results."""
    reply = Reply(calls=(ToolCall("1", "fail", "{}"), ToolCall("2", "look", "{}")))

    step = await toolbox.run(reply)

    assert list(step.results.values()) == ["failed: the disk is full", "seen"]


async def test_only_the_same_call_is_stuck(toolbox):
    """Another argument is another attempt, although it had the same result."""
    for number in range(8):
        await toolbox.run(calls(f"{number}"))
        assert not toolbox.is_stuck
    for _ in range(3):
        await toolbox.run(calls("0"))
    assert toolbox.is_stuck


async def test_results_find_their_calls(toolbox):
    """Although the server named all calls alike, and they end out of order."""
    first, second = asyncio.Event(), asyncio.Event()

    async def wait(arguments):
        event = {"1": first, "2": second}[arguments]
        await event.wait()
        first.set()
        return arguments

    toolbox._bench.tools["wait"] = FunctionTool("wait", wait)
    second.set()

    step = await toolbox.run(calls("1", "2", name="wait"))

    assert [step.results[call.id] for call in step.calls] == ["1", "2"]
