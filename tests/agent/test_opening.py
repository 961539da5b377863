"""The gateway's beginning and end, and faults that end one turn only."""

import asyncio

import pytest

from apx.domain.message import Role, ToolCall
from apx.testing import FunctionTool, ScriptedModel


async def test_what_was_heard_before_it_opened_is_answered(world, hear):
    """The socket listens a little earlier than turns may run."""
    gateway = world.gateway(ScriptedModel(["hi"]))
    heard = hear("hello")
    await gateway.hear(heard)

    async with gateway.open():
        turn = await gateway.settled(heard.thread, heard.key)

    assert turn.final == "hi"


async def test_an_error_of_the_block_leaves_as_it_is(world):
    """Bare: commands tell errors by their class."""
    with pytest.raises(ZeroDivisionError):
        async with world.open(ScriptedModel(["hi"])):
            raise ZeroDivisionError


async def test_a_fault_in_a_tool_is_told_to_the_model(world, hear):
    """And the tool beside it is not cut off in the middle of its act."""
    done = asyncio.Event()

    async def act(_):
        raise ZeroDivisionError

    async def write(_):
        await asyncio.sleep(0)
        done.set()
        return "written"

    world.tools += [FunctionTool("act", act), FunctionTool("write", write)]
    calls = [ToolCall("c1", "act", "{}"), ToolCall("c2", "write", "{}")]
    model = ScriptedModel(calls, ["sorry"])
    async with world.open(model) as gateway:
        turn = await world.ask(gateway, hear("hello"))

    assert done.is_set()
    assert turn.final == "sorry"
    results = [m.text for m in model.prompts[1] if m.role is Role.TOOL]
    assert results == ["failed: a fault in the tool", "written"]
