"""Owns the note books of all audiences: the owner's memory.md, and all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.path_part import path_part
from apx.domain.person import OWNERS_OWN
from apx.memory.notes import NoteBook

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo
    from pathlib import Path

    from apx.domain.note import NewNote, Note
    from apx.memory.note_log import NoteLog
    from apx.ports import Clock

_FILE: Final = "memory.md"


class NoteBooks:
    """Gives each audience its notes, and never one the notes of another."""

    def __init__(self, home: Path, log: NoteLog, clock: Clock, zone: tzinfo) -> None:
        self._home = home
        self._log = log
        self._clock = clock
        self._zone = zone
        self._books: dict[str, NoteBook] = {}

    @property
    def trouble(self) -> dict[str, str]:
        """Say which files cannot be used now, and why."""
        return {
            str(path_of(audience)): book.trouble
            for audience, book in self._books.items()
            if book.trouble
        }

    def of(self, audience: str) -> NoteBook:
        """Give the book of one audience."""
        if audience not in self._books:
            self._books[audience] = NoteBook(
                self._home / path_of(audience),
                self._log,
                self._clock,
                self._zone,
                audience,
            )
        return self._books[audience]

    async def add(self, new: NewNote) -> Note:
        """Note something for its audience."""
        return await self.of(new.audience).add(new)

    async def every(self, audiences: Sequence[str]) -> list[Note]:
        """Take over what people edited, and give all notes, oldest first."""
        noted = {str(OWNERS_OWN), *await self._log.noted_audiences()}
        found = [
            note
            for audience in dict.fromkeys(audiences)
            if audience in noted
            for note in await self.of(audience).sync()
        ]
        return sorted(found, key=lambda note: note.id)

    async def latest(self, audiences: Sequence[str], count: int) -> list[Note]:
        """Give the newest notes of these audiences, oldest first."""
        notes = await self.every(audiences)
        return notes[-count:] if count > 0 else []

    async def sync(self) -> int:
        """Take over what people edited in any file; gives how many notes there are."""
        noted = [str(OWNERS_OWN), *await self._log.noted_audiences()]
        return len(await self.every(noted))

    async def forget(self, note: Note) -> Note | None:
        """Forget a note; nothing if it is gone already."""
        return await self.of(note.audience).forget(note.id)

    async def move(self, note: Note, audience: str) -> Note | None:
        """Hand a note to another audience; nothing if it is gone already."""
        if note.audience == audience:
            return note
        moved = await self.of(note.audience).give(note.id, audience)
        await self.of(audience).sync()
        return moved


def path_of(audience: str) -> str:
    """Say where the notes of an audience are, within the home."""
    if audience == str(OWNERS_OWN):
        return _FILE
    kind, _, name = audience.partition(":")
    return f"notes/{path_part(name or kind)}/{_FILE}"
