"""Who owns a home: a lock that the kernel frees when its holder dies."""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def held(home: Path, what: str) -> Iterator[bool]:
    """Hold the home's lock for the length of the block; false if another does.

    `what` is written into the lock file for whoever comes second.
    """
    with (home / "apx.lock").open("a+", encoding="utf-8") as file:
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


def holder(home: Path) -> str:
    """Name who holds the lock, or held it last."""
    try:
        found = json.loads((home / "apx.lock").read_text("utf-8"))
        return f"{found['what']} (process {found['pid']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another apx"
