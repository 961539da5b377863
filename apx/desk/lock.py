"""Who owns a home: a lock that the kernel frees when its holder dies."""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from apx.domain.errors import HomeError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def held(home: Path, what: str) -> Iterator[bool]:
    """Hold the home's lock for the length of the block; false if another does.

    `what` is written into the lock file for whoever comes second.
    """
    with _opened(home / "apx.lock") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        file.seek(0)
        file.truncate()
        json.dump({"pid": os.getpid(), "what": what}, file)
        file.flush()
        yield True


def _opened(path: Path) -> TextIO:
    try:
        return path.open("a+", encoding="utf-8")
    except OSError as error:
        raise HomeError(f"{path}: {error.strerror}") from error


def is_held(home: Path) -> bool:
    """Whether a process holds the home now."""
    try:
        with (home / "apx.lock").open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def holder(home: Path) -> str:
    """Name who holds the lock, or held it last."""
    try:
        found = json.loads((home / "apx.lock").read_text("utf-8"))
        return f"{found['what']} (process {found['pid']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another apx"
