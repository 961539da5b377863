"""What a git that was killed leaves behind: locks, and objects half written."""

from __future__ import annotations

import os
import time
from fnmatch import fnmatch

from apx.mem import files, refs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

# Git holds the lock of a reference for milliseconds, and gives up on another's after a
# tenth of a second.
_IDLE: Final = 0.5
_STEP: Final = 0.05
_PATTERNS: Final = (
    ("", "HEAD.lock"),
    ("", "packed-refs.lock"),
    ("", "gc.pid*"),
    ("", "packed-refs.new"),
    ("", "fast_import_crash_*"),
    ("objects/pack", "tmp_*"),
    ("objects/pack", ".tmp-*"),
    ("objects/pack", "*.keep"),
    ("objects/info", "*.lock"),
)


def clear(root: str, since: int) -> None:
    """Remove what was left since then (nanoseconds), if nobody works on it.

    Only for who holds the store's lock, which none of our programs outlives; what
    others run at this moment is told by its not lying still. The index's lock is not
    touched: people hold it for as long as they write a message.
    """
    before = _found(root, since)
    end = time.monotonic() + _IDLE
    while before and time.monotonic() < end:
        time.sleep(_STEP)
        now = _found(root, since)
        before = {path: mark for path, mark in before.items() if now.get(path) == mark}
    for path in before:
        files.drop(path)


def _found(root: str, since: int) -> dict[str, tuple[int, ...]]:
    where = refs.place(root)
    found = {}
    for path in _named(where):
        mark = files.mark(path)
        if mark and mark[2] >= since:
            found[path] = mark
    return found


def _named(where: str) -> Iterator[str]:
    common = refs.common(where)
    for folder, pattern in _PATTERNS:
        for top in {where, common}:
            yield from _matching(f"{top}/{folder}".rstrip("/"), pattern)
    for folder, _, _ in os.walk(f"{common}/refs"):
        yield from _matching(folder, "*.lock")
    for folder in _listed(f"{common}/objects"):
        if len(folder) == 2:  # noqa: PLR2004 -- of 256, by the first byte
            yield from _matching(f"{common}/objects/{folder}", "tmp_obj_*")


def _matching(folder: str, pattern: str) -> Iterator[str]:
    for name in _listed(folder):
        if fnmatch(name, pattern):
            yield f"{folder}/{name}"


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208 -- pathlib takes too long to load
    except OSError:
        return []
