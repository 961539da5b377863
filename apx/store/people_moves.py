"""What is written of persons and accounts, each within one transaction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from uuid import uuid4

from apx.domain.event import Event, EventKind
from apx.domain.person import OWNER, OWNERS_OWN, Account, Person, Role
from apx.store.log import append

if TYPE_CHECKING:
    import sqlite3
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class Kept:
    """An account as it is kept: whose it is, and whose it was before it was linked."""

    account: Account
    person: str
    home: str
    name: str
    paired: bool


def added(
    tx: sqlite3.Connection,
    person: Person,
    account: Account,
    at: datetime,
    paired: bool,
) -> Person:
    """Write a new person down with their first account, unless it has one.

    A person who dropped in by themselves is `paired` from now on, in the new role.
    """
    if row := _row(tx, account):
        return (
            _vouched(tx, kept_of(row), person.role, at) if paired else _whose(tx, row)
        )
    append(
        tx,
        event(
            EventKind.PERSON,
            at,
            key=person.key,
            role=person.role.value,
            name=person.name,
        ),
    )
    give(tx, account, Kept(account, person.key, "", person.name, paired), at)
    return person


def _vouched(tx: sqlite3.Connection, kept: Kept, role: Role, at: datetime) -> Person:
    if not kept.paired:
        give(tx, kept.account, replace(kept, paired=True), at)
        append(tx, event(EventKind.ROLE, at, key=kept.person, role=role.value))
    return person_of(_person_row(tx, kept.person))


def _whose(tx: sqlite3.Connection, row: sqlite3.Row) -> Person:
    return person_of(_person_row(tx, row["person"]))


def give(tx: sqlite3.Connection, account: Account, kept: Kept, at: datetime) -> None:
    """Write down whose an account is from now on."""
    given = event(
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
    append(tx, given)


def linked(
    tx: sqlite3.Connection, joining: Kept, at: datetime, *, vouched: bool
) -> None:
    """Join an account to a person, with all others of the person that it was.

    It is paired if the owner `vouched` for the code, or the person is by another
    account: a guest of an open bot opens no other bot.
    """
    account, person = joining.account, joining.person
    one = "select 1 from account where person = ? and paired = 1"
    paired = vouched or tx.execute(one, (person,)).fetchone() is not None
    row = _row(tx, account)
    if row is None:
        give(tx, account, replace(joining, paired=paired), at)
        return
    found = tx.execute(
        "select * from account where person = ? order by at", (row["person"],)
    )
    for kept in [kept_of(one) for one in found.fetchall()]:
        home = kept.home or kept.person
        joined = Kept(kept.account, person, home, kept.name, kept.paired or paired)
        give(tx, kept.account, joined, at)


def parted(
    tx: sqlite3.Connection, account: Account, at: datetime, op: str
) -> Kept | None:
    """Give an account back to whom it was before, or to nobody."""
    row = _row(tx, account)
    if row is None or _is_done(tx, op, 0):
        return None
    whole = "select * from account where person = ? and home = ? and home <> ''"
    found = tx.execute(whole, (row["person"], row["home"])).fetchall() or [row]
    for place, kept in enumerate(map(kept_of, found)):
        _end(tx, kept, at, f"{EventKind.ACCOUNT_END}/{op}/{place}")
    return kept_of(row)


def removed(
    tx: sqlite3.Connection, account: Account, at: datetime, op: str
) -> Kept | None:
    """Have an account be nobody's."""
    row = _row(tx, account)
    if row is None or _is_done(tx, op, 0):
        return None
    kept = kept_of(row)
    _end(tx, replace(kept, home=""), at, f"{EventKind.ACCOUNT_END}/{op}/0")
    return kept


def _is_done(tx: sqlite3.Connection, op: str, place: int) -> bool:
    name = f"{EventKind.ACCOUNT_END}/{op}/{place}"
    found = tx.execute("select 1 from event where op = ?", (name,))
    return found.fetchone() is not None


def _end(tx: sqlite3.Connection, kept: Kept, at: datetime, op: str) -> None:
    # Whoever was talked into a code, or out of an account, leaves no key behind.
    tx.execute("delete from code where person in (?, ?)", (kept.person, kept.home))
    ended = event(
        EventKind.ACCOUNT_END,
        at,
        channel=kept.account.channel,
        bot=kept.account.bot,
        user=kept.account.user,
        person=kept.person,
        home=kept.home,
    )
    append(tx, replace(ended, op=op))


def owner_of(tx: sqlite3.Connection, account: Account) -> Person | None:
    """Read whose an account is, within a transaction."""
    row = _row(tx, account)
    return person_of(_person_row(tx, row["person"])) if row else None


def person_in(tx: sqlite3.Connection, key: str) -> Person | None:
    """Read a person within a transaction."""
    row = tx.execute("select * from person where key = ?", (key,)).fetchone()
    return person_of(row) if row else None


def event(kind: EventKind, at: datetime, **body: object) -> Event:
    """Make an event about people; it is the owner's."""
    return Event(
        kind=kind,
        op=f"{kind}/{uuid4().hex}",
        at=at,
        body=body,
        person=OWNER,
        audience=str(OWNERS_OWN),
    )


def new_key() -> str:
    """Make the key of a new person."""
    return f"p-{uuid4().hex[:10]}"


def where(account: Account) -> tuple[str, str, str]:
    """Give the columns that name an account."""
    return (account.channel, account.bot, account.user)


def _row(tx: sqlite3.Connection, account: Account) -> sqlite3.Row | None:
    row: sqlite3.Row | None = tx.execute(
        "select * from account where channel = ? and bot = ? and user = ?",
        where(account),
    ).fetchone()
    return row


def _person_row(tx: sqlite3.Connection, key: str) -> sqlite3.Row:
    row: sqlite3.Row = tx.execute(
        "select * from person where key = ?", (key,)
    ).fetchone()
    return row


def person_of(row: sqlite3.Row) -> Person:
    """Read a row of `person`."""
    return Person(row["key"], Role(row["role"]), row["name"])


def kept_of(row: sqlite3.Row) -> Kept:
    """Read a row of `account`."""
    return Kept(
        account=Account(row["channel"], row["bot"], row["user"]),
        person=row["person"],
        home=row["home"],
        name=row["name"],
        paired=bool(row["paired"]),
    )
