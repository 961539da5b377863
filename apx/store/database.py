"""One SQLite file: a writer that commits together what arrives together, a reader."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, Self, TypeVar

import aiosqlite

from apx.domain.errors import StoreError
from apx.store.writer import Writer, kind_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path

T = TypeVar("T")

_PRAGMAS: Final = (
    "pragma journal_mode = wal",
    "pragma synchronous = full",
    "pragma foreign_keys = on",
    "pragma busy_timeout = 5000",
    "pragma journal_size_limit = 16777216",
    # What is deleted shall not be found in the file either.
    "pragma secure_delete = on",
)


class Database:
    """The file and the right to write to it."""

    def __init__(
        self, path: Path, writer: Writer, reader: aiosqlite.Connection
    ) -> None:
        self.path = path
        # Set after each write; who follows the file clears it and waits for the next.
        self.written = asyncio.Event()
        self._writer = writer
        self._reader = reader

    @classmethod
    @asynccontextmanager
    async def open(cls, path: Path, scripts: Sequence[str]) -> AsyncIterator[Self]:
        """Open the file, bring its schema up to date, and close it at the end.

        `scripts` are the schema's versions in order. Raises `StoreError` for a
        file that is newer than they are, or that is no database; it is left as it is.
        """
        connection = await asyncio.to_thread(_connect, path, scripts)
        writer = Writer(connection)
        writer.start()
        try:
            async with aiosqlite.connect(read_only(path), uri=True) as reader:
                reader.row_factory = sqlite3.Row
                yield cls(path, writer, reader)
        finally:
            await asyncio.to_thread(writer.close)

    async def write(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """Run a job in a transaction; once this returns, it is on the disk.

        The job runs in the writer's thread: no network and no model inside. What
        it raises is raised here, and nothing of it was written.
        """
        result = await self._writer.submit(job)
        self.written.set()
        return result

    def write_soon(self, job: Callable[[sqlite3.Connection], object]) -> None:
        """Have a job run with the next ones; nobody learns how it went."""
        self._writer.post(job)

    async def fetch(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """Read rows as they were committed last.

        In one hop: a statement left open, if only for a moment, would keep all other
        readers of the connection in the past.
        """
        try:
            return list(await self._reader.execute_fetchall(sql, values))
        except sqlite3.Error as error:
            raise kind_of(error)(
                f"{self.path.name}: {error}; {advice(error)}"
            ) from error


def read_only(path: Path) -> str:
    """Give the address of a database that cannot be changed through it."""
    return f"{path.absolute().as_uri()}?mode=ro"


def _connect(path: Path, scripts: Sequence[str]) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False
        )
    except sqlite3.Error as error:
        raise StoreError(
            f"{path}: {error}; can you write to this directory?"
        ) from error
    connection.row_factory = sqlite3.Row
    try:
        _upgrade(connection, path, scripts)
    except sqlite3.Error as error:
        connection.close()
        raise StoreError(f"{path}: {error}; {advice(error)}") from error
    except StoreError:
        connection.close()
        raise
    return connection


def advice(error: sqlite3.Error) -> str:
    """Say what to do about a database that cannot be used."""
    if isinstance(error, sqlite3.OperationalError):
        return "is the disk full, or can this directory not be written to?"
    return "the file is damaged; put a backup in its place, or move it away"


def _upgrade(
    connection: sqlite3.Connection, path: Path, scripts: Sequence[str]
) -> None:
    version: int = connection.execute("pragma user_version").fetchone()[0]
    if version > len(scripts):
        raise StoreError(
            f"{path.name} was written by a newer apx (schema {version}, this one knows"
            f" {len(scripts)}): update apx; the file was left as it is"
        )
    if 0 < version < len(scripts):
        copy = path.with_name(f"{path.name}.schema-{version}")
        copy.unlink(missing_ok=True)
        connection.execute("vacuum into ?", (str(copy),))
    for pragma in _PRAGMAS:
        connection.execute(pragma)
    for number, script in enumerate(scripts[version:], start=version + 1):
        _apply(connection, script, number)


def _apply(connection: sqlite3.Connection, script: str, number: int) -> None:
    try:
        connection.executescript(
            f"begin immediate; {script}; pragma user_version = {number}; commit;"
        )
    except sqlite3.Error:
        if connection.in_transaction:
            connection.rollback()
        raise
