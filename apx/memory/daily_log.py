"""Keeps the daily log up with the ledger's log, each event once.

It is derived: without its directory it is written anew, from the beginning.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import structlog

from apx.memory.day_files import DayFiles

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import tzinfo
    from pathlib import Path

    from apx.domain.daily import Cursor
    from apx.domain.event import Event
    from apx.store.history import History

log = structlog.get_logger(__name__)

_BATCH: Final = 500
# As long as a short command waits for it.
_MOMENT: Final = 0.3


class DailyLog:
    """Appends what is new to `<directory>/<agent>/YYYY-MM-DD.jsonl`.

    `trouble` says why it cannot be written now, and is empty while all is well:
    nobody's turn fails for it, and what is missing is written when it can be.
    """

    def __init__(
        self, directory: Path, history: History, zone: tzinfo, agent: str = "main"
    ) -> None:
        self.trouble = ""
        self._name = f"{directory.name}/{agent}"
        self._history = history
        self._files = DayFiles(directory / agent, zone)
        self._lock = asyncio.Lock()

    async def catch_up(self) -> int:
        """Write all that is new; gives how many lines that were."""
        total, is_more = 0, True
        while is_more:
            lines, is_more = await self._batch()
            total += lines
        return total

    async def freshen(self, seconds: float = _MOMENT) -> None:
        """Write what is new, for a moment; the next one goes on from there."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.catch_up()

    async def rewrite(self, seqs: Collection[int], events: Sequence[Event]) -> int:
        """Say of changed events what they are now; of those that are gone, nothing.

        Gives how many lines that were; raises `OSError` where it cannot be written.
        """
        async with self._lock:
            return await asyncio.to_thread(self._files.rewrite, seqs, events)

    async def aclose(self) -> None:
        """Wait for the batch that is under way."""
        async with self._lock:
            pass

    async def _batch(self) -> tuple[int, bool]:
        """Write a batch, to its end even if the caller gives up: its thread does."""
        return await asyncio.shield(asyncio.ensure_future(self._step()))

    async def _step(self) -> tuple[int, bool]:
        async with self._lock:
            try:
                lines, is_more = await self._written()
            except OSError as error:
                self._files.forget()
                self._complain(error)
                return 0, False
            if self.trouble and not is_more:
                self.trouble = ""
                log.info("daily_log_goes_on", name=self._name)
            return lines, is_more

    async def _written(self) -> tuple[int, bool]:
        files = self._files
        if await asyncio.to_thread(files.is_strange):
            ledger = await self._history.ledger_id()
            if not await self._is_of(files.cursor, ledger):
                await asyncio.to_thread(files.set_aside)
            await asyncio.to_thread(files.open, ledger)
        events = await self._history.events(files.seq, _BATCH)
        lines = await asyncio.to_thread(files.take, events) if events else 0
        return lines, len(events) == _BATCH

    async def _is_of(self, cursor: Cursor, ledger: str) -> bool:
        """Whether a cursor is this ledger's; a copy from before it has other events."""
        if not cursor.ledger or not cursor.seq:
            return cursor.ledger in {"", ledger}
        events = await self._history.events(cursor.seq - 1, 1)
        # An event that is gone was erased: the log of another ledger has no gaps.
        is_there = [event.seq > cursor.seq or event.op == cursor.op for event in events]
        return cursor.ledger == ledger and is_there == [True]

    def _complain(self, error: OSError) -> None:
        why = error.strerror or type(error).__name__
        if not self.trouble:
            log.warning("daily_log_failed", name=self._name, errno=error.errno)
        self.trouble = (
            f"{self._name}: cannot be written ({why}); make room for it, or let apx"
            " write there: what is missing is added then"
        )
