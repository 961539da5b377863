"""The bytes of one memory.md: read whole, appended to, never written over."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from apx.domain.errors import HomeError
from apx.domain.memory_file import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

_ODD_CLOCK: Final = 60
_LARGEST: Final = 64_000_000
# A stray byte is a slip. A file with more than one strange character in so many was
# destroyed, or is in another code, and says nothing about which notes shall stay.
_STRANGE: Final = 3
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_OTHERS: Final = 0o077

Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Found:
    """A file as it was read; without a stamp there is none.

    `age` is how many seconds ago it was written.
    """

    data: bytes = b""
    stamp: Stamp | None = None
    age: float = 0

    @property
    def text(self) -> str:
        """What it says; invalid UTF-8 is replaced."""
        return decode(self.data)


class NoteFile:
    """Reads and appends; each change is made only to the file that was read.

    Its methods block, and are safe in threads: a cancelled call may still run
    when the next one comes.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()

    def stamp(self) -> Stamp | None:
        """Tell versions of the file apart without reading it."""
        with self._named(), contextlib.suppress(FileNotFoundError):
            return _stamp(self._path.stat())
        return None

    def read(self) -> Found:
        """Read the whole file, which may be missing."""
        with self._lock, self._named():
            return self._read()

    def append(self, found: Found, text: str) -> bool:
        """Write behind what was found, in one go; not if the file has changed."""
        data = text.encode()
        is_ours = found.stamp is None
        with self._lock, self._named(), contextlib.suppress(FileExistsError):
            if is_ours:
                _make_private(self._path.parent)
            how = os.O_CREAT | os.O_EXCL if is_ours else os.O_NONBLOCK
            with _opened(self._path, os.O_WRONLY | os.O_APPEND | how) as handle:
                before = os.fstat(handle)
                if not is_ours and _stamp(before) != found.stamp:
                    return False
                _write(handle, data, before.st_size)
                if before.st_mode & _OTHERS:
                    # Some file systems have no modes; the note counts for more.
                    with contextlib.suppress(OSError):
                        os.fchmod(handle, 0o600)
                os.fsync(handle)
            if is_ours:
                _sync_directory(self._path.parent)
            return True
        return False

    def replace(self, found: Found, data: bytes) -> bool:
        """Put other bytes in place of exactly those that were found."""
        with self._lock, self._named():
            # The file that a link points to: renaming over the link parts the two.
            target = Path(os.path.realpath(self._path))
            handle, name = tempfile.mkstemp(
                prefix=f".{target.name}.", dir=target.parent
            )
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(handle)
                if self._read().data != found.data:
                    return False
                Path(name).replace(target)
            finally:
                Path(name).unlink(missing_ok=True)
            _sync_directory(target.parent)
        return True

    def _read(self) -> Found:
        try:
            # A pipe must not hold us up.
            with _opened(self._path, os.O_RDONLY | os.O_NONBLOCK) as handle:
                status = os.fstat(handle)
                self._check(status)
                with os.fdopen(handle, "rb", closefd=False) as file:
                    data = file.read(_LARGEST)
                is_whole = _stamp(os.fstat(handle)) == _stamp(status)
        except FileNotFoundError:
            return Found()
        if data.startswith(_UTF16):
            raise HomeError(f"{self._path}: is UTF-16; save it as UTF-8")
        if not _is_text(data):
            raise HomeError(f"{self._path}: is damaged, or no UTF-8; save it as UTF-8")
        age = time.time() - status.st_mtime if is_whole else 0
        # A clock that was set back must not make a file young for long.
        return Found(data, _stamp(status), age if age > -_ODD_CLOCK else -age)

    def _check(self, status: os.stat_result) -> None:
        if not stat.S_ISREG(status.st_mode):
            raise HomeError(f"{self._path}: is no file; move it away")
        if status.st_size >= _LARGEST:
            raise HomeError(f"{self._path}: is larger than 64 MB; make it shorter")

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise HomeError(f"{self._path}: {why}; make it a file of yours") from error


def _stamp(status: os.stat_result) -> Stamp:
    # The time of change sees what keeps the time of modification, such as `cp -p`.
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


@contextlib.contextmanager
def _opened(path: Path, flags: int) -> Iterator[int]:
    handle = os.open(path, flags | os.O_CLOEXEC, 0o600)
    try:
        yield handle
    finally:
        os.close(handle)


def _write(handle: int, data: bytes, size: int) -> None:
    """Write all or nothing: half a line would be read as a note of its own."""
    written = os.write(handle, data)
    if written < len(data):
        if os.fstat(handle).st_size == size + written:
            os.ftruncate(handle, size)
        raise OSError(None, "the disk is full")


def _make_private(directory: Path) -> None:
    missing = [place for place in (directory, *directory.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(0o700, exist_ok=True)


def _sync_directory(directory: Path) -> None:
    with _opened(directory, os.O_RDONLY) as handle:
        os.fsync(handle)


def _is_text(data: bytes) -> bool:
    text = data.decode("utf-8", "replace")
    return text.count("\ufffd") * _STRANGE <= len(text)
