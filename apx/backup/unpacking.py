"""Owns the reading of a backup: strictly, into a directory that is empty."""

from __future__ import annotations

import hashlib
import os
import tarfile
from typing import TYPE_CHECKING, Final

from apx.backup.form import (
    ABOUT,
    BLOCK,
    END,
    SUMS,
    About,
    Member,
    header,
    padding,
    sum_line,
)
from apx.domain.errors import StoreError
from apx.home import DIRECTORIES, FILES

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

_CHUNK: Final = 1 << 20
_LONGEST_NAME: Final = 4096
_LARGEST_TEXT: Final = 1 << 28
_MOST: Final = 1_000_000


class Tape:
    """Reads the members of a tar in their order, and takes none that is odd."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.left = os.fstat(file.fileno()).st_size - file.tell()

    def take(self, size: int) -> bytes:
        """Read so many bytes, no fewer."""
        # First: a size that was changed must not ask for all the memory there is.
        if size > self.left or len(data := self._file.read(size)) != size:
            raise StoreError("it is cut short")
        self.left -= size
        return data

    def member(self) -> Member:
        """Read what stands before a file or a directory."""
        raw = self.take(BLOCK)
        info, name = _parsed(raw), ""
        if info.type == tarfile.GNUTYPE_LONGNAME and info.size <= _LONGEST_NAME:
            long = self.take(info.size + len(padding(info.size)))
            name = os.fsdecode(long[: info.size].rstrip(b"\0")).rstrip("/")
            block = self.take(BLOCK)
            raw, info = raw + long + block, _parsed(block)
        found = Member(name or info.name, info.size, int(info.mtime), info.isdir())
        if header(found) != raw:
            raise StoreError(f"what it says of {found.name!r} is damaged")
        if not 0 <= found.size <= self.left:
            raise StoreError("it is cut short")
        return found

    def text(self, member: Member) -> bytes:
        """Read a member that is not large."""
        if member.size > _LARGEST_TEXT:
            raise StoreError(f"its {member.name} is too large")
        text = self.take(member.size)
        self.expect(padding(member.size))
        return text

    def expect(self, wanted: bytes) -> None:
        """Read what can only be this."""
        if self.take(len(wanted)) != wanted:
            raise StoreError("something in it was changed")


def unpack(file: BinaryIO, into: Path) -> About:
    """Write what a backup holds into a directory, and say what it is.

    Raises `StoreError` for one that is damaged, newer, or that holds anything else than
    a home does; what was written by then is of no use.
    """
    tape = Tape(file)
    if tape.left < BLOCK or (first := tape.member()).name != ABOUT:
        raise StoreError("it is no backup of apx")
    text = tape.text(first)
    about = About.read(text)
    sums = [sum_line(ABOUT, hashlib.sha256(text).hexdigest())]
    for _ in range(_MOST):
        member = tape.member()
        if member.name == SUMS:
            break
        sums.append(_unpacked(tape, member, into))
    else:
        raise StoreError("it has too many files")
    if tape.text(member) != b"".join(sums):
        raise StoreError("a file in it does not have the sum that it had")
    tape.expect(END)
    if tape.left:
        raise StoreError("there is something behind its end")
    return about


def _unpacked(tape: Tape, member: Member, into: Path) -> bytes:
    """Write a file or a directory, and give its line in `sums`."""
    _check(member)
    path = into / member.name
    if path.exists() or not path.parent.is_dir():
        raise StoreError(f"it holds {member.name!r} twice, or with no directory")
    if member.is_directory:
        path.mkdir(0o700)
        return sum_line(member.name)
    return sum_line(member.name, _written(tape, member, path))


def _parsed(block: bytes) -> tarfile.TarInfo:
    try:
        return tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except tarfile.HeaderError as error:
        raise StoreError("it is damaged, or no backup of apx") from error


def _check(member: Member) -> None:
    """Refuse what is not part of a home, above all what would land elsewhere."""
    top, *below = member.name.split("/")
    if any(part in {"", ".", ".."} or "\0" in part for part in below):
        is_ours = False
    elif top in FILES:
        is_ours = not below and not member.is_directory
    else:
        is_ours = top in DIRECTORIES and (member.is_directory or bool(below))
    if not is_ours or (member.is_directory and member.size):
        raise StoreError(f"it holds {member.name!r}, which is not part of a home")


def _written(tape: Tape, member: Member, path: Path) -> str:
    """Write a file, and give its SHA-256."""
    digest, left = hashlib.sha256(), member.size
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        while left:
            chunk = tape.take(min(left, _CHUNK))
            left -= len(chunk)
            digest.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    tape.expect(padding(member.size))
    return digest.hexdigest()
