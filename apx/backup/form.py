"""Owns the form of a backup: a tar whose every byte follows from what is in it.

    about.json             what this is, and of when
    ledger.db, notes/, ... what the home holds
    sums                   the SHA-256 of each file, as `sha256sum -c` reads it

Who reads one builds each header, the blanks between files and `sums` anew and compares:
so no bit can change without notice, although a tar sums up nothing but its headers.
"""

from __future__ import annotations

import json
import os
import tarfile
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Final

from apx import __version__
from apx.domain.errors import StoreError
from apx.store.backup import NEWEST

ABOUT: Final = "about.json"
SUMS: Final = "sums"
BLOCK: Final = 512
END: Final = bytes(2 * BLOCK)

_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Member:
    """A file or a directory in a tar."""

    name: str
    size: int
    at: int
    is_directory: bool = False


@dataclass(frozen=True, slots=True)
class About:
    """What a backup is, and what its ledger holds."""

    made_at: datetime
    schema: int
    turns: int
    notes: int

    def written(self) -> bytes:
        """Give what is written into the backup."""
        value = asdict(self) | {"made_at": self.made_at.isoformat()}
        head = {"format": _FORMAT, "apx": __version__}
        return json.dumps(head | value, indent=2).encode() + b"\n"

    @classmethod
    def read(cls, written: bytes) -> About:
        """Read what was written; raises `StoreError` if a newer apx wrote it."""
        try:
            value = json.loads(written)
            about = cls(
                datetime.fromisoformat(value["made_at"]).astimezone(UTC),
                *(int(value[key]) for key in ("schema", "turns", "notes")),
            )
            version = int(value["format"])
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise StoreError(f"its {ABOUT} cannot be read") from error
        if version > _FORMAT or about.schema > NEWEST:
            raise StoreError("it was made by a newer apx: update apx first")
        return about


def header(member: Member) -> bytes:
    """Give the blocks that stand before a member."""
    info = tarfile.TarInfo(member.name)
    info.size, info.mtime = member.size, member.at
    info.mode = 0o700 if member.is_directory else 0o600
    info.type = tarfile.DIRTYPE if member.is_directory else tarfile.REGTYPE
    return info.tobuf(tarfile.GNU_FORMAT, "utf-8", "surrogateescape")


def padding(size: int) -> bytes:
    """Give the blanks that follow so many bytes."""
    return bytes(-size % BLOCK)


def sum_line(name: str, digest: str = "") -> bytes:
    """Give a file's line in `sums`; a directory's is a remark, as it has no sum."""
    head = f"{digest}  " if digest else "# "
    return head.encode() + os.fsencode(name) + b"\n"
