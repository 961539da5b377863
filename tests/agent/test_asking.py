"""What a turn asks memory and its model, and what it adds up."""

from apx.domain.message import Finish, FinishReason, ToolCall, Usage
from apx.testing import FixedSource, ScriptedModel


class Counted(ScriptedModel):
    """A model that reports tokens and the reason of its end."""

    async def stream(self, messages, tools, options):
        async for delta in super().stream(messages, tools, options):
            if isinstance(delta, Finish):
                yield Usage(10, 2)
                reason = FinishReason.LENGTH
                yield Finish(delta.reason if self.prompts[1:] else reason)
            else:
                yield delta


async def test_memory_is_asked_for_this_person_and_not_for_what_is_shown(world, hear):
    """The prompt holds the turns before; their words are no memory."""
    source = FixedSource("recall", ())
    world.sources = [source]
    async with world.open(ScriptedModel(["ok"])) as gateway:
        first = await world.ask(gateway, hear("a"))
        second = await world.ask(gateway, hear("b"))

    assert source.asked[0].audiences == (first.audience, "shared")
    assert source.asked[1].known_turns == {first.id, second.id}


async def test_the_usage_of_all_rounds_is_added_up(world, hear):
    """A turn costs what each of its requests costs."""
    model = Counted([ToolCall("c", "list_notes", "{}")], ["done"])
    async with world.open(model) as gateway:
        turn = await world.ask(gateway, hear("a"))
    assert turn.usage == Usage(20, 4)


async def test_a_reply_that_was_cut_says_so(world, hear):
    """Nobody takes its beginning for the whole."""
    async with world.open(Counted(["a long"])) as gateway:
        turn = await world.ask(gateway, hear("a"))
    assert turn.final.startswith("a long\n")
    assert "stopped here" in turn.final
