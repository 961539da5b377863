"""A log of notes in memory, which may be kept in a file and may die at a call."""

import os
import pickle
import signal
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from apx.domain.memory_file import parse
from apx.domain.note import NewNote, Note
from apx.memory.notes import NoteBook

NOW = datetime(2026, 11, 30, 9, 41, tzinfo=UTC)
MINE = "private:owner"


@dataclass
class MemoryLog:
    """What `apx.memory.notes.NoteLog` asks for."""

    notes: dict[int, Note] = field(default_factory=dict)
    news: dict[int, NewNote] = field(default_factory=dict)
    forgotten: set[int] = field(default_factory=set)
    ops: dict[str, datetime] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)
    reads: int = 0
    kept_in: Path | None = None
    dies_at: str = ""

    async def live_notes(self, audience):
        return [
            note
            for number, note in self.notes.items()
            if number not in self.forgotten and self.news[number].audience == audience
        ]

    async def add_note(self, note):
        for number, old in self.news.items():
            if old.op == note.op:
                return self.notes[number]
        number = len(self.notes) + 1
        self.news[number] = note
        self.notes[number] = Note(number, note.text, note.at, note.channel, note.turn)
        self._keep("add_note")
        return self.notes[number]

    async def forget_note(self, note_id, op, at):
        assert op not in self.ops
        self.ops[op] = at
        self.forgotten.add(note_id)
        self._keep("forget_note")

    async def restore_note(self, note_id, op, at):
        assert op not in self.ops
        self.ops[op] = at
        self.notes[note_id] = replace(self.notes[note_id], restored=True)
        self._keep("restore_note")

    async def seen_file(self, audience):
        self.reads += 1
        return self.seen.get(audience)

    async def see_file(self, audience, text):
        if self.dies_at == "before see_file":
            os.kill(os.getpid(), signal.SIGKILL)
        self.seen[audience] = text
        self._keep("see_file")

    def _keep(self, call):
        if self.kept_in:
            self.kept_in.write_bytes(pickle.dumps(replace(self, dies_at="")))
        if self.dies_at == call:
            os.kill(os.getpid(), signal.SIGKILL)


def book_of(path, log):
    """Open a book whose clock stands."""
    return NoteBook(path, log, lambda: NOW, UTC, MINE)


def new(text, op=""):
    """Say what the assistant asks to note."""
    return NewNote(op or f"op {text}", text, NOW, "telegram")


def lines(path):
    """Read the notes of a file."""
    return [entry.text for entry in parse(path.read_text()).entries]
