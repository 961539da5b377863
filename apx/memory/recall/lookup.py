"""Owns the question's terms as one audience's postings know them: who holds what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from apx.memory.recall.columns import Columns
    from apx.memory.recall.postings import Postings, Slice

    Floats = npt.NDArray[np.float32]
    Ints = npt.NDArray[np.int32]

# BM25 (Robertson and Zaragoza 2009). Chats have short documents: little saturation,
# and a fixed usual length, so that a score does not change when the store grows.
K1: Final = 0.9
B: Final = 0.4
USUAL: Final = 12.0

# Rare terms find documents, common ones only score what those found: past so many
# documents no further term is read as a whole.
_ENOUGH: Final = 40_000
# Of a term that nearly all hold, the newest are looked at.
_NEWEST: Final = 100_000


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
        return cls(parts, [[p.postings.find(key) for key in keys] for p in parts])

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
            for row, one in zip(table, found, strict=True):
                if one is not None:
                    _fill(row[first:last], local, one)
        return table

    def best(
        self, weights: Floats, columns: Columns, limit: int
    ) -> tuple[Ints, Floats]:
        """Give the documents with the highest BM25, in no order, and their scores."""
        scores = np.zeros(columns.size, np.float32)
        order = np.argsort(self.counts(len(weights)), kind="stable")
        touched: list[Ints] = []
        many = 0
        for term in order:
            if many > _ENOUGH:
                break
            for docs, counts in self._documents(int(term)):
                scores[docs] += weights[term] * saturated(counts, columns, docs)
                touched.append(docs)
                many += len(docs)
        if not touched:
            return np.empty(0, np.int32), np.empty(0, np.float32)
        found = np.concatenate(touched)
        found = _highest(found, scores[found], 8 * limit)
        # Terms that were too common to be read score what the others found.
        return self._rescored(found, weights, columns, limit)

    def _documents(self, term: int) -> list[tuple[Ints, npt.NDArray[np.uint8]]]:
        found = []
        for part, slices in zip(self.parts, self.slices, strict=True):
            one = slices[term]
            if one is not None:
                docs = one.docs[-_NEWEST:] + np.int32(part.base)
                found.append((docs, one.counts[-_NEWEST:]))
        return found

    def _rescored(
        self, docs: Ints, weights: Floats, columns: Columns, limit: int
    ) -> tuple[Ints, Floats]:
        docs = np.unique(docs)
        docs = docs[~columns["dead"][docs]]
        docs = _once_each_text(docs, columns)
        table = self.frequencies(docs, len(weights))
        scores = weights @ saturated(table, columns, docs)
        best = _highest(np.arange(len(docs), dtype=np.int32), scores, limit)
        return docs[best], scores[best]


def saturated(counts: npt.NDArray[np.uint8], columns: Columns, docs: Ints) -> Floats:
    """Give BM25's worth of a term said so often in documents; [n] or [terms, n]."""
    norm = K1 * (1 - B + B * columns["length"][docs].astype(np.float32) / USUAL)
    often = counts.astype(np.float32)
    return often * np.float32(K1 + 1) / (often + norm.astype(np.float32))


def _fill(row: npt.NDArray[np.uint8], docs: Ints, one: Slice) -> None:
    """Write the counts of one term for ascending documents; the shorter list leads."""
    if len(one.docs) < len(docs):
        places = np.minimum(np.searchsorted(docs, one.docs), len(docs) - 1)
        same = docs[places] == one.docs
        row[places[same]] = one.counts[same]
        return
    places = np.minimum(np.searchsorted(one.docs, docs), len(one.docs) - 1)
    same = one.docs[places] == docs
    row[same] = one.counts[places[same]]


def _highest(items: Ints, scores: Floats, limit: int) -> Ints:
    if len(items) <= limit:
        return items
    return items[np.argpartition(-scores, limit - 1)[:limit]]


def _once_each_text(docs: Ints, columns: Columns) -> Ints:
    """Of equal texts keep the newest."""
    _, newest = np.unique(columns["text"][docs][::-1], return_index=True)
    return np.sort(docs[len(docs) - 1 - newest])
