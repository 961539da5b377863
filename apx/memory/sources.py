"""Where the broker looks besides the index: the newest notes, the other threads."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from apx.domain.message import Role
from apx.domain.recall import Findings, Kind, Memory, Query
from apx.domain.text import content_terms

if TYPE_CHECKING:
    from apx.domain.turn import Turn
    from apx.memory.books import NoteBooks
    from apx.store.history import History

_NEWEST: Final = 10


class NewestNotes:
    """The notes written last, whatever is asked."""

    name = "notes"

    def __init__(self, books: NoteBooks) -> None:
        self._books = books

    async def fetch(self, query: Query) -> Findings:
        """Give the last ten that may be seen, newest first; none for small talk."""
        if not content_terms(query.text):
            return Findings()
        notes = await self._books.latest(query.audiences, _NEWEST)
        return Findings(
            tuple(
                Memory(
                    kind=Kind.NOTE,
                    text=note.text,
                    at=note.at,
                    channel=note.channel,
                    ref=f"note {note.id}",
                    why="newest",
                    role=Role.USER,
                    person=note.person,
                )
                for note in reversed(notes)
            )
        )


class ActiveThreads:
    """The newest turn of each other thread that spoke lately."""

    name = "threads"

    def __init__(self, history: History, hours: float, lines: int) -> None:
        self._history = history
        self._window = timedelta(hours=hours)
        self._lines = lines

    async def fetch(self, query: Query) -> Findings:
        """Give one memory a thread, newest first."""
        turns = await self._history.active(
            query.thread, query.audiences, query.at - self._window, self._lines
        )
        return Findings(tuple(map(_spoken, turns)))


def _spoken(turn: Turn) -> Memory:
    text = f"{turn.asked} → {turn.final}" if turn.final else turn.asked
    return Memory(
        Kind.THREAD,
        text,
        turn.began_at,
        turn.thread.channel,
        f"turn {turn.id}",
        turn.thread,
        why="active",
        untrusted=turn.provenance,
    )
