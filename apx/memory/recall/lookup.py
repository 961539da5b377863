"""Owns the question's terms as one audience's postings know them: who holds what."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from apx.memory.recall.columns import Columns
    from apx.memory.recall.postings import Postings, Slice

    Floats = npt.NDArray[np.float32]
    Ints = npt.NDArray[np.int32]

T = TypeVar("T", bound=np.generic)

_rooms = threading.local()

# BM25 (Robertson and Zaragoza 2009). Chats have short documents: little saturation,
# and a fixed usual length, so that a score does not change when the store grows.
K1: Final = 0.9
B: Final = 0.4
USUAL: Final = 12.0

# Rare terms find documents, common ones only score what those found: past so many
# documents no further term is read as a whole.
_ENOUGH: Final = 40_000
# Documents are looked for among those of a term if these are so many times as many.
_SEARCHED: Final = 8
_STEPS: Final = 4_096
# Of a term that nearly all hold, the newest are looked at.
_NEWEST: Final = 50_000


@dataclass(frozen=True, slots=True)
class LexicalPart:
    """Postings whose documents are numbered from `base` on."""

    base: int
    postings: Postings

    @property
    def end(self) -> int:
        """The number after its last document."""
        return self.base + self.postings.size


@dataclass(frozen=True, slots=True)
class Looked:
    """The slices of each part for each term; None where a part lacks it."""

    parts: Sequence[LexicalPart]
    slices: Sequence[Sequence[Slice | None]]

    @classmethod
    def up(cls, parts: Sequence[LexicalPart], keys: Sequence[int]) -> Looked:
        """Look the terms up."""
        wanted = np.array(keys, np.uint64)
        return cls(parts, [part.postings.find(wanted) for part in parts])

    def counts(self, terms: int) -> npt.NDArray[np.int64]:
        """Count the documents of each term: int64 [terms]."""
        total = np.zeros(terms, np.int64)
        for found in self.slices:
            total += [0 if one is None else len(one.docs) for one in found]
        return total

    def frequencies(self, docs: Ints, terms: int) -> npt.NDArray[np.uint8]:
        """Count each term in ascending documents: uint8 [terms, n]."""
        table = np.zeros((terms, len(docs)), np.uint8)
        for part, found in zip(self.parts, self.slices, strict=True):
            first, last = np.searchsorted(docs, (part.base, part.end))
            if first == last:
                continue
            local = docs[first:last] - np.int32(part.base)
            _fill(table[:, first:last], local, found, part.postings.size)
        return table

    def best(
        self, weights: Floats, columns: Columns, limit: int
    ) -> tuple[Ints, Floats]:
        """Give the documents with the highest BM25, in no order, and their scores."""
        found, scores = self._scored(weights, columns)
        found = _best_texts(found, scores, columns, limit)
        # Terms that were too common to be read score what the others found.
        return self._rescored(found, weights, columns, limit)

    def _scored(self, weights: Floats, columns: Columns) -> tuple[Ints, Floats]:
        """Add up the rarest terms: documents, some more than once, and their scores."""
        room = _room("scores", columns.size, np.float32)
        order = np.argsort(self.counts(len(weights)), kind="stable")
        touched = [np.empty(0, np.int32)]
        many = 0
        for term in order.tolist():
            if many > _ENOUGH:
                break
            for docs, counts in self._documents(term):
                room[docs] += weights[term] * saturated(counts, columns, docs)
                touched.append(docs)
                many += len(docs)
        found = np.concatenate(touched)
        scores = room[found]
        room[found] = 0
        return found, scores

    def _documents(self, term: int) -> list[tuple[Ints, npt.NDArray[np.uint8]]]:
        """Give the newest documents of a term, part by part, and its counts."""
        found = []
        left = _NEWEST
        for part, slices in zip(self.parts[::-1], self.slices[::-1], strict=True):
            one = slices[term]
            if one is not None and left > 0:
                docs = one.docs[-left:] + np.int32(part.base)
                found.append((docs, one.counts[-left:]))
                left -= len(docs)
        return found

    def _rescored(
        self, docs: Ints, weights: Floats, columns: Columns, limit: int
    ) -> tuple[Ints, Floats]:
        table = self.frequencies(docs, len(weights))
        scores = weights @ saturated(table, columns, docs)
        best = highest(scores, limit)
        return docs[best], scores[best]


def saturated(counts: npt.NDArray[np.uint8], columns: Columns, docs: Ints) -> Floats:
    """Give BM25's worth of a term said so often in documents; [n] or [terms, n]."""
    norm = columns["length"].take(docs).astype(np.float32)
    norm *= np.float32(K1 * B / USUAL)
    norm += np.float32(K1 * (1 - B))
    often = counts.astype(np.float32)
    norm = norm + often
    often *= np.float32(K1 + 1)
    often /= norm
    return often


