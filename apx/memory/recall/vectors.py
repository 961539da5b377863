"""Owns the search among the vectors of one space and one audience."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from apx.memory.recall import codes as coding
from apx.memory.recall.clusters import Clusters, cluster
from apx.memory.recall.codes import Codes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from apx.memory.recall.codes import Floats, Rows, Words

    Ints = npt.NDArray[np.int32]

_SAMPLE: Final = 400
# Up to so many, every vector is scored; beyond, those that are near by their bits.
_EXACT: Final = 2_000
_RESCORED: Final = 1_600
# From so many on, only the nearest lists are looked at.
_LISTED: Final = 150_000
_PROBES: Final = 256


@dataclass(frozen=True, slots=True)
class VectorPart:
    """Vectors that do not change: row `i` belongs to document `docs[i]`."""

    docs: Ints
    codes: Codes
    centre: Floats
    bits: Words
    clusters: Clusters | None
    # Documents in order, and the row of each.
    sorted_docs: Ints
    sorted_rows: Ints
    # Some of the vectors, evenly spread: float32 [about _SAMPLE, dims].
    sample: Floats

    @classmethod
    def build(cls, docs: Ints, codes: Codes) -> Self:
        """Prepare vectors for search; takes seconds for a hundred thousand."""
        clusters: Clusters | None = None
        if codes.size >= _LISTED:
            clusters, order = cluster(codes)
            docs, codes = docs[order], codes.take(order)
        centre = coding.mean(codes)
        return cls._of(docs, codes, centre, coding.all_signs(codes, centre), clusters)

    @classmethod
    def _of(
        cls,
        docs: Ints,
        codes: Codes,
        centre: Floats,
        bits: Words,
        clusters: Clusters | None,
    ) -> Self:
        rows = np.argsort(docs, kind="stable").astype(np.int32)
        step = max(1, codes.size // _SAMPLE)
        sample = Codes(codes.rows[::step], codes.scales[::step]).vectors()
        return cls(docs, codes, centre, bits, clusters, docs[rows], rows, sample)

    @property
    def size(self) -> int:
        """How many vectors there are."""
        return self.codes.size

    def nearest(self, query: Floats, limit: int) -> tuple[Ints, Floats]:
        """Give the documents nearest to a query and their cosines, in no order."""
        if self.size <= _EXACT:
            return _top(self.docs, self.codes.scores(query), limit)
        rows = self._near(query)
        return _top(self.docs[rows], self.codes.take(rows).scores(query), limit)

    def _near(self, query: Floats) -> Rows:
        sign = coding.signs(query[None, :], self.centre)[0]
        if self.clusters is None:
            return _fewest(coding.differing(self.bits, sign))
        rows = self.clusters.rows(query, _PROBES)
        bits = self.bits.take(rows, axis=0)
        return rows[_fewest(coding.differing(bits, sign))]

    def rows_of(self, docs: Ints) -> tuple[Rows, npt.NDArray[np.bool_]]:
        """Give the row of each document, and whether it has one."""
        if not self.size:
            return np.zeros(len(docs), np.intp), np.zeros(len(docs), np.bool_)
        places = np.searchsorted(self.sorted_docs, docs)
        places = np.minimum(places, self.size - 1)
        has = self.sorted_docs[places] == docs
        return self.sorted_rows[places].astype(np.intp), has

    def without(self, gone: npt.NDArray[np.bool_]) -> VectorPart:
        """Leave out the vectors of documents that are gone (bool, by document)."""
        stays = np.flatnonzero(~gone[self.docs])
        if len(stays) == self.size:
            return self
        clusters = self.clusters
        if clusters is not None:
            starts = np.searchsorted(stays, clusters.starts)
            clusters = Clusters(clusters.centres, starts.astype(np.int64))
        return self._of(
            self.docs[stays],
            self.codes.take(stays),
            self.centre,
            self.bits[stays],
            clusters,
        )

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Give what a file must hold, but for the documents, whose numbers change."""
        arrays: dict[str, npt.NDArray[np.generic]] = {
            "rows": self.codes.rows,
            "scales": self.codes.scales,
            "centre": self.centre,
            "bits": self.bits,
        }
        if self.clusters is not None:
            arrays |= {"centres": self.clusters.centres, "lists": self.clusters.starts}
        return arrays

    @classmethod
    def from_arrays(cls, docs: Ints, arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """Make it of what a file held."""
        codes = Codes(arrays["rows"], arrays["scales"])
        clusters = None
        if "centres" in arrays:
            clusters = Clusters(arrays["centres"], arrays["lists"])
        return cls._of(docs, codes, arrays["centre"], arrays["bits"], clusters)


def merged(parts: Sequence[VectorPart]) -> VectorPart:
    """Put parts together and prepare them anew."""
    docs = np.concatenate([part.docs for part in parts])
    return VectorPart.build(docs, coding.joined([part.codes for part in parts]))


def nearest(
    parts: Sequence[VectorPart], query: Floats, limit: int
) -> tuple[Ints, Floats]:
    """Give the documents of all parts nearest to a query, and their cosines."""
    found = [part.nearest(query, limit) for part in parts]
    docs = np.concatenate([np.empty(0, np.int32), *(docs for docs, _ in found)])
    scores = np.concatenate([np.empty(0, np.float32), *(s for _, s in found)])
    return _top(docs, scores, limit)


def lookup(parts: Sequence[VectorPart], docs: Ints, dims: int) -> Floats:
    """Give the vector of each ascending document: float32 [n, dims], zeros for none."""
    found = np.zeros((len(docs), dims), np.float32)
    for part in parts:
        rows, has = part.rows_of(docs)
        if has.all():
            return part.codes.take(rows).vectors()
        if has.any():
            found[has] = part.codes.take(rows[has]).vectors()
    return found


def _top(docs: Ints, scores: Floats, limit: int) -> tuple[Ints, Floats]:
    if len(docs) <= limit:
        return docs, scores
    best = np.argpartition(-scores, limit - 1)[:limit]
    return docs[best], scores[best]


def _fewest(counts: npt.NDArray[np.uint16]) -> Rows:
    """Give the rows with the fewest differing bits; of equals the last."""
    if len(counts) <= _RESCORED:
        return np.arange(len(counts))
    # There are few different counts: no need to sort.
    reached = np.cumsum(np.bincount(counts))
    most = int(np.searchsorted(reached, _RESCORED))
    below = np.flatnonzero(counts < most)
    equal = np.flatnonzero(counts == most)
    return np.concatenate((below, equal[len(below) - _RESCORED :]))
