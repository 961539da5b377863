"""Codes that pair and link accounts: short-lived, one use, guessed at in vain."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from apx.domain.person import OWNER, Account, Person, Role
from apx.domain.secrets import mask
from apx.store import people_moves

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime

    from apx.store.database import Database

# Nothing that is read as something else: no 0 and O, no 1, I and L, no U beside V.
ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH: Final = 8
LIFE: Final = timedelta(minutes=10)
GUESSES: Final = 5
# All accounts together: whoever has many of them guesses no more often.
_ALL_GUESSES: Final = 2000
_LONGEST_NAME: Final = 40
_AN_HOUR: Final = timedelta(hours=1)
_RANKS: Final = {Role.OWNER: 2, Role.MEMBER: 1, Role.GUEST: 0}


class Redeemed(StrEnum):
    """What came of entering a code."""

    LINKED = "linked"
    ALREADY = "already"
    WRONG = "wrong"
    TOO_MANY = "too_many"
    # Who may more does not become who may less: the code is made on that side.
    WRONG_WAY = "wrong_way"


@dataclass(frozen=True, slots=True)
class Entered:
    """What came of a code, and who the account is now."""

    what: Redeemed
    person: Person | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whose the account becomes that enters a code: a person's, or a new one's.

    `vouched` says that it comes from the owner: then it is let in wherever people are
    that were let in.
    """

    person: str = OWNER
    role: Role | None = None
    name: str = ""
    vouched: bool = True


class Codes:
    """Makes codes and takes them; only their hashes are kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def issue(self, at: datetime, wish: Wanted) -> str:
        """Make a code; the newest of a person is the one that counts."""
        code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        until = (at + LIFE).isoformat()

        def job(tx: sqlite3.Connection) -> None:
            tx.execute("delete from code where until <= ?", (at.isoformat(),))
            tx.execute(
                "delete from code where person = ? and person <> ''", (wish.person,)
            )
            tx.execute(
                "insert into code values (?, ?, ?, ?, ?, ?)",
                (
                    _hash(tx, code),
                    wish.person,
                    wish.role or "",
                    mask(wish.name)[:_LONGEST_NAME],
                    int(wish.vouched),
                    until,
                ),
            )

        await self._database.write(job)
        return code

    async def redeem(
        self, account: Account, text: str, name: str, at: datetime
    ) -> Entered:
        """Take a code from an account; five wrong ones an hour are too many."""
        code = normal_code(text)
        return await self._database.write(
            lambda tx: _redeem(tx, account, code, name, at)
        )


def normal_code(text: str) -> str:
    """Give a code as it was made, however it was typed."""
    return "".join(text.upper().split()).replace("-", "")


def looks_like_code(text: str) -> bool:
    """Tell whether a message is nothing but a code."""
    code = normal_code(text)
    return len(code) == LENGTH and set(code) <= set(ALPHABET)


def shown(code: str) -> str:
    """Write a code as people read it."""
    return f"{code[:4]}-{code[4:]}"


def _hash(tx: sqlite3.Connection, code: str) -> str:
    row = tx.execute("select value from meta where key = 'ledger_id'").fetchone()
    return hashlib.sha256(f"{row[0]}/{code}".encode()).hexdigest()


def _redeem(
    tx: sqlite3.Connection, account: Account, code: str, name: str, at: datetime
) -> Entered:
    since = (at - _AN_HOUR).isoformat()
    # What is dated ahead was written under a clock that was wrong.
    tx.execute("delete from guess where at <= ? or at > ?", (since, at.isoformat()))
    mine, everybody = tx.execute(
        "select coalesce(sum(account = ?), 0), count(*) from guess", (str(account),)
    ).fetchone()
    row = tx.execute(
        "select * from code where hash = ? and until > ?",
        (_hash(tx, code), at.isoformat()),
    ).fetchone()
    if mine >= GUESSES or (row is None and everybody >= _ALL_GUESSES):
        return Entered(Redeemed.TOO_MANY)
    if row is None:
        tx.execute("insert into guess values (?, ?)", (str(account), at.isoformat()))
        return Entered(Redeemed.WRONG)
    tx.execute("delete from code where hash = ?", (row["hash"],))
    return _joined(tx, account, row, name, at)


def _joined(
    tx: sqlite3.Connection,
    account: Account,
    code: sqlite3.Row,
    name: str,
    at: datetime,
) -> Entered:
    before = people_moves.owner_of(tx, account)
    if not code["person"]:
        new = Person(f"p-{uuid4().hex[:10]}", Role(code["role"]), code["name"] or name)
        person = people_moves.added(tx, new, account, at, paired=True)
        is_same = before is not None and before.role is person.role
        what = Redeemed.ALREADY if is_same else Redeemed.LINKED
        return Entered(what, person)
    target = people_moves.person_in(tx, code["person"])
    if target is None:
        return Entered(Redeemed.WRONG)  # that person was erased meanwhile
    if before is not None and before.key == target.key:
        return Entered(Redeemed.ALREADY, before)
    if before is not None and _RANKS[before.role] > _RANKS[target.role]:
        return Entered(Redeemed.WRONG_WAY, before)
    joining = people_moves.Kept(account, target.key, "", name, paired=False)
    people_moves.linked(tx, joining, at, vouched=bool(code["vouched"]))
    return Entered(Redeemed.LINKED, target)
