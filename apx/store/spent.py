"""What calls to models cost, by day: in memory at once, in the table a moment later."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Self

import structlog

from apx.domain.errors import StoreError
from apx.domain.usage import Expense, add, summed

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncIterator, Callable, Iterable

    from apx.domain.usage import Call, Key
    from apx.store.database import Database

log = structlog.get_logger(__name__)

_ADD: Final = """
insert into spent values (?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (day, purpose, person, model) do update set
    calls = calls + excluded.calls, prompt = prompt + excluded.prompt,
    completion = completion + excluded.completion, cached = cached + excluded.cached,
    unknown = unknown + excluded.unknown
"""
# Today, and yesterday for who looks at midnight.
_DAYS: Final = 2
_EVER: Final = "9999-12-31"


class Spent:
    """Counts without keeping anybody waiting; only one process writes at a time.

    What a day cost so far is read from the table once, before anything is added to it.
    """

    def __init__(self, database: Database, today: Callable[[], str]) -> None:
        self._database = database
        self._today = today
        self._before: dict[str, list[Expense]] = {}
        self._ours: dict[str, dict[Key, Expense]] = {}
        self._unwritten: dict[Key, Expense] = {}
        self._work: asyncio.Future[None] | None = None
        self._lock = asyncio.Lock()

    @classmethod
    @asynccontextmanager
    async def open(
        cls, database: Database, today: Callable[[], str]
    ) -> AsyncIterator[Self]:
        """Know what today cost so far, and write down all of it at the end."""
        spent = cls(database, today)
        await spent.on(today())
        try:
            yield spent
        finally:
            await spent.close()

    def add(self, call: Call) -> None:
        """Count a call that was made; it is written down soon."""
        one = Expense.of(self._today(), call)
        add(self._ours.setdefault(one.day, {}), one)
        add(self._unwritten, one)
        if self._work is None or self._work.done():
            self._work = asyncio.ensure_future(self.flush())

    def so_far(self) -> list[Expense]:
        """Give what today cost, as far as this process knows without looking."""
        today = self._today()
        before = self._before.get(today, [])
        return [*before, *self._ours.get(today, {}).values()]

    async def on(self, day: str) -> list[Expense]:
        """Give what a day cost; the day that it is now is read only once."""
        if day not in self._before:
            read = await self._read(day, day)
            # What was read before anything was added is right, whoever came first.
            self._before.setdefault(day, read)
            self._forget_old()
        return [*self._before[day], *self._ours.get(day, {}).values()]

    async def since(self, day: str) -> list[Expense]:
        """Give what the days from this one on cost, what is not yet written too."""
        await self.flush()
        late = [one for one in self._unwritten.values() if one.day >= day]
        return list(summed([*await self._read(day, _EVER), *late]).values())

    async def forget(self, person: str) -> None:
        """Have what a person spent be nobody's; the table's rows are the eraser's."""
        async with self._lock:
            self._unwritten = _nobodys(self._unwritten.values(), person)
            for day, ours in self._ours.items():
                self._ours[day] = _nobodys(ours.values(), person)
            for day, before in self._before.items():
                self._before[day] = list(_nobodys(before, person).values())

    async def flush(self) -> None:
        """Write down what was counted; what cannot be written waits, and is logged."""
        async with self._lock:
            while self._unwritten:
                taken, self._unwritten = self._unwritten, {}
                try:
                    for day in {one.day for one in taken.values()}:
                        await self.on(day)
                    await self._database.write(partial(_added, taken.values()))
                except StoreError as error:
                    late = [*taken.values(), *self._unwritten.values()]
                    self._unwritten = summed(late)
                    log.warning("usage_not_written", why=str(error))
                    return

    async def close(self) -> None:
        """Write down what is left."""
        await self.flush()
        if self._work is not None:
            await asyncio.wait([self._work])
        if lost := sum(one.calls for one in self._unwritten.values()):
            log.error("usage_lost", calls=lost)

    async def _read(self, first: str, last: str) -> list[Expense]:
        found = await self._database.fetch(
            "select day, purpose, person, model, calls, prompt, completion, cached,"
            " unknown from spent where day >= ? and day <= ?",
            first,
            last,
        )
        return [Expense(*row) for row in found]

    def _forget_old(self) -> None:
        for day in list(self._before)[:-_DAYS]:
            del self._before[day]
            self._ours.pop(day, None)


def _nobodys(expenses: Iterable[Expense], person: str) -> dict[Key, Expense]:
    return summed(
        replace(one, person="") if one.person == person else one for one in expenses
    )


def _added(expenses: Iterable[Expense], tx: sqlite3.Connection) -> None:
    tx.executemany(
        _ADD,
        [
            (*one.key, one.calls, one.prompt, one.completion, one.cached, one.unknown)
            for one in expenses
        ],
    )
