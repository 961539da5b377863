"""The outbox on its way."""

from apx.domain.errors import ChannelError
from apx.domain.thread import Thread
from apx.testing import ScriptedModel, until

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
