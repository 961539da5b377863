"""Columns: the cells of a table as lines of a font whose letters are equally wide."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from wcwidth import width

if TYPE_CHECKING:
    from collections.abc import Sequence

_BETWEEN: Final = "  "


def columns(
    rows: Sequence[Sequence[str]], sides: Sequence[str], most: int
) -> list[str] | None:
    """Align the cells below each other, the first row as a head.

    `sides` has `left`, `right`, `center` or nothing for each column. Gives None where
    a line would be wider than `most`.
    """
    wide = [max(map(width, column)) for column in zip_longest(*rows, fillvalue="")]
    if sum(wide) + len(_BETWEEN) * (len(wide) - 1) > most:
        return None
    lines = [_line(row, wide, sides) for row in rows]
    rule = _BETWEEN.join("─" * max(one, 1) for one in wide)
    return [lines[0], rule, *lines[1:]]


def _line(words: Sequence[str], widths: list[int], sides: Sequence[str]) -> str:
    cells = []
    for word, wide, side in zip(words, widths, sides, strict=False):
        room = wide - width(word)
        left = {"right": room, "center": room // 2}.get(side, 0)
        cells.append(" " * left + word + " " * (room - left))
    return _BETWEEN.join(cells).rstrip()
