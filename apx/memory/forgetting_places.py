"""How each place of a home that is made of the ledger follows what was forgotten."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from apx.domain.erasing import ErasePassage, ErasePerson, Removed
from apx.domain.errors import ApxError, HomeError
from apx.domain.person import OWNERS_OWN, Audience
from apx.memory import forgetting_memories as memories
from apx.memory import forgotten_files as files
from apx.memory.books import path_of
from apx.store.compacting import empty_wal
from apx.store.erase_open import OpenWish
from apx.store.index.leaving import Held

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from apx.domain.erasing import Erasure
    from apx.domain.erasing_lines import Told
    from apx.memory.forgetting import Rooms
    from apx.store.erase import Eraser
    from apx.store.erase_survey import Survey

_HISTORY: Final = "history"
_EVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TRIES: Final = 5
_PAUSE: Final = 0.1


@dataclass(slots=True)
class Report:
    """What became of the places; `is_late` says that some have to follow still."""

    held: Held = field(default_factory=lambda: Held(0, 0, frozenset()))
    lines: int = 0
    history: int = 0
    memories: int = 0
    log_lines: int = 0
    removed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    # Copies that nothing of ours reaches: they do not keep the wish open.
    unreached: list[str] = field(default_factory=list)
    # The ids of what was purged, which are to be forgotten as well.
    named: list[OpenWish] = field(default_factory=list)
    is_late: bool = False

    def late(self, remark: str) -> None:
        """Say what follows only at the next start."""
        self.is_late = True
        self.left.append(remark)

    def told(self, removed: Removed) -> Removed:
        """Add it to what became of the ledger."""
        return replace(
            removed,
            chunks=self.held.chunks,
            vectors=self.held.vectors,
            lines=self.lines,
            history=self.history,
            memories=self.memories,
            log_lines=self.log_lines,
            files=tuple(self.removed),
            left=tuple(dict.fromkeys([*removed.left, *self.left, *self.unreached])),
        )


class Places:
    """Takes out of files what is forgotten, and has the rest follow the ledger."""

    def __init__(self, eraser: Eraser, rooms: Rooms) -> None:
        self._eraser = eraser
        self._rooms = rooms

    async def preview(self, wish: Erasure, survey: Survey) -> Removed:
        """Say what would be removed, and what would not."""
        home, told, report = self._rooms.home, survey.told, Report()
        report.held = await self._rooms.chunks.held(survey.seqs)
        await memories.count(self._rooms, OpenWish("", wish, _EVER), survey, report)
        for audience in sorted(survey.audiences):
            try:
                book = self._rooms.books.of(audience)
                report.lines += await book.count_lines(told.among(audience))
            except HomeError as error:
                report.left.append(str(error))
        report.log_lines = await asyncio.to_thread(files.logged, home, survey.seqs)
        if _is_owners(wish):
            typed = home / _HISTORY
            report.history = await asyncio.to_thread(files.count, typed, told)
            report.log_lines += await asyncio.to_thread(files.aside, home, told)
        if survey.seqs:
            report.removed += await asyncio.to_thread(files.copies, home)
        await self.look_around(wish, survey, report)
        return report.told(survey.removed)

    async def from_files(self, one: OpenWish, survey: Survey, report: Report) -> bool:
        """Take it out of the files that people write; whether that could be done."""
        home, told, remarks = self._rooms.home, survey.told, len(report.left)
        # First, as what a memory was made of is still known by then.
        await memories.take(self._rooms, self._eraser, one, survey, report)
        for audience in sorted(survey.audiences):
            try:
                book = self._rooms.books.of(audience)
                lines = await book.take_lines(told.among(audience), one.name)
                report.lines += lines
            except HomeError as error:
                why = "; until then it may say it, and apx tries again"
                report.left.append(f"{error}{why}")
        if _is_owners(one.wish):
            report.history += await self._lessened(
                [home / _HISTORY], told, report, is_typed=True
            )
            aside = await asyncio.to_thread(files.set_aside, home)
            report.log_lines += await self._lessened(
                aside, told, report, is_typed=False
            )
        if isinstance(one.wish, ErasePerson) and one.begun:
            await self._remove_notes(one.wish.key, report)
        return len(report.left) == remarks

    async def follow(self, report: Report) -> None:
        """Have the daily log and memory.db follow the ledger."""
        since, _ = await self._eraser.unfinished()
        if not since:
            return
        seqs, _ = await self._eraser.erased(since)
        events = await self._eraser.events(seqs)
        try:
            report.log_lines += await self._rooms.daily.rewrite(seqs, events)
        except OSError as error:
            report.late(f"log: {error.strerror}; it follows at the next start")
        try:
            await self._rooms.indexer.catch_up()
            await self._rooms.chunks.compact()
        except ApxError as error:
            report.late(f"memory.db: {error}; it follows at the next start")

    async def tidy(self, report: Report) -> None:
        """Have the files of the databases hold no byte of what was removed."""
        since, _ = await self._eraser.unfinished()
        if not since:
            return
        _, last = await self._eraser.erased(since)
        try:
            await self._eraser.compact()
        except ApxError as error:
            report.late(f"ledger.db: {error}; it follows at the next start")
        try:
            home = self._rooms.home
            report.removed += await asyncio.to_thread(files.remove_copies, home)
        except OSError as error:
            report.late(f"{error.filename}: {error.strerror}; delete it")
        await self._sweep(report)
        await self._empty_wals(report)
        if not report.is_late:
            await self._eraser.finish(last)

    async def _sweep(self, report: Report) -> None:
        """Remove what people attached to what is forgotten."""
        if self._rooms.files is None:
            return
        try:
            # In this order: what is named while we look is young, or is coming.
            coming, began = set(self._rooms.files.coming), time.time()
            named = await self._eraser.attachments() | coming
            age = time.time() - began
            gone = await self._rooms.files.sweep(named, older_than=age)
        except ApxError as error:
            report.late(f"files: {error}; they follow at the next start")
            return
        if gone:
            report.removed.append(f"{gone} of what was attached")

    async def look_around(self, wish: Erasure, survey: Survey, report: Report) -> None:
        """Say what else may hold it."""
        home = self._rooms.home
        if _is_owners(wish):
            for name in await asyncio.to_thread(files.others, home, survey.told):
                report.left.append(f"{name} says it too; it is yours to change")
        for thread in survey.busy:
            report.left.append(
                f"an answer is being written in {thread}: what it still says of it is"
                " forgotten a little later"
            )
        if (home / "backups").is_dir():
            report.left.append("backups were not touched; delete those that hold it")

    async def _lessened(
        self, paths: Iterable[Path], told: Told, report: Report, *, is_typed: bool
    ) -> int:
        less = files.typed_without if is_typed else files.lines_without
        many = 0
        for path in paths:
            try:
                many += await asyncio.to_thread(files.lessen, path, told, less)
            except OSError as error:
                report.left.append(f"{path.name}: {error.strerror}; it may say it")
        return many

    async def _remove_notes(self, person: str, report: Report) -> None:
        path = self._rooms.home / path_of(str(Audience.private(person)))
        try:
            await asyncio.to_thread(files.remove_notes, path)
        except OSError as error:
            report.left.append(f"{path.parent}: {error.strerror}; delete it")

    async def _empty_wals(self, report: Report) -> None:
        for name in ("ledger.db", "memory.db"):
            path = self._rooms.home / name
            for _ in range(_TRIES):
                if await asyncio.to_thread(empty_wal, path):
                    break
                await asyncio.sleep(_PAUSE)
            else:
                report.late(f"{name}-wal still holds it until the next start")


def _is_owners(wish: Erasure) -> bool:
    """Whether the files of whoever sits at the machine are the asker's."""
    return not isinstance(wish, ErasePassage) or str(OWNERS_OWN) in wish.audiences
