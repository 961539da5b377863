"""The one writer that changes the log: it forgets, and says so in the log.

What forgets is loaded when something is forgotten; most processes never do.
"""
# ruff: noqa: PLC0415 -- as above

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Final, TypeVar

from apx.store.database import advice, read_only
from apx.store.writer import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from apx.domain.erasing import Erasure
    from apx.domain.event import Event
    from apx.store.database import Database
    from apx.store.erase_open import OpenWish
    from apx.store.erase_passage import Seen
    from apx.store.erase_survey import Survey

# What has to follow still: the first `erase` event that not all followed.
CLEANING: Final = "cleaning"
# A wish that is kept is under this, and its own name.
KEPT: Final = "forgetting/"
# SQLite's order, up to the sign that comes after the last one of `KEPT`.
_OPEN: Final = (
    "select key, value from meta where key = 'cleaning'"
    " or (key >= 'forgetting/' and key < 'forgetting0')"
)
T = TypeVar("T")


class Eraser:
    """Forgets in the ledger; all else has to follow the `erase` events."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def survey(self, wish: Erasure, after: Seen | None = None) -> Survey:
        """Look through the whole log, over a connection that keeps nobody waiting."""
        from apx.store.erase_passage import Seen
        from apx.store.erase_survey import survey

        seen = after or Seen()
        return await self._read(lambda tx: survey(tx, wish, seen))

    async def survey_again(self, one: OpenWish) -> Survey:
        """Look at what came since a wish was carried out."""
        from apx.store.erase_survey import survey_again

        return await self._read(lambda tx: survey_again(tx, one))

    async def erase(self, one: OpenWish, seen: Seen, at: datetime) -> Survey:
        """Forget it in one transaction; looks only at what came after it was seen."""
        from apx.store.erase_survey import carried_out

        return await self._database.write(lambda tx: carried_out(tx, one, seen, at))

    async def keep(self, one: OpenWish) -> None:
        """Have a wish outlive this process."""
        from apx.store.erase_open import keep

        await self._database.write(lambda tx: keep(tx, one))

    async def let_go(self, name: str) -> None:
        """Forget a wish that is done; `compact` and `finish` have to follow."""
        from apx.store.erase_open import let_go

        await self._database.write(lambda tx: let_go(tx, name))

    async def unfinished(self) -> tuple[int, list[OpenWish]]:
        """Give the first `erase` event that not all has followed, 0 for none.

        And the wishes that were kept: all of it is nothing nearly always.
        """
        since = 0
        kept: list[OpenWish] = []
        for row in await self._database.fetch(_OPEN):
            if row["key"] == CLEANING:
                since = int(row["value"])
                continue
            from apx.store.erase_open import from_meta

            kept.append(from_meta(row["key"], row["value"]))
        return since, kept

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

    async def audiences(self) -> tuple[str, ...]:
        """Name all to whom anything was said."""
        found = await self._database.fetch("select distinct audience from event")
        return tuple(sorted(row["audience"] for row in found))

    async def is_busy(self, one: OpenWish) -> bool:
        """Whether anything still runs that began before the ledger forgot."""
        from apx.store.erase_open import is_running

        return await self._read(lambda tx: bool(is_running(tx, one.wish, one.begun)))

    async def compact(self) -> None:
        """Have the file hold no byte of what was removed from it."""
        from apx.store.compacting import compact

        await self._database.write(compact)

    async def events(self, seqs: Iterable[int]) -> list[Event]:
        """Read events as they are now; those that are gone are absent."""
        from apx.store.erase_plan import read

        wanted = set(seqs)
        return await self._read(lambda tx: list(read(tx, wanted)))

    async def attachments(self) -> set[str]:
        """Name the files that something in the ledger still is about."""
        from apx.store.ledger import Ledger

        return await Ledger(self._database).attachments()

    async def _read(self, look: Callable[[sqlite3.Connection], T]) -> T:
        """Look over a connection of its own, as long as it takes."""

        def job() -> T:
            with closing(_connected(self._database)) as tx:
                tx.execute("begin")
                return look(tx)

        try:
            return await asyncio.to_thread(job)
        except sqlite3.Error as error:
            name = self._database.path.name
            raise kind_of(error)(f"{name}: {error}; {advice(error)}") from error


def _connected(database: Database) -> sqlite3.Connection:
    connection = sqlite3.connect(read_only(database.path), uri=True)
    connection.row_factory = sqlite3.Row
    return connection
