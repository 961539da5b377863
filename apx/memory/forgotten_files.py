"""Takes out of the home's plain files what is forgotten; its functions block."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from apx.domain import daily
from apx.domain.text import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from apx.domain.erasing_lines import Told

_PRIVATE: Final = 0o600
_TRIES: Final = 3
# What is not ours is looked into as far as that is quick.
_LARGEST: Final = 4_000_000
_MOST: Final = 500
_OURS: Final = ("ledger.db", "memory.db", "apx.", "history", "memory.md", ".")
# The curated store is looked into by itself.
_FOLDERS: Final = ("index", "backups", "mem")

Lessened = tuple[bytes, int]


def typed_without(data: bytes, told: Told) -> Lessened:
    """Leave entries out of the file of typed lines; says how many.

    An entry is a line with a time, then lines that begin with `+`.
    """
    kept, many, entry = [], 0, list[bytes]()
    for line in [*data.splitlines(keepends=True), b""]:
        if entry and entry[-1].startswith(b"+") and not line.startswith(b"+"):
            is_out = _is_typed(entry, told)
            many += is_out
            kept += [] if is_out else entry
            entry = []
        entry.append(line)
    return b"".join([*kept, *entry]), many


def lines_without(data: bytes, told: Told) -> Lessened:
    """Leave lines out of a file that has one record a line; says how many."""
    lines = data.splitlines(keepends=True)
    kept = [line for line in lines if not told.holds(line.decode("utf-8", "replace"))]
    return b"".join(kept), len(lines) - len(kept)


def count(path: Path, told: Told) -> int:
    """Say how many typed entries a file would lose."""
    return typed_without(path.read_bytes(), told)[1] if path.is_file() else 0


def lessen(path: Path, told: Told, less: Callable[[bytes, Told], Lessened]) -> int:
    """Write a file anew without what is forgotten; others may append meanwhile."""
    for _ in range(_TRIES):
        if not path.is_file():
            return 0
        before = path.stat()
        data, many = less(path.read_bytes(), told)
        if not many or _replaced(path, before, data):
            return many
    raise OSError(None, "somebody else keeps writing to it")


def set_aside(home: Path) -> list[Path]:
    """Name the daily logs of ledgers that were here before."""
    return sorted(home.glob("log/*.replaced-*/*.jsonl"))


def aside(home: Path, told: Told) -> int:
    """Say how many lines these would lose."""
    return sum(lines_without(path.read_bytes(), told)[1] for path in set_aside(home))


def logged(home: Path, seqs: Iterable[int]) -> int:
    """Say how many lines of the daily log are of some events."""
    lines = dict.fromkeys(seqs, b"")
    paths = set(home.glob("log/*/*.jsonl")) - set(set_aside(home)) if lines else ()
    return sum(daily.rewritten(path.read_bytes(), lines)[1] for path in paths)


def copies(home: Path) -> list[str]:
    """Name the ledgers of older versions that an update kept."""
    return sorted(path.name for path in home.glob("ledger.db.schema-*"))


def remove_copies(home: Path) -> list[str]:
    """Remove these; names them."""
    found = copies(home)
    for name in found:
        (home / name).unlink()
    return found


def remove_notes(path: Path) -> None:
    """Remove a file of notes, and its folder unless a person keeps more there."""
    path.unlink(missing_ok=True)
    with contextlib.suppress(FileNotFoundError):
        if not any(path.parent.iterdir()):
            path.parent.rmdir()


def others(home: Path, told: Told) -> list[str]:
    """Name the files that say it and are not ours to change."""
    found = []
    for path in _others(home):
        with contextlib.suppress(OSError):
            text = path.read_bytes().decode("utf-8", "replace")
            if told.holds(text):
                found.append(str(path.relative_to(home)))
    return found


def _is_typed(entry: list[bytes], told: Told) -> bool:
    typed = b"".join(line[1:] for line in entry if line.startswith(b"+"))
    text = clean(typed.decode("utf-8", "replace")).strip()
    return text in told.typed or told.holds(text)


def _replaced(path: Path, before: os.stat_result, data: bytes) -> bool:
    target = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(handle, _PRIVATE)
            file.write(data)
            file.flush()
            os.fsync(handle)
        now = target.stat()
        if (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
            return False
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
    return True


def _others(home: Path) -> Iterator[Path]:
    many = 0
    for place, folders, names in os.walk(home):
        is_top = Path(place) == home
        if is_top:
            folders[:] = [f for f in folders if f not in _FOLDERS and f != "log"]
        for name in sorted(names):
            path = Path(place, name)
            is_ours = name.startswith(_OURS) if is_top else name == "memory.md"
            if is_ours or not path.is_file() or path.stat().st_size > _LARGEST:
                continue
            many += 1
            if many > _MOST:
                return
            yield path
