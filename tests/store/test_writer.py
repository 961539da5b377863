"""The writing thread: order, groups, failures, its end."""

import asyncio
import sqlite3

import pytest

from apx.domain.errors import StoreError
from apx.store.writer import Writer


@pytest.fixture
def writer(tmp_path):
    connection = sqlite3.connect(
        tmp_path / "x.db", isolation_level=None, check_same_thread=False
    )
    connection.execute("create table t (x integer unique)")
    connection.execute("create table child (x references t (x) on delete cascade)")
    writer = Writer(connection)
    writer.start()
    yield writer
    if writer.is_alive():
        writer.close()


def insert(number):
    return lambda tx: tx.execute("insert into t values (?)", (number,)).lastrowid


def stored(tmp_path):
    connection = sqlite3.connect(tmp_path / "x.db")
    try:
        return [row[0] for row in connection.execute("select x from t order by rowid")]
    finally:
        connection.close()


async def test_jobs_are_done_in_the_order_in_which_they_came(writer, tmp_path):
    """Many more than a group holds."""
    jobs = [asyncio.ensure_future(writer.submit(insert(n))) for n in range(1000)]
    given = await asyncio.gather(*jobs)

    assert given == list(range(1, 1001))
    assert stored(tmp_path) == list(range(1000))


async def test_a_refusal_is_told_with_its_reason(writer, tmp_path):
    """Whoever shares the commit keeps what it wrote."""
    jobs = [insert(1), insert(1), insert(2)]
    first, second, third = await asyncio.gather(
        *map(writer.submit, jobs), return_exceptions=True
    )

    assert (first, third) == (1, 2)
    assert isinstance(second, StoreError)
    assert "unique" in str(second).lower()
    assert isinstance(second.__cause__, sqlite3.IntegrityError)
    assert stored(tmp_path) == [1, 2]


async def test_half_a_job_is_undone(writer, tmp_path):
    """Also when it failed for a reason of its own, which is what is told."""

    def job(tx):
        insert(1)(tx)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await writer.submit(job)
    await writer.submit(insert(2))
    assert stored(tmp_path) == [2]


async def test_a_commit_that_fails_fails_for_all_of_its_group(writer, tmp_path):
    """Nobody is told that something was written; then it goes on."""
    writer._connection.execute("pragma foreign_keys = on")

    def defer(tx):
        tx.execute(
            "create table late (x references t (x) deferrable initially deferred)"
        )
        tx.execute("insert into late values (99)")

    given = await asyncio.gather(
        writer.submit(insert(1)), writer.submit(defer), return_exceptions=True
    )
    again = await writer.submit(insert(2))

    assert isinstance(given[1], StoreError)
    assert again
    assert 2 in stored(tmp_path)


async def test_what_was_submitted_before_the_end_is_written(writer, tmp_path):
    """The end waits for it; after it, nothing is taken."""
    jobs = [asyncio.ensure_future(writer.submit(insert(n))) for n in range(10)]
    await asyncio.sleep(0)

    await asyncio.to_thread(writer.close)

    await asyncio.gather(*jobs)
    assert stored(tmp_path) == list(range(10))
    with pytest.raises(StoreError, match="closed"):
        await writer.submit(insert(11))


async def test_a_cancelled_wait_does_not_undo_the_job(writer, tmp_path):
    """And what comes with it in the same group is told as ever."""
    given_up = asyncio.ensure_future(writer.submit(insert(1)))
    waiting = asyncio.ensure_future(writer.submit(insert(2)))
    await asyncio.sleep(0)
    given_up.cancel()

    assert await waiting == 2
    assert stored(tmp_path) == [1, 2]
