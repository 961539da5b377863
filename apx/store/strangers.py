"""Who wrote and is nobody here: whether they wait, and what they were told."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from apx.domain.person import Account
from apx.domain.secrets import mask
from apx.domain.thread import Thread

if TYPE_CHECKING:
    import sqlite3

    from apx.domain.heard import Caller
    from apx.store.database import Database

MOST_PENDING: Final = 3
_A_DAY: Final = timedelta(days=1)
# Whoever is refused may ask again after so long, and nobody waits longer than a week.
_REFUSED_FOR: Final = timedelta(days=30)
_A_WEEK: Final = timedelta(days=7)
# However many write in a day, the table stays this small.
_MOST: Final = 1000


@dataclass(frozen=True, slots=True)
class Stranger:
    """Somebody who waits for the owner's yes; `number` names them in commands."""

    number: int
    account: Account
    name: str
    thread: Thread
    at: datetime


@dataclass(frozen=True, slots=True)
class Met:
    """What is due after a stranger wrote: to tell them, to tell the owner."""

    tells: bool
    asks: Stranger | None = None


class Strangers:
    """Remembers strangers for a day, and those who wait until they are answered."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def meet(self, caller: Caller, at: datetime, *, may_ask: bool) -> Met:
        """Take note of a stranger; at most three wait at a time."""
        return await self._database.write(lambda tx: _meet(tx, caller, at, may_ask))

    async def pending(self) -> list[Stranger]:
        """Read who waits, the longest wait first."""
        found = await self._database.fetch(
            "select * from stranger where state = 'pending' order by number"
        )
        return [_stranger(row) for row in found]

    async def settle(self, number: int, *, refused: bool) -> Stranger | None:
        """End somebody's waiting; nothing if they do not wait (any more)."""

        def job(tx: sqlite3.Connection) -> Stranger | None:
            row = tx.execute(
                "select * from stranger where number = ? and state = 'pending'",
                (number,),
            ).fetchone()
            if row is None:
                return None
            if refused:
                tx.execute(
                    "update stranger set state = 'refused' where number = ?", (number,)
                )
            else:
                tx.execute("delete from stranger where number = ?", (number,))
            return _stranger(row)

        return await self._database.write(job)

    async def welcome(self, account: Account) -> None:
        """Forget that an account was a stranger's: it came in with a code."""
        await self._database.write(
            lambda tx: tx.execute(
                "delete from stranger where channel = ? and bot = ? and user = ?",
                (account.channel, account.bot, account.user),
            )
        )


def _meet(
    tx: sqlite3.Connection,
    caller: Caller,
    at: datetime,
    may_ask: bool,
) -> Met:
    _tidy(tx, at)
    where = (caller.account.channel, caller.account.bot, caller.account.user)
    row = tx.execute(
        "select * from stranger where channel = ? and bot = ? and user = ?", where
    ).fetchone()
    if row is None:
        if tx.execute("select count(*) from stranger").fetchone()[0] >= _MOST:
            # Who is told by now and waits for nobody makes room.
            tx.execute(
                "delete from stranger where number = (select min(number)"
                " from stranger where state = 'met')"
            )
        number = _next_number(tx)
        tx.execute(
            "insert into stranger values (?, ?, ?, ?, ?, ?, 'met', ?, '')",
            (
                *where,
                number,
                mask(caller.name),
                str(caller.thread),
                at.isoformat(),
            ),
        )
    tells = row is None or row["told"] <= (at - _A_DAY).isoformat()
    if tells:
        tx.execute(
            "update stranger set told = ? where channel = ? and bot = ? and user = ?",
            (at.isoformat(), *where),
        )
    return Met(tells, _asking(tx, where) if may_ask else None)


def _asking(tx: sqlite3.Connection, where: tuple[str, str, str]) -> Stranger | None:
    """Have a stranger wait, if there is room; gives them when they begin to."""
    waiting = tx.execute("select count(*) from stranger where state = 'pending'")
    if waiting.fetchone()[0] >= MOST_PENDING:
        return None
    row = tx.execute(
        "update stranger set state = 'pending' where channel = ? and bot = ?"
        " and user = ? and state = 'met' returning *",
        where,
    ).fetchone()
    return _stranger(row) if row else None


def _tidy(tx: sqlite3.Connection, at: datetime) -> None:
    tx.execute(
        "delete from stranger where (state = 'met' and told <= ? and told <> '')"
        " or (state = 'pending' and at <= ?) or (state = 'refused' and at <= ?)"
        " or at > ?",  # written under a clock that was wrong
        [
            *((at - age).isoformat() for age in (_A_DAY, _A_WEEK, _REFUSED_FOR)),
            at.isoformat(),
        ],
    )


def _next_number(tx: sqlite3.Connection) -> int:
    """Count up for ever: an old button must not let somebody else in."""
    tx.execute(
        "insert into meta values ('strangers', '1') on conflict (key)"
        " do update set value = cast(value as integer) + 1"
    )
    row = tx.execute("select value from meta where key = 'strangers'").fetchone()
    return int(row[0])


def _stranger(row: sqlite3.Row) -> Stranger:
    return Stranger(
        number=row["number"],
        account=Account(row["channel"], row["bot"], row["user"]),
        name=row["name"],
        thread=Thread.parse(row["thread"]),
        at=datetime.fromisoformat(row["at"]),
    )
