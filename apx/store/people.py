"""Persons and their accounts; each change is an event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from apx.domain.access import Known
from apx.domain.event import Event, EventKind
from apx.domain.person import OWNER, OWNERS_OWN, Account, Person, Role
from apx.store.log import append

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from apx.store.database import Database


@dataclass(frozen=True, slots=True)
class Kept:
    """An account as it is kept: whose it is, and whose it was before it was linked."""

    account: Account
    person: str
    home: str
    name: str
    paired: bool


class People:
    """Knows persons by their accounts, adds them, joins and parts them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def known(self, account: Account) -> Known | None:
        """Say whose an account is, if it is anybody's."""
        found = await self._database.fetch(
            "select p.key, p.role, p.name, a.paired from account a"
            " join person p on p.key = a.person"
            " where a.channel = ? and a.bot = ? and a.user = ?",
            *_where(account),
        )
        return Known(_person(found[0]), bool(found[0]["paired"])) if found else None

    async def person(self, key: str) -> Person | None:
        """Read one person."""
        found = await self._database.fetch("select * from person where key = ?", key)
        return _person(found[0]) if found else None

    async def every(self) -> list[Person]:
        """Read all persons, the owner first, then in the order in which they came."""
        found = await self._database.fetch(
            "select * from person order by key <> 'owner', at, key"
        )
        return [_person(row) for row in found]

    async def accounts(self, person: str = "") -> list[Kept]:
        """Read a person's accounts, or everybody's."""
        found = await self._database.fetch(
            "select * from account where ?1 = '' or person = ?1"
            " order by person, at, channel, bot, user",
            person,
        )
        return [_kept(row) for row in found]

    async def homes(self, person: str) -> list[str]:
        """Name the persons whose accounts were linked to this one."""
        found = await self._database.fetch(
            "select distinct home from account where person = ? and home <> ''"
            " order by home",
            person,
        )
        return [row["home"] for row in found]

    async def add(
        self, account: Account, role: Role, name: str, at: datetime, *, paired: bool
    ) -> Person:
        """Make a person of an account that is nobody's; of another, give its person."""
        return await self._database.write(
            lambda tx: added(tx, Person(_new_key(), role, name), account, at, paired)
        )

    async def set_role(self, key: str, role: Role, at: datetime) -> None:
        """Change what a person may do."""
        await self._database.write(
            lambda tx: append(tx, _event(EventKind.ROLE, at, key=key, role=role.value))
        )

    async def part(self, account: Account, at: datetime) -> Kept | None:
        """Part an account from its person; nothing if it is nobody's.

        It is again its earlier person's, or nobody's. What was said keeps its audience.
        """
        return await self._database.write(lambda tx: parted(tx, account, at))


def added(
    tx: sqlite3.Connection,
    person: Person,
    account: Account,
    at: datetime,
    paired: bool,
) -> Person:
    """Write a new person down with their first account, unless it has one."""
    if row := _row(tx, account):
        return _person(_person_row(tx, row["person"]))
    append(
        tx,
        _event(
            EventKind.PERSON,
            at,
            key=person.key,
            role=person.role.value,
            name=person.name,
        ),
    )
    give(tx, account, Kept(account, person.key, "", person.name, paired), at)
    return person


def give(tx: sqlite3.Connection, account: Account, kept: Kept, at: datetime) -> None:
    """Write down whose an account is from now on."""
    event = _event(
        EventKind.ACCOUNT,
        at,
        channel=account.channel,
        bot=account.bot,
        user=account.user,
        person=kept.person,
        home=kept.home,
        paired=int(kept.paired),
        name=kept.name,
    )
    append(tx, event)


def linked(
    tx: sqlite3.Connection, account: Account, person: str, name: str, at: datetime
) -> None:
    """Join an account to a person, with all others of the person that it was."""
    row = _row(tx, account)
    if row is None:
        give(tx, account, Kept(account, person, "", name, paired=True), at)
        return
    found = tx.execute(
        "select * from account where person = ? order by at", (row["person"],)
    )
    for kept in [_kept(one) for one in found.fetchall()]:
        home = kept.home or kept.person
        joined = Kept(kept.account, person, home, kept.name, paired=True)
        give(tx, kept.account, joined, at)


def parted(tx: sqlite3.Connection, account: Account, at: datetime) -> Kept | None:
    """Give an account back to whom it was before, or to nobody."""
    row = _row(tx, account)
    if row is None:
        return None
    event = _event(
        EventKind.ACCOUNT_END,
        at,
        channel=account.channel,
        bot=account.bot,
        user=account.user,
        home=row["home"],
    )
    append(tx, event)
    return _kept(row)


def owner_of(tx: sqlite3.Connection, account: Account) -> Person | None:
    """Read whose an account is, within a transaction."""
    row = _row(tx, account)
    return _person(_person_row(tx, row["person"])) if row else None


def person_in(tx: sqlite3.Connection, key: str) -> Person | None:
    """Read a person within a transaction."""
    row = tx.execute("select * from person where key = ?", (key,)).fetchone()
    return _person(row) if row else None


def _event(kind: EventKind, at: datetime, **body: object) -> Event:
    return Event(
        kind=kind,
        op=f"{kind}/{uuid4().hex}",
        at=at,
        body=body,
        person=OWNER,
        audience=str(OWNERS_OWN),
    )


def _new_key() -> str:
    return f"p-{uuid4().hex[:10]}"


def _where(account: Account) -> tuple[str, str, str]:
    return (account.channel, account.bot, account.user)


def _row(tx: sqlite3.Connection, account: Account) -> sqlite3.Row | None:
    row: sqlite3.Row | None = tx.execute(
        "select * from account where channel = ? and bot = ? and user = ?",
        _where(account),
    ).fetchone()
    return row


def _person_row(tx: sqlite3.Connection, key: str) -> sqlite3.Row:
    row: sqlite3.Row = tx.execute(
        "select * from person where key = ?", (key,)
    ).fetchone()
    return row


def _person(row: sqlite3.Row) -> Person:
    return Person(row["key"], Role(row["role"]), row["name"])


def _kept(row: sqlite3.Row) -> Kept:
    return Kept(
        account=Account(row["channel"], row["bot"], row["user"]),
        person=row["person"],
        home=row["home"],
        name=row["name"],
        paired=bool(row["paired"]),
    )
