"""Keeps the index up with the log."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING, Final

from apx.domain.chunk import Chunk, Forgotten, Rewound
from apx.domain.errors import DamagedStore
from apx.domain.event import Event, EventKind
from apx.domain.message import Role
from apx.domain.recall import Kind
from apx.domain.text import chunks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apx.memory.recall.engine import Engine
    from apx.store.history import History
    from apx.store.index.chunks import Chunks

_BATCH: Final = 500
# Well within the broker's budget, so that what is indexed already is found in time.
_MOMENT: Final = 0.3


class Indexer:
    """Reads the log from its cursor on; the same event is never indexed twice."""

    def __init__(
        self, history: History, chunks: Chunks, engine: Engine, zone: tzinfo = UTC
    ) -> None:
        self._history = history
        self._chunks = chunks
        self._engine = engine
        self._zone = zone
        self._lock = asyncio.Lock()

    async def catch_up(self) -> int:
        """Index all that is new; gives how many events that were."""
        total = 0
        while count := await self._batch():
            total += count
        return total

    async def freshen(self, seconds: float = _MOMENT) -> None:
        """Index what is new, for a moment; the background does the rest."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while await self._batch() == _BATCH:
                    pass

    async def aclose(self) -> None:
        """Wait for the batch that is under way."""
        async with self._lock:
            pass

    async def _batch(self) -> int:
        """Index a batch, to its end even if the caller gives up.

        Broken off halfway, the arrays would lack what memory.db has.
        """
        try:
            return await asyncio.shield(asyncio.ensure_future(self._step()))
        except DamagedStore:
            self._chunks.condemn()
            raise

    def _here(self, event: Event) -> Event:
        """Date an event by the person's clock: its day is one it is found by."""
        return replace(event, at=event.at.astimezone(self._zone))

    async def _step(self) -> int:
        async with self._lock:
            cursor = await self._chunks.cursor()
            events = await self._history.events(cursor, _BATCH)
            if events:
                added = [chunk for event in events for chunk in cut(self._here(event))]
                gone: list[Forgotten | Rewound] = [*forgotten(events), *rewound(events)]
                taken = await self._chunks.take(added, gone, events[-1].seq)
                await self._engine.take(taken)
            return len(events)


def cut(event: Event) -> list[Chunk]:
    """Give the chunks of an event; most kinds have none.

    A repeated request is indexed once. What the offline model said only quotes
    memory, and is not indexed: else memory would find itself.
    """
    match event.kind:
        case EventKind.BEGIN if not event.body.get("retry_of"):
            return _chunks(event, Kind.MESSAGE, Role.USER, event.body["text"])
        case EventKind.JOIN:
            return _chunks(event, Kind.MESSAGE, Role.USER, event.body["added"])
        case EventKind.END if event.body["model"] != "offline":
            final = event.body["final"] or ""
            return _chunks(event, Kind.MESSAGE, Role.ASSISTANT, final)
        case _:
            return _noted(event)


def _noted(event: Event) -> list[Chunk]:
    match event.kind:
        case EventKind.NOTE:
            return _chunks(event, Kind.NOTE, Role.USER, event.body["text"])
        case EventKind.TOOL_RESULT if event.body.get("is_news"):
            return _chunks(event, Kind.TOOL, Role.TOOL, event.body["text"])
        case _:
            return []


def forgotten(events: Iterable[Event]) -> list[Forgotten]:
    """Give the notes that events forget."""
    return [
        Forgotten(event.body["note"], event.body["text"])
        for event in events
        if event.kind is EventKind.NOTE_FORGET
    ]


def rewound(events: Iterable[Event]) -> list[Rewound]:
    """Give the ranges of the log that events took out of their threads."""
    return [
        Rewound(event.thread, event.body["to"], event.seq)
        for event in events
        if event.kind is EventKind.REWIND
    ]


def _chunks(event: Event, kind: Kind, role: Role, text: str) -> list[Chunk]:
    channel = event.body.get("channel") or event.thread.partition(":")[0]
    return [
        Chunk(
            seq=event.seq,
            kind=kind,
            role=role,
            text=piece,
            at=event.at,
            turn=event.turn,
            thread=event.thread,
            channel=channel,
            person=event.person,
            audience=event.audience,
            speaker=event.body.get("speaker", ""),
        )
        for piece in chunks(text)
    ]
