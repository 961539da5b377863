"""Owns the restoring of a backup: all of it is proven before anything is touched."""

from __future__ import annotations

import asyncio
import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.backup import sealing, swap
from apx.backup.room import working
from apx.backup.unpacking import unpack
from apx.domain.errors import ApxError, HomeError, InputError, StoreError
from apx.store import backup as ledgers
from apx.store.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path
    from typing import BinaryIO

    from apx.backup.form import About

# Beside what is unpacked: directories, and the databases that are made anew.
_SPARE: Final = 50_000_000


@dataclass(frozen=True, slots=True)
class Proven:
    """A backup that lies ready in the home, and was found whole."""

    about: About
    staged: Path


@contextmanager
def proven(home: Path, source: Path, passphrase: Callable[[], str]) -> Iterator[Proven]:
    """Read and check a backup, and have it lie ready for the length of the block.

    `passphrase` is called for one that is locked. The caller holds the home's lock, and
    must not run in an event loop.
    """
    with _opened(source) as file:
        word = passphrase() if sealing.is_sealed(file) else None
        with working(home) as room, swap.staging(home) as staged:
            try:
                about = _staged(file, room, staged, word)
            except OSError as error:
                raise HomeError(
                    f"{home}: {error.strerror}; nothing was changed"
                ) from error
            except HomeError:
                raise
            except ApxError as error:
                raise StoreError(f"{source}: {error}; nothing was changed") from error
            yield Proven(about, staged)


def exchange(home: Path, ready: Proven, at: datetime) -> Path:
    """Put what lies ready in its place; says where the old things are."""
    try:
        return swap.commit(home, ready.staged, at)
    except OSError as error:
        raise HomeError(f"{home}: {error.strerror}; nothing was changed") from error


def _opened(source: Path) -> BinaryIO:
    try:
        if not source.is_file():
            raise InputError(f"{source}: there is no such file")
        return source.open("rb")
    except OSError as error:
        raise InputError(f"{source}: {error.strerror}") from error


def _staged(file: BinaryIO, room: Path, staged: Path, word: str | None) -> About:
    swap.check(staged.parent)
    size = os.fstat(file.fileno()).st_size
    wanted = size * (1 if word is None else 2) + _SPARE
    if wanted > shutil.disk_usage(staged).free:
        said = f"needs {wanted // 1_000_000} MB, which are not free"
        raise HomeError(f"{staged.parent}: the restore {said}; nothing was changed")
    if word is None:
        about = unpack(file, staged)
    else:
        with (room / "home.tar").open("w+b") as opened:
            sealing.unseal(file, opened, sealing.unlock(file, word))
            opened.seek(0)
            about = unpack(opened, staged)
    _check_ledger(staged / "ledger.db", about)
    return about


def _check_ledger(ledger: Path, about: About) -> None:
    if not ledger.exists():
        return
    found = ledgers.contents(ledger)
    if (found.schema, found.turns) != (about.schema, about.turns):
        raise StoreError("its ledger.db is not the one that it tells of")
    ledgers.check(ledger)
    # What is to be expected of an older one is known once it was brought up to date.
    if found.schema == ledgers.NEWEST and (wrong := asyncio.run(verify(ledger))):
        raise StoreError("; ".join(wrong))
    for path in ledger.parent.glob("ledger.db-*"):
        path.unlink()  # what reading it left
