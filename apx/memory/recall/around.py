"""Owns which documents stand around others: neighbours in a thread, blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from apx.memory.recall.columns import BLOCK, NOBODY

if TYPE_CHECKING:
    import numpy.typing as npt

    from apx.memory.recall.columns import Columns

    Ints = npt.NDArray[np.int32]

REACH: Final = 4


def near(docs: Ints, columns: Columns) -> Ints:
    """Give the neighbours of each document: int32 [2 * REACH + 1, n], -1 for none.

    Row `REACH` is the documents themselves, the rows before it what was said before.
    """
    rows = np.empty((2 * REACH + 1, len(docs)), np.int32)
    rows[REACH] = docs
    for step in range(REACH):
        rows[REACH - 1 - step] = _follow(columns["before"], rows[REACH - step])
        rows[REACH + 1 + step] = _follow(columns["after"], rows[REACH + step])
    return rows


def block_starts(docs: Ints, columns: Columns) -> Ints:
    """Give the first document of the block of each: int32 [n]."""
    place, before = columns["place"], columns["before"]
    starts = docs.copy()
    for _ in range(BLOCK - 1):
        previous = _follow(before, starts)
        inside = (previous != NOBODY) & (place[previous] < place[starts])
        if not inside.any():
            break
        starts = np.where(inside, previous, starts)
    return starts


def members(starts: Ints, columns: Columns) -> Ints:
    """Give the documents of blocks by their first ones: int32 [BLOCK, n], -1 fills."""
    # In this order: there is a place for whatever is followed to.
    after, place = columns["after"], columns["place"]
    rows = np.full((BLOCK, len(starts)), NOBODY, np.int32)
    rows[0] = starts
    for step in range(1, BLOCK):
        last = rows[step - 1]
        following = _follow(after, last)
        inside = (following != NOBODY) & (place[following] > place[last])
        if not inside.any():
            break
        rows[step] = np.where(inside, following, NOBODY)
    return rows


def _follow(links: Ints, docs: Ints) -> Ints:
    """Go one step along links; there is no way from nobody, nor to who came since."""
    followed = links.take(docs)
    followed[(docs == NOBODY) | (followed >= len(links))] = NOBODY
    return followed
