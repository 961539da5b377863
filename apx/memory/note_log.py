"""What a note book wants of the log, which is the authority."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from apx.domain.note import NewNote, Note


class NoteLog(Protocol):
    """The notes of the log, which is the authority."""

    async def live_notes(self, audience: str) -> list[Note]:
        """Read the notes that are not forgotten, oldest first."""
        ...

    async def add_note(self, note: NewNote) -> Note:
        """Write a note down; the same operation twice gives the same note."""
        ...

    async def forget_note(self, note_id: int, op: str, at: datetime) -> None:
        """Have a note recalled no more."""
        ...

    async def restore_note(self, note_id: int, op: str, at: datetime) -> None:
        """Mark a note as restored."""
        ...

    async def move_note(
        self, note_id: int, audience: str, op: str, at: datetime
    ) -> None:
        """Have a note seen by another audience."""
        ...

    async def noted_audiences(self) -> list[str]:
        """Name the audiences that have notes."""
        ...

    async def seen_file(self, audience: str) -> str | None:
        """Read the text of the file as apx last saw it."""
        ...

    async def see_file(self, audience: str, text: str) -> None:
        """Keep the text of the file as it was just seen."""
        ...
