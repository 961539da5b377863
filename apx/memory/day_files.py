"""The files of the daily log: one a day, appended to, with a cursor beside them.

The cursor only says where to start reading the ledger's log. It is saved after the
lines are on the disk, so what a kill leaves behind is lines that it does not know
yet. These are looked up at the ends of the files, and not written again.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Final

from apx.domain import daily
from apx.domain.daily import Cursor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import tzinfo
    from pathlib import Path

    from apx.domain.daily import Tail
    from apx.domain.event import Event

_CURSOR: Final = ".cursor"
_A_DAY: Final = f"{'[0-9]' * 4}-{'[0-9]' * 2}-{'[0-9]' * 2}"
_BLOCK: Final = 64 * 1024
# After so many events without a line the cursor is worth saving.
_FAR: Final = 500
_PRIVATE: Final = 0o600


class DayFiles:
    """Appends lines to the file of their day, and keeps the cursor beside the files.

    Its methods block, and want one thread at a time. They raise `OSError`.
    """

    def __init__(self, directory: Path, zone: tzinfo) -> None:
        self.cursor = Cursor()
        self.seq = 0
        self._directory = directory
        self._zone = zone
        self._is_open = False
        self._ledger = ""
        # Days whose end was looked at, and the lines there that the cursor does
        # not know.
        self._known: set[str] = set()
        self._there: set[int] = set()

    def forget(self) -> None:
        """Have everything looked at anew: who knows what a failed write left."""
        self._is_open = False

    def is_strange(self) -> bool:
        """Whether the cursor on the disk is not the one that was left there."""
        found = Cursor()
        with suppress(FileNotFoundError):
            found = Cursor.read((self._directory / _CURSOR).read_bytes())
        if self._is_open and found == self.cursor:
            return False
        self._is_open, self.cursor = False, found
        return True

    def set_aside(self) -> None:
        """Keep another ledger's files, under a name that no agent has."""
        name = f"{self._directory.name}.replaced"
        names = (self._directory.with_name(f"{name}-{n}") for n in count(1))
        self._directory.rename(next(path for path in names if not path.exists()))
        self.cursor = Cursor()

    def open(self, ledger: str) -> None:
        """Start behind the cursor, or earlier if the file that it vouches for shrank.

        An unknown cursor, or one of another time zone, does not say in which file a
        line behind it would be: then all are looked at.
        """
        if not self.cursor.ledger:
            _make_private(self._directory.parent)
            _make_private(self._directory)
        self._ledger, self.seq = ledger, self.cursor.seq
        self._known, self._there = set(), set()
        is_sure = self.cursor.zone == daily.zone_name(self._zone)
        last = self._shrunk()
        if last or not is_sure:
            self.seq = last or self.seq
            self._know(path.stem for path in self._directory.glob(f"{_A_DAY}.jsonl"))
        self._is_open = True

    def take(self, events: Sequence[Event]) -> int:
        """Write the lines of events, then the cursor; gives how many lines."""
        found = [daily.entry(event, self._zone) for event in events]
        entries = [entry for entry in found if entry]
        self._know(entry.day for entry in entries)
        new = [entry for entry in entries if entry.seq not in self._there]
        sizes = {
            day: self._append(day, [entry.line for entry in new if entry.day == day])
            for day in dict.fromkeys(entry.day for entry in new)
        }
        self.seq = events[-1].seq
        self._there.difference_update(entry.seq for entry in entries)
        # Events without a line are read again after a restart: that costs less than
        # to save the cursor for each of them.
        if entries or self.seq - self.cursor.seq >= _FAR:
            self._save(events[-1].op, new[-1].day if new else "", sizes)
        return len(new)

    def rewrite(self, seqs: Iterable[int], events: Iterable[Event]) -> int:
        """Write the lines of some events anew; gives how many lines there were.

        Those that are not among `events` are gone. A kill leaves each file as it
        was, or done.
        """
        entries = (daily.entry(event, self._zone) for event in events)
        lines = dict.fromkeys(seqs, b"") | {e.seq: e.line for e in entries if e}
        many = 0
        for path in sorted(self._directory.glob(f"{_A_DAY}.jsonl")):
            data, replaced = daily.rewritten(path.read_bytes(), lines)
            if replaced:
                fresh = path.with_name(f".{path.name}.new")
                with _opened(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as handle:
                    _write(handle, data)
                fresh.replace(path)
                _sync(self._directory)
                many += replaced
        if many:
            self.forget()
        return many

    def _shrunk(self) -> int:
        """Give the newest `seq` left in the file that is shorter than it was."""
        path = self._path(self.cursor.day)
        if not self.cursor.day or not path.exists():
            return 0
        with _opened(path, os.O_RDONLY) as handle:
            tail = _tail(handle, self.cursor.seq)
        return min(tail.last, self.cursor.seq) if tail.end < self.cursor.size else 0

    def _know(self, days: Iterable[str]) -> None:
        """Look at the ends of files, once each, and cut off what is no whole line."""
        for day in set(days) - self._known:
            with suppress(FileNotFoundError), _opened(self._path(day)) as handle:
                tail = _tail(handle, self.seq)
                if tail.end < os.fstat(handle).st_size:
                    os.ftruncate(handle, tail.end)
                if tail.seqs:
                    # Whoever wrote these lines may have been killed before this.
                    os.fsync(handle)
                self._there.update(tail.seqs)
            self._known.add(day)

    def _append(self, day: str, lines: Sequence[bytes]) -> int:
        """Write lines, whole or not at all; gives the size of the file by then."""
        with _opened(self._path(day), os.O_RDWR | os.O_CREAT | os.O_APPEND) as handle:
            size = os.fstat(handle).st_size
            try:
                _write(handle, b"".join(lines))
            except OSError:
                with suppress(OSError):
                    os.ftruncate(handle, size)
                raise
            if not size:
                _sync(self._directory)
            return os.fstat(handle).st_size

    def _save(self, op: str, day: str, sizes: Mapping[str, int]) -> None:
        before = self.cursor
        cursor = Cursor(
            ledger=self._ledger,
            zone=daily.zone_name(self._zone),
            seq=self.seq,
            op=op,
            day=day or before.day,
            size=sizes[day] if day else before.size,
        )
        fresh = self._directory / f"{_CURSOR}.new"
        with _opened(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) as handle:
            _write(handle, cursor.written())
        fresh.replace(self._directory / _CURSOR)
        _sync(self._directory)
        self.cursor = cursor

    def _path(self, day: str) -> Path:
        return self._directory / f"{day}.jsonl"


def _tail(handle: int, after: int) -> Tail:
    """Read a file from its end back to a line that is no newer than `after`."""
    size, block = os.fstat(handle).st_size, _BLOCK
    while True:
        start = max(0, size - block)
        data = os.pread(handle, size - start, start)
        skipped = data.find(b"\n") + 1 if start else 0
        tail = daily.tail(data[skipped:], after)
        if not start or (skipped and tail.is_whole):
            return replace(tail, end=start + skipped + tail.end)
        block *= 4


@contextmanager
def _opened(path: Path, flags: int = os.O_RDWR) -> Iterator[int]:
    handle = os.open(path, flags | os.O_CLOEXEC, _PRIVATE)
    try:
        if os.fstat(handle).st_mode & 0o777 != _PRIVATE:
            # Some file systems have no modes; the lines count for more.
            with suppress(OSError):
                os.fchmod(handle, _PRIVATE)
        yield handle
    finally:
        os.close(handle)


def _write(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
    os.fsync(handle)


def _make_private(directory: Path) -> None:
    directory.mkdir(0o700, exist_ok=True)
    with suppress(OSError):
        directory.chmod(0o700)


def _sync(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
