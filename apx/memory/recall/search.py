"""Owns the way from a question to the best chunks, over several shelves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from apx.memory.recall import vectors as neural
from apx.memory.recall.around import REACH, near
from apx.memory.recall.evidence import Terms, gather
from apx.memory.recall.features import Found, features
from apx.memory.recall.likeness import imputed, likeness, no_likeness
from apx.memory.recall.lookup import Looked, distinct
from apx.memory.recall.ranker import HASHED, LEXICAL, NEURAL, reasons

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from apx.domain.space import Usual
    from apx.memory.recall.features import Table
    from apx.memory.recall.ranker import Ranker
    from apx.memory.recall.shelf import Shelf
    from apx.memory.recall.vectors import VectorPart

    Floats = npt.NDArray[np.float32]
    Ints = npt.NDArray[np.int32]

# The two stages: so many candidates by their own words, the neighbours of the best of
# them, and so many by their vectors; shared measurements say that no more is found
# by scoring everything.
_LEXICAL: Final = 128
_WITH_NEIGHBOURS: Final = 32
_NEURAL: Final = 100
_BESIDE: Final = 2
# As if so many messages more were there, about other things: in the first days every
# word stands in a large part of what was said.
_BACKGROUND: Final = 1_000
# What a weak term and a date count, beside the words.
_WEAK: Final = 0.3
_DATED: Final = np.float32(0.3)


@dataclass(frozen=True, slots=True)
class Meaning:
    """A question's vector, float32 [dims], in a space with its usual cosines.

    `is_hashed` says that it knows letters and words only, as the postings do.
    """

    space: int
    vector: Floats
    usual: Usual
    is_hashed: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as arrays are asked: the numbers of its terms, strong ones first.

    `known` are turns that shall not be found; `meaning` is None without a vector.
    """

    strong: Sequence[int]
    weak: Sequence[int]
    dates: Sequence[int]
    known: frozenset[int] = frozenset()
    limit: int = 20
    meaning: Meaning | None = None

    @property
    def keys(self) -> list[int]:
        """All terms: strong ones of the text, weak ones, dates."""
        return [*self.strong, *self.weak, *self.dates]


@dataclass(frozen=True, slots=True)
class Scored:
    """A chunk that was found.

    `share` is how much of the question's words it holds, 0 to 1, and `held` how much
    it holds together with what it answers; `cosine` is its likeness, 0 for no vector;
    `dated` is how rare the dates are that it bears and the question names; `content`
    counts the words in it that say something.
    """

    chunk: int
    score: float
    share: float
    held: float
    cosine: float
    dated: float
    content: int
    parts: Sequence[float] = ()

    @property
    def why(self) -> str:
        """Say what speaks for it: `lexical 3.1, vector 0.62, thread 0.4`."""
        return reasons(self.parts) if self.parts else "full text"


@dataclass(frozen=True, slots=True)
class Answer:
    """The best chunks, best first, and what each term of the question weighed.

    `floor` is the cosine from which likeness means something.
    """

    hits: Sequence[Scored]
    weights: Floats
    floor: float


def search(shelves: Sequence[Shelf], asked: Asked) -> Answer:
    """Give the best chunks of all shelves."""
    space = asked.meaning.space if asked.meaning else None
    if not any(shelf.spaces.get(space) for shelf in shelves if space is not None):
        # In the moment of a swap: nothing to compare the question's vector with.
        asked = replace(asked, meaning=None)
    looked = [Looked.up(shelf.parts, asked.keys) for shelf in shelves]
    terms = _weighed(shelves, looked, asked)
    found = [
        _found(shelf, seen, terms, asked)
        for shelf, seen in zip(shelves, looked, strict=True)
    ]
    found = [one for one in found if len(one.docs)]
    if not found:
        return Answer([], terms.weights, 1.0)
    hits = _best(found, features(found, terms.top), _ranker(asked), asked.limit)
    many = sum(shelf.columns.size for shelf in shelves)
    floor = asked.meaning.usual.floor(many) if asked.meaning else 1.0
    return Answer(hits, terms.weights, floor)


