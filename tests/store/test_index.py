"""The index: found, kept apart, made anew."""

import sqlite3
from contextlib import asynccontextmanager, closing

import pytest

from apx.domain.chunk import Chunk, Forgotten
from apx.domain.message import Role
from apx.domain.recall import Kind
from apx.domain.text import content_terms
from apx.store.index import file
from apx.store.index.chunks import Chunks
from apx.store.index.memories import MemoryVectors

OWNERS = ["private:owner"]


def chunk(seq, text, clock, kind=Kind.MESSAGE, audience="private:owner"):
    return Chunk(
        seq=seq,
        kind=kind,
        role=Role.USER,
        text=text,
        at=clock(),
        turn=seq,
        thread="terminal:main",
        channel="terminal",
        person="owner",
        audience=audience,
    )


@asynccontextmanager
async def opened(path, ledger):
    async with file.opened(path, ledger) as database:
        yield Chunks(database)


async def texts(index, query, audiences=OWNERS):
    found = await index.search(content_terms(query), audiences, 10)
    return [one.chunk.text for one in found]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("the staging server moved to 10.0.1.5", "what is the staging server?"),
        ("the staging server moved to 10.0.1.5", "10.0.1.5"),
        ("see src/app/main.py", "main.py"),
        ("ticket INV-2231 is open", "inv-2231"),
        ("昨天部署了备份脚本", "备份"),
        ("バックアップは金曜日です", "金曜日"),
        ("내일 회의가 있습니다", "회의"),
        ("ประชุมวันศุกร์", "วันศุกร์"),
        ("الاجتماع يوم الجمعة", "الجمعة"),
        ('she said "never" AND (left) NEAR*', '"never" NEAR* ('),
    ],
)
async def test_every_script_is_found(tmp_path, clock, text, query):
    """No model, no luck: by the terms of the text alone."""
    async with opened(tmp_path / "memory.db", "one") as index:
        await index.take([chunk(1, text, clock)], [], 1)

        assert await texts(index, query) == [text]


async def test_audiences_are_kept_apart(tmp_path, clock):
    """The filter is in the query, before any ranking."""
    async with opened(tmp_path / "memory.db", "one") as index:
        secret = chunk(1, "the PIN hint is blue", clock, audience="private:eve")
        await index.take([secret], [], 1)

        assert await texts(index, "PIN hint") == []
        assert await texts(index, "PIN hint", ["private:eve"]) == [secret.text]


async def test_a_forgotten_note_takes_what_says_the_same_with_it(tmp_path, clock):
    """Else the message that asked to remember it would be recited for ever."""
    async with opened(tmp_path / "memory.db", "one") as index:
        note = chunk(2, "Anna lives in Graz", clock, Kind.NOTE)
        asked = chunk(1, "remember that Anna lives in Graz", clock)
        other = chunk(3, "Graz is a nice town", clock)
        await index.take([asked, note, other], [], 3)

        await index.take([], [Forgotten(2, "Anna lives in Graz", OWNERS[0])], 4)

        assert await texts(index, "Anna Graz") == [other.text]


async def test_a_short_forgotten_note_takes_only_itself(tmp_path, clock):
    """One word stands in many messages that mean something else."""
    async with opened(tmp_path / "memory.db", "one") as index:
        note = chunk(1, "Graz", clock, Kind.NOTE)
        other = chunk(2, "Graz is a nice town", clock)
        await index.take([note, other], [], 2)

        await index.take([], [Forgotten(1, "Graz", OWNERS[0])], 3)

        assert await texts(index, "Graz") == [other.text]


def garbage(path):
    path.write_bytes(b"not a database at all, but long enough to be read" * 50)


def newer(path):
    with sqlite3.connect(path) as connection:
        connection.execute("pragma user_version = 99")
    connection.close()


def truncated(path):
    path.write_bytes(path.read_bytes()[:5000])


@pytest.mark.parametrize("harm", [garbage, newer, truncated])
async def test_a_harmed_index_is_made_anew(tmp_path, clock, harm):
    """It is a cache: it starts empty at cursor 0 and is filled again."""
    path = tmp_path / "memory.db"
    async with opened(path, "one") as index:
        chunks = [chunk(n, f"something {n}", clock) for n in range(1, 200)]
        await index.take(chunks, [], 200)
    harm(path)

    async with opened(path, "one") as index:
        assert await index.cursor() == 0
        await index.take([chunk(1, "again", clock)], [], 1)
        assert await texts(index, "again") == ["again"]


async def test_an_index_that_only_lacks_tables_is_kept(tmp_path, clock):
    """What was embedded may have cost money; no copy of it stays behind."""
    path = tmp_path / "memory.db"
    async with opened(path, "one") as index:
        await index.take([chunk(1, "something", clock)], [], 1)
    with closing(sqlite3.connect(path)) as older:
        older.executescript("drop table memory_vector; pragma user_version = 3")

    async with file.opened(path, "one") as database:
        assert await texts(Chunks(database), "something") == ["something"]
        assert await MemoryVectors(database).ids() == set()
    assert [found.name for found in tmp_path.glob("*schema*")] == []


async def test_an_index_of_another_ledger_is_not_used(tmp_path, clock):
    """Its cursor means nothing here."""
    path = tmp_path / "memory.db"
    async with opened(path, "one") as index:
        await index.take([chunk(1, "something", clock)], [], 1)

    async with opened(path, "two") as index:
        assert await index.cursor() == 0
        assert await texts(index, "something") == []
