"""One life of a daily log that may end by SIGKILL at a system call.

    python -m tests.crash.daily_child HOME CALL NUMBER

Dies just before the NUMBERth CALL (`write`, `fsync`, `rename`, `mkdir`, `truncate`), or
in the middle of the NUMBERth write (`half`), and else says which calls there were.
`random` has things happen and writes them down for ever, and says when it begins.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from collections import Counter
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from apx.domain.event import Event, EventKind
from apx.memory.daily_log import DailyLog
from apx.store.database import Database
from apx.store.history import History
from apx.store.log import append
from apx.store.schema import LEDGER

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable

ZONE = ZoneInfo("Europe/Madrid")
# So few may be very long: half of a megabyte is easily torn.
_FEW = 50
BEGAN = datetime(2026, 11, 30, 20, tzinfo=UTC)


class Fate:
    """Stands before the system calls by which files change."""

    def __init__(self, call: str, number: int) -> None:
        self.calls: Counter[str] = Counter()
        self._end = call, number
        self._write = os.write

    def watch(self) -> None:
        """Kill this very process at the call that was named."""
        vars(os).update(
            write=self.write,
            fsync=self._before("fsync", os.fsync),
            rename=self._before("rename", os.rename),
            replace=self._before("rename", os.replace),
            mkdir=self._before("mkdir", os.mkdir),
            ftruncate=self._before("truncate", os.ftruncate),
        )

    def write(self, handle: int, data: Any) -> int:
        """Write, or only the half of it."""
        self._pass("write")
        if self._is_end("half"):
            # A part of a line, as a rule.
            self._write(handle, data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return self._write(handle, data)

    def _before(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def passed(*values: Any, **options: Any) -> Any:
            self._pass(name)
            return call(*values, **options)

        return passed

    def _pass(self, name: str) -> None:
        if self._is_end(name):
            os.kill(os.getpid(), signal.SIGKILL)

    def _is_end(self, name: str) -> bool:
        self.calls[name] += 1
        return (name, self.calls[name]) == self._end


def happened(first: int, many: int, luck: random.Random) -> Iterable[Event]:
    """Give events of many sizes, some without a line, their times not all in order."""
    for number in range(first, first + many):
        kind = luck.choice([EventKind.FRESH, EventKind.FRESH, EventKind.RECALL])
        longest = 150_000 if many < _FEW else 9
        pad = "é\u2028" * luck.choice([0, 1, 30, 2000, longest])
        at = BEGAN + timedelta(minutes=number * 7 + luck.randint(-20, 20))
        yield Event(kind, f"happened/{number}", at, {"pad": pad})


async def happen(database: Database, many: int, luck: random.Random) -> None:
    """Write events into the ledger's log, behind those that are there."""
    first = await History(database).last_seq() + 1
    events = list(happened(first, many, luck))
    await database.write(lambda tx: [append(tx, event) for event in events])


@asynccontextmanager
async def opened(home: Path) -> AsyncIterator[tuple[Database, DailyLog]]:
    async with Database.open(home / "ledger.db", LEDGER) as database:
        days = DailyLog(home / "log", History(database), ZONE)
        yield database, days
        await days.aclose()


async def live(home: Path, call: str, number: int) -> None:
    """Catch up with what happened, to the end or to the call."""
    async with opened(home) as (_, days):
        fate = Fate(call, number)
        fate.watch()
        await days.catch_up()
        sys.stdout.write(json.dumps(fate.calls))


async def live_on(home: Path, number: int) -> None:
    """Have things happen and catch up with them, side by side, until killed."""
    luck = random.Random(number)  # noqa: S311 -- a test that can be repeated
    async with opened(home) as (database, days):
        sys.stdout.write("begun\n")
        sys.stdout.flush()
        while True:
            many = luck.choice([1, 5, 30, 700])
            await asyncio.gather(happen(database, many, luck), days.catch_up())


if __name__ == "__main__":
    where, what, which = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    asyncio.run(live_on(where, which) if what == "random" else live(where, what, which))
