"""Owns whether memory.db is ours; a damaged or foreign one is made anew."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import asynccontextmanager, closing, suppress
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.chunk import FORM
from apx.domain.errors import StoreError
from apx.store.database import Database, read_only
from apx.store.index.schema import GROWN, INDEX

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

_CONDEMNED: Final = "-damaged"
_FILES: Final = ("", "-wal", "-shm")

log = structlog.get_logger(__name__)


@asynccontextmanager
async def opened(path: Path, ledger_id: str) -> AsyncIterator[Database]:
    """Open the index of this ledger, empty if there was none that can be used."""
    reason = await asyncio.to_thread(_why_not, path, ledger_id)
    if reason:
        log.warning("index_made_anew", reason=reason)
        _remove(path)
    async with Database.open(path, INDEX) as database:
        await asyncio.to_thread(_remove_copies, path)
        await database.write(lambda tx: _name(tx, ledger_id))
        yield database


def _is_closed(path: Path) -> bool:
    return path.exists() and not os.access(path, os.R_OK | os.W_OK)


def _remove(path: Path) -> None:
    try:
        for suffix in (*_FILES, _CONDEMNED):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}: move it away") from error


def _remove_copies(path: Path) -> None:
    """Remove what was kept of an older version: all of it can be made anew."""
    for copy in path.parent.glob(f"{path.name}.schema-*"):
        with suppress(OSError):  # at the next start
            copy.unlink()


async def serving(path: Path) -> str:
    """Name the embedder of the space that serves, if that can be told; else ``."""
    return await asyncio.to_thread(_serving, path)


def _serving(path: Path) -> str:
    try:
        with closing(sqlite3.connect(read_only(path), uri=True)) as connection:
            found = connection.execute(
                "select identity from space where state = 'serving'"
            ).fetchone()
    except sqlite3.Error:
        return ""
    return found[0] if found else ""


def condemn(path: Path) -> None:
    """Have the file made anew at the next start: what is in it cannot be read."""
    with suppress(OSError):  # whoever meets the damage next tries again
        path.with_name(path.name + _CONDEMNED).touch(0o600)


def _why_not(path: Path, ledger_id: str) -> str:
    """Say why a file cannot be used, or nothing."""
    if path.with_name(path.name + _CONDEMNED).exists():
        return "memory.db turned out to be damaged"
    if any(_is_closed(path.with_name(path.name + end)) for end in _FILES):
        return "memory.db could not be written to"
    return _of_another(path, ledger_id) if path.exists() else ""


def _of_another(path: Path, ledger_id: str) -> str:
    try:
        with closing(sqlite3.connect(path)) as connection:
            version = connection.execute("pragma user_version").fetchone()[0]
            if not GROWN <= version <= len(INDEX):
                return "memory.db was written by another version of apx"
            found = dict(connection.execute("select key, value from meta"))
    except sqlite3.Error as error:
        return f"memory.db cannot be read: {error}"
    reasons = {"ledger": ledger_id, "form": FORM}
    odd = [key for key, ours in reasons.items() if found.get(key, ours) != ours]
    return f"memory.db is of another {odd[0]}" if odd else ""


def _name(tx: sqlite3.Connection, ledger_id: str) -> None:
    tx.executemany(
        "replace into meta values (?, ?)", [("ledger", ledger_id), ("form", FORM)]
    )
