"""What events of persons and their accounts change in the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.event import EventKind

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from apx.domain.event import Event


def _person(tx: sqlite3.Connection, event: Event) -> None:
    body = event.body
    tx.execute(
        "insert into person (key, role, name, at) values (?, ?, ?, ?)"
        " on conflict (key) do nothing",
        (body["key"], body["role"], body["name"], event.at.isoformat()),
    )


def _role(tx: sqlite3.Connection, event: Event) -> None:
    tx.execute(
        "update person set role = ? where key = ?",
        (event.body["role"], event.body["key"]),
    )


def _account(tx: sqlite3.Connection, event: Event) -> None:
    """Give an account to a person; `home` is whose it was before."""
    body = event.body
    tx.execute(
        "insert into account (channel, bot, user, person, home, paired, was_paired,"
        " name, at) values (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8)"
        " on conflict (channel, bot, user) do update set person = excluded.person,"
        " was_paired = iif(home = '' and excluded.home <> '', paired, was_paired),"
        " home = excluded.home, paired = excluded.paired, name = excluded.name",
        (
            body["channel"],
            body["bot"],
            body["user"],
            body["person"],
            body["home"],
            body["paired"],
            body["name"],
            event.at.isoformat(),
        ),
    )


def _account_end(tx: sqlite3.Connection, event: Event) -> None:
    """Part an account from its person, and end what still waits for it."""
    body = event.body
    # What still waits for this chat was its earlier person's to hear.
    theirs = (
        f"private:{body['person']}",
        f"{body['channel']}:{body['bot']}:",
        f"{body['channel']}:{body['bot']};",
    )
    tx.execute(
        "update request set unwanted = 1 where turn is null and unwanted = 0"
        " and audience = ? and thread >= ? and thread < ?",
        theirs,
    )
    tx.execute(
        "update outbox set state = 'expired' where state <> 'sent'"
        " and state in ('pending', 'unknown') and audience = ?"
        " and thread >= ? and thread < ?",
        theirs,
    )
    _part(tx, event)


def _part(tx: sqlite3.Connection, event: Event) -> None:
    """Have an account be `home`'s again, or nobody's."""
    body = event.body
    where = (body["channel"], body["bot"], body["user"])
    if body["home"]:
        tx.execute(
            "update account set person = ?, home = '', paired = was_paired"
            " where channel = ? and bot = ? and user = ?",
            (body["home"], *where),
        )
    else:
        tx.execute(
            "delete from account where channel = ? and bot = ? and user = ?", where
        )


# Who is who, and nothing that follows from it elsewhere.
WHO: Final[dict[EventKind, Callable[[sqlite3.Connection, Event], None]]] = {
    EventKind.PERSON: _person,
    EventKind.ROLE: _role,
    EventKind.ACCOUNT: _account,
    EventKind.ACCOUNT_END: _part,
}
PEOPLE: Final = {**WHO, EventKind.ACCOUNT_END: _account_end}
