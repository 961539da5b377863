"""What becomes of parts that cannot be sent at once."""

import asyncio

import pytest

from apx.agent.delivery import Delivery
from apx.domain.ending import Ending
from apx.domain.errors import ChannelError, Unreachable
from apx.domain.turn import PartState, TurnState
from apx.testing import MemoryChannel


@pytest.fixture
def channel():
    return MemoryChannel()


@pytest.fixture
def delivery(outbox, channel, clock):
    return Delivery(outbox, {"terminal": channel}, clock)


@pytest.fixture
async def thread(ledger, clock, hear):
    """A thread in which two parts of one reply wait."""
    heard = hear("hello")
    await ledger.accept(heard)
    turn = await ledger.begin(heard.thread, clock())
    ending = Ending(TurnState.COMPLETED, "ab", parts=("a", "b"))
    await ledger.end(turn, ending, clock())
    return heard.thread


@pytest.mark.parametrize("failure", [Unreachable("gone"), ChannelError("no")])
async def test_no_part_overtakes_another(delivery, channel, thread, failure):
    """The second waits until the first could be sent."""
    channel.failures = [failure]
    await delivery.deliver(thread)
    assert channel.sent == []

    await delivery.deliver(thread)
    assert [part.text for part in channel.sent] == ["a", "b"]


async def test_what_may_be_known_stays_so(delivery, channel, outbox, thread, clock):
    """A failed attempt does not make it certain that the person has not seen it."""
    first, _ = await outbox.due(thread)
    await outbox.mark(first, PartState.SENDING, clock())
    await outbox.orphaned(clock())
    channel.failures = [Unreachable("gone")]

    await delivery.deliver(thread)
    await delivery.deliver(thread)

    assert [part.is_repeat for part in channel.sent] == [True, False]


async def test_the_platforms_id_is_kept(delivery, database, thread):
    """A reply to it may come."""
    await delivery.deliver(thread)

    found = await database.fetch("select message_id, state from outbox order by id")
    assert [tuple(row) for row in found] == [("m1", "sent"), ("m2", "sent")]


async def test_two_who_deliver_at_once_send_each_part_once(delivery, channel, thread):
    """The background and a turn's end may look into the outbox together."""
    await asyncio.gather(delivery.deliver(thread), delivery.deliver(thread))
    assert [part.text for part in channel.sent] == ["a", "b"]
