"""Where the broker looks: the newest notes, the index, the other threads."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from apx.domain.recall import Kind, Memory, Query
from apx.domain.text import content_terms
from apx.memory.merge import merge
from apx.memory.ranking import Terms, rank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.turn import Turn
    from apx.memory.indexer import Indexer
    from apx.memory.notes import NoteBook
    from apx.store.history import History
    from apx.store.index import Index

_NEWEST: Final = 10
_CANDIDATES: Final = 60


class NewestNotes:
    """The notes written last, whatever is asked."""

    name = "notes"

    def __init__(self, book: NoteBook) -> None:
        self._book = book

    async def fetch(self, query: Query) -> Sequence[Memory]:
        """Give the last ten, newest first; none for small talk."""
        if not content_terms(query.text):
            return ()
        notes = await self._book.latest(_NEWEST)
        return [
            Memory(Kind.NOTE, n.text, n.at, n.channel, f"note {n.id}", why="newest")
            for n in reversed(notes)
        ]


class Recalled:
    """What the index finds."""

    name = "recall"

    def __init__(self, index: Index, indexer: Indexer, floor: float) -> None:
        self._index = index
        self._indexer = indexer
        self._floor = floor

    async def fetch(self, query: Query) -> Sequence[Memory]:
        """Give the best hits of the audiences, but not what the prompt holds."""
        words = list(dict.fromkeys(content_terms(query.text)))[:_CANDIDATES]
        if not words:
            return ()
        await self._indexer.freshen()
        found = await self._index.search(words, query.audiences, _CANDIDATES)
        counts = await self._index.document_counts(words)
        terms = Terms.weigh(words, counts, await self._index.size())
        hits = rank(query.text, found, terms, self._floor)
        new = [hit for hit in hits if not _is_known(hit, query)]
        return merge([new])[: query.limit]


class ActiveThreads:
    """The newest turn of each other thread that spoke lately."""

    name = "threads"

    def __init__(self, history: History, hours: float, lines: int) -> None:
        self._history = history
        self._window = timedelta(hours=hours)
        self._lines = lines

    async def fetch(self, query: Query) -> Sequence[Memory]:
        """Give one memory a thread, newest first."""
        turns = await self._history.active(
            query.thread, query.audiences, query.at - self._window, self._lines
        )
        return [_spoken(turn) for turn in turns]


def _is_known(hit: Memory, query: Query) -> bool:
    return hit.kind is Kind.MESSAGE and hit.ref in {
        f"turn {turn}" for turn in query.known_turns
    }


def _spoken(turn: Turn) -> Memory:
    text = f"{turn.request} → {turn.final}" if turn.final else turn.request
    return Memory(
        Kind.THREAD,
        text,
        turn.began_at,
        turn.thread.channel,
        f"turn {turn.id}",
        turn.thread,
        why="active",
    )
