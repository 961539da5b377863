"""Waits for the ends of requests: whoever asked is told when nothing more comes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from apx.domain.turn import TurnState

if TYPE_CHECKING:
    from apx.domain.thread import Thread
    from apx.domain.turn import Turn
    from apx.store.ledger import Ledger


class Awaiting:
    """Tells those who wait in a thread that something ended there."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._ends: WeakValueDictionary[Thread, asyncio.Condition] = (
            WeakValueDictionary()
        )

    async def settled(self, thread: Thread, key: str) -> Turn | None:
        """Wait until a request's turn has ended for good; none if it never began."""
        end = self._end_of(thread)
        async with end:
            while not await self._ledger.is_withdrawn(key):
                turn = await self._ledger.turn_of(key)
                if turn is not None and await self._is_final(turn):
                    return turn
                await end.wait()
        return None

    async def tell(self, thread: Thread) -> None:
        """Have those who wait look again."""
        async with (end := self._end_of(thread)):
            end.notify_all()

    def _end_of(self, thread: Thread) -> asyncio.Condition:
        return self._ends.setdefault(thread, asyncio.Condition())

    async def _is_final(self, turn: Turn) -> bool:
        if turn.state is TurnState.RUNNING:
            return False
        return (
            turn.state is not TurnState.INTERRUPTED
            or not await self._ledger.repeats(turn.id)
        )
