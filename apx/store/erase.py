"""The one writer that changes the log: it forgets, and says so in the log."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from apx.domain.erasing import ErasePassage, EraseThread, Removed
from apx.domain.erasing_lines import Told
from apx.domain.passage import Needle
from apx.domain.person import OWNERS_OWN
from apx.store.compacting import compact
from apx.store.database import read_only
from apx.store.erase_apply import CLEANING, carry_out
from apx.store.erase_passage import Seen, look, plan_passage
from apx.store.erase_plan import Plan, read
from apx.store.erase_whole import plan_person, plan_thread

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from apx.domain.erasing import Erasure
    from apx.domain.event import Event
    from apx.store.database import Database

NOTHING: Final = Seen()


@dataclass(frozen=True, slots=True)
class Survey:
    """What an erasure would do: counts, and by what files are found that say it.

    `seqs` are the events that would change, `audiences` those whose notes would.
    `busy` names the threads in which answers are being written.
    """

    removed: Removed = field(default_factory=Removed)
    told: Told = field(default_factory=Told)
    seqs: tuple[int, ...] = ()
    audiences: frozenset[str] = frozenset()
    busy: tuple[str, ...] = ()
    seen: Seen = field(default_factory=Seen)


class Eraser:
    """Forgets in the ledger; all else has to follow the `erase` events."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def survey(self, wish: Erasure, after: Seen = NOTHING) -> Survey:
        """Look through the whole log, over a connection that keeps nobody waiting."""
        return await asyncio.to_thread(self._survey, wish, after)

    async def erase(self, wish: Erasure, survey: Survey, at: datetime) -> Survey:
        """Forget it in one transaction; looks only at what came after the survey."""
        return await self._database.write(lambda tx: _erase(tx, wish, survey.seen, at))

    async def unfinished(self) -> int:
        """Give the first `erase` event that not all has followed yet; 0 for none."""
        found = await self._database.fetch(
            "select value from meta where key = ?", CLEANING
        )
        return int(found[0]["value"]) if found else 0

    async def erased(self, since: int) -> tuple[list[int], int]:
        """Name the events that were erased from an `erase` event on, and the last."""
        found = await self._database.fetch(
            "select seq, body from event where seq >= ? and kind = 'erase'"
            " order by seq",
            since,
        )
        seqs = [seq for row in found for seq in json.loads(row["body"])["seqs"]]
        return seqs, found[-1]["seq"] if found else since

    async def finish(self, last: int) -> None:
        """Say that everything has followed, up to an `erase` event."""

        def job(tx: sqlite3.Connection) -> None:
            newer = tx.execute(
                "select min(seq) from event where seq > ? and kind = 'erase'", (last,)
            ).fetchone()[0]
            tx.execute("delete from meta where key = ?", (CLEANING,))
            if newer:
                tx.execute("insert into meta values (?, ?)", (CLEANING, str(newer)))

        await self._database.write(job)

    async def is_busy(self, before: int) -> bool:
        """Whether a turn still runs that began before an event."""
        return bool(
            await self._database.fetch(
                "select 1 from turn where state = 'running' and id < ?", before
            )
        )

    async def compact(self) -> None:
        """Have the file hold no byte of what was removed from it."""
        await self._database.write(compact)

    async def events(self, seqs: Iterable[int]) -> list[Event]:
        """Read events as they are now; those that are gone are absent."""
        wanted = set(seqs)
        return await asyncio.to_thread(self._read, wanted)

    def _read(self, wanted: set[int]) -> list[Event]:
        with closing(_connected(self._database)) as tx:
            return list(read(tx, wanted))

    def _survey(self, wish: Erasure, after: Seen) -> Survey:
        with closing(_connected(self._database)) as tx:
            tx.execute("begin")
            return _surveyed(tx, *_planned(tx, wish, after))


def _connected(database: Database) -> sqlite3.Connection:
    connection = sqlite3.connect(read_only(database.path), uri=True)
    connection.row_factory = sqlite3.Row
    return connection


def _planned(
    tx: sqlite3.Connection, wish: Erasure, seen: Seen
) -> tuple[Plan, Told, Seen]:
    if isinstance(wish, ErasePassage):
        needle = Needle(wish.text)
        seen = look(tx, needle, wish.audiences, seen)
        plan = plan_passage(tx, wish, needle, seen)
        plan.audiences |= set(wish.audiences)
        return plan, Told(needle.holds, frozenset(plan.keys), plan.typed), seen
    plan = (
        plan_thread(tx, wish)
        if isinstance(wish, EraseThread)
        else plan_person(tx, wish)
    )
    return plan, Told(keys=frozenset(plan.keys), typed=plan.typed), seen


def _surveyed(tx: sqlite3.Connection, plan: Plan, told: Told, seen: Seen) -> Survey:
    running = tx.execute("select thread from turn where state = 'running'")
    return Survey(
        removed=plan.counted(),
        told=told,
        seqs=tuple(plan.seqs),
        audiences=frozenset(plan.audiences),
        busy=tuple(sorted(row["thread"] for row in running)),
        seen=seen,
    )


def _erase(tx: sqlite3.Connection, wish: Erasure, seen: Seen, at: datetime) -> Survey:
    plan, told, seen = _planned(tx, wish, seen)
    done = _surveyed(tx, plan, told, seen)
    names = isinstance(wish, ErasePassage) and str(OWNERS_OWN) in wish.audiences
    carry_out(tx, plan, told if names else replace(told, names=False), at)
    return done
