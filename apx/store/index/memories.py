"""The vectors of curated memories, by space; the files of their store are the truth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Sequence

    from apx.store.database import Database


@dataclass(frozen=True, slots=True)
class MemoryVector:
    """A stored vector; `data` is empty for a text that the embedder does not take."""

    id: str
    digest: str
    data: bytes


class MemoryVectors:
    """Reads and writes them; those of two spaces are never mixed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, space: int) -> list[MemoryVector]:
        """Read the vectors of a space."""
        found = await self._database.fetch(
            "select id, digest, data from memory_vector where space = ? order by id",
            space,
        )
        return [MemoryVector(row["id"], row["digest"], row["data"]) for row in found]

    async def put(self, space: int, vectors: Sequence[MemoryVector]) -> None:
        """Write vectors, in place of those that the same memories had.

        Nothing is written for a space that is gone by now.
        """
        rows = [(space, one.id, one.digest, one.data, space) for one in vectors]

        def job(tx: sqlite3.Connection) -> None:
            tx.executemany(
                "replace into memory_vector select ?, ?, ?, ?"
                " where exists (select 1 from space where id = ?)",
                rows,
            )

        await self._database.write(job)

    async def forget(self, ids: Collection[str]) -> int:
        """Remove the vectors of memories from all spaces; gives how many."""
        if not ids:
            return 0
        named = json.dumps(sorted(ids))

        def job(tx: sqlite3.Connection) -> int:
            return tx.execute(
                "delete from memory_vector"
                " where id in (select value from json_each(?))",
                (named,),
            ).rowcount

        return await self._database.write(job)

    async def ids(self) -> set[str]:
        """Name the memories that have a vector in any space."""
        found = await self._database.fetch("select distinct id from memory_vector")
        return {row["id"] for row in found}
