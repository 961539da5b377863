"""Which of the requests that wait are answered together."""

from dataclasses import replace

from apx.domain.ending import Ending
from apx.domain.thread import Thread
from apx.domain.turn import TurnState

MAIN = Thread("terminal", "main")


async def requests(ledger, clock):
    """Begin and end turns until nothing waits; give what each was asked."""
    asked = []
    while turn := await ledger.begin(MAIN, clock()):
        asked.append(turn.request)
        await ledger.end(turn, Ending(TurnState.COMPLETED, "ok"), clock())
    return asked


async def test_only_one_persons_requests_are_put_together(ledger, clock, hear):
    """In a group each is answered on their own behalf, in order."""
    for text, person in (
        ("a", "owner"),
        ("b", "owner"),
        ("c", "guest"),
        ("d", "owner"),
    ):
        await ledger.accept(replace(hear(text), person=person))

    assert await requests(ledger, clock) == ["a\nb", "c", "d"]


async def test_a_repetition_is_run_alone(ledger, clock, hear):
    """And first: it was asked before all that waits."""
    await ledger.accept(hear("failed"))
    turn = await ledger.begin(MAIN, clock())
    await ledger.end(turn, Ending(TurnState.FAILED, error="away"), clock())
    await ledger.accept(hear("before"))
    await ledger.retry(turn, "terminal:main/again", clock())
    await ledger.accept(hear("after"))

    assert await requests(ledger, clock) == ["failed", "before\nafter"]
