"""The part of a long text that is shown for a query."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from apx.domain.text import excerpt, terms

if TYPE_CHECKING:
    from collections.abc import Mapping

# How much of a memory is shown, in characters.
EXCERPT: Final = 160
# Scripts without spaces are looked at in pieces of so many characters.
_PIECE: Final = 40
_TOKEN: Final = re.compile(rf"\S{{1,{_PIECE}}}")
# What stands before the first match helps to understand it.
_BEFORE: Final = 40


def focus(text: str, weights: Mapping[str, float], limit: int = EXCERPT) -> str:
    """Give at most `limit` characters on one line: the stretch that weighs most.

    It begins with the text itself where that holds as much of the query.
    """
    found = [
        (token.start(), matched)
        for token in _TOKEN.finditer(text)
        if (matched := weights.keys() & set(terms(token[0])))
    ]
    if len(text) <= limit or not found:
        return excerpt(text, limit)
    before = min(_BEFORE, limit // 4)
    width = max(limit - _PIECE, limit // 2)
    starts = [0, *(max(place - before, 0) for place, _ in found)]

    def weight(start: int) -> float:
        inside = [m for place, m in found if start <= place < start + width]
        return sum(weights[word] for word in set().union(*inside))

    best = max(starts, key=weight)
    if best == 0:
        return excerpt(text, limit)
    begin = best + len(text[best:].partition(" ")[0]) if " " in text[best:] else best
    begin = begin if begin - best <= before else best
    return "…" + excerpt(text[begin:], limit - 1)
