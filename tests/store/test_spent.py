"""What calls cost: counted once, whatever happens on the way to the table."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog
from hypothesis import given, settings
from hypothesis import strategies as st

from apx.domain.message import Usage
from apx.domain.usage import Account, Call, Expense, Purpose, summed, tokens_of
from apx.store.database import Database
from apx.store.schema import LEDGER
from apx.store.spent import Spent

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TODAY = "2026-11-30"


def call(
    tokens: int = 10,
    person: str = "ana",
    purpose: Purpose = Purpose.CHAT,
    *,
    known: bool = True,
) -> Call:
    """Make a call to a model."""
    usage = Usage(tokens, 1, tokens // 2, known)
    return Call(Account(purpose, person), "openai:tiny", usage)


@asynccontextmanager
async def opened(path: Path, day: Any = lambda: TODAY) -> AsyncIterator[Spent]:
    """Open the ledger of a home, and what it counts in."""
    async with (
        Database.open(path / "ledger.db", LEDGER) as database,
        Spent.open(database, day) as spent,
    ):
        yield spent


async def test_what_is_counted_is_known_at_once_and_written_at_the_end(tmp_path):
    """A turn waits for no disk, and the next process knows all the same."""
    async with opened(tmp_path) as spent:
        spent.add(call(10))
        spent.add(call(20, known=False))
        [one] = spent.so_far()
        assert one == Expense(TODAY, "chat", "ana", "openai:tiny", 2, 30, 2, 15, 1)

    async with opened(tmp_path) as spent:
        assert spent.so_far() == [one]
        spent.add(call(5))
        assert tokens_of(spent.so_far()) == 38
        assert tokens_of(await spent.since(TODAY)) == 38


async def test_days_are_apart(tmp_path):
    """At midnight the budget is whole again; a report may look back."""
    day = ["2026-11-29"]
    async with opened(tmp_path, lambda: day[0]) as spent:
        spent.add(call(10))
        day[0] = TODAY
        assert spent.so_far() == []
        spent.add(call(20))

        assert [one.prompt for one in await spent.on(TODAY)] == [20]
        assert [one.prompt for one in await spent.since(TODAY)] == [20]
        found = await spent.since("2026-11-29")
        assert {one.day: one.prompt for one in found} == {"2026-11-29": 10, TODAY: 20}


async def test_a_clock_that_was_wrong_at_the_start_loses_nothing(tmp_path):
    """The day's earlier rows are read before anything is added to them."""
    async with opened(tmp_path) as spent:
        spent.add(call(10))
    day = ["1970-01-01"]
    async with opened(tmp_path, lambda: day[0]) as spent:
        spent.add(call(1))
        await spent.flush()
        day[0] = TODAY
        spent.add(call(20))
        await spent.flush()
        assert tokens_of(await spent.on(TODAY)) == 32


async def test_what_could_not_be_written_is_logged_and_written_later(tmp_path):
    """A disk that is full for a while makes nothing free of charge."""
    async with (
        Database.open(tmp_path / "ledger.db", LEDGER) as database,
        Spent.open(database, lambda: TODAY) as spent,
    ):
        await database.write(lambda tx: tx.execute("alter table spent rename to away"))
        with structlog.testing.capture_logs() as logs:
            spent.add(call(10))
            await spent.flush()
        assert [said["event"] for said in logs] == ["usage_not_written"]
        assert tokens_of(spent.so_far()) == 11

        await database.write(lambda tx: tx.execute("alter table away rename to spent"))
        spent.add(call(20))
        await spent.flush()
        assert tokens_of(await spent.since(TODAY)) == 32


async def test_what_is_lost_in_the_end_is_said(tmp_path):
    """Never silently."""
    async with Database.open(tmp_path / "ledger.db", LEDGER) as database:
        with structlog.testing.capture_logs() as logs:
            async with Spent.open(database, lambda: TODAY) as spent:
                await database.write(lambda tx: tx.execute("drop table spent"))
                spent.add(call(10))
                spent.add(call(10))

    assert logs[-1] == {"event": "usage_lost", "calls": 2, "log_level": "error"}


async def test_a_person_who_is_renamed_stays_so(tmp_path):
    """Erasing someone puts their rows to nobody; counting does not bring them back."""
    async with Database.open(tmp_path / "ledger.db", LEDGER) as database:
        async with Spent.open(database, lambda: TODAY) as spent:
            spent.add(call(10))
            await spent.flush()
            await database.write(
                lambda tx: tx.execute("update spent set person = ''"),
            )
            spent.add(call(20, "bob"))

        found = await database.fetch("select person from spent order by person")
        assert [row["person"] for row in found] == ["", "bob"]


CALLS = st.builds(
    call,
    st.integers(0, 1000),
    st.sampled_from(["ana", "bob", ""]),
    st.sampled_from(list(Purpose)),
    known=st.booleans(),
)
# Counting, waiting for the disk, ending and starting again, in any order.
LIVES = st.lists(st.one_of(CALLS, st.sampled_from(["flush", "restart", "midnight"])))


@settings(max_examples=25, deadline=None)
@given(LIVES)
def test_every_call_is_counted_once(life):
    """However often the home is closed, and whenever the day ends."""

    async def live(home: Path) -> list[Expense]:
        made: list[Expense] = []
        days = ["2026-11-01"]
        steps = iter([*life, "restart"])
        is_over = False
        while not is_over:
            async with opened(home, lambda: days[-1]) as spent:
                for step in steps:
                    if isinstance(step, Call):
                        spent.add(step)
                        made.append(Expense.of(days[-1], step))
                    elif step == "flush":
                        await spent.flush()
                    elif step == "midnight":
                        days.append(f"2026-11-{min(len(days) + 1, 30):02}")
                    else:
                        break
                else:
                    is_over = True
        return made

    with tempfile.TemporaryDirectory() as name:
        made = asyncio.run(live(Path(name)))
        connection = sqlite3.connect(Path(name) / "ledger.db")
        found = [Expense(*row) for row in connection.execute("select * from spent")]
        connection.close()

    assert {one.key: one for one in found} == summed(made)


async def test_what_is_not_written_yet_names_no_person_who_was_erased(tmp_path):
    """Its row would come back, under a key that is nobody's."""
    async with opened(tmp_path) as spent:
        spent.add(call(person="p-1"))
        await spent.forget("p-1")
        assert {one.person for one in spent.so_far()} == {""}
        await spent.flush()
        assert {one.person for one in await spent.since(TODAY)} == {""}
