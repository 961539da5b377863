"""One writer, committed in groups, and files that are not ours."""

import asyncio
import sqlite3
import threading

import pytest

from apx.domain.errors import StoreError
from apx.store.database import Database

TABLE = ("create table t (who text primary key)",)


def insert(who):
    return lambda tx: tx.execute("insert into t values (?)", (who,))


async def whos(database):
    return [row["who"] for row in await database.fetch("select who from t order by 1")]


async def test_jobs_that_arrive_together_are_committed_together(tmp_path):
    """A commit waits for the disk; a hundred at once must not wait a hundred times."""
    async with Database.open(tmp_path / "x.db", TABLE) as database:
        gate = threading.Event()
        commits: list[str] = []

        def slow(tx):
            tx.set_trace_callback(commits.append)
            gate.wait(10)

        first = asyncio.create_task(database.write(slow))
        rest = [asyncio.create_task(database.write(insert(f"{n}"))) for n in range(100)]
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(first, *rest)

        assert len(await whos(database)) == 100
        assert 1 <= commits.count("commit") <= 3


async def test_a_job_that_fails_takes_no_other_with_it(tmp_path):
    """Jobs share a commit, not a fate."""
    async with Database.open(tmp_path / "x.db", TABLE) as database:
        await database.write(insert("a"))

        def half(tx):
            tx.execute("insert into t values ('half')")
            raise KeyError("mine")

        results = await asyncio.gather(
            database.write(insert("b")),
            database.write(half),
            database.write(insert("a")),
            database.write(insert("c")),
            return_exceptions=True,
        )

        assert [type(result) for result in results][1:3] == [KeyError, StoreError]
        assert await whos(database) == ["a", "b", "c"]


async def test_a_cancelled_wait_leaves_the_database_usable(tmp_path):
    """The job goes on in its thread; whoever comes next finds no open transaction."""
    async with Database.open(tmp_path / "x.db", TABLE) as database:
        for number in range(20):
            task = asyncio.create_task(database.write(insert(f"n{number}")))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        await database.write(insert("z"))

        assert "z" in await whos(database)


async def test_a_reader_cannot_write(tmp_path):
    """There is one way in."""
    async with Database.open(tmp_path / "x.db", TABLE) as database:
        with pytest.raises(StoreError, match="readonly"):
            await database.fetch("insert into t values ('x') returning who")


async def test_readers_see_what_was_committed_before_they_asked(tmp_path):
    """However many read at the same time, none is held in the past by another."""
    async with Database.open(tmp_path / "x.db", TABLE) as database:

        async def read_all():
            for _ in range(200):
                await database.fetch("select who from t")

        async def write_and_read():
            seen = []
            for number in range(100):
                await database.write(insert(f"n{number}"))
                rows = await database.fetch(
                    "select 1 from t where who = ?", f"n{number}"
                )
                seen.append(len(rows))
            return seen

        seen, *_ = await asyncio.gather(write_and_read(), *(read_all() for _ in "abcd"))

        assert seen == [1] * 100


async def test_a_newer_database_is_left_as_it_is(tmp_path):
    """An older apx says so instead of writing into a schema it does not know."""
    path = tmp_path / "ledger.db"
    with sqlite3.connect(path) as connection:
        connection.execute("create table future (x)")
        connection.execute("pragma user_version = 99")
    connection.close()
    before = path.read_bytes()

    with pytest.raises(StoreError, match=r"newer apx \(schema 99"):
        async with Database.open(path, TABLE):
            pass

    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"this is a letter to my aunt " * 99, b"\0" * 4096]
)
async def test_a_file_that_is_no_database_is_named(tmp_path, content):
    """The person learns which file it is and what to do."""
    path = tmp_path / "ledger.db"
    path.write_bytes(content)

    with pytest.raises(StoreError, match=r"ledger\.db.*(backup|damaged)"):
        async with Database.open(path, TABLE):
            pass


async def test_an_upgrade_leaves_a_copy_and_keeps_the_rows(tmp_path):
    """Going back to the version before must be possible."""
    path = tmp_path / "x.db"
    async with Database.open(path, TABLE) as database:
        await database.write(insert("a"))

    async with Database.open(path, (*TABLE, "alter table t add column b")) as database:
        assert [tuple(row) for row in await database.fetch("select * from t")] == [
            ("a", None)
        ]

    async with Database.open(tmp_path / "x.db.schema-1", TABLE) as database:
        assert await whos(database) == ["a"]


async def test_an_upgrade_that_fails_changes_nothing(tmp_path):
    """Half of a schema is worse than the old one."""
    path = tmp_path / "x.db"
    async with Database.open(path, TABLE) as database:
        await database.write(insert("a"))
    broken = "create table u (x); create table t (x)"

    with pytest.raises(StoreError):
        async with Database.open(path, (*TABLE, broken)):
            pass

    async with Database.open(path, TABLE) as database:
        assert await whos(database) == ["a"]
        tables = await database.fetch("select name from sqlite_master")
        assert "u" not in {row["name"] for row in tables}
