"""Owns the moment in which a home becomes another one, whatever happens in it.

What is to come lies ready beside (`.restore-ID/`). Then `.restore` is written, and from
there on the restore is done as soon as somebody calls `finish`: each of its steps may
have been made before. Old things are moved to `backups/`, the new ones to their place.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from apx.domain.errors import HomeError
from apx.home import DIRECTORIES, FILES, private_write, sync

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

_MARK: Final = ".restore"
_STAGED: Final = ".restore-"
_OLD: Final = "before-restore-"

_OURS: Final = (*FILES, *DIRECTORIES)
# A write-ahead log must never meet another ledger than its own.
_LOGS: Final = ("ledger.db-wal", "ledger.db-shm", "ledger.db-journal")


@contextmanager
def staging(home: Path) -> Iterator[Path]:
    """Give an empty directory for what is to come; the caller holds the home's lock.

    It goes away, unless `commit` was called. So does what a killed restore left.
    """
    for stale in home.glob(f"{_STAGED}*"):
        shutil.rmtree(stale)
    for half in home.glob(f".{_MARK}.*"):  # a mark that was not written to its end
        half.unlink()
    staged = Path(tempfile.mkdtemp(prefix=_STAGED, dir=home))
    try:
        yield staged
    finally:
        if not is_due(home):
            shutil.rmtree(staged, ignore_errors=True)


def check(home: Path) -> None:
    """Raise `HomeError` for what could not be moved aside."""
    mounts, device = _mounts(), home.stat().st_dev
    for path in (home / "backups", *_there(home)):
        if os.path.lexists(path) and (
            path.lstat().st_dev != device
            or os.path.realpath(path.parent) + f"/{path.name}" in mounts
        ):
            raise HomeError(
                f"{path} is mounted there, so it cannot be exchanged: unmount it,"
                " or restore to another home"
            )


def commit(home: Path, staged: Path, at: datetime) -> Path:
    """Exchange the home's things for the staged ones; says where the old ones are.

    The staged files are on the disk. Once this has written its mark, there is no way
    back, and none is needed.
    """
    for directory, _, _ in os.walk(staged):
        sync(Path(directory))
    old = _free(home / "backups" / f"{_OLD}{at:%Y%m%d-%H%M%S}")
    names = [name for name in _OURS if (staged / name).exists()]
    mark = {"staged": staged.name, "old": old.name, "names": names}
    sync(home)
    private_write(home / _MARK, json.dumps(mark).encode())
    finish(home)
    return old


def is_due(home: Path) -> bool:
    """Whether a restore was interrupted that only has to be finished."""
    return (home / _MARK).exists()


def finish(home: Path) -> None:
    """Finish a restore that is due; the caller holds the home's lock."""
    try:
        mark = json.loads((home / _MARK).read_bytes())
        staged, old = home / mark["staged"], home / "backups" / mark["old"]
        coming = [name for name in mark["names"] if (staged / name).exists()]
        come = set(mark["names"]) - set(coming)
        _move_aside(home, old, come)
        for name in coming:
            (staged / name).rename(home / name)
        _clean(home, staged)
    except OSError as error:
        raise HomeError(
            f"{home}: a restore was begun and cannot be finished: {error.strerror}:"
            f" {error.filename}; mend that, then call any command"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise HomeError(
            f"{home / _MARK} is damaged: the old things are in {home / 'backups'}, the"
            f" new ones here or in {home / _STAGED}*; put them together, and delete it"
        ) from error
    with suppress(OSError):  # an empty home left nothing
        old.rmdir()
        old.parent.rmdir()


def _move_aside(home: Path, old: Path, come: set[str]) -> None:
    """Move what was there, but for what has come into its place already."""
    old.parent.mkdir(0o700, exist_ok=True)
    old.mkdir(0o700, exist_ok=True)
    has_ledger = (old / "ledger.db").exists()
    for path in _there(home):
        # A log that is there although its ledger went is the new ledger's.
        is_new = path.name in come or (has_ledger and path.name in _LOGS)
        target = old / path.name
        if not is_new and os.path.lexists(path) and not os.path.lexists(target):
            path.rename(target)
    sync(old)
    sync(old.parent)
    sync(home)


def _clean(home: Path, staged: Path) -> None:
    # Made from the ledger; the next command makes them anew.
    for path in home.glob("memory.db*"):
        path.unlink()
    for directory in (home / "index", staged):
        if directory.exists():
            shutil.rmtree(directory)
    sync(home)
    (home / _MARK).unlink()
    sync(home)


def _there(home: Path) -> Iterator[Path]:
    """Give what a restore moves aside, the ledger's own log before the ledger."""
    for name in (*_LOGS, *_OURS, "log"):
        yield home / name
    yield from sorted(home.glob("ledger.db.schema-*"))


def _free(path: Path) -> Path:
    names = (path.with_name(f"{path.name}-{number}") for number in count(2))
    return next(found for found in chain([path], names) if not found.exists())


def _mounts() -> set[str]:
    """Give what is mounted anywhere; a single file may be, too."""
    try:
        lines = Path("/proc/self/mountinfo").read_text("utf-8", "surrogateescape")
    except OSError:  # another system; the number of the device has to do
        return set()
    return {line.split()[4].replace("\\040", " ") for line in lines.splitlines()}
