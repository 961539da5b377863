"""Owns copies of the ledger that are consistent, and what can be told of one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apx.domain.errors import DamagedStore, StoreError
from apx.store.database import advice, read_only
from apx.store.schema import LEDGER
from apx.store.writer import kind_of

if TYPE_CHECKING:
    from pathlib import Path

NEWEST = len(LEDGER)


@dataclass(frozen=True, slots=True)
class Contents:
    """What a ledger holds, and in which version of the schema."""

    schema: int = 0
    turns: int = 0
    notes: int = 0


def copy(ledger: Path, target: Path) -> None:
    """Copy a ledger as it is at one moment, also while its owner writes to it."""
    try:
        with closing(sqlite3.connect(read_only(ledger), uri=True)) as connection:
            connection.execute("vacuum into ?", (str(target),))
    except sqlite3.Error as error:
        raise _told(ledger, error) from error


def contents(ledger: Path) -> Contents:
    """Say what a ledger holds; raises `StoreError` for one that is newer, or none."""
    try:
        with closing(sqlite3.connect(read_only(ledger), uri=True)) as connection:
            (schema,) = connection.execute("pragma user_version").fetchone()
            if not 0 < schema <= NEWEST:
                raise _of_no_use(ledger, schema)
            (turns,) = connection.execute("select count(*) from turn").fetchone()
            (notes,) = connection.execute(
                "select count(*) from note where state = 'live'"
            ).fetchone()
    except sqlite3.Error as error:
        raise _told(ledger, error) from error
    return Contents(schema, turns, notes)


def check(ledger: Path) -> None:
    """Raise `DamagedStore` unless SQLite finds the file whole."""
    try:
        with closing(sqlite3.connect(read_only(ledger), uri=True)) as connection:
            found = [row[0] for row in connection.execute("pragma integrity_check(5)")]
    except sqlite3.Error as error:
        raise _told(ledger, error) from error
    if found != ["ok"]:
        raise DamagedStore(f"{ledger.name}: {'; '.join(found)}")


def _of_no_use(ledger: Path, schema: int) -> StoreError:
    if schema <= 0:
        return StoreError(f"{ledger.name}: this is no ledger of apx")
    return StoreError(
        f"{ledger.name} was written by a newer apx (schema {schema}, this one knows"
        f" {NEWEST}): update apx"
    )


def _told(ledger: Path, error: sqlite3.Error) -> StoreError:
    return kind_of(error)(f"{ledger.name}: {error}; {advice(error)}")
