"""Owns what speaks for each candidate: its own words, and those around it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from apx.memory.recall import around
from apx.memory.recall.columns import NOBODY, Mark
from apx.memory.recall.lookup import K1, USUAL, B, distinct

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from apx.memory.recall.columns import Columns
    from apx.memory.recall.lookup import Looked

    Floats = npt.NDArray[np.float32]
    Ints = npt.NDArray[np.int32]

# Which neighbours make a window, by their distance: negative ones came before.
WINDOWS: Final[Mapping[str, tuple[int, ...]]] = {
    "single": (0,),
    "w2": (-2, -1, 0, 1, 2),
    "p1": (-1,),
    "p2": (-2, -1),
    "p4": (-4, -3, -2, -1),
}
# A turn alone is short anyhow; its length counts less than a window's.
_B_SINGLE: Final = 0.2
_ALL: Final = tuple(sorted({step for steps in WINDOWS.values() for step in steps}))
_BLOCK: Final = 15
_BEFORE: Final = around.REACH - 1


@dataclass(frozen=True, slots=True)
class Terms:
    """The question's terms, in order, and in how many of `size` documents each is.

    `rarity` is BM25's IDF. `weights` is what a term counts as part of the text: less
    for a weak one, nothing for a date.
    """

    weights: Floats
    rarity: Floats
    counts: npt.NDArray[np.int64]
    size: int

    @property
    def top(self) -> float:
        """The rarity of a term that no document holds."""
        return math.log1p(self.size / 0.5)


@dataclass(frozen=True, slots=True)
class Evidence:
    """BM25 of candidates, of the windows around them and of their blocks: [n] each.

    `own` says which terms it holds: bool [terms, n].
    `answers` is 1 where what was said just before is a question, else 0. `held` is how
    much of the question's weight it holds, 0 to 1, together with what it answers.
    """

    near: Ints
    own: npt.NDArray[np.bool_]
    windows: Mapping[str, Floats]
    block: Floats
    answers: Floats
    held: Floats


def gather(docs: Ints, looked: Looked, terms: Terms, columns: Columns) -> Evidence:
    """Read what the postings say of candidates and of what stands around them."""
    near = around.near(docs, columns)
    start_of = around.block_starts(docs, columns)
    starts = distinct(start_of)
    blocks = around.members(starts, columns)
    every = distinct(np.concatenate([near.ravel(), blocks.ravel()]))
    every = every[every >= 0]
    counts = looked.frequencies(every, len(terms.weights)).astype(np.float32)
    lengths = columns["length"][every].astype(np.float32)
    # A last row of nothing, for neighbours that are not there. Rows are documents, so
    # that what is read of one lies together.
    table = _Table(
        np.pad(counts.T, ((0, 1), (0, 0))), np.append(lengths, np.float32(0))
    )
    near_at, blocks_at = _places(near, every), _places(blocks, every)
    windows = _windows(table, near_at, terms.weights)
    block = _blocks(table, blocks_at, terms.weights)
    answers = _asks(near[_BEFORE], columns)
    asked = np.where(answers, near_at[_BEFORE], len(every))
    held = _held(table, np.stack([near_at[around.REACH], asked]), terms)
    return Evidence(
        near=near,
        own=table.counts[near_at[around.REACH]].T > 0,
        windows=windows,
        block=block[np.searchsorted(starts, start_of)],
        answers=answers.astype(np.float32),
        held=held,
    )


@dataclass(frozen=True, slots=True)
class _Table:
    counts: Floats  # [documents + 1, terms]
    lengths: Floats  # [documents + 1]


def _places(docs: Ints, every: Ints) -> npt.NDArray[np.intp]:
    return np.where(docs < 0, len(every), np.searchsorted(every, docs))


def _windows(
    table: _Table, near_at: npt.NDArray[np.intp], weights: Floats
) -> dict[str, Floats]:
    """Score each window as if it were one document."""
    counts = {step: table.counts.take(near_at[around.REACH + step], 0) for step in _ALL}
    lengths = {step: table.lengths[near_at[around.REACH + step]] for step in _ALL}
    return {
        name: _bm25(
            sum((counts[step] for step in steps[1:]), counts[steps[0]]),
            sum((lengths[step] for step in steps[1:]), lengths[steps[0]]),
            weights,
            _Shape(len(steps), _B_SINGLE if len(steps) == 1 else B),
        )
        for name, steps in WINDOWS.items()
    }


def _blocks(table: _Table, members: npt.NDArray[np.intp], weights: Floats) -> Floats:
    """Score blocks as if each were one document: `members` is [BLOCK, blocks]."""
    if not members.shape[1]:
        return np.empty(0, np.float32)
    inside = len(table.lengths) - 1 > members.T
    docs = members.T[inside]
    firsts = np.concatenate(([0], np.cumsum(inside.sum(axis=1))[:-1]))
    counts = np.add.reduceat(table.counts.take(docs, 0), firsts, axis=0)
    lengths = np.add.reduceat(table.lengths[docs], firsts)
    return _bm25(counts, lengths, weights, _Shape(_BLOCK, B))


@dataclass(frozen=True, slots=True)
class _Shape:
    """How many documents a window usually has, and how much its length counts."""

    width: int
    b: float


def _bm25(counts: Floats, lengths: Floats, weights: Floats, shape: _Shape) -> Floats:
    """Score what holds terms so often, and is so long: [n, terms], [n] -> [n]."""
    norm = lengths * np.float32(K1 * shape.b / (USUAL * shape.width))
    norm += np.float32(K1 * (1 - shape.b))
    worth = counts / (counts + norm[:, None])
    scores: Floats = worth @ (weights * np.float32(K1 + 1))
    return scores


def _asks(docs: Ints, columns: Columns) -> npt.NDArray[np.bool_]:
    marks = columns["marks"][docs]
    asks: npt.NDArray[np.bool_] = ((marks & Mark.ASKS) > 0) & (docs != NOBODY)
    return asks


def _held(table: _Table, members: npt.NDArray[np.intp], terms: Terms) -> Floats:
    counts = table.counts.take(members[0], 0) + table.counts.take(members[1], 0)
    held: Floats = (counts > 0) @ terms.weights / np.float32(terms.weights.sum() or 1)
    return held
