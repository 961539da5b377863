"""Owns what of a home goes into a backup, as one stream of bytes."""

from __future__ import annotations

import hashlib
import os
import stat
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from apx.backup.form import (
    ABOUT,
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
    from collections.abc import Iterator
    from pathlib import Path

_CHUNK: Final = 1 << 20


@dataclass(slots=True)
class Pack:
    """The stream, and what was seen while it was read."""

    home: Path
    ledger: Path | None
    about: About
    files: int = 0
    # Links, sockets and the like: names in the home that stay behind.
    left_out: list[str] = field(default_factory=list)
    _sums: list[bytes] = field(default_factory=list)

    def stream(self) -> Iterator[bytes]:
        """Give the bytes of the backup, piece by piece."""
        yield from self._text(ABOUT, self.about.written())
        # The ledger was copied first. A note that came since is in memory.md alone, and
        # will be read as one that the person added; the other way round it would be
        # one that they removed.
        if self.ledger is not None:
            yield from self._file(FILES[0], self.ledger)
        for name in FILES[1:]:
            # The first two may be links to where the person keeps such files.
            if (path := self.home / name).is_file():
                yield from self._file(name, path)
        for name in DIRECTORIES:
            if (path := self.home / name).is_dir():
                yield from self._directory(name, path)
        yield from self._text(SUMS, b"".join(self._sums))
        yield END

    def _directory(self, name: str, path: Path) -> Iterator[bytes]:
        yield header(Member(name, 0, self._at(), is_directory=True))
        self._sums.append(sum_line(name))
        for entry in sorted(os.scandir(path), key=lambda found: found.name):
            inner, below = f"{name}/{entry.name}", path / entry.name
            if entry.is_dir(follow_symlinks=False):
                yield from self._directory(inner, below)
            elif entry.is_file(follow_symlinks=False):
                with suppress(FileNotFoundError):  # it was of the moment
                    yield from self._file(inner, below)
            else:
                self.left_out.append(inner)

    def _file(self, name: str, path: Path) -> Iterator[bytes]:
        with path.open("rb", buffering=0) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                self.left_out.append(name)
                return
            yield header(Member(name, status.st_size, self._at()))
            digest, left = hashlib.sha256(), status.st_size
            while left:
                chunk = file.read(min(left, _CHUNK))
                if not chunk:
                    raise StoreError(f"{path}: it shrank while it was read; try again")
                left -= len(chunk)
                digest.update(chunk)
                yield chunk
        yield padding(status.st_size)
        self.files += 1
        self._sums.append(sum_line(name, digest.hexdigest()))

    def _text(self, name: str, text: bytes) -> Iterator[bytes]:
        yield header(Member(name, len(text), self._at()))
        yield text + padding(len(text))
        self._sums.append(sum_line(name, hashlib.sha256(text).hexdigest()))

    def _at(self) -> int:
        return int(self.about.made_at.timestamp())
