"""Forgets for good: in the ledger first, then in everything that is made of it.

What forgets is loaded when something is forgotten; most processes never do.
"""
# ruff: noqa: PLC0415 -- as above

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Protocol
from uuid import uuid4

import structlog

from apx.domain.errors import ApxError, InputError

if TYPE_CHECKING:
    from pathlib import Path

    from apx.domain.erasing import Erasure, Removed
    from apx.memory.daily_log import DailyLog
    from apx.memory.forgetting_memories import Curated
    from apx.memory.forgetting_places import Places, Report
    from apx.memory.indexer import Indexer
    from apx.memory.notes import NoteBook
    from apx.ports import Clock
    from apx.store.erase import Eraser
    from apx.store.erase_open import OpenWish
    from apx.store.erase_survey import Survey
    from apx.store.files import Files
    from apx.store.index.chunks import Chunks

log = structlog.get_logger(__name__)

# Whatever was under way when something was forgotten has written by then.
_AFTER: Final = timedelta(minutes=10)


class Books(Protocol):
    """The note books of all audiences."""

    def of(self, audience: str) -> NoteBook:
        """Give the book of one audience."""
        ...


class Counted(Protocol):
    """Who counts what persons spend, and may not have written all of it yet."""

    async def forget(self, person: str) -> None:
        """Have it be nobody's."""
        ...


@dataclass(frozen=True, slots=True)
class Rooms:
    """What is made of the ledger, and has to follow it."""

    home: Path
    books: Books
    chunks: Chunks
    indexer: Indexer
    daily: DailyLog
    counted: Counted | None = None
    files: Files | None = None
    curated: Curated | None = None


class Forgetting:
    """Erases, previews, and brings to its end what a killed process began."""

    def __init__(self, eraser: Eraser, rooms: Rooms, clock: Clock) -> None:
        self._eraser = eraser
        self._rooms = rooms
        self._clock = clock
        self._lock = asyncio.Lock()
        # What work under way may say once more, and files that could not be read.
        self._open: dict[str, OpenWish] = {}

    async def preview(self, wish: Erasure) -> Removed:
        """Say what would be removed, and what would not.

        Raises `InputError` for what cannot be erased, as `erase` does.
        """
        survey = await self._eraser.survey(wish)
        return await self._places().preview(wish, survey)

    async def erase(self, wish: Erasure) -> Removed:
        """Forget it everywhere; what could not be reached is said in `left`."""
        from apx.store.erase_open import OpenWish

        async with self._lock:
            survey = await self._eraser.survey(wish)
            one, report = OpenWish(uuid4().hex, wish, self._clock()), _report()
            if survey.seqs:
                # Before the files: what lost its line there must lose the rest.
                one = replace(one, is_kept=True)
                await self._eraser.keep(one)
            done = await self._carry_out(one, survey, report)
            await self._forget_named(report)
            await self._places().look_around(wish, done, report)
            return report.told(done.removed)

    async def resume(self) -> bool:
        """Bring to its end what a killed process began; false if there is nothing."""
        async with self._lock:
            since, kept = await self._eraser.unfinished()
            if not since and not kept:
                return False
            self._open |= {one.name: one for one in kept}
            await self._each()
            report = _report()
            await self._places().follow(report)
            await self._places().tidy(report)
            _log(report)
            return True

    async def again(self) -> int:
        """Forget what work under way said once more; gives how many events that were.

        Call it now and then, and at the end. It reads only what came since.
        """
        if not self._open:
            return 0
        async with self._lock:
            return await self._each()

    async def _each(self) -> int:
        many = 0
        for one in list(self._open.values()):
            report = _report()
            try:
                many += await self._anew(one, report)
                await self._forget_named(report)
            except ApxError as error:
                log.warning("forgetting_waits", why=str(error))
            _log(report)
        return many

    async def _carry_out(self, one: OpenWish, survey: Survey, report: Report) -> Survey:
        from apx.domain.erasing import ErasePerson

        if isinstance(one.wish, ErasePerson) and self._rooms.counted:
            await self._rooms.counted.forget(one.wish.key)
        places = self._places()
        # First, as a line without its note would be taken for a new note.
        is_clean = await places.from_files(one, survey, report)
        one = replace(one, is_behind=not is_clean)
        report.left.clear()
        report.held = await self._rooms.chunks.held(survey.seqs)
        done = await self._eraser.erase(one, survey.seen, self._clock())
        await self._bring(one.after(done), done, report, is_busy=bool(done.busy))
        return done

    async def _anew(self, one: OpenWish, report: Report) -> int:
        """Do what is left of a wish."""
        if not one.begun:
            return await self._begin_anew(one, report)
        # Before it is looked at: what ends only now has said all of it by then.
        is_busy = await self._eraser.is_busy(one)
        survey = await self._eraser.survey_again(one)
        is_done = one.is_kept and not is_busy and not one.is_behind
        if survey.seqs:
            await self._places().from_files(one, survey, report)
            report.left.clear()
            done = await self._eraser.erase(one, survey.seen, self._clock())
            await self._bring(one.after(done), done, report, is_busy=is_busy)
        elif one.is_behind or is_done:
            await self._bring(one, survey, report, is_busy=is_busy)
        else:
            last = survey.seen.last or one.last
            self._remember(replace(one, last=last), is_busy=is_busy)
        return len(survey.seqs)

    async def _begin_anew(self, one: OpenWish, report: Report) -> int:
        """Carry out what a killed process had written down, and no more."""
        try:
            survey = await self._eraser.survey(one.wish)
        except InputError as error:
            log.warning("forgetting_refused", why=str(error))
            await self._eraser.let_go(one.name)
            self._open.pop(one.name, None)
            return 0
        return len((await self._carry_out(one, survey, report)).seqs)

    async def _forget_named(self, report: Report) -> None:
        """Forget the ids of the memories that were purged."""
        for one in report.named:
            self._open[one.name] = one
            rest = _report()
            await self._begin_anew(one, rest)
            report.left += rest.left

    async def _bring(
        self, one: OpenWish, done: Survey, report: Report, *, is_busy: bool
    ) -> None:
        """Have everything follow, then forget the wish itself if all of it did."""
        places = self._places()
        await places.follow(report)
        is_clean = await places.from_files(one, done, report)
        one = replace(one, is_behind=not is_clean)
        if one.is_behind or (one.is_kept and is_busy):
            one = replace(one, is_kept=True)
            await self._eraser.keep(one)
        elif one.is_kept:
            # Its words, too, have to be out before the file is written anew.
            await self._eraser.let_go(one.name)
            one = replace(one, is_kept=False)
        self._remember(one, is_busy=is_busy)
        await self._places().tidy(report)

    def _remember(self, one: OpenWish, *, is_busy: bool) -> None:
        from apx.domain.erasing import ErasePassage

        may_come = isinstance(one.wish, ErasePassage) and (
            is_busy or self._clock() - one.at <= _AFTER
        )
        if one.is_kept or may_come:
            self._open[one.name] = one
        else:
            self._open.pop(one.name, None)

    def _places(self) -> Places:
        from apx.memory.forgetting_places import Places

        return Places(self._eraser, self._rooms)


def _report() -> Report:
    from apx.memory.forgetting_places import Report

    return Report()


def _log(report: Report) -> None:
    for remark in dict.fromkeys(report.left):
        log.warning("forgetting_unfinished", remark=remark)
