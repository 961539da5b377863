"""Parts of replies, from pending to sent."""

from apx.domain.ending import Ending
from apx.domain.thread import Thread
from apx.domain.turn import PartState, TurnState

MAIN = Thread("terminal", "main")


async def ended(ledger, clock, heard, *parts):
    await ledger.accept(heard)
    turn = await ledger.begin(heard.thread, clock())
    assert turn is not None
    await ledger.end(turn, Ending(TurnState.COMPLETED, parts=parts), clock())
    return turn


async def test_parts_are_due_in_order_until_sent(ledger, outbox, clock, hear):
    """A long reply arrives as it was written."""
    await ended(ledger, clock, hear("a"), "one", "two")
    await ended(ledger, clock, hear("b"), "three")

    due = await outbox.due(MAIN)
    assert [part.text for part in due] == ["one", "two", "three"]

    await outbox.mark(due[0], PartState.SENDING, clock())
    await outbox.mark(due[0], PartState.SENT, clock(), message_id="9")
    assert [part.text for part in await outbox.due(MAIN)] == ["two", "three"]


async def test_what_was_being_sent_is_unknown_after_a_crash(
    ledger, outbox, clock, hear
):
    """The person may have it or not; it is sent again, and marked."""
    await ended(ledger, clock, hear("a"), "one")
    [part] = await outbox.due(MAIN)
    await outbox.mark(part, PartState.SENDING, clock())

    assert await outbox.due(MAIN) == []
    assert await outbox.orphaned(clock()) == 1
    assert await outbox.orphaned(clock()) == 0

    [again] = await outbox.due(MAIN)
    assert again.is_repeat
    assert again.attempts == 1


async def test_only_real_attempts_are_counted(ledger, outbox, clock, hear):
    """Two tries are two, however often the state changed."""
    await ended(ledger, clock, hear("a"), "one")
    for _ in range(2):
        [part] = await outbox.due(MAIN)
        await outbox.mark(part, PartState.SENDING, clock())
        await outbox.mark(part, PartState.PENDING, clock(), error="away")

    [part] = await outbox.due(MAIN)
    assert (part.attempts, part.error) == (2, "away")
    assert await outbox.counts() == {"pending": 1}


async def test_threads_of_one_channel_are_named(ledger, outbox, clock, hear):
    """`terminal` does not take what is `terminal2`'s."""
    await ended(ledger, clock, hear("a"), "one")
    await ended(ledger, clock, hear("b", thread="terminal2:x"), "two")

    assert await outbox.due_threads("terminal") == ["terminal:main"]


async def test_a_part_in_doubt_knows_what_was_sent_before_it(
    ledger, outbox, clock, hear
):
    """It is looked for behind that; the same words may stand before it."""
    await ended(ledger, clock, hear("a"), "Done.")
    for text, parts in (("x", ()), ("y", ()), ("elsewhere", ("Done.",))):
        await ended(ledger, clock, hear(text, thread="terminal:other"), *parts)
    await ended(ledger, clock, hear("b"))
    await ended(ledger, clock, hear("c"), "never came", "Done.")
    first, lost, last = await outbox.due(MAIN)
    [other] = await outbox.due(Thread("terminal", "other"))
    for part, ids in ((first, "7,8"), (other, "9")):
        await outbox.mark(part, PartState.SENT, clock(), message_id=ids)
    await outbox.mark(lost, PartState.EXPIRED, clock())
    [waiting] = await outbox.due(MAIN)
    await outbox.mark(last, PartState.SENDING, clock(), message_id="10")
    await outbox.orphaned(clock())
    [part] = await outbox.due(MAIN)

    assert (waiting.previous, part.previous, part.message_id) == ("", "7,8", "10")
