"""The vectors of chunks, by space; each identity of an embedder has one of its own."""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING

from apx.domain.space import Filled, Space, SpaceState, Usual, Wanted

if TYPE_CHECKING:
    import sqlite3

    from apx.domain.space import Filling
    from apx.store.database import Database


class VectorStore:
    """Reads and writes vectors; the truth behind the arrays in memory."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def spaces(self) -> list[Space]:
        """Read all spaces, the oldest first."""
        found = await self._database.fetch("select * from space order by id")
        return [_space(row) for row in found]

    async def begin(self, identity: str, usual: Usual) -> Space:
        """Make a space; it begins at the newest chunk and goes both ways."""

        def job(tx: sqlite3.Connection) -> Space:
            row = tx.execute(
                "insert into space (identity, state, mean, spread, low, high) select"
                " ?, 'filling', ?, ?, coalesce(max(id), 0) + 1, coalesce(max(id), 0)"
                " from chunk returning *",
                (identity, usual.mean, usual.spread),
            )
            return _space(row.fetchone())

        return await self._database.write(job)

    async def serve(self, space_id: int) -> None:
        """Let queries use this space and no other; the swap is one transaction."""

        def job(tx: sqlite3.Connection) -> None:
            tx.execute("update space set state = 'filling' where id <> ?", (space_id,))
            tx.execute("update space set state = 'serving' where id = ?", (space_id,))

        await self._database.write(job)

    async def drop(self, space_id: int, many: int) -> int:
        """Remove some of a space's vectors, and at last the space; gives how many."""

        def job(tx: sqlite3.Connection) -> int:
            gone = tx.execute(
                "delete from vector where id in"
                " (select id from vector where space = ? limit ?)",
                (space_id, many),
            ).rowcount
            if gone < many:
                tx.execute("delete from refused where space = ?", (space_id,))
                tx.execute("delete from memory_vector where space = ?", (space_id,))
                tx.execute("delete from space where id = ?", (space_id,))
            return gone

        return await self._database.write(job)

    async def newer(self, space: Space, limit: int) -> list[Wanted]:
        """Read the chunks that came since, in order."""
        return await self._wanted(
            "select c.id, c.audience, c.speaker, c.text, v.id from chunk c"
            " left join vector v on v.space = ? and v.chunk = c.id"
            " where c.id > ? order by c.id limit ?",
            space.id,
            space.high,
            limit,
        )

    async def older(self, space: Space, limit: int) -> list[Wanted]:
        """Read the chunks that were there before, the newest first."""
        return await self._wanted(
            "select c.id, c.audience, c.speaker, c.text, v.id from chunk c"
            " left join vector v on v.space = ? and v.chunk = c.id"
            " where c.id < ? order by c.id desc limit ?",
            space.id,
            space.low,
            limit,
        )

    async def _wanted(self, sql: str, *values: int) -> list[Wanted]:
        found = await self._database.fetch(sql, *values)
        return [Wanted(row[0], row[1], row[2], row[3], row[4] is None) for row in found]

    async def fill(self, space_id: int, filling: Filling) -> list[Filled]:
        """Add vectors and move the space's ends; a chunk that is gone gets none."""

        def job(tx: sqlite3.Connection) -> list[Filled]:
            added = _added(tx, space_id, filling)
            tx.executemany(
                "replace into refused values (?, ?, ?)",
                [(space_id, chunk, reason) for chunk, reason in filling.refused],
            )
            tx.execute(
                "update space set low = min(low, ?), high = max(high, ?) where id = ?",
                (filling.low, filling.high, space_id),
            )
            return added

        return await self._database.write(job)

    async def after(
        self, space_id: int, audience: str, vector_id: int, limit: int
    ) -> list[Filled]:
        """Read a space's vectors of an audience after an id, in order."""
        found = await self._database.fetch(
            "select id, chunk, audience, data from vector"
            " where space = ? and audience = ? and id > ? order by id limit ?",
            space_id,
            audience,
            vector_id,
            limit,
        )
        return [Filled(row[0], row[1], row[2], row[3]) for row in found]

    async def count(self, space_id: int, audience: str, ids: range) -> int:
        """Count a space's vectors of an audience within a range of ids."""
        found = await self._database.fetch(
            "select count(*) as many from vector"
            " where space = ? and audience = ? and id >= ? and id < ?",
            space_id,
            audience,
            ids.start,
            ids.stop,
        )
        many: int = found[0]["many"]
        return many

    async def sizes(self) -> dict[int, int]:
        """Count the vectors of each space."""
        found = await self._database.fetch(
            "select space, count(*) as many from vector group by space"
        )
        return {row["space"]: row["many"] for row in found}

    async def lacks(self, space: Space) -> bool:
        """Whether there are chunks that a space has not come to yet."""
        found = await self._database.fetch(
            "select exists (select 1 from chunk where id > ?)"
            " or exists (select 1 from chunk where id < ?)",
            space.high,
            space.low,
        )
        return bool(found[0][0])

    async def lacking(self, space: Space | None) -> tuple[int, int]:
        """Count the chunks that a space still has no vectors of, and their bytes.

        None is a space that does not exist yet.
        """
        name, low, high = (space.id, space.low, space.high) if space else (0, 1, 0)
        found = await self._database.fetch(
            "select count(*), coalesce(sum(length(cast(text as blob))), 0) from"
            " (select id, text from chunk where id > ? union all"
            " select id, text from chunk where id < ?) c where not exists"
            " (select 1 from vector v where v.space = ? and v.chunk = c.id)",
            high,
            low,
            name,
        )
        return found[0][0], found[0][1]

    async def spend(self, day: str, tokens: int) -> int:
        """Add to what was sent to a paid provider on a day; gives the day's sum."""

        def job(tx: sqlite3.Connection) -> int:
            row = tx.execute(
                "insert into spent values (?, ?) on conflict (day)"
                " do update set tokens = tokens + excluded.tokens returning tokens",
                (day, tokens),
            )
            total: int = row.fetchone()["tokens"]
            return total

        return await self._database.write(job)

    async def refusals(self, space_id: int) -> int:
        """Count the chunks that a space's embedder does not take."""
        found = await self._database.fetch(
            "select count(*) as many from refused where space = ?", space_id
        )
        many: int = found[0]["many"]
        return many


def _added(tx: sqlite3.Connection, space_id: int, filling: Filling) -> list[Filled]:
    """Add what belongs to a chunk that is there, and is not there itself."""
    wanted = tx.execute(
        "select c.id from json_each(?) j join chunk c on c.id = j.value where not"
        " exists (select 1 from vector v where v.space = ? and v.chunk = c.id)",
        (json.dumps([chunk for chunk, _, _ in filling.vectors]), space_id),
    )
    lacking = {row[0] for row in wanted}
    last = tx.execute("select seq from sqlite_sequence where name = 'vector'")
    ids = count((row[0] if (row := last.fetchone()) else 0) + 1)
    added = [
        Filled(next(ids), chunk, audience, data)
        for chunk, audience, data in filling.vectors
        if chunk in lacking
    ]
    # One statement for all: half of the time of one for each.
    tx.executemany(
        "insert into vector (id, space, chunk, audience, data) values (?, ?, ?, ?, ?)",
        [(one.id, space_id, one.chunk, one.audience, one.data) for one in added],
    )
    return added


def _space(row: sqlite3.Row) -> Space:
    return Space(
        row["id"],
        row["identity"],
        SpaceState(row["state"]),
        Usual(row["mean"], row["spread"]),
        row["low"],
        row["high"],
    )
