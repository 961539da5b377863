"""Tables: in columns where there is room for them, else row by row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from channels.discord.markdown_fences import disarmed
from channels.discord.markdown_inline import inline
from channels.shared.columns import columns

if TYPE_CHECKING:
    from collections.abc import Sequence

# A code block wider than this breaks its lines also in a window.
_COLUMNS: Final = 60
# Of `a`, line by line, below a wide head there would be thousands of empty cells.
_MISSING: Final = 500
_RULE: Final = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_COLUMN: Final = re.compile(r"(?<!\\)\|")
_ENCLOSING: Final = re.compile(r"^\||(?<!\\)\|$")
_LOOKS: Final = re.compile(r"(`+)([^`]+)\1|\*\*|~~|\\([*_`~|<])")
_LINK: Final = re.compile(r"\]\(|https?://")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the names of the columns first; it was written in `lines`."""

    rows: tuple[tuple[str, ...], ...]
    sides: tuple[str, ...]
    lines: int

    def written(self) -> list[str]:
        """Give its lines for Discord, which has no tables."""
        if not any(_LINK.search(cell) for row in self.rows for cell in row):
            bare = [[_bare(cell) for cell in row] for row in self.rows]
            if (aligned := columns(bare, self.sides, _COLUMNS)) is not None:
                return ["```", *map(disarmed, aligned), "```"]
        return [line for row in self._points() for line in row]

    def _points(self) -> Sequence[list[str]]:
        if not self.rows[1:]:
            return [["- " + " - ".join(map(inline, filter(None, self.rows[0])))]]
        names = [inline(name) for name in self.rows[0]]
        return [_point(names, row) for row in self.rows[1:]]


def table(lines: Sequence[str], at: int) -> Table | None:
    """Read the table that begins at a line; none if none does."""
    if at + 1 >= len(lines) or "|" not in lines[at] or "|" not in lines[at + 1]:
        return None
    if _RULE.fullmatch(lines[at + 1]) is None:
        return None
    head, rule = _cells(lines[at]), _cells(lines[at + 1])
    if len(head) != len(rule):
        return None
    rows, missing = [head], 0
    for place in range(at + 2, len(lines)):
        if "|" not in lines[place]:
            break
        row = _cells(lines[place])
        missing += len(head) - len(row)
        if len(row) > len(head) or missing > _MISSING:
            return None
        rows.append((*row, *("" for _ in range(len(head) - len(row)))))
    return Table(tuple(rows), tuple(map(_side, rule)), len(rows) + 1)


def _cells(line: str) -> tuple[str, ...]:
    bare = _ENCLOSING.sub("", line.strip())
    return tuple(
        cell.strip().replace("\\|", "|" if "`" in cell else "\\|")
        for cell in _COLUMN.split(bare)
    )


def _side(rule: str) -> str:
    if rule.endswith(":"):
        return "center" if rule.startswith(":") else "right"
    return ""


def _bare(cell: str) -> str:
    """Give the words of a cell: in a code block no mark has a meaning."""
    return _LOOKS.sub(lambda found: found[2] or found[3] or "", cell)


def _point(names: list[str], row: Sequence[str]) -> list[str]:
    lines: list[str] = []
    for number, (name, cell) in enumerate(zip(names, row, strict=True)):
        if not cell:
            continue
        words = inline(cell)
        if not number and not set(words) & set("*`["):
            words = f"**{words}**"
        label = f"{name}: " if name else ""
        lines.append(f"{'  ' if lines else '- '}{label}{words}")
    return lines
