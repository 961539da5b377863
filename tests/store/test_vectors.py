"""Vectors in memory.db: by space, once for each chunk, gone with it."""

from contextlib import asynccontextmanager
from dataclasses import replace

import numpy as np
import pytest

from apx.domain.chunk import Forgotten
from apx.domain.recall import Kind
from apx.domain.space import Filling, Usual
from apx.memory.recall.codes import Codes, packed
from apx.store.index import file
from apx.store.index.chunks import Chunks
from apx.store.index.vectors import VectorStore
from tests.store.test_index import chunk

USUAL = Usual(0.1, 0.2)
OWNER = "private:owner"


@asynccontextmanager
async def opened(path, clock, many=5):
    async with file.opened(path / "memory.db", "one") as database:
        chunks, vectors = Chunks(database), VectorStore(database)
        if not await chunks.size():
            notes = [
                chunk(n, f"text {n}", clock, Kind.NOTE) for n in range(1, many + 1)
            ]
            await chunks.take(notes, [], many)
        yield chunks, vectors


def filling(*chunks, low=1, high=99, refused=()):
    vectors = np.eye(8, dtype=np.float32)[[n % 8 for n in chunks]]
    rows = packed(Codes.of(vectors)) if chunks else []
    return Filling(
        [(n, OWNER, row) for n, row in zip(chunks, rows, strict=True)],
        [(n, "no") for n in refused],
        low,
        high,
    )


async def held(vectors, space=1):
    return [row.chunk for row in await vectors.after(space, OWNER, 0, 99)]


async def test_a_space_begins_at_the_newest_chunk(tmp_path, clock):
    """Both ends move away from there: what is new, what is old."""
    async with opened(tmp_path, clock) as (chunks, vectors):
        space = await vectors.begin("one", USUAL)
        assert (space.low, space.high) == (6, 5)
        await chunks.take([chunk(6, "later", clock)], [], 6)

        assert [w.chunk for w in await vectors.newer(space, 9)] == [6]
        assert [w.chunk for w in await vectors.older(space, 9)] == [5, 4, 3, 2, 1]
        assert await vectors.lacking(space) == (6, 5 * 6 + 5)


async def test_a_chunk_has_one_vector_in_a_space(tmp_path, clock):
    """A step that is done again adds nothing, and says what it added."""
    async with opened(tmp_path, clock) as (_, vectors):
        await vectors.begin("one", USUAL)
        await vectors.begin("two", USUAL)
        first = await vectors.fill(1, filling(2, 3))
        again = await vectors.fill(1, filling(3, 4))
        other = await vectors.fill(2, filling(3))

        assert [row.chunk for row in first] == [2, 3]
        assert [row.chunk for row in again] == [4]
        assert [row.chunk for row in other] == [3]
        assert await held(vectors) == [2, 3, 4]
        assert await vectors.sizes() == {1: 3, 2: 1}


async def test_ends_only_move_outwards(tmp_path, clock):
    """A late step of a run that broke off moves nothing back."""
    async with opened(tmp_path, clock) as (_, vectors):
        await vectors.begin("one", USUAL)
        await vectors.fill(1, filling(3, low=3, high=5))
        await vectors.fill(1, filling(4, low=4, high=4))

        [space] = await vectors.spaces()
        assert (space.low, space.high) == (3, 5)
        assert [w.chunk for w in await vectors.older(space, 9)] == [2, 1]


async def test_what_has_a_vector_is_not_lacking(tmp_path, clock):
    """A step that broke off left some; they are not embedded again."""
    async with opened(tmp_path, clock) as (_, vectors):
        space = await vectors.begin("one", USUAL)
        await vectors.fill(1, filling(2, 4, low=6, high=5))

        wanted = await vectors.older(space, 9)
        assert [w.chunk for w in wanted if w.is_lacking] == [5, 3, 1]


async def test_a_chunk_that_is_gone_gets_none_and_loses_its_own(tmp_path, clock):
    """In every space."""
    async with opened(tmp_path, clock) as (chunks, vectors):
        await vectors.begin("one", USUAL)
        await vectors.begin("two", USUAL)
        for space in (1, 2):
            await vectors.fill(space, filling(2, 3))
        await chunks.take([], [Forgotten(2, "text 2", OWNER)], 9)

        assert await held(vectors, 1) == await held(vectors, 2) == [3]
        assert await vectors.fill(1, filling(2)) == []


async def test_one_space_serves(tmp_path, clock):
    """The swap is one transaction: at no time there are two, or none."""
    async with opened(tmp_path, clock) as (_, vectors):
        for name in ("one", "two", "three"):
            await vectors.begin(name, USUAL)
        await vectors.serve(1)
        await vectors.serve(3)

        assert [s.is_serving for s in await vectors.spaces()] == [False, False, True]
        assert [s.usual for s in await vectors.spaces()] == [USUAL] * 3


async def test_a_space_is_removed_in_steps(tmp_path, clock):
    """A large one must not keep the writer for long."""
    async with opened(tmp_path, clock) as (_, vectors):
        await vectors.begin("one", USUAL)
        await vectors.begin("two", USUAL)
        await vectors.fill(1, filling(1, 2, 3, 4, 5, refused=[4]))
        await vectors.fill(2, filling(1, 2))

        assert await vectors.drop(1, 3) == 3
        assert len(await vectors.spaces()) == 2
        assert await vectors.drop(1, 3) == 2
        assert [s.identity for s in await vectors.spaces()] == ["two"]
        assert await vectors.refusals(1) == 0
        assert await held(vectors, 2) == [1, 2]


async def test_refusals_and_what_was_spent_are_counted(tmp_path, clock):
    """Over restarts."""
    async with opened(tmp_path, clock) as (_, vectors):
        await vectors.begin("one", USUAL)
        await vectors.fill(1, filling(1, refused=[2, 3]))
        await vectors.fill(1, filling(refused=[3]))
        assert await vectors.spend("2026-11-30", 40) == 40
    async with opened(tmp_path, clock) as (_, vectors):
        assert await vectors.refusals(1) == 2
        assert await vectors.spend("2026-11-30", 2) == 42
        assert await vectors.spend("2026-12-01", 0) == 0


@pytest.mark.parametrize("limit", [1, 2, 99])
async def test_vectors_are_read_in_order_after_one(tmp_path, clock, limit):
    """The tail that the arrays lack."""
    async with opened(tmp_path, clock) as (_, vectors):
        await vectors.begin("one", USUAL)
        await vectors.fill(1, filling(4, 2, 1))
        rows = await vectors.after(1, OWNER, 1, limit)

        assert [row.chunk for row in rows] == [2, 1][:limit]
        assert await vectors.after(1, "private:eve", 0, limit) == []
        assert await vectors.count(1, OWNER, range(2, 4)) == 2
        assert replace(rows[0], id=0).data == filling(2).vectors[0][2]
