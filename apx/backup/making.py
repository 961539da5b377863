"""Owns the making of a backup: copied, proven, written whole."""

from __future__ import annotations

import asyncio
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apx.backup.form import About
from apx.backup.packing import Pack
from apx.backup.room import working
from apx.backup.sealing import seal
from apx.domain.errors import InputError, StoreError
from apx.home import replacing
from apx.store import backup as ledgers
from apx.store.backup import Contents
from apx.store.verify import verify

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Made:
    """A backup that was written."""

    about: About
    size: int
    files: int
    left_out: tuple[str, ...]


def check_target(target: Path, home: Path, *, force: bool) -> None:
    """Raise `InputError` for a file that must not be written."""
    if not target.parent.is_dir():
        raise InputError(f"{target.parent} is no directory")
    inside = target.parent.resolve()
    if inside.is_relative_to(home.resolve()) and inside != home.resolve() / "backups":
        raise InputError(f"{target} is in the home: put a backup elsewhere")
    try:
        mode = target.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise InputError(f"{target} is there, and is no file")
    if not force:
        raise InputError(f"{target} is there: choose another name, or say --force")


def make(home: Path, target: Path, at: datetime, passphrase: str | None) -> Made:
    """Write a backup of a home, which may be in use; must not run in an event loop."""
    at = at.replace(microsecond=0)
    try:
        with working(home) as room, replacing(target) as file:
            ledger = home / "ledger.db"
            copy = _copied(ledger, room / ledger.name) if ledger.exists() else None
            found = ledgers.contents(copy) if copy else Contents()
            about = About(at, found.schema, found.turns, found.notes)
            pack = Pack(home, copy, about)
            if passphrase is None:
                file.writelines(pack.stream())
            else:
                seal(pack.stream(), file, passphrase, int(at.timestamp()))
            size = file.tell()
    except OSError as error:
        said = f"{error.strerror}: {error.filename or target}"
        raise StoreError(f"no backup was made: {said}") from error
    return Made(about, size, pack.files, tuple(pack.left_out))


def _copied(ledger: Path, copy: Path) -> Path:
    ledgers.copy(ledger, copy)
    if wrong := asyncio.run(verify(copy)):
        raise StoreError(
            f"no backup was made: {ledger.name}: {'; '.join(wrong)}; restore an earlier"
            " backup, or copy the home by hand"
        )
    return copy
