"""Forgets for good: in the ledger first, then in everything that is made of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Protocol

import structlog

from apx.domain.erasing import ErasePassage, Removed
from apx.domain.errors import ApxError, HomeError
from apx.memory import forgotten_files as files
from apx.store.compacting import empty_wal
from apx.store.erase_passage import Seen

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path

    from apx.domain.erasing import Erasure
    from apx.domain.erasing_lines import Told
    from apx.memory.daily_log import DailyLog
    from apx.memory.indexer import Indexer
    from apx.memory.notes import NoteBook
    from apx.ports import Clock
    from apx.store.erase import Eraser, Survey
    from apx.store.index.chunks import Chunks

log = structlog.get_logger(__name__)

_HISTORY: Final = "history"
_TRIES: Final = 5
_PAUSE: Final = 0.1
# Whatever was under way when something was forgotten has written by then.
_AFTER: Final = timedelta(minutes=10)


class Books(Protocol):
    """The note books of all audiences."""

    def of(self, audience: str) -> NoteBook:
        """Give the book of one audience."""
        ...


@dataclass(frozen=True, slots=True)
class Rooms:
    """What is made of the ledger, and has to follow it."""

    home: Path
    books: Books
    chunks: Chunks
    indexer: Indexer
    daily: DailyLog


@dataclass(slots=True)
class _Report:
    """What became of the files."""

    lines: int = 0
    history: int = 0
    log_lines: int = 0
    removed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Recent:
    """A passage that was just forgotten, which work under way may say once more."""

    wish: ErasePassage
    seen: Seen
    at: datetime


class Forgetting:
    """Erases, previews, and brings to its end what a killed process began."""

    def __init__(self, eraser: Eraser, rooms: Rooms, clock: Clock) -> None:
        self._eraser = eraser
        self._rooms = rooms
        self._clock = clock
        self._lock = asyncio.Lock()
        self._recent: list[_Recent] = []

    async def preview(self, wish: Erasure) -> Removed:
        """Say what would be removed of messages, notes and what is made of them.

        Raises `InputError` for what cannot be erased, as `erase` does.
        """
        survey = await self._eraser.survey(wish)
        held = await self._rooms.chunks.held(survey.seqs)
        typed = await asyncio.to_thread(
            files.count, self._rooms.home / _HISTORY, survey.told
        )
        return replace(
            survey.removed, chunks=held.chunks, vectors=held.vectors, history=typed
        )

    async def erase(self, wish: Erasure) -> Removed:
        """Forget it everywhere; what could not be reached is said in `left`."""
        async with self._lock:
            survey = await self._eraser.survey(wish)
            report = _Report()
            # First, as a line without its note would be taken for a new note.
            await self._from_files(survey, report)
            held = await self._rooms.chunks.held(survey.seqs)
            at = self._clock()
            done = await self._eraser.erase(wish, survey, at)
            await self._follow_up(report)
            await self._from_files(done, report)
            if isinstance(wish, ErasePassage):
                begun = Seen(done.seen.last, done.seen.last)
                self._recent.append(_Recent(wish, begun, at))
            await self._look_around(done, report)
            return replace(
                done.removed,
                chunks=held.chunks,
                vectors=held.vectors,
                lines=report.lines,
                history=report.history,
                log_lines=report.log_lines,
                files=tuple(report.removed),
                left=tuple(dict.fromkeys(report.left)),
            )

    async def resume(self) -> bool:
        """Bring to its end what a killed process began; false if there is nothing."""
        async with self._lock:
            if not await self._eraser.unfinished():
                return False
            report = _Report()
            await self._follow_up(report)
            for remark in report.left:
                log.warning("forgetting_unfinished", remark=remark)
            return True

    async def again(self) -> int:
        """Forget what work under way said once more; gives how many events that were.

        Call it now and then. It reads only what came since.
        """
        async with self._lock:
            recent, self._recent = self._recent, []
            many = 0
            for one in recent:
                is_over = self._clock() - one.at > _AFTER
                is_busy = await self._eraser.is_busy(one.seen.begun)
                survey = await self._eraser.survey(one.wish, one.seen)
                if survey.seqs:
                    await self._eraser.erase(one.wish, survey, self._clock())
                    many += len(survey.seqs)
                if is_busy or not is_over:
                    seen = Seen(survey.seen.last, one.seen.begun)
                    self._recent.append(replace(one, seen=seen))
            if many:
                await self._follow_up(_Report())
            return many

    async def _from_files(self, survey: Survey, report: _Report) -> None:
        for audience in sorted(survey.audiences):
            try:
                book = self._rooms.books.of(audience)
                report.lines += await book.take_lines(survey.told)
            except HomeError as error:
                report.left.append(str(error))
        home, told = self._rooms.home, survey.told
        report.history += await self._lessened(
            [home / _HISTORY], told, report, is_typed=True
        )
        aside = await asyncio.to_thread(files.set_aside, home)
        report.log_lines += await self._lessened(aside, told, report, is_typed=False)

    async def _lessened(
        self, paths: Iterable[Path], told: Told, report: _Report, *, is_typed: bool
    ) -> int:
        less = files.typed_without if is_typed else files.lines_without
        many = 0
        for path in paths:
            try:
                many += await asyncio.to_thread(files.lessen, path, told, less)
            except OSError as error:
                report.left.append(f"{path.name}: {error.strerror}; it may say it")
        return many

    async def _follow_up(self, report: _Report) -> None:
        """Have everything follow the ledger that is made of it."""
        since = await self._eraser.unfinished()
        if not since:
            return
        seqs, last = await self._eraser.erased(since)
        remarks = len(report.left)
        await self._follow_log(seqs, report)
        try:
            await self._rooms.indexer.catch_up()
            await self._rooms.chunks.compact()
        except ApxError as error:
            report.left.append(f"memory.db: {error}; it follows at the next start")
        try:
            await self._eraser.compact()
        except ApxError as error:
            report.left.append(f"ledger.db: {error}; it follows at the next start")
        try:
            home = self._rooms.home
            report.removed += await asyncio.to_thread(files.remove_copies, home)
        except OSError as error:
            report.left.append(f"{error.filename}: {error.strerror}; delete it")
        await self._empty_wals(report)
        if len(report.left) == remarks:
            await self._eraser.finish(last)

    async def _follow_log(self, seqs: list[int], report: _Report) -> None:
        events = await self._eraser.events(seqs)
        try:
            report.log_lines += await self._rooms.daily.rewrite(seqs, events)
        except OSError as error:
            report.left.append(f"log: {error.strerror}; it follows at the next start")

    async def _empty_wals(self, report: _Report) -> None:
        for name in ("ledger.db", "memory.db"):
            path = self._rooms.home / name
            for _ in range(_TRIES):
                if await asyncio.to_thread(empty_wal, path):
                    break
                await asyncio.sleep(_PAUSE)
            else:
                report.left.append(f"{name}-wal still holds it until the next start")

    async def _look_around(self, done: Survey, report: _Report) -> None:
        home = self._rooms.home
        for name in await asyncio.to_thread(files.others, home, done.told):
            report.left.append(f"{name} says it too; it is yours to change")
        for thread in done.busy:
            report.left.append(
                f"an answer is being written in {thread}: what it still says of it is"
                " forgotten a little later"
            )
        if (home / "backups").is_dir():
            report.left.append("backups were not touched; delete those that hold it")
