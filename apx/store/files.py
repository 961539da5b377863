"""Owns what people attached: each file once, under the sum of its bytes."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import stat
import tempfile
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from apx.domain.errors import DamagedStore, HomeError, InputError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Container, Iterator

_SHA: Final = re.compile(r"[0-9a-f]{64}")
_INCOMING: Final = ".incoming."
_OURS_ALONE: Final = 0o700
_PRIVATE: Final = 0o600
_MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that is on the disk; `sha` is its name, and proves its contents."""

    sha: str
    size: int


class Files:
    """Keeps bytes under `directory`, which is made when the first of them come.

    What has no `async` blocks, and wants a thread. Trouble with the disk is a
    `HomeError`.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        # A file that is given once more must not be swept between the look at its age
        # and the removal.
        self._lock = Lock()
        # Kept, and soon to be named: no sweep takes them.
        self.coming: set[str] = set()

    async def keep(self, chunks: AsyncIterator[bytes], most: int) -> Kept:
        """Keep what comes in, or raise an `InputError` when it is more than `most`.

        Once this returns, a power cut does not take it. It is among `coming` until
        the caller has named it somewhere, and takes it out there.
        """
        incoming = _Incoming(self._directory, self._lock)
        try:
            await asyncio.to_thread(incoming.open)
            async for chunk in chunks:
                if incoming.size + len(chunk) > most:
                    raise InputError(
                        f"the file is too large: I keep at most {_megabytes(most)}"
                    )
                await asyncio.to_thread(incoming.add, chunk)
            return await asyncio.to_thread(incoming.settle, self.coming)
        finally:
            # A thread cannot be cancelled: it may still write, and this waits for it.
            # Whoever cancels twice waits no longer, and it is removed all the same.
            await asyncio.shield(asyncio.to_thread(incoming.drop))

    def path(self, sha: str) -> Path:
        """Give the place of a file, whether it is there or not."""
        if not _SHA.fullmatch(sha):
            raise InputError("this is not the name of a file that I keep")
        return self._directory / sha[:2] / sha

    def read(self, sha: str) -> bytes:
        """Give a file as it came, or raise if it is gone or no longer the same."""
        path = self.path(sha)
        try:
            data = path.read_bytes()
        except FileNotFoundError as error:
            raise InputError("the file is no longer kept") from error
        except OSError as error:
            raise _unusable(path, error) from error
        if hashlib.sha256(data).hexdigest() != sha:
            raise DamagedStore(f"{path} is damaged: its bytes are not those that came")
        return data

    def remove(self, sha: str) -> None:
        """Have a file gone for good; one that is not there is gone already."""
        path = self.path(sha)
        with _translated(path), suppress(FileNotFoundError):
            path.unlink()
            _sync(path.parent)

    async def sweep(self, referenced: Container[str], older_than: float) -> int:
        """Remove what nobody names and what broke off; gives how many files.

        What is not older than so many seconds stays: it may just be coming in, and be
        named in a moment.
        """
        return await asyncio.to_thread(self._swept, referenced, older_than)

    def _swept(self, referenced: Container[str], older_than: float) -> int:
        before = time.time() - older_than
        with _translated(self._directory):
            unnamed = [
                path for path in _files(self._directory) if path.name not in referenced
            ]
            return sum(self._removed(path, before) for path in unnamed)

    def _removed(self, path: Path, before: float) -> bool:
        with self._lock, suppress(FileNotFoundError):
            is_free = path.name not in self.coming
            if is_free and path.lstat().st_mtime <= before:
                path.unlink()
                return True
        return False


class _Incoming:
    """A file that is not whole yet; its methods want threads, one call after another.

    A call whose caller was cancelled may come late: after `drop` it does nothing.
    """

    def __init__(self, directory: Path, lock: Lock) -> None:
        self.size = 0
        self._directory = directory
        self._lock = lock
        self._turn = Lock()
        self._is_dropped = False
        self._sum = hashlib.sha256()
        self._handle = -1
        self._path = directory

    def open(self) -> None:
        with self._acting():
            with self._lock:
                _make(self._directory)
            handle, name = tempfile.mkstemp(prefix=_INCOMING, dir=self._directory)
            self._handle, self._path = handle, Path(name)
            os.fchmod(handle, _PRIVATE)

    def add(self, chunk: bytes) -> None:
        with self._acting():
            rest = memoryview(chunk)
            while rest:
                rest = rest[os.write(self._handle, rest) :]
            self._sum.update(chunk)
            self.size += len(chunk)

    def settle(self, coming: set[str]) -> Kept:
        """Give it its name; one that is there already is replaced by its like.

        So it is young again, and whole if it was damaged.
        """
        sha = self._sum.hexdigest()
        place = self._directory / sha[:2]
        with self._acting():
            os.fsync(self._handle)
            os.utime(self._handle)
            with self._lock:
                coming.add(sha)
                _make(place)
                self._path.replace(place / sha)
            _sync(place)
        return Kept(sha, self.size)

    def drop(self) -> None:
        """Close it; without a name it goes."""
        with self._turn:
            self._is_dropped = True
            if self._handle >= 0:
                os.close(self._handle)
                with suppress(OSError):
                    self._path.unlink()

    @contextmanager
    def _acting(self) -> Iterator[None]:
        with self._turn, _translated(self._path):
            if self._is_dropped:
                raise InputError("the file was given up")
            yield


def _make(directory: Path) -> None:
    """Make a directory of ours alone, whatever the umask takes from its mode."""
    with suppress(FileExistsError):
        directory.mkdir(_OURS_ALONE)
        _sync(directory.parent)
    if stat.S_IMODE(directory.stat().st_mode) != _OURS_ALONE:
        with suppress(OSError):  # some file systems have no modes
            directory.chmod(_OURS_ALONE)


def _files(directory: Path) -> Iterator[Path]:
    """Give all files of ours, those that broke off among them, and nothing else."""
    with suppress(FileNotFoundError):
        for entry in directory.iterdir():
            if entry.name.startswith(_INCOMING):
                yield entry
            elif entry.is_dir() and not entry.is_symlink():
                yield from filter(_is_ours, entry.iterdir())


def _is_ours(path: Path) -> bool:
    return bool(_SHA.fullmatch(path.name)) and path.name[:2] == path.parent.name


def _sync(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _megabytes(size: int) -> str:
    if size < _MEGABYTE:
        return f"{size:,} bytes"
    return f"{size / _MEGABYTE:.1f}".removesuffix(".0") + " MB"


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: OSError) -> HomeError:
    return HomeError(f"{path}: cannot be used: {error.strerror or error}")
