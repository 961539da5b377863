"""Owns the directory in a home in which one backup or restore at a time works."""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from apx.domain.errors import HomeError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def working(home: Path) -> Iterator[Path]:
    """Give an empty private directory, which goes away with all that is in it.

    What a killed process left there goes away first. Raises `HomeError` while another
    process has it.
    """
    place = home / ".backup"
    handle = _held(place)
    try:
        _clear(place)
        yield place
    finally:
        # Before the lock is let go: whoever opened it meanwhile looks for it again.
        shutil.rmtree(place, ignore_errors=True)
        os.close(handle)


def _held(place: Path) -> int:
    while True:
        with suppress(FileNotFoundError):  # its last holder took it away just now
            place.mkdir(0o700, exist_ok=True)
            handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            if _is_mine(handle, place):
                return handle


def _is_mine(handle: int, place: Path) -> bool:
    """Lock what was opened, and tell whether it is still what stands there."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(handle), place.stat()):
            return True
    except BlockingIOError:
        os.close(handle)
        raise HomeError(
            f"{place.parent}: another `apx backup` or `apx restore` is at work here"
        ) from None
    except FileNotFoundError:
        pass
    os.close(handle)
    return False


def _clear(place: Path) -> None:
    for entry in os.scandir(place):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry)
        else:
            (place / entry.name).unlink()
