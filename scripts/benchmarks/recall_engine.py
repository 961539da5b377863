"""Our own search over what is measured, by the code that turns use."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from apx.memory.recall.asking import question
from apx.memory.recall.codes import Codes
from apx.memory.recall.keys import Keys
from apx.memory.recall.search import Meaning, search
from apx.memory.recall.shelf import NewVectors, Shelf
from scripts.benchmarks.recall_metrics import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    from apx.domain.chunk import Stored
    from apx.domain.space import Usual
    from apx.memory.recall.search import Answer, Asked
    from scripts.benchmarks.recall_data import Corpus, Item

    Floats = npt.NDArray[np.float32]
    Find = Callable[[Item], Sequence[int]]
    # Makes a way to find of the chunks that are to be found.
    Build = Callable[[Sequence[Stored]], Find]

SPACE = 1
KEYS = Keys()
# So many hits a turn looks at.
LIMIT = 40
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors of all chunks, by id, and of all questions, by number.

    `usual` is how the cosines of their embedder lie.
    """

    documents: Floats
    queries: Floats
    usual: Usual


@dataclass(slots=True)
class Ours:
    """A shelf of chunks, asked without vectors or with them."""

    shelf: Shelf = field(default_factory=Shelf)
    embedded: Embedded | None = None

    @classmethod
    def of(cls, rows: Sequence[Stored], embedded: Embedded | None = None) -> Ours:
        """Bring chunks in as the indexer does, some hundred at a time."""
        ours = cls(embedded=embedded)
        rows = sorted(rows, key=lambda row: row.id)
        for at in range(0, len(rows), _AT_ONCE):
            some = rows[at : at + _AT_ONCE]
            ours.shelf.take(some, KEYS)
            if embedded is not None:
                ids = [row.id for row in some]
                vectors = embedded.documents[[one - 1 for one in ids]]
                ours.shelf.take_vectors(SPACE, NewVectors(ids, ids, Codes.of(vectors)))
        return ours

    def asked(self, item: Item, limit: int = LIMIT) -> Asked | None:
        """Make what arrays are asked of a question; None if it asks nothing."""
        made = question(item.text, item.at, KEYS)
        if made is None:
            return None
        asked = replace(made.asked, limit=limit)
        return replace(asked, meaning=self.meaning(item))

    def meaning(self, item: Item) -> Meaning | None:
        """Give the vector of a question; None without an embedder."""
        if self.embedded is None:
            return None
        vector = self.embedded.queries[item.number]
        return Meaning(SPACE, vector, self.embedded.usual)

    def answer(self, item: Item) -> Answer | None:
        """Search as a turn does."""
        asked = self.asked(item)
        return None if asked is None else search([self.shelf], asked)

    def find(self, item: Item) -> Sequence[int]:
        """Give the ids of the hits, best first."""
        answer = self.answer(item)
        return [] if answer is None else [hit.chunk for hit in answer.hits]


def ours(embedded: Embedded | None = None) -> Build:
    """Give how our search is built."""
    return lambda rows: Ours.of(rows, embedded).find


def in_own(corpus: Corpus, build: Build) -> Outcome:
    """Ask each question of its own conversation alone."""
    numbers = {item.conversation for item in corpus.items}
    finds = {number: build(corpus.rows_of(number)) for number in numbers}
    return _measured(corpus.items, lambda item: finds[item.conversation](item))


def in_all(corpus: Corpus, build: Build) -> Outcome:
    """Ask each question of all conversations in one store."""
    return _measured(corpus.items, build(corpus.rows))


def _measured(items: Sequence[Item], find: Find) -> Outcome:
    for item in items[:20]:  # what is loaded or grown once
        find(item)
    found, ms = [], []
    for item in items:
        begun = time.process_time()
        hits = find(item)
        ms.append(1e3 * (time.process_time() - begun))
        found.append(hits)
    return Outcome(found, ms)
