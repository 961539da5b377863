"""Seams: the places between words where a text may be cut, and how good each is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

# Space, or nothing behind a stop of Chinese and Japanese, which have no spaces.
GAP: Final = re.compile("\\s+|(?<=[。\uff01\uff1f])(?=\\S)")
_SENTENCE_ENDS: Final = re.compile("[.!?…。\uff01\uff1f][\"')\\]»”]?$")


class Rank(IntEnum):
    """How good a place is; the smaller the better."""

    PARAGRAPH = 0
    LINE = 1
    CODE_LINE = 2
    SENTENCE = 3
    WORD = 4
    POOR = 5


@dataclass(frozen=True, slots=True)
class Seam:
    """Where a chunk ends and the next begins; what lies between is space."""

    end: int
    start: int


def rank(text: str, gap: Seam) -> Rank:
    """Say how good a place in prose is, by its line ends and the stop before it."""
    lines = text.count("\n", gap.end, gap.start)
    if lines:
        return Rank.LINE if lines == 1 else Rank.PARAGRAPH
    before = text[max(gap.end - 2, 0) : gap.end]
    return Rank.SENTENCE if _SENTENCE_ENDS.search(before) else Rank.WORD


def code_rank(text: str, gap: Seam) -> Rank:
    """Say how good a place in code is: an empty line is best."""
    lines = text.count("\n", gap.end, gap.start)
    if lines:
        return Rank.CODE_LINE if lines == 1 else Rank.LINE
    return Rank.WORD
