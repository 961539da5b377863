"""The gateway's beginning and end, and faults that end one turn only."""

import pytest

from apx.domain.message import ToolCall
from apx.domain.turn import TurnState
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


async def test_a_fault_in_a_tool_is_named(world, hear):
    """The fault itself, not the group that the tools ran in."""

    async def act(_):
        raise ZeroDivisionError

    world.tools.append(FunctionTool("act", act))
    async with world.open(ScriptedModel([ToolCall("c", "act", "{}")])) as gateway:
        turn = await world.ask(gateway, hear("hello"))

    assert (turn.state, turn.error) == (TurnState.FAILED, "ZeroDivisionError")
