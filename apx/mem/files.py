"""Files of the curated store, each of which is on the disk before it counts."""

from __future__ import annotations

import errno
import os
import stat

from apx.mem.faults import MemFault
from apx.mem.memory import FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

# A name that cannot be has no file either.
_NOTHING: Final = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)
_OURS_ALONE: Final = 0o700
_PRIVATE: Final = 0o600
# A link in a store that came from elsewhere could point at anything of this person's.
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


def read(path: str) -> bytes | None:
    """Give the bytes of a file, None if there is none; only of a regular one."""
    try:
        handle = os.open(path, _READ)
    except OSError as error:
        if error.errno in _NOTHING:
            return None
        raise
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise IsADirectoryError(None, "is no regular file", path)
        return file.read()


def is_other(path: str) -> bool:
    """Tell whether there is something that is no file, such as a link."""
    try:
        return not stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def write(path: str, data: bytes, flags: int = os.O_TRUNC) -> None:
    """Write a private file and have its bytes on the disk; its name is not yet."""
    handle = os.open(path, _WRITE | flags, _PRIVATE)
    try:
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def drop(path: str) -> None:
    """Have no file there."""
    try:  # noqa: SIM105 -- contextlib takes too long to load
        os.unlink(path)  # noqa: PTH108 -- pathlib takes too long to load
    except (FileNotFoundError, NotADirectoryError):
        pass


def make(folder: str) -> None:
    """Have a private directory there, with all above it.

    MemFault `link` if one of memories is a link: what is behind it is in no list.
    """
    if os.path.isdir(folder):  # noqa: PTH112 -- as above
        if is_linked(folder):
            words = f"{folder} is a symbolic link: nothing is written through it"
            raise MemFault("link", words, "have a directory in its place")
        return
    above = os.path.dirname(folder)  # noqa: PTH120 -- as above
    if above != folder:
        make(above)
    try:
        os.mkdir(folder, _OURS_ALONE)  # noqa: PTH102 -- as above
    except FileExistsError:
        if not os.path.isdir(folder):  # noqa: PTH112 -- as above
            raise
    else:
        sync((above,))


def is_linked(folder: str) -> bool:
    """Tell whether a folder of memories is a symbolic link."""
    *_, above, name = folder.split("/")
    return above == "objects" and name in FOLDERS and os.path.islink(folder)  # noqa: PTH114 -- as above


def sync(folders: Iterable[str]) -> None:
    """Have the names in directories on the disk."""
    for folder in folders:
        handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def mark(path: str) -> tuple[int, ...]:
    """Tell one state of a file from another; () if there is none."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def fault(error: OSError, path: str = "") -> MemFault:
    """Say which file could not be read or written, and why."""
    where = error.filename or path
    where = os.fsdecode(where) if isinstance(where, str | bytes) else path
    return MemFault("io", f"{where}: {error.strerror or 'cannot be used'}")
