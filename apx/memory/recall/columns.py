"""Owns what is known of each document besides its terms, as growing arrays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    Array = npt.NDArray[Any]

NOBODY: Final = -1

# A block is what was said in one go: a pause of so many seconds ends it, and so
# many documents fill it.
_PAUSE: Final = 4 * 3600
BLOCK: Final = 16

_TYPES: Final[Mapping[str, type[np.generic]]] = {
    "chunk": np.int64,  # its id in memory.db, ascending
    "thread": np.uint64,
    "speaker": np.uint64,
    "text": np.uint64,  # equal texts have equal numbers
    "turn": np.int64,
    "at": np.int64,  # seconds since 1970
    "length": np.uint16,  # in terms
    "content": np.uint8,  # content words, of 255 at most
    "marks": np.uint8,
    "before": np.int32,  # the document before it in its thread, -1 for none
    "after": np.int32,
    "place": np.uint8,  # within its block
    "dead": np.bool_,
}


# Links are found again when files are loaded, and the dead are left out of them.
_KEPT: Final = tuple(_TYPES.keys() - {"before", "after", "dead"})


class Mark(IntFlag):
    """What a document is."""

    NOTE = 1
    PERSON = 2  # a person wrote it
    QUESTION = 4  # it ends with a question mark
    ASKS = 8  # there is a question mark in it


@dataclass(frozen=True, slots=True)
class NewDocument:
    """A document as the columns take it."""

    chunk: int
    thread: int
    speaker: int
    text: int
    turn: int
    at: int
    length: int
    content: int
    marks: int


@dataclass(slots=True)
class _Last:
    """The newest document of a thread."""

    doc: int
    at: int
    place: int


class Columns:
    """Arrays that only grow; readers hold views of them and need no lock.

    Of what was written, `after` changes once, when the thread goes on, and `dead`
    once. A reader that misses either sees the moment before.
    """

    def __init__(self, arrays: Mapping[str, Array] | None = None) -> None:
        arrays = arrays or {name: np.empty(0, kind) for name, kind in _TYPES.items()}
        self.size = len(arrays["chunk"])
        self._arrays = {
            name: np.array(arrays[name], kind) for name, kind in _TYPES.items()
        }
        self._last = self._newest_of_threads()

    def __getitem__(self, name: str) -> Array:
        """Give a column up to the newest document."""
        # In this order: an array that is fetched later has at least so many rows.
        size = self.size
        return self._arrays[name][:size]

    def append(self, documents: Iterable[NewDocument]) -> None:
        """Add documents, in the order in which they were said."""
        rows = [self._linked(doc, self.size + n) for n, doc in enumerate(documents)]
        end = self.size + len(rows)
        self._make_room(end)
        for number, name in enumerate(_TYPES):
            values = [row[number] for row in rows]
            self._arrays[name][self.size : end] = values
        first, self.size = self.size, end
        # Last, so that a reader who follows them finds the new documents whole.
        before = self._arrays["before"][first:end]
        follow = np.flatnonzero(before != NOBODY)
        self._arrays["after"][before[follow]] = follow + first

    def doc_of(self, chunks: Array) -> tuple[Array, Array]:
        """Give the document of each chunk id, and whether there is one."""
        ours = self["chunk"]
        if not len(ours):
            return np.zeros(len(chunks), np.int32), np.zeros(len(chunks), np.bool_)
        places = np.minimum(np.searchsorted(ours, chunks), len(ours) - 1)
        return places.astype(np.int32), ours[places] == chunks

    def kill(self, docs: Sequence[int]) -> None:
        """Have documents found no more; their neighbours become each other's."""
        before, after = self._arrays["before"], self._arrays["after"]
        for doc in docs:
            self._arrays["dead"][doc] = True
            if before[doc] != NOBODY:
                after[before[doc]] = after[doc]
            if after[doc] != NOBODY:
                before[after[doc]] = before[doc]
            else:
                self._shorten(int(self._arrays["thread"][doc]), int(before[doc]))

    def living(self, first: int, last: int) -> dict[str, Array]:
        """Give what a file must hold of the living documents of a range."""
        stays = np.flatnonzero(~self._arrays["dead"][first:last]) + first
        return {name: self._arrays[name][stays] for name in _KEPT}

    def _shorten(self, thread: int, last: int) -> None:
        """Let a thread go on from the document before its newest, which died."""
        if last == NOBODY:
            self._last.pop(thread, None)
        else:
            at, place = self._arrays["at"][last], self._arrays["place"][last]
            self._last[thread] = _Last(last, int(at), int(place))

    def _linked(self, new: NewDocument, doc: int) -> tuple[Any, ...]:
        last = self._last.get(new.thread) if new.thread else None
        before, place = NOBODY, 0
        if last is not None:
            before = last.doc
            is_near = new.at - last.at <= _PAUSE and last.place + 1 < BLOCK
            place = last.place + 1 if is_near else 0
        if new.thread:
            self._last[new.thread] = _Last(doc, new.at, place)
        return (
            new.chunk,
            new.thread,
            new.speaker,
            new.text,
            new.turn,
            new.at,
            min(new.length, 65_535),
            min(new.content, 255),
            new.marks,
            before,
            NOBODY,
            place,
            False,
        )

    def _make_room(self, size: int) -> None:
        room = len(self._arrays["chunk"])
        if size <= room:
            return
        room = max(size, room + room // 2, 1024)
        for name, old in self._arrays.items():
            new = np.empty(room, old.dtype)
            new[: self.size] = old[: self.size]
            self._arrays[name] = new

    def _newest_of_threads(self) -> dict[int, _Last]:
        threads = self["thread"]
        names, places = np.unique(threads[::-1], return_index=True)
        docs = len(threads) - 1 - places
        return {
            int(name): _Last(int(doc), int(self["at"][doc]), int(self["place"][doc]))
            for name, doc in zip(names, docs, strict=True)
            if name
        }


def chained(parts: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    """Put the columns of ranges together and link the documents of each thread."""
    arrays: dict[str, Array] = {
        name: np.concatenate([np.empty(0, _TYPES[name]), *(p[name] for p in parts)])
        for name in _KEPT
    }
    many = len(arrays["chunk"])
    arrays["dead"] = np.zeros(many, np.bool_)
    for link in ("before", "after"):
        arrays[link] = np.full(many, NOBODY, np.int32)
    threads = arrays["thread"]
    order = np.argsort(threads, kind="stable")
    follows = (threads[order][1:] == threads[order][:-1]) & (threads[order][1:] != 0)
    arrays["before"][order[1:][follows]] = order[:-1][follows]
    arrays["after"][order[:-1][follows]] = order[1:][follows]
    return arrays