def _ranker(asked: Asked) -> Ranker:
    if asked.meaning is None:
        return LEXICAL
    return HASHED if asked.meaning.is_hashed else NEURAL


def _weighed(shelves: Sequence[Shelf], looked: Sequence[Looked], asked: Asked) -> Terms:
    """Weigh the terms by how rare they are in all that may be seen, together."""
    many = len(asked.keys)
    counts = sum((seen.counts(many) for seen in looked), np.zeros(many, np.int64))
    size = _BACKGROUND + sum(shelf.columns.size for shelf in shelves)
    rarity = np.log1p((size - counts + 0.5) / (counts + 0.5)).astype(np.float32)
    rarity = np.maximum(rarity, 0)
    factors = np.repeat(
        np.array([1, _WEAK, 0], np.float32),
        [len(asked.strong), len(asked.weak), len(asked.dates)],
    )
    return Terms(rarity * factors, rarity, counts, size)


def _found(shelf: Shelf, looked: Looked, terms: Terms, asked: Asked) -> Found:
    parts = _vectors(shelf, asked)
    docs = _candidates(shelf, looked, terms, asked)
    evidence = gather(docs, looked, terms, shelf.columns)
    share = terms.weights @ evidence.own / np.float32(terms.weights.sum() or 1)
    dates = len(asked.keys) - len(asked.dates)
    like = no_likeness(len(docs))
    if asked.meaning is not None:
        found = likeness(evidence.near, parts, asked.meaning.vector)
        like = imputed(found, share)
    return Found(
        docs=docs,
        columns=shelf.columns,
        evidence=evidence,
        share=share,
        dated=terms.rarity[dates:] @ evidence.own[dates:],
        likeness=like,
        speakers=np.array(asked.strong, np.uint64),
    )


def _candidates(shelf: Shelf, looked: Looked, terms: Terms, asked: Asked) -> Ints:
    """Give the first stage's documents, ascending, without those that are known."""
    columns = shelf.columns
    weights = np.where(terms.weights > 0, terms.weights, _DATED * terms.rarity)
    docs, scores = looked.best(weights.astype(np.float32), columns, _LEXICAL)
    order = np.argsort(-scores, kind="stable")[:_WITH_NEIGHBOURS]
    beside = near(docs[order], columns)[REACH - _BESIDE : REACH + _BESIDE + 1]
    every = [docs, beside[beside >= 0]]
    if asked.meaning is not None:
        parts = _vectors(shelf, asked)
        every.append(neural.nearest(parts, asked.meaning.vector, _NEURAL)[0])
    found = distinct(np.concatenate(every))
    keep = ~columns["dead"][found]
    if asked.known:
        keep &= ~np.isin(columns["turn"][found], list(asked.known))
    kept: Ints = found[keep]
    return kept


def _vectors(shelf: Shelf, asked: Asked) -> list[VectorPart]:
    if asked.meaning is None:
        return []
    return [part.vectors for part in shelf.spaces.get(asked.meaning.space, ())]


def _best(
    found: Sequence[Found], table: Table, ranker: Ranker, limit: int
) -> list[Scored]:
    scores = ranker.scores(table)
    chunks = np.concatenate([one.columns["chunk"][one.docs] for one in found])
    shares = np.concatenate([one.share for one in found])
    helds = np.concatenate([one.evidence.held for one in found])
    contents = np.concatenate([one.columns["content"][one.docs] for one in found])
    dated = np.concatenate([one.dated for one in found])
    cosines = np.concatenate([one.likeness.cosine for one in found])
    # Of equals the newer.
    order = np.lexsort((-chunks, -scores))[:limit]
    return [
        Scored(
            chunk=int(chunks[row]),
            score=float(scores[row]),
            share=float(shares[row]),
            held=float(helds[row]),
            cosine=float(cosines[row]),
            dated=float(dated[row]),
            content=int(contents[row]),
            parts=parts,
        )
        for row, parts in zip(order.tolist(), ranker.parts(table, order), strict=True)
    ]
