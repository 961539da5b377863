"""Proposes the owner's own notes as curated memories, which the owner may keep."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from hashlib import sha256

from apx.domain import secrets
from apx.domain.person import OWNER, OWNERS_OWN
from apx.mem.faults import MemFault
from apx.mem.store import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import tzinfo
    from typing import Final

    from apx.domain.note import Note
    from apx.ports import Clock, Drawer

    Notes = Callable[[], Awaitable[Sequence[Note]]]

# A person who makes a store beside years of notes, or brings one that is old, wants no
# list of all of them. So few that were made since are what they wanted it for.
FEW: Final = 20
_DIGITS: Final = 16


class Proposing:
    """Looks at the notes that were made since the home knows its store.

    `notes` gives the owner's own, as they are now; the `drawer` keeps since when they
    count. One whose proposal was answered is not proposed again.
    """

    def __init__(
        self,
        root: str,
        lock: asyncio.Lock,
        notes: Notes,
        drawer: Drawer,
        clock: Clock,
        zone: tzinfo,
    ) -> None:
        self._store = Store(root)
        self._lock = lock
        self._notes = notes
        self._drawer = drawer
        self._clock = clock
        self._zone = zone
        self._done: set[int] = set()
        self._counts: datetime | None = None
        self.trouble = ""

    async def propose(self) -> int:
        """Propose what is new; gives how much that is."""
        if not self._store.is_there():
            return 0
        # Nothing is forgotten between the look at the notes and the commit.
        async with self._lock:
            try:
                many = await self._propose()
            except MemFault as fault:
                # Nothing was written: the next time.
                self.trouble = str(fault)
                return 0
            self.trouble = ""
            return many

    async def _propose(self) -> int:
        notes = [n for n in await self._notes() if _is_own(n)]
        since = await self._since(notes)
        new = [n for n in notes if n.at > since and n.id not in self._done]
        if not new:
            return 0
        many = await asyncio.to_thread(self._proposed, new)
        self._done |= {note.id for note in new}
        return many

    def _proposed(self, notes: Sequence[Note]) -> int:
        from apx.mem import importing  # noqa: PLC0415 -- only when there is one

        today = self._day(self._clock())
        told = [(note.text, self._day(note.at)) for note in notes]
        return len(importing.proposals(self._store, told, scope="", today=today))

    async def _since(self, notes: Sequence[Note]) -> datetime:
        """Say since when notes count: since the store began, if these are few."""
        if self._counts is not None:
            return self._counts
        now, root = self._clock(), self._store.root
        began = await asyncio.to_thread(_began, root)
        # One that was made anew in its place is another store.
        name = f"{root}\0{began}".encode("utf-8", "surrogateescape")
        key = f"since/{sha256(name).hexdigest()[:_DIGITS]}"
        if told := await self._drawer.get(key):
            self._counts = datetime.fromisoformat(told)
            return self._counts
        since = min(began, now)
        if sum(note.at > since for note in notes) > FEW:
            since = now
        await self._drawer.put(key, since.isoformat())
        self._counts = since
        return since

    def _day(self, at: datetime) -> str:
        return f"{at.astimezone(self._zone):%Y-%m-%d}"


def _is_own(note: Note) -> bool:
    """Whether it is the owner's alone, and nothing that no store would take."""
    is_owners = note.person == OWNER and note.audience == str(OWNERS_OWN)
    return is_owners and not secrets.kinds(note.text)


def _began(root: str) -> datetime:
    """Say when the first commit of the store was made."""
    from apx.mem import git  # noqa: PLC0415 -- once in the life of a process

    words = ("log", "--max-parents=0", "--format=%ct", "HEAD")
    told = git.run(root, *words, seconds=10).split()
    return datetime.fromtimestamp(min(map(int, told)), UTC)
