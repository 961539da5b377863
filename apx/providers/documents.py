"""Owns how a document becomes text: in a process of its own, within bounds."""

from __future__ import annotations

import asyncio
import re
from asyncio import AbstractEventLoop, Semaphore
from dataclasses import dataclass
from signal import SIGXCPU
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from apx.domain.text import clean
from apx.providers.child import running, said
from apx.providers.document_kinds import UNKNOWN

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

_MODULE: Final = "apx.providers.document_main"
# Of a character in JSON, where the widest are two escapes of six.
_BYTES: Final = 12
_MORE: Final = 64 * 1024  # notes, and what JSON puts around its texts
_LONGEST_NOTE: Final = 200
_AT_ONCE: Final = 2
_SUFFIX: Final = re.compile(r"\.([A-Za-z0-9]{1,8})\Z")
_MEDIA: Final = {"image": "a picture", "audio": "a recording", "video": "a video"}

_LATE: Final = "it takes too long to read"
_BROKEN: Final = "it is broken: I cannot read it"
_BUSY: Final = "I cannot read it now: this machine has too much to do"
_GONE: Final = "I do not have it any more"
_PARTLY: Final = "this is its beginning; I cannot read the rest"
_LATE_PARTLY: Final = "this is its beginning; the rest takes too long to read"

_slots: WeakKeyDictionary[AbstractEventLoop, Semaphore] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Limits:
    """What a document may take; bytes are those of the process that reads it."""

    characters: int = 200_000
    seconds: float = 20.0
    memory: int = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Extract:
    """The text of a document, and what a person should know of it, such as why not.

    Both are somebody else's words to a model. The note follows a name and a colon.
    """

    text: str
    note: str = ""


async def extracted(
    path: Path, name: str, media_type: str, *, limits: Limits = Limits()
) -> Extract:
    """Give the text of a document; whatever is wrong with it is said in the note.

    What it is, its first bytes say: the name and the type are what somebody claims.
    """
    slots = _slots.setdefault(asyncio.get_running_loop(), Semaphore(_AT_ONCE))
    async with slots:
        try:
            file = await asyncio.to_thread(path.open, "rb")
        except OSError:
            return Extract("", _GONE)
        with file:
            found = await _Reading(limits).read(file)
    if found.note == UNKNOWN:
        return Extract("", _unknown(name, media_type))
    return found


class _Reading:
    """One document being read; what was heard of it counts, however it ends."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._pieces: list[str] = []
        self._note: str | None = None

    async def read(self, file: BinaryIO) -> Extract:
        limits = self._limits
        # By then it had the whole deadline of a machine that does nothing else.
        bounds = (limits.characters, limits.memory, max(1, round(limits.seconds)))
        late = False
        try:
            async with (
                running(_MODULE, [str(bound) for bound in bounds], file) as process,
                asyncio.timeout(limits.seconds),
            ):
                most = limits.characters * _BYTES + _MORE
                async for told in said(process, most):
                    self._hear(told)
                late = await process.wait() == -SIGXCPU
        except TimeoutError:
            late = True
        except OSError:
            return Extract("", _BUSY)
        return await asyncio.to_thread(self._result, late=late)

    def _hear(self, told: dict[str, object]) -> None:
        text, note = told.get("text"), told.get("note")
        if isinstance(text, str):
            self._pieces.append(text)
        if isinstance(note, str):
            self._note = note

    def _result(self, *, late: bool) -> Extract:
        text = clean("".join(self._pieces)[: self._limits.characters]).strip()
        if self._note is not None:
            note = self._note[:_LONGEST_NOTE]
            return Extract(text, note if text or note else "it is empty")
        if text:
            return Extract(text, _LATE_PARTLY if late else _PARTLY)
        return Extract("", _LATE if late else _BROKEN)


def _unknown(name: str, media_type: str) -> str:
    """Say of a file what it claims to be, where its bytes tell nothing."""
    if told := _MEDIA.get(media_type.partition("/")[0].lower()):
        return told
    found = _SUFFIX.search(name)
    return f"a .{found[1].lower()} file, which I cannot read" if found else UNKNOWN
