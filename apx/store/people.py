"""Persons and their accounts; each change is an event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apx.domain.access import Known
from apx.domain.event import EventKind
from apx.domain.person import Person
from apx.store.log import append
from apx.store.people_moves import (
    Kept,
    added,
    event,
    kept_of,
    new_key,
    parted,
    person_of,
    removed,
    where,
)

if TYPE_CHECKING:
    from datetime import datetime

    from apx.domain.person import Account, Role
    from apx.store.database import Database

__all__ = ["Kept", "People"]


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
            *where(account),
        )
        return Known(person_of(found[0]), bool(found[0]["paired"])) if found else None

    async def person(self, key: str) -> Person | None:
        """Read one person."""
        found = await self._database.fetch("select * from person where key = ?", key)
        return person_of(found[0]) if found else None

    async def every(self) -> list[Person]:
        """Read all persons, the owner first, then in the order in which they came."""
        found = await self._database.fetch(
            "select * from person order by key <> 'owner', at, key"
        )
        return [person_of(row) for row in found]

    async def accounts(self, person: str = "") -> list[Kept]:
        """Read a person's accounts, or everybody's."""
        found = await self._database.fetch(
            "select * from account where ?1 = '' or person = ?1"
            " order by person, at, channel, bot, user",
            person,
        )
        return [kept_of(row) for row in found]

    async def homes(self, person: str) -> list[str]:
        """Name the persons whose accounts were linked to this one."""
        found = await self._database.fetch(
            "select distinct home from account a where person = ? and home <> ''"
            " and not exists (select 1 from account b where b.person = a.home)"
            " order by home",
            person,
        )
        return [row["home"] for row in found]

    async def add(
        self, account: Account, role: Role, name: str, at: datetime, *, paired: bool
    ) -> Person:
        """Make a person of an account that is nobody's; of another, give its person."""
        return await self._database.write(
            lambda tx: added(tx, Person(new_key(), role, name), account, at, paired)
        )

    async def set_role(self, key: str, role: Role, at: datetime) -> None:
        """Change what a person may do."""
        await self._database.write(
            lambda tx: append(tx, event(EventKind.ROLE, at, key=key, role=role.value))
        )

    async def part(self, account: Account, at: datetime, op: str) -> Kept | None:
        """Part an account from its person; nothing if it is nobody's.

        It is again its earlier person's, with the others that were so, or nobody's.
        What was said keeps its audience. The same `op` parts once.
        """
        return await self._database.write(lambda tx: parted(tx, account, at, op))

    async def remove(self, account: Account, at: datetime, op: str) -> Kept | None:
        """Have an account be nobody's, whoever's it was before."""
        return await self._database.write(lambda tx: removed(tx, account, at, op))
