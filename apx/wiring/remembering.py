"""What a home remembers with: its stores, its notes, its recall, its tools."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from apx.agent.toolbox import Bench
from apx.agent.tools.notes import ForgetNote, ListNotes, Remember
from apx.agent.tools.search import (
    CurrentTime,
    ListThreads,
    RecallSearch,
    SearchMessages,
)
from apx.memory.books import NoteBooks
from apx.memory.broker import Broker
from apx.memory.candidates import Proposals
from apx.memory.daily_log import DailyLog
from apx.memory.forgetting import Forgetting, Rooms
from apx.memory.sources import ActiveThreads, NewestNotes
from apx.store.candidates import Candidates
from apx.store.condensations import Condensations
from apx.store.erase import Eraser
from apx.store.files import Files
from apx.store.history import History
from apx.store.ledger import Ledger
from apx.store.notes import Notes
from apx.store.outbox import Outbox
from apx.store.search import MessageSearch
from apx.store.threads import Threads
from apx.wiring.curating import Curating, curating, note_source
from apx.wiring.recalling import Place, Recalling, recalling

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator
    from datetime import tzinfo

    from apx.agent.spending import Budgets
    from apx.config import Config
    from apx.mem.curated import Curated
    from apx.ports import Clock, Source, Tool
    from apx.store.database import Database


@dataclass(frozen=True, slots=True)
class Remembering:
    """The rooms of memory, and the clock and zone that they share."""

    zone: tzinfo
    clock: Clock
    written: asyncio.Event
    ledger: Ledger
    history: History
    outbox: Outbox
    threads: Threads
    notes: Notes
    books: NoteBooks
    recall: Recalling
    search: MessageSearch
    condensations: Condensations
    proposals: Proposals
    files: Files
    forgetting: Forgetting
    daily: DailyLog
    curating: Curating

    @property
    def curated(self) -> Curated:
        """The store of curated memories."""
        return self.curating.curated

    async def keep_up(self) -> None:
        """Do what is to be done in the background after something was said."""
        await self.forgetting.again()
        await self.daily.catch_up()
        await self.recall.keep_up()
        await self.curating.keep_up()

    def broker(self, config: Config) -> Broker:
        """Ask what config.json allows to be asked."""
        memory = config.memory
        sources: list[Source] = []
        if self.curating.is_enabled:
            # Before all others: of what is said twice, it is what stays.
            sources.append(self.curating.source)
        if memory.enabled and memory.recall.passive_inject:
            # Before the newest notes: of the same note, the hit says more.
            sources.append(self.recall.source)
        if memory.enabled:
            sources.append(NewestNotes(self.books))
        if memory.enabled and memory.active_threads.enabled:
            window = memory.active_threads
            sources.append(
                ActiveThreads(self.history, window.window_hours, window.max_lines)
            )
        budget = memory.broker_budget_ms / 1000
        return Broker(sources, budget=budget, note_source=note_source)

    def bench(self, config: Config) -> Bench:
        """Lay out the tools."""
        tools: list[Tool] = [
            CurrentTime(self.zone),
            ListThreads(self.history, self.zone),
            SearchMessages(self.search, self.zone),
        ]
        if config.memory.enabled:
            tools += [
                Remember(self.books, self.proposals),
                ListNotes(self.books, self.zone),
                ForgetNote(self.books, self.zone),
                RecallSearch(self.recall.source, self.zone, config.memory.rag_top_k),
            ]
        tools += self.curating.tools()
        return Bench({tool.spec.name: tool for tool in tools})


@asynccontextmanager
async def remembering(
    config: Config, place: Place, clock: Clock, database: Database, budgets: Budgets
) -> AsyncIterator[Remembering]:
    """Open memory.db and build the rooms of memory on it and on the ledger."""
    history, notes = History(database), Notes(database)
    async with AsyncExitStack() as stack:
        recall = await stack.enter_async_context(
            recalling(config, place, clock, history, budgets)
        )
        daily = DailyLog(place.home / "log", history, place.zone)
        stack.push_async_callback(daily.aclose)
        books = NoteBooks(place.home, notes, clock, place.zone)
        curated = await stack.enter_async_context(
            curating(config, place, clock, database, recall, books)
        )
        files = Files(place.home / "files")
        places = partial(Rooms, place.home, books, recall.chunks, recall.indexer, daily)
        follow = places(counted=budgets, files=files, curated=curated.erasing)
        yield Remembering(
            zone=place.zone,
            clock=clock,
            written=database.written,
            ledger=Ledger(database),
            history=history,
            outbox=Outbox(database),
            threads=Threads(database),
            notes=notes,
            books=books,
            recall=recall,
            search=MessageSearch(database.path),
            condensations=Condensations(database),
            proposals=_proposals(config, database, books, clock),
            files=files,
            forgetting=Forgetting(Eraser(database), follow, clock),
            daily=daily,
            curating=curated,
        )


def _proposals(
    config: Config, database: Database, books: NoteBooks, clock: Clock
) -> Proposals:
    promotes = config.memory.auto_promote
    return Proposals(Candidates(database), books, promotes, clock)
