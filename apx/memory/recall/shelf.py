"""Owns what one audience may find: its documents, their postings, their vectors.

Everything of an audience lies together and apart from all others, so that a search
reads nothing that its turn may not see.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from apx.memory.recall import postings as lexical
from apx.memory.recall import vectors as neural
from apx.memory.recall.codes import unpacked
from apx.memory.recall.columns import Columns
from apx.memory.recall.document import prepared
from apx.memory.recall.lookup import LexicalPart
from apx.memory.recall.lsm import to_merge
from apx.memory.recall.postings import Postings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from apx.domain.chunk import Stored
    from apx.domain.space import Filled
    from apx.memory.recall.codes import Codes
    from apx.memory.recall.keys import Keys
    from apx.memory.recall.vectors import VectorPart


@dataclass(frozen=True, slots=True)
class SpacePart:
    """Vectors with the ids from `first` to `last` in memory.db."""

    first: int
    last: int
    vectors: VectorPart


@dataclass(frozen=True, slots=True)
class NewVectors:
    """Vectors as memory.db gives them: int64 [n] and [n], and the codes."""

    ids: Sequence[int]
    chunks: Sequence[int]
    codes: Codes

    @classmethod
    def of(cls, rows: Sequence[Filled]) -> NewVectors:
        """Take rows of memory.db, in the order of their ids."""
        ids, chunks = [row.id for row in rows], [row.chunk for row in rows]
        return cls(ids, chunks, unpacked([row.data for row in rows]))


class Shelf:
    """Written by two threads, one for text and one for vectors; others read.

    `parts` and each entry of `spaces` are tuples that are replaced as a whole.
    """

    def __init__(
        self, columns: Columns | None = None, parts: Sequence[LexicalPart] = ()
    ) -> None:
        self.columns = columns or Columns()
        self.parts = tuple(parts)
        self.spaces: Mapping[int, tuple[SpacePart, ...]] = {}

    @property
    def newest(self) -> int:
        """The id of the newest chunk, 0 for none."""
        return int(self.columns["chunk"][-1]) if self.columns.size else 0

    def newest_vector(self, space: int) -> int:
        """Give the highest id of a space's vectors, 0 for none."""
        parts = self.spaces.get(space)
        return parts[-1].last if parts else 0

    def take(self, chunks: Sequence[Stored], keys: Keys) -> None:
        """Add chunks in the order of their ids; those that are there are left out."""
        newest = self.newest
        new = [prepared(chunk, keys) for chunk in chunks if chunk.id > newest]
        if not new:
            return
        terms = [one.terms for one in new]
        postings = Postings.build(keys.flat(terms), [len(each) for each in terms])
        base = self.columns.size
        self.columns.append([one.document for one in new])
        self._place(LexicalPart(base, postings))

    def kill(self, chunks: Sequence[int]) -> None:
        """Have chunks found no more."""
        docs, known = self.columns.doc_of(np.array(chunks, np.int64))
        self.columns.kill(docs[known].tolist())

    def take_vectors(self, space: int, new: NewVectors) -> None:
        """Add vectors in the order of their ids; those that are there are left out.

        The first whose chunk is not here yet ends it, as what is older than the newest
        is never asked for again.
        """
        docs, known = self.columns.doc_of(np.array(new.chunks, np.int64))
        fresh = np.array(new.ids, np.int64) > self.newest_vector(space)
        chosen = np.flatnonzero(np.logical_and.accumulate(known) & fresh)
        if not len(chosen):
            return
        part = neural.VectorPart.build(docs[chosen], new.codes.take(chosen))
        ids = [new.ids[row] for row in chosen.tolist()]
        self.put(space, SpacePart(ids[0], ids[-1], part))

    def put(self, space: int, part: SpacePart) -> None:
        """Add vectors that are prepared already."""
        parts = [*self.spaces.get(space, ()), part]
        count = to_merge([one.vectors.size for one in parts])
        if count > 1:
            vectors = neural.merged([one.vectors for one in parts[-count:]])
            parts[-count:] = [SpacePart(parts[-count].first, part.last, vectors)]
        self.spaces = {**self.spaces, space: tuple(parts)}

    def keep_spaces(self, wanted: set[int]) -> None:
        """Let go of the vectors of all other spaces."""
        self.spaces = {name: p for name, p in self.spaces.items() if name in wanted}

    def _place(self, part: LexicalPart) -> None:
        parts = [*self.parts, part]
        count = to_merge([one.postings.size for one in parts])
        if count > 1:
            postings = lexical.merged([one.postings for one in parts[-count:]])
            parts[-count:] = [LexicalPart(parts[-count].base, postings)]
        self.parts = tuple(parts)
