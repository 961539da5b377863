"""What becomes of a turn whose process died or was told to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.domain.ending import Ending
from apx.domain.event import EventKind
from apx.domain.tool import Effect
from apx.domain.turn import TurnState

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from apx.domain.turn import Turn
    from apx.ports import Clock
    from apx.store.history import History
    from apx.store.ledger import Ledger
    from apx.store.outbox import Outbox


async def _always(_: Turn) -> bool:
    return True


class Recovery:
    """Ends turns as interrupted; runs a request once more where that is safe.

    Safe means that no tool with an effect outside had started, and that the turn was
    not such a repetition itself: a request that kills the process is not run for ever.
    """

    def __init__(
        self,
        ledger: Ledger,
        history: History,
        outbox: Outbox,
        clock: Clock,
        is_theirs: Callable[[Turn], Awaitable[bool]] = _always,
    ) -> None:
        self._is_theirs = is_theirs
        self._ledger = ledger
        self._history = history
        self._outbox = outbox
        self._clock = clock

    async def recover(self) -> int:
        """Take care of what a dead process left; gives the number of turns."""
        await self._outbox.orphaned(self._clock())
        orphans = await self._ledger.running()
        for turn in orphans:
            await self.interrupt(turn)
        return len(orphans)

    async def interrupt(self, turn: Turn) -> None:
        """End a running turn from outside."""
        outside, at = await self._outside(turn), self._clock()
        if not await self._is_theirs(turn):
            # Whoever has that chat by now must not be told of it.
            await self._ledger.end(turn, Ending(TurnState.INTERRUPTED), at)
            return
        if turn.retry_of is None and not outside:
            ending = Ending(TurnState.INTERRUPTED, error="apx ended meanwhile")
            await self._ledger.interrupt(turn, ending, at)
        else:
            await self._ledger.end(turn, _told(outside, at), at)

    async def _outside(self, turn: Turn) -> list[str]:
        started = await self._history.events_of(turn.id, EventKind.TOOL_START)
        ended = await self._history.events_of(turn.id, EventKind.TOOL_RESULT)
        results = {event.body["call"] for event in ended}
        return [
            event.body["name"]
            if event.body["call"] in results
            else f"{event.body['name']} (outcome unknown)"
            for event in started
            if event.body["effect"] == Effect.OUTSIDE
        ]


def _told(outside: list[str], at: datetime) -> Ending:
    what = f" after {', '.join(outside)}" if outside else " twice"
    return Ending(
        TurnState.INTERRUPTED,
        error=f"apx ended at or before {at:%Y-%m-%d %H:%M} UTC",
        parts=(f"⚠ I was interrupted{what} and did not go on. /retry runs it again.",),
    )
