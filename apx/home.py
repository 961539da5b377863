"""The home directory: where it is, and how a private file gets into it."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from apx.domain.errors import HomeError

if TYPE_CHECKING:
    from collections.abc import Mapping

_OURS_ALONE: Final = 0o700


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
    """Give the home, made if need be and ready to be written to."""
    where = place(environ)
    try:
        _make(where)
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
        _replace(target, content)
    except OSError as error:
        raise HomeError(f"{path}: cannot be written: {_reason(error)}") from error


def _make(where: Path) -> None:
    try:
        where.mkdir(_OURS_ALONE, parents=True)
    except FileExistsError:
        # What somebody made for us is tightened while it is empty. One with
        # contents may be shared on purpose, such as /tmp; our files are private.
        if any(where.iterdir()):
            return
    where.chmod(_OURS_ALONE)


def _replace(target: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync(target.parent)


def _sync(directory: Path) -> None:
    """Make a rename survive a power cut."""
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unusable(where: Path, reason: str) -> HomeError:
    return HomeError(
        f"home {where}: {reason}; "
        "set APX_HOME to a directory that you may read and write"
    )


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
