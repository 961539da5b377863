"""Copies of a ledger, and what can be told of one."""

import asyncio
import sqlite3

import pytest

from apx.domain.ending import Ending
from apx.domain.errors import StoreError
from apx.domain.thread import Thread
from apx.domain.turn import TurnState
from apx.store.backup import NEWEST, Contents, check, contents, copy
from apx.store.schema import LEDGER
from apx.store.verify import verify

MAIN = Thread("terminal", "main")


async def answer(ledger, hear, clock, number):
    await ledger.accept(hear(f"question {number}"))
    turn = await ledger.begin(MAIN, clock())
    await ledger.end(turn, Ending(TurnState.COMPLETED, final="yes"), clock())


async def test_a_copy_is_whole_while_the_owner_writes(
    tmp_path, database, ledger, hear, clock
):
    """Each is a moment of the ledger, and none is empty-handed for it."""
    ended = asyncio.Event()

    async def go_on():
        number = 0
        while not ended.is_set() or number < 20:
            await answer(ledger, hear, clock, number)
            number += 1
        return number

    writing = asyncio.create_task(go_on())
    copies = [tmp_path / f"copy-{n}.db" for n in range(5)]
    for path in copies:
        await asyncio.to_thread(copy, database.path, path)
    ended.set()
    turns = await writing

    seen = [contents(path).turns for path in copies]
    assert seen == sorted(seen)
    assert contents(database.path).turns == turns
    for path in copies:
        assert await verify(path) == []
        check(path)


async def test_what_a_ledger_holds_is_counted(database, ledger, hear, clock):
    await answer(ledger, hear, clock, 1)

    assert contents(database.path) == Contents(NEWEST, 1, 0)


@pytest.mark.parametrize("version", range(1, NEWEST))
def test_an_older_ledger_can_be_counted(tmp_path, version):
    """A backup may be years old."""
    path = tmp_path / "ledger.db"
    with sqlite3.connect(path) as connection:
        for script in LEDGER[:version]:
            connection.executescript(script)
        connection.execute(f"pragma user_version = {version}")
    connection.close()

    assert contents(path) == Contents(version, 0, 0)


def test_a_newer_ledger_is_refused(tmp_path):
    """Nobody here knows what it means."""
    path = tmp_path / "ledger.db"
    with sqlite3.connect(path) as connection:
        connection.execute(f"pragma user_version = {NEWEST + 1}")
    connection.close()

    with pytest.raises(StoreError, match="newer apx"):
        contents(path)


@pytest.mark.parametrize("content", [b"", b"no database at all " * 99])
@pytest.mark.parametrize("act", [contents, check])
def test_what_is_no_ledger_is_refused(tmp_path, content, act):
    """An empty file is a database to SQLite."""
    (tmp_path / "ledger.db").write_bytes(content)

    if act is check and not content:
        return  # that is not for the integrity to say
    with pytest.raises(StoreError):
        act(tmp_path / "ledger.db")


async def test_damage_within_is_found(tmp_path, database, ledger, hear, clock):
    """In a page that no count reads."""
    for number in range(60):
        await answer(ledger, hear, clock, number)
    path = tmp_path / "copy.db"
    copy(database.path, path)
    whole = path.read_bytes()
    place = whole.rindex(b"question 30")
    path.write_bytes(whole[: place - 300] + b"\xff" * 600 + whole[place + 300 :])

    with pytest.raises(StoreError):
        check(path)
