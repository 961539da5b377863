"""Forgetting in the ledger: nothing of it is left, and the log still says all else."""

import asyncio
import json
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from apx.domain.erasing import ErasePassage, ErasePerson, EraseThread
from apx.domain.errors import Conflict, InputError
from apx.domain.passage import Needle
from apx.store.database import Database
from apx.store.erase import Eraser
from apx.store.schema import LEDGER
from apx.store.verify import verify
from tests.store.lives import LIVES, MINE, PASSAGE, PLACES, ROOM, Life

ALL = tuple(PLACES.values())


def texts(path):
    """Read every text of the tables that persons or models wrote."""
    with closing(sqlite3.connect(path)) as connection:
        for table in ("event", "request", "turn", "outbox", "note", "candidate"):
            for row in connection.execute(f"select * from {table}"):
                yield from (v for v in row if isinstance(v, str))


async def erased(database, wish, life):
    eraser = Eraser(database)
    survey = await eraser.survey(wish)
    done = await eraser.erase(wish, survey, life.now())
    assert survey.removed == done.removed
    return done


async def add_ana(database, life):
    from apx.domain.event import Event, EventKind

    body = {"key": "ana", "role": "member", "name": "Ana"}
    await life.ledger.record(Event(EventKind.PERSON, "ana", life.now(), body))


async def lived(directory, steps, wish, more):
    path = Path(directory) / "ledger.db"
    async with Database.open(path, LEDGER) as database:
        life = Life(database)
        await add_ana(database, life)
        await life.live(steps)
        assert await verify(path) == []
        before = await database.fetch("select max(seq) from event")
        try:
            await erased(database, wish, life)
        except InputError as error:
            assert "no thread" in str(error) or "/stop it" in str(error)
            return
        assert await verify(path) == []
        assert (await database.fetch("select max(seq) from event"))[0][0] >= before[0][
            0
        ]
        check(path, wish)
        again = await erased(database, wish, life) if more else None
        if again is not None:
            assert again.seqs == ()
        for heard in life.heard:
            if not isinstance(wish, EraseThread | ErasePerson):
                await life.ledger.accept(heard)
        await life.live(steps)
        assert await verify(path) == []


def check(path, wish):
    if isinstance(wish, ErasePassage):
        needle = Needle(PASSAGE)
        assert [t for t in texts(path) if needle.may_hold(t) and needle.holds(t)] == []
        assert [t for t in texts(path) if PASSAGE in t and "77411" not in t] == []
    if isinstance(wish, EraseThread):
        assert wish.name not in set(texts(path))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=LIVES)
def test_the_log_gives_the_tables_after_a_passage_was_forgotten(steps):
    """Cutting it out of the log and out of the tables comes to the same."""
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(lived(directory, steps, ErasePassage(PASSAGE, ALL), True))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=LIVES)
def test_the_log_gives_the_tables_after_a_thread_was_forgotten(steps):
    with tempfile.TemporaryDirectory() as directory:
        wish = EraseThread("terminal:main", ALL, keep_notes=len(steps) % 2 == 0)
        asyncio.run(lived(directory, steps, wish, False))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=LIVES)
def test_the_log_gives_the_tables_after_a_person_was_forgotten(steps):
    with tempfile.TemporaryDirectory() as directory:
        asyncio.run(lived(directory, steps, ErasePerson("ana"), False))
