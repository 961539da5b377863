"""The home directory: where it is, whose it is, and how a private file gets there."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from apx.domain.errors import HomeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from io import BufferedWriter

_OURS_ALONE: Final = 0o700
_OTHERS: Final = 0o077
_USUAL: Final = ".apx"
_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH

# What a home is made from; all else of ours can be made anew, or is of the moment.
FILES: Final = ("ledger.db", "memory.md", "config.json", "history")
DIRECTORIES: Final = ("notes", "mem", "files")

# All that apx makes in a home. What else is there is the person's own affair.
_NAMES: Final = {*FILES, *DIRECTORIES, "log", "index", "checkpoints", "backups"}
_BEGINNINGS: Final = ("ledger.db", "memory.db", "apx.", ".restore", ".backup")
# People keep these with their other settings, and link them from there.
_LINKED: Final = frozenset({"config.json", "memory.md"})


def place(environ: Mapping[str, str] = os.environ) -> Path:
    """Say where the home is, `APX_HOME` or `~/.apx`, without touching the disk."""
    wanted = environ.get("APX_HOME") or "~/.apx"
    if wanted.split("/")[0] == "~" and environ.get("HOME") == "":
        # What would be made of it is a directory at the root of the machine.
        raise HomeError("home: HOME is empty; set APX_HOME to a directory")
    try:
        return Path(wanted).expanduser().absolute()
    except (RuntimeError, OSError) as error:
        raise HomeError(f"home: {error}; set APX_HOME to a directory") from error


def home(environ: Mapping[str, str] = os.environ) -> Path:
    """Give the home, made if need be, ready to be written to and nobody else's."""
    where = place(environ)
    try:
        _make(where)
        _check(where)
    except (OSError, ValueError) as error:
        raise _unusable(where, _reason(error)) from error
    if not os.access(where, os.R_OK | os.W_OK | os.X_OK):
        raise _unusable(where, "it is read-only")
    return where


def private_write(path: Path, content: bytes) -> None:
    """Replace a file as a whole: after a crash it is the old one or the new one."""
    # The file that a link points to: renaming over the link would part the two.
    target = Path(os.path.realpath(path))
    try:
        with replacing(target) as file:
            file.write(content)
    except OSError as error:
        raise HomeError(f"{path}: cannot be written: {_reason(error)}") from error


@contextmanager
def replacing(target: Path) -> Iterator[BufferedWriter]:
    """Give a private file to fill, which takes the target's place at a good end."""
    # The whole of a long name, and what makes it another one, would be too long.
    prefix = f".{target.name[:50]}."
    handle, name = tempfile.mkstemp(prefix=prefix, dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), 0o600)
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    sync(target.parent)


def sync(directory: Path) -> None:
    """Make what was renamed in a directory survive a power cut."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _make(where: Path) -> None:
    try:
        where.mkdir(_OURS_ALONE, parents=True)
    except FileExistsError:
        _check_owner(where, where.stat())
        # What somebody made for us is tightened while it is empty. One with
        # contents may be shared on purpose, such as /tmp; our files are private.
        if any(where.iterdir()):
            return
    where.chmod(_OURS_ALONE)


def _check(where: Path) -> None:
    """Refuse a home in which others can put or exchange something.

    It may itself be a link that the person made, to a directory of theirs. In it, a
    link would have us write, or read as ours, what is somewhere else.
    """
    _check_owner(where, where.lstat())
    mode = where.stat().st_mode
    if where.name == _USUAL and mode & _OTHERS and not mode & stat.S_ISVTX:
        where.chmod(_OURS_ALONE)
        mode = where.stat().st_mode
    with os.scandir(where) as entries:
        owners = {_checked(where, entry.name) for entry in entries}
    if not mode & _OTHERS_WRITE:
        return
    if owners - {os.geteuid(), None} or mode & stat.S_ISVTX:
        said = "others may write to it; set APX_HOME to one of your own"
        raise HomeError(f"home {where}: {said}")
    # Made with an open umask, most likely. Who may look into it is left as it is.
    where.chmod(stat.S_IMODE(mode) & ~_OTHERS_WRITE)


def _checked(where: Path, name: str) -> int | None:
    """Look at one entry, and give its owner; none if it went away meanwhile."""
    path = where / name
    try:
        status = path.lstat()
        if name in _LINKED:
            _check_owner(path, status)
            _check_linked(path, status)
            _tighten(path, status)
        elif name in _NAMES or name.startswith(_BEGINNINGS):
            _check_owner(path, status)
            _check_no_link(path, status)
            _tighten(path, status)
    except FileNotFoundError:
        return None
    return status.st_uid


def _tighten(path: Path, status: os.stat_result) -> None:
    """Take from others what somebody gave them of a file or a directory of ours."""
    is_ours_alone = not stat.S_IMODE(status.st_mode) & _OTHERS
    if is_ours_alone or stat.S_ISLNK(status.st_mode) or stat.S_ISSOCK(status.st_mode):
        return
    with contextlib.suppress(OSError):  # some file systems have no modes
        path.chmod(stat.S_IMODE(status.st_mode) & ~_OTHERS)


def _check_owner(path: Path, status: os.stat_result) -> None:
    if status.st_uid != os.geteuid():
        raise HomeError(
            f"{path} belongs to another user (uid {status.st_uid}): run apx as that"
            f" user, or make it yours with `chown`"
        )


def _check_no_link(path: Path, status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise HomeError(
            f"{path} is a link to {path.readlink()}, and apx follows none in its home:"
            " put what it points to in its place, or link the home as a whole"
        )


def _check_linked(path: Path, status: os.stat_result) -> None:
    """Take a link only to a file of the person's, or to one that is yet to be."""
    if not stat.S_ISLNK(status.st_mode) or not path.exists():
        return
    target = path.stat()
    _check_owner(Path(os.path.realpath(path)), target)
    if not stat.S_ISREG(target.st_mode):
        raise HomeError(f"{path} is a link to what is no file: put a file in its place")


def _unusable(where: Path, reason: str) -> HomeError:
    return HomeError(
        f"home {where}: {reason}; "
        "set APX_HOME to a directory that you may read and write"
    )


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
