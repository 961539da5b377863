"""Lines that leave a file of notes for good, and which of them were there lately."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from apx.domain.memory_file import decode

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from apx.domain.erasing_lines import Gone, Told
    from apx.domain.memory_file import Entry
    from apx.memory.note_file import NoteFile
    from apx.ports import Clock

# A person saves now and then; whoever writes without end is not waited for.
_ROUNDS: Final = 5
_DROPPED_FOR: Final = timedelta(days=1)


class Leaving:
    """Takes lines out of one file; its owner sees that nothing else does meanwhile.

    `written` is what it made of the file last.
    """

    def __init__(self, file: NoteFile, clock: Clock) -> None:
        self.written = ""
        self._file = file
        self._clock = clock
        self._dropped: dict[Entry, datetime] = {}
        self._owed: dict[str, Told] = {}

    def lately(self, now: datetime) -> set[Entry]:
        """Give what left within a day: an editor may have it open still."""
        return {entry for entry, at in self._dropped.items() if at > now - _DROPPED_FOR}

    def owe(self, name: str, told: Told) -> None:
        """Remember that lines have to leave, however often that fails."""
        self._owed[name] = told

    async def pay(self) -> int:
        """Take out what has to leave still; gives how many lines that were."""
        many = 0
        for name, told in list(self._owed.items()):
            many += await self._take(partial(_without, told=told))
            del self._owed[name]
        return many

    async def drop(self, key: str) -> None:
        """Take out the line of one note."""
        await self._take(partial(_keyless, key=key))

    async def count(self, told: Told) -> int:
        """Say how many lines would leave."""
        found = await asyncio.to_thread(self._file.read)
        return (await asyncio.to_thread(_without, found.data, told)).lines

    async def _take(self, less: Callable[[bytes], Gone]) -> int:
        many = 0
        for _ in range(_ROUNDS):
            found = await asyncio.to_thread(self._file.read)
            gone = await asyncio.to_thread(less, found.data)
            self._dropped |= dict.fromkeys(gone.entries, self._clock())
            if not gone.lines:
                break
            self.written = decode(gone.data)
            if await asyncio.to_thread(self._file.replace, found, gone.data):
                many += gone.lines
        return many


def _without(data: bytes, told: Told) -> Gone:
    from apx.domain.erasing_lines import take_lines  # noqa: PLC0415 -- seldom needed

    return take_lines(data, told)


def _keyless(data: bytes, key: str) -> Gone:
    from apx.domain.erasing_lines import Told  # noqa: PLC0415 -- seldom needed

    return _without(data, Told(keys={key}))
