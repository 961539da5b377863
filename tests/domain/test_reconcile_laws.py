from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apx.domain.memory_file import key_of, parse, to_append
from apx.domain.note import Note
from apx.domain.reconcile import Versions, reconcile

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass
class World:
    """apx, its log and its file, and a person with one editor."""

    live: dict[str, Note] = field(default_factory=dict)
    ever: dict[str, Note] = field(default_factory=dict)
    seen: str = ""
    file: str = ""
    buffer: str | None = None
    cut: set[str] = field(default_factory=set)
    dropped: Counter[str] = field(default_factory=Counter)
    saved: str = ""
    typed: int = 0

    def note(self, _):
        """Only the log hears of it: apx may die here."""
        number = len(self.ever) + 1
        at = NOW - timedelta(hours=20 - number % 20)
        self._learn(Note(number, f"note {number}", at, "telegram"))

    def append(self, _):
        """The file has it, but apx dies before it has seen that."""
        self.file += to_append(self.file, self._compare().missing, UTC)

    def sync(self, _):
        """Run until the file says what the log says."""
        for _ in range(5):
            found = self._compare()
            for entry in found.added:
                number = len(self.ever) + 1
                self._learn(Note(number, entry.text, NOW, entry.channel))
            for note in found.forgotten:
                del self.live[key_of(note.text)]
            self.seen = self.file
            for note in found.restored:
                self.live[note.text] = replace(note, restored=True)
            lines = to_append(self.file, found.missing, UTC)
            if not lines:
                return
            self.file += lines
        pytest.fail("the file never says what the log says")

    def open(self, _):
        self.buffer = self.file

    def type_and_save(self, place):
        """Write a line somewhere; what apx appended since `open` is overwritten."""
        lines = (self.file if self.buffer is None else self.buffer).split("\n")
        place = min(place, len(lines) - 1)
        self.typed += 1
        lines.insert(place, f"- typed {self.typed}")
        self._save("\n".join(lines))

    def cut_and_save(self, place):
        """Remove one of apx's lines from a fresh buffer, and nothing else."""
        lines = self.file.split("\n")
        bullets = [n for n, line in enumerate(lines) if "[telegram]" in line]
        if bullets:
            line = lines.pop(bullets[place % len(bullets)])
            self.cut |= {entry.key for entry in parse(line).entries}
            self._save("\n".join(lines))

    def rm(self, _):
        """Remove the file by mistake, with no editor open, and have it back."""
        self.file = self.saved = ""
        self.buffer = None
        self.sync(0)

    def _learn(self, note):
        self.live[key_of(note.text)] = self.ever[key_of(note.text)] = note

    def _save(self, text):
        keys = {entry.key for entry in parse(text).entries}
        self.dropped.update(
            {e.key for e in parse(self.file).entries if e.key not in keys}
        )
        self.file = self.saved = text
        self.buffer = None

    def _compare(self):
        live = sorted(self.live.values(), key=lambda note: note.id)
        return reconcile(Versions(self.seen, self.file), live, (), NOW)


ACTS = ["note", "append", "sync", "open", "type_and_save", "cut_and_save", "rm"]


@settings(max_examples=400)
@given(st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 12)), max_size=30))
def test_nothing_is_lost_or_doubled_however_apx_and_an_editor_interleave(acts):
    """The person's last save stands, and each note that was not removed lives."""
    world = World()
    for act, place in acts:
        getattr(world, act)(place)
    world.sync(0)

    keys = [entry.key for entry in parse(world.file).entries]
    assert world.file.startswith(world.saved)
    assert sorted(keys) == sorted(world.live)
    kept = {key for key in world.ever if key.startswith("note")} - world.cut
    assert {key for key in kept if world.dropped[key] < 2} <= world.live.keys()