def distinct(docs: Ints) -> Ints:
    """Give numbers in order and once each; many times faster than `np.unique`."""
    docs = np.sort(docs, axis=None)
    is_new = np.ones(len(docs), np.bool_)
    np.not_equal(docs[1:], docs[:-1], out=is_new[1:])
    return docs[is_new]


def highest(scores: Floats, limit: int) -> npt.NDArray[np.intp]:
    """Give the places of the highest scores, none below 0; of equals the last."""
    top = scores.max(initial=0.0)
    if len(scores) <= limit or top <= 0:
        return np.arange(len(scores))[-limit:]
    # Coarsely first: `np.partition` takes ten times as long where many are equal.
    steps = (scores * (_STEPS / top)).astype(np.intp)
    reached = np.cumsum(np.bincount(steps)[::-1])
    step = len(reached) - 1 - int(np.searchsorted(reached, limit))
    above, there = np.flatnonzero(steps > step), np.flatnonzero(steps == step)
    order = np.argsort(scores[there], kind="stable")[len(above) - limit :]
    return np.sort(np.concatenate((above, there[order])))


def _fill(
    table: npt.NDArray[np.uint8],
    docs: Ints,
    found: Sequence[Slice | None],
    size: int,
) -> None:
    """Write the counts of terms in ascending documents: uint8 [terms, n]."""
    wanted = _room("wanted", size, np.bool_)
    wanted[docs] = True
    for row, one in zip(table, found, strict=True):
        if one is None:
            continue
        if len(one.docs) < _SEARCHED * len(docs):
            held = np.flatnonzero(wanted.take(one.docs))
            row[np.searchsorted(docs, one.docs[held])] = one.counts[held]
        else:
            places = np.minimum(np.searchsorted(one.docs, docs), len(one.docs) - 1)
            same = one.docs[places] == docs
            row[same] = one.counts[places[same]]
    wanted[docs] = False


def _room(use: str, size: int, kind: type[T]) -> npt.NDArray[T]:
    """Give this thread's array of zeros; who uses it leaves zeros behind.

    A new one for each question would cost more, in pages that are not there yet,
    than all that is done with it.
    """
    room: npt.NDArray[T] | None = getattr(_rooms, use, None)
    if room is None or len(room) < size:
        room = np.zeros(size + size // 4, kind)
        setattr(_rooms, use, room)
    return room


def _best_texts(docs: Ints, scores: Floats, columns: Columns, limit: int) -> Ints:
    """Give the best texts that live, once each, and some to spare.

    A document comes once for each term, and a text may have been said ever so often.
    """
    many = 8 * limit
    while True:
        best = distinct(docs[highest(scores, many)])
        texts = _once_each_text(best[~columns["dead"][best]], columns)
        if len(texts) >= limit or many >= len(docs):
            return texts
        many *= 8


def _once_each_text(docs: Ints, columns: Columns) -> Ints:
    """Of equal texts keep the newest."""
    texts = columns["text"][docs]
    order = np.argsort(texts, kind="stable")
    is_last = np.ones(len(docs), np.bool_)
    np.not_equal(texts[order[1:]], texts[order[:-1]], out=is_last[:-1])
    return np.sort(docs[order[is_last]])
