"""Proof that the tables say what the log says."""

from __future__ import annotations

import asyncio
import sqlite3
from itertools import zip_longest
from typing import TYPE_CHECKING

from apx.domain.errors import StoreError
from apx.store import projection
from apx.store.database import read_only
from apx.store.log import from_row
from apx.store.schema import LEDGER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


async def verify(path: Path) -> list[str]:
    """Replay the log into empty tables; name each table that differs from them.

    Also runs SQLite's own integrity check. An empty list means all is well.
    """
    return await asyncio.to_thread(_verify, path)


def _verify(path: Path) -> list[str]:
    kept = sqlite3.connect(read_only(path), uri=True)
    # Without a name it is in memory while it is small, and else on the disk.
    replayed = sqlite3.connect("")
    try:
        kept.row_factory = sqlite3.Row
        kept.execute("begin")
        return [*_integrity(kept), *_replay(kept, replayed)]
    except sqlite3.Error as error:
        raise StoreError(f"{path.name}: {error}") from error
    finally:
        kept.close()
        replayed.close()


def _integrity(kept: sqlite3.Connection) -> list[str]:
    found = [row[0] for row in kept.execute("pragma integrity_check(5)")]
    return [] if found == ["ok"] else found


def _replay(kept: sqlite3.Connection, replayed: sqlite3.Connection) -> list[str]:
    for script in LEDGER:
        replayed.executescript(script)
    for row in kept.execute("select * from event order by seq"):
        projection.apply(replayed, from_row(row))
    return [
        f"table {table} differs from the log"
        for table in projection.TABLES
        if _differ(_rows(kept, table), _rows(replayed, table))
    ]


def _differ(
    some: Iterator[tuple[object, ...]], others: Iterator[tuple[object, ...]]
) -> bool:
    return any(one != other for one, other in zip_longest(some, others))


def _rows(connection: sqlite3.Connection, table: str) -> Iterator[tuple[object, ...]]:
    found = connection.execute(f"select * from {table} order by 1")  # noqa: S608 -- one of projection.TABLES
    return map(tuple, found)
