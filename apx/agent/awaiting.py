"""Waits for the ends of requests: whoever asked is told when nothing more comes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

import structlog

from apx.domain.errors import ApxError
from apx.domain.turn import TurnState

if TYPE_CHECKING:
    from apx.domain.thread import Thread
    from apx.domain.turn import Turn
    from apx.store.ledger import Ledger


log = structlog.get_logger(__name__)

_STUCK: Final = "this conversation cannot go on now; apx.log says why"


class _End(asyncio.Condition):
    """Something ended, or cannot: then `fault` says why."""

    fault: ApxError | None = None


class Awaiting:
    """Tells those who wait in a thread that something ended there."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._ends: WeakValueDictionary[Thread, _End] = WeakValueDictionary()
        self._stuck: set[Thread] = set()

    async def settled(self, thread: Thread, key: str) -> Turn | None:
        """Wait until a request's turn has ended for good; none if it never began.

        Raises what keeps the thread from going on, if that lasts.
        """
        end = self._end_of(thread)
        async with end:
            while not await self._ledger.is_withdrawn(key):
                turn = await self._ledger.turn_of(key)
                if turn is not None and await self._is_final(turn):
                    return turn
                await end.wait()
                if end.fault is not None:
                    raise end.fault
        return None

    async def tell(self, thread: Thread) -> None:
        """Have those who wait look again."""
        self._stuck.discard(thread)
        await self._notify(thread, None)

    async def stopped(self, thread: Thread, error: Exception) -> None:
        """Note that a thread cannot go on: a full disk, say. The second time, tell it.

        What people said stays in the ledger, and is tried again.
        """
        if thread not in self._stuck:
            self._stuck.add(thread)
            log.error("thread_stopped", thread=str(thread), exc_info=error)
            return
        known = error if isinstance(error, ApxError) else ApxError(_STUCK)
        await self._notify(thread, known)

    async def _notify(self, thread: Thread, fault: ApxError | None) -> None:
        async with (end := self._end_of(thread)):
            end.fault = fault
            end.notify_all()

    def _end_of(self, thread: Thread) -> _End:
        return self._ends.setdefault(thread, _End())

    async def _is_final(self, turn: Turn) -> bool:
        if turn.state is TurnState.RUNNING:
            return False
        return (
            turn.state is not TurnState.INTERRUPTED
            or not await self._ledger.repeats(turn.id)
        )
