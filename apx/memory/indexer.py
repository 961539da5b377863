"""Keeps the index up with the log."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Final

from apx.domain.chunk import Chunk, Erased, Forgotten, Moved, Rewound
from apx.domain.errors import DamagedStore
from apx.domain.event import Event, EventKind
from apx.domain.message import Role
from apx.domain.person import Role as Standing
from apx.domain.quoted import Provenance
from apx.domain.recall import Kind
from apx.domain.secrets import mask
from apx.domain.text import chunks

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from apx.domain.chunk import Leaving
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

    def _cut(self, events: Sequence[Event]) -> list[Chunk]:
        return [chunk for event in events for chunk in cut(self._here(event))]

    def _here(self, event: Event) -> Event:
        """Date an event by the person's clock: its day is one it is found by."""
        return replace(event, at=event.at.astimezone(self._zone))

    async def _step(self) -> int:
        async with self._lock:
            cursor = await self._chunks.cursor()
            events = await self._history.events(cursor, _BATCH)
            if events:
                again, erased = await self._erased(events, cursor)
                told = [*again, *events]
                # In a thread: a long text is masked and cut while others are heard.
                added = await asyncio.to_thread(self._cut, told)
                added = [chunk for chunk in added if not _is_note_of(chunk, erased)]
                gone: list[Leaving] = [
                    Erased(tuple(erased)),
                    *forgotten(events),
                    *moved(events),
                    *rewound(events),
                ]
                taken = await self._chunks.take(added, gone, events[-1].seq)
                await self._engine.take(taken)
            return len(events)

    async def _erased(
        self, events: Iterable[Event], cursor: int
    ) -> tuple[list[Event], set[int]]:
        """Give the events that were indexed before they were erased, as they are now.

        What came with this batch was read as it is already.
        """
        seqs = erased(events)
        held = await self._chunks.held([seq for seq in seqs if seq <= cursor])
        found = [await self._history.events(seq - 1, 1) for seq in sorted(held.seqs)]
        return [one for few in found for one in few if one.seq in held.seqs], seqs


def _is_note_of(chunk: Chunk, erased: Container[int]) -> bool:
    # A note that said it is forgotten, not only without the words.
    return chunk.kind is Kind.NOTE and chunk.seq in erased


def erased(events: Iterable[Event]) -> set[int]:
    """Give the places of the events that others erased."""
    found = (e.body["seqs"] for e in events if e.kind is EventKind.ERASE)
    return {seq for seqs in found for seq in seqs}


def cut(event: Event) -> list[Chunk]:
    """Give the chunks of an event; most kinds have none.

    A repeated request is indexed once. What the offline model said only quotes
    memory, and is not indexed: else memory would find itself.
    """
    match event.kind:
        case EventKind.BEGIN if not event.body.get("retry_of"):
            # What it says of earlier messages was indexed when it was said.
            text = event.body.get("said", event.body["text"])
            return [*_said(event, text), *_quoted(event)]
        case EventKind.EDIT if event.body["is_late"]:
            return _said(event, event.body["text"])
        case EventKind.JOIN:
            return [*_said(event, event.body["added"]), *_quoted(event)]
        case EventKind.END if event.body["model"] != "offline":
            final = event.body["final"] or ""
            said = _chunks(event, Kind.MESSAGE, Role.ASSISTANT, final)
            by = Provenance.QUOTED if event.body.get("tainted") else ""
            return [replace(chunk, untrusted=by) for chunk in said]
        case _:
            return _noted(event)


def _said(event: Event, text: str) -> list[Chunk]:
    said = _chunks(event, Kind.MESSAGE, Role.USER, text)
    if event.body.get("role") != Standing.GUEST:
        return said
    return [replace(chunk, untrusted=Provenance.GUEST) for chunk in said]


def _quoted(event: Event) -> list[Chunk]:
    """Cut what a message brought along: nobody here said it, or claims it.

    After a join the event names all that its turn has; what came before is there.
    """
    new = event.body.get("quoted", [])[event.body.get("known", 0) :]
    return [
        replace(chunk, untrusted=one["provenance"], speaker=one["by"], person="")
        for one in new
        for chunk in _chunks(event, Kind.QUOTE, Role.TOOL, one["text"])
    ]


def _noted(event: Event) -> list[Chunk]:
    match event.kind:
        case EventKind.NOTE:
            return _chunks(event, Kind.NOTE, Role.USER, event.body["text"])
        case EventKind.NOTE_MOVE:
            where, note = event.body["audience"], event.body["note"]
            at = datetime.fromisoformat(event.body["at"]).astimezone(event.at.tzinfo)
            moved = replace(event, seq=note, at=at, audience=where)
            return _chunks(moved, Kind.NOTE, Role.USER, event.body["text"])
        case EventKind.TOOL_RESULT if event.body.get("is_news"):
            found = _chunks(event, Kind.TOOL, Role.TOOL, event.body["text"])
            return [replace(one, untrusted=Provenance.FETCHED) for one in found]
        case _:
            return []


def forgotten(events: Iterable[Event]) -> list[Forgotten]:
    """Give the notes that events forget."""
    return [
        Forgotten(event.body["note"], event.body["text"], event.audience)
        for event in events
        if event.kind is EventKind.NOTE_FORGET
    ]


def moved(events: Iterable[Event]) -> list[Moved]:
    """Give the notes that were handed to another audience."""
    return [
        Moved(event.body["note"], event.body["audience"])
        for event in events
        if event.kind is EventKind.NOTE_MOVE
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
        for piece in chunks(mask(text))
    ]
