"""Owns which documents hold a term, and how often, as immutable arrays."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int32]
    Longs = npt.NDArray[np.int64]
    Bytes = npt.NDArray[np.uint8]
    Keys = npt.NDArray[np.uint64]

# A term said more often than this in 500 characters says no more.
_MOST: Final = 255
# Merging moves so many postings at a time, which bounds its memory.
_AT_ONCE: Final = 1 << 21


@dataclass(frozen=True, slots=True)
class Slice:
    """Documents, ascending, that hold one term, and how often each does."""

    docs: Ints
    counts: Bytes


@dataclass(frozen=True, slots=True)
class Postings:
    """The terms of `size` documents, numbered from 0.

    `keys` uint64 [terms] ascending; of term `i`, `docs` int32 and `counts` uint8
    from `starts[i]` to `starts[i + 1]`, by document.
    """

    size: int
    keys: Keys
    starts: Longs
    docs: Ints
    counts: Bytes

    @classmethod
    def build(cls, terms: Keys, lengths: Sequence[int]) -> Self:
        """Index documents given as one run of terms and the length of each."""
        docs = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        order = np.lexsort((docs, terms))
        terms, docs = terms[order], docs[order]
        is_new_term = _is_first(terms)
        is_new = is_new_term | _is_first(docs)
        firsts = np.flatnonzero(is_new)
        counts = np.diff(firsts, append=len(terms))
        starts = np.flatnonzero(is_new_term[firsts])
        return cls(
            size=len(lengths),
            keys=terms[is_new_term],
            starts=np.append(starts, len(firsts)).astype(np.int64),
            docs=docs[firsts],
            counts=np.minimum(counts, _MOST).astype(np.uint8),
        )

    def find(self, keys: Keys) -> list[Slice | None]:
        """Give the documents of each term, None for one that nobody said."""
        if not len(self.keys):
            return [None] * len(keys)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known = self.keys[places] == keys
        firsts, ends = self.starts[places].tolist(), self.starts[places + 1].tolist()
        return [
            Slice(self.docs[first:end], self.counts[first:end]) if has else None
            for first, end, has in zip(firsts, ends, known.tolist(), strict=True)
        ]

    def without(self, gone: Bools) -> Postings:
        """Leave documents out (bool [size]) and number the others anew."""
        stays = ~gone
        numbers = np.cumsum(stays, dtype=np.int32) - 1
        kept = stays[self.docs]
        ends = np.concatenate(([0], np.cumsum(kept, dtype=np.int64)))[self.starts]
        is_used = np.diff(ends) > 0
        return Postings(
            size=int(stays.sum()),
            keys=self.keys[is_used],
            starts=np.append(ends[:-1][is_used], ends[-1]),
            docs=numbers[self.docs[kept]],
            counts=self.counts[kept],
        )

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Give what a file must hold."""
        return {
            "keys": self.keys,
            "starts": self.starts,
            "docs": self.docs,
            "counts": self.counts,
        }

    @classmethod
    def from_arrays(cls, size: int, arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """Make it of what a file held."""
        return cls(
            size, arrays["keys"], arrays["starts"], arrays["docs"], arrays["counts"]
        )


def merged(parts: Sequence[Postings]) -> Postings:
    """Put parts together; the documents of each are numbered after those before."""
    keys = np.unique(np.concatenate([part.keys for part in parts]))
    places = [np.searchsorted(keys, part.keys) for part in parts]
    sizes = np.zeros(len(keys) + 1, np.int64)
    for part, place in zip(parts, places, strict=True):
        sizes[place + 1] += np.diff(part.starts)
    starts = np.cumsum(sizes)
    docs = np.empty(starts[-1], np.int32)
    counts = np.empty(starts[-1], np.uint8)
    free = starts[:-1].copy()
    base = 0
    for part, place in zip(parts, places, strict=True):
        _move(part, free[place], base, docs, counts)
        free[place] += np.diff(part.starts)
        base += part.size
    return Postings(base, keys, starts, docs, counts)


def _move(part: Postings, targets: Longs, base: int, docs: Ints, counts: Bytes) -> None:
    """Copy a part's postings to where each of its terms has room, bit by bit."""
    shift = targets - part.starts[:-1]
    limits = np.arange(0, len(part.docs) + _AT_ONCE, _AT_ONCE)
    cuts = np.searchsorted(part.starts, limits, "left")
    cuts = np.unique(np.minimum(cuts, len(part.keys)))
    for first, last in pairwise(cuts):
        inside = slice(int(part.starts[first]), int(part.starts[last]))
        widths = np.diff(part.starts[first : last + 1])
        there = np.arange(inside.start, inside.stop)
        there += np.repeat(shift[first:last], widths)
        docs[there] = part.docs[inside] + np.int32(base)
        counts[there] = part.counts[inside]


def _is_first(values: npt.NDArray[np.generic]) -> Bools:
    """Mark where a sorted run of equal values begins."""
    first = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=first[1:])
    return first
