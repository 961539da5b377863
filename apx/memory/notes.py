"""Keeps memory.md and the notes of the log in step."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from apx.domain.errors import HomeError, InputError
from apx.domain.masking import masked_lines
from apx.domain.memory_file import is_blank, key_of, to_append
from apx.domain.note import NewNote, Origin
from apx.domain.person import OWNER, Audience
from apx.domain.reconcile import Changes, Versions, reconcile
from apx.domain.secrets import mask
from apx.domain.text import clean, flatten
from apx.memory.note_file import NoteFile
from apx.memory.note_leaving import Leaving

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import tzinfo
    from pathlib import Path

    from apx.domain.erasing_lines import Told
    from apx.domain.memory_file import Entry
    from apx.domain.note import Note
    from apx.memory.note_file import Found, Stamp
    from apx.memory.note_log import NoteLog
    from apx.ports import Clock

# Longer than a file system's clock tick, and than an editor takes between two
# writes.
_QUIET: Final = 0.05
# Lines written into a file that an editor has only emptied would stand behind what
# it fills in. That is worth a longer wait than `_QUIET` on a busy machine.
_EMPTY_FOR: Final = 2.0
# A person saves now and then; whoever writes without end is not waited for.
_ROUNDS: Final = 5


class NoteBook:
    """The notes of one audience, in the log and in a file that people edit.

    While the file cannot be used, `trouble` says why and the log serves alone;
    the file catches up later. Use one book a file.
    """

    def __init__(
        self, path: Path, log: NoteLog, clock: Clock, zone: tzinfo, audience: str
    ) -> None:
        self.trouble = ""
        self._file = NoteFile(path)
        self._log = log
        self._clock = clock
        self._zone = zone
        self._audience = audience
        self._lock = asyncio.Lock()
        # What held when nothing was left to do: the file, and the notes.
        self._calm: tuple[Stamp | None, list[Note]] | None = None
        self._written = ""
        self._leaving = Leaving(self._file, clock)

    async def add(self, new: NewNote) -> Note:
        """Note something; what is noted already gives the note that it has."""
        text = mask(flatten(clean(new.text)))
        key = key_of(text)
        if not key:
            raise InputError("note: there is no text to remember")
        async with self._lock:
            for note in await self._sync():
                if key_of(note.text) == key:
                    return note
            note = await self._log.add_note(replace(new, text=text))
            await self._sync()
            return note

    async def sync(self) -> list[Note]:
        """Take over what a person edited, append what lacks, give all the notes."""
        async with self._lock:
            return await self._sync()

    async def latest(self, count: int) -> list[Note]:
        """Give the newest notes, oldest first."""
        notes = await self.sync()
        return notes[-count:] if count > 0 else []

    async def forget(self, note_id: int) -> Note | None:
        """Forget a note, and take its line out of the file if nobody edits it now."""
        return await self._let_go(note_id, self._forget)

    async def give(self, note_id: int, audience: str) -> Note | None:
        """Hand a note to another audience; its line leaves this file."""

        async def act(note: Note) -> None:
            at, op = self._clock(), f"note-move:{note.id}:{audience}"
            await self._log.move_note(note.id, audience, op, at)

        return await self._let_go(note_id, act)

    async def take_lines(self, told: Told, name: str = "") -> int:
        """Take out of the file what says that which is forgotten; gives how many lines.

        Raises `HomeError` where the file cannot be read or written: under its name
        this is done then before anything is taken over from the file.
        """
        async with self._lock:
            self._calm = None
            self._leaving.owe(name, told)
            return await self._leaving.pay()

    async def count_lines(self, told: Told) -> int:
        """Say how many lines that would be; raises as `take_lines` does."""
        return await self._leaving.count(told)

    async def _let_go(
        self, note_id: int, act: Callable[[Note], Awaitable[None]]
    ) -> Note | None:
        async with self._lock:
            live = await self._sync()
            note = next((note for note in live if note.id == note_id), None)
            if note is None:
                return None
            await act(note)
            try:
                await self._leaving.drop(key_of(note.text))
            except HomeError as error:
                self.trouble = str(error)
            else:
                await self._sync()
            return note

    async def _sync(self) -> list[Note]:
        live = await self._log.live_notes(self._audience)
        try:
            await self._leaving.pay()
            if self._calm == (await asyncio.to_thread(self._file.stamp), live):
                return live
            for _ in range(_ROUNDS):
                if await self._settle(live):
                    break
                live = await self._log.live_notes(self._audience)
        except HomeError as error:
            self.trouble, self._calm = str(error), None
        else:
            self.trouble = ""
        return await self._log.live_notes(self._audience)

    async def _settle(self, live: list[Note]) -> bool:
        """Make one step towards a file that says what the log says.

        What was appended counts as seen only once it was read back, which is the
        next step's beginning. Nothing else tells whether an editor got in between.
        """
        self._calm = None
        seen = await self._log.seen_file(self._audience)
        found = await self._look(seen)
        if found is None:
            return False
        # The log has no passwords of the file, nor of what was seen of it.
        safe = await asyncio.to_thread(masked_lines, found.text)
        changes, lines = await asyncio.to_thread(self._compare, seen, safe, live)
        await self._record(changes, safe, seen)
        if lines:
            self._written = found.text + lines
            await asyncio.to_thread(self._file.append, found, lines)
            return False
        if found.age > _QUIET:  # else the next change may bear the same time
            self._calm = found.stamp, live
        return True

    async def _look(self, seen: str | None) -> Found | None:
        """Read the file, or nothing while somebody else is writing it.

        Some editors empty it before they fill it, others move it away and write a
        new one: neither is what the person means to say.
        """
        found = await asyncio.to_thread(self._file.read)
        if not self._may_change(found, seen):
            return found
        await asyncio.sleep(_QUIET)
        again = await asyncio.to_thread(self._file.read)
        if again.stamp != found.stamp or _is_emptied(again, seen):
            return None
        return again

    def _may_change(self, found: Found, seen: str | None) -> bool:
        if found.stamp is None:
            return bool(seen)
        is_news = found.text not in (seen, self._written, self._leaving.written)
        return _is_emptied(found, seen) or (found.age < _QUIET and is_news)

    def _compare(
        self, seen: str | None, text: str, live: list[Note]
    ) -> tuple[Changes, str]:
        now = self._clock()
        gone = self._leaving.lately(now)
        dropped = [replace(entry, text=mask(entry.text)) for entry in gone]
        changes = reconcile(Versions(seen or "", text), live, dropped, now)
        return changes, to_append(text, changes.missing, self._zone)

    async def _record(self, changes: Changes, text: str, seen: str | None) -> None:
        """Tell the log, in an order that may break off anywhere.

        A note that was added or forgotten is not so again when the file is compared
        with the old text once more. A restored one would be: it comes after.
        """
        by_hand = map(self._by_hand, changes.added)
        for new in sorted(by_hand, key=lambda note: note.at):
            await self._log.add_note(new)
        for note in changes.forgotten:
            await self._forget(note)
        if text != seen:
            await self._log.see_file(self._audience, text)
        for note in changes.restored:
            op = f"note-restore:{note.id}"
            await self._log.restore_note(note.id, op, self._clock())

    def _by_hand(self, entry: Entry) -> NewNote:
        return NewNote(
            op=f"note-hand:{uuid4().hex}",
            text=entry.text,
            at=entry.moment(self._clock(), self._zone),
            channel=entry.channel,
            person=Audience(self._audience).person or OWNER,
            audience=self._audience,
            origin=Origin.HAND,
        )

    async def _forget(self, note: Note) -> None:
        await self._log.forget_note(note.id, f"note-forget:{note.id}", self._clock())


def _is_emptied(found: Found, seen: str | None) -> bool:
    is_young = found.stamp is not None and found.age < _EMPTY_FOR
    return is_young and is_blank(found.text) and not is_blank(seen or "")
