"""Owns the lock on a backup: age's format, which `age -d` opens too.

age reads and writes in pieces only with a key; with a passphrase it takes all at once.
So each backup has a key of its own, locked with the passphrase, beside what it locks:

    tar -xf FILE && age -d -i key.age home.tar.age | tar -x
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

from apx.backup.form import BLOCK, END, Member, header, padding
from apx.backup.unpacking import Tape
from apx.domain.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from pyrage import x25519

KEY: Final = "key.age"
_LOCKED: Final = "home.tar.age"
_LARGEST_KEY: Final = 1 << 16


def seal(
    pieces: Iterable[bytes], file: io.BufferedIOBase, passphrase: str, at: int
) -> None:
    """Write pieces to a file that only the passphrase opens."""
    import pyrage  # noqa: PLC0415 -- no other command needs it

    key = pyrage.x25519.Identity.generate()
    locked = pyrage.passphrase.encrypt(str(key).encode() + b"\n", passphrase)
    file.write(header(Member(KEY, len(locked), at)) + locked + padding(len(locked)))
    # How long it gets is known at the end.
    place = file.tell()
    file.write(bytes(BLOCK))
    stream = _Pieces(iter(pieces))
    try:
        pyrage.encrypt_io(stream, file, [key.to_public()])
    except pyrage.EncryptError as error:
        raise stream.error or StoreError(f"it cannot be encrypted: {error}") from error
    size = file.tell() - place - BLOCK
    file.write(padding(size) + END)
    file.seek(place)
    file.write(header(Member(_LOCKED, size, at)))
    file.seek(0, io.SEEK_END)


def is_sealed(file: BinaryIO) -> bool:
    """Whether a file begins as a locked backup does."""
    file.seek(0)
    start = file.read(len(KEY) + 1)
    file.seek(0)
    return start == KEY.encode() + b"\0"


def unlock(file: BinaryIO, passphrase: str) -> x25519.Identity:
    """Give the key of a locked backup; raises `StoreError` if it stays locked."""
    import pyrage  # noqa: PLC0415 -- as above

    file.seek(0)
    tape = Tape(file)
    locked = tape.text(_key(tape))
    try:
        written = pyrage.passphrase.decrypt(locked, passphrase)
        return pyrage.x25519.Identity.from_str(written.decode().strip())
    except (pyrage.DecryptError, pyrage.IdentityError, ValueError) as error:
        said = "wrong passphrase, or the beginning of the file was changed"
        raise StoreError(said) from error


def unseal(file: BinaryIO, target: io.BufferedIOBase, key: x25519.Identity) -> None:
    """Write what is locked to another file; raises `StoreError` for a changed one."""
    import pyrage  # noqa: PLC0415 -- as above

    file.seek(0)
    tape = Tape(file)
    tape.text(_key(tape))
    locked = tape.member()
    if locked.name != _LOCKED:
        raise StoreError("it is no backup of apx")
    try:
        pyrage.decrypt_io(_Part(tape, locked.size), target, [key])
    except (pyrage.DecryptError, OSError) as error:
        if getattr(error, "errno", None):
            raise  # the disk, not the contents
        raise StoreError("what is locked in it was changed") from error
    tape.expect(padding(locked.size) + END)
    if tape.left:
        raise StoreError("there is something behind its end")


def _key(tape: Tape) -> Member:
    key = tape.member()
    if key.name != KEY or key.size > _LARGEST_KEY:
        raise StoreError("it is no backup of apx")
    return key


class _Pieces(io.BufferedIOBase):
    """Pieces as a file for age; keeps what went wrong, which age only quotes."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.error: BaseException | None = None
        self._pieces = pieces
        self._rest = memoryview(b"")

    def read(self, size: int | None = -1, /) -> bytes:
        """Give up to so many bytes, and none at the end."""
        try:
            while not self._rest:
                self._rest = memoryview(next(self._pieces))
        except StopIteration:
            return b""
        except BaseException as error:  # Ctrl-C among them
            self.error = error
            raise
        size = len(self._rest) if size is None or size < 0 else size
        given, self._rest = self._rest[:size], self._rest[size:]
        return bytes(given)


class _Part(io.BufferedIOBase):
    """A member of a tar as a file of its own."""

    def __init__(self, tape: Tape, size: int) -> None:
        self._tape = tape
        self._left = size

    def read(self, size: int | None = -1, /) -> bytes:
        """Give up to so many bytes, and none at the end."""
        size = self._left if size is None or size < 0 else min(size, self._left)
        self._left -= size
        return self._tape.take(size)
