"""Tables: in columns where a telephone has room for them, else row by row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from channels.shared.columns import columns
from channels.telegram import markdown_inline

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markdown_it.token import Token

    from channels.telegram.markdown_page import Page

# What a telephone shows of a code block before it breaks lines.
_COLUMNS: Final = 44


@dataclass(slots=True)
class Cell:
    """What stands in a cell, and on which side."""

    tokens: list[Token]
    side: str

    @property
    def text(self) -> str:
        """Its words alone."""
        return markdown_inline.texts(self.tokens)


@dataclass(slots=True)
class Table:
    """The rows of a table; the first has the names of its columns."""

    rows: list[list[Cell]] = field(default_factory=list)

    def take(self, token: Token) -> None:
        """Take a token from inside the table."""
        if token.type == "tr_open":
            self.rows.append([])
        elif token.type in {"th_open", "td_open"}:
            style = str(token.attrGet("style") or "")
            self.rows[-1].append(Cell([], style.removeprefix("text-align:")))
        elif token.type == "inline":
            self.rows[-1][-1].tokens = token.children or []

    def write(self, page: Page) -> None:
        """Write all rows, in columns if they fit."""
        lines = _in_columns(self.rows)
        if lines is None:
            _write_rows(page, self.rows)
        elif lines:
            page.write_block("\n".join(lines), "pre")


def _in_columns(rows: list[list[Cell]]) -> list[str] | None:
    """Align the cells, or give nothing if that is too wide or would hide a link."""
    if any(_has_link(cell.tokens) for row in rows for cell in row):
        return None
    words = [[cell.text for cell in row] for row in rows]
    return columns(words, [cell.side for cell in rows[0]], _COLUMNS)


def _has_link(tokens: Iterable[Token]) -> bool:
    return any(token.type in {"link_open", "image"} for token in tokens)


def _write_rows(page: Page, rows: list[list[Cell]]) -> None:
    """Write each row as a point, with the names of its columns."""
    nameless = [Cell([], "")] * len(rows[0])
    prefix = page.prefix
    for row in _told(rows):
        names = nameless if row is rows[0] else rows[0]
        page.gap(1)
        page.lead, page.prefix = page.lead + prefix + "• ", prefix + "  "
        for index, (name, cell) in enumerate(zip(names, row, strict=False)):
            _write_cell(page, name, cell, is_first=not index)
        page.prefix = prefix
    page.lead = ""


def _told(rows: list[list[Cell]]) -> list[list[Cell]]:
    """Leave the names out, unless one of them has nothing below it."""
    names, *below = rows
    for index, name in enumerate(names):
        column = (cell for row in below for cell in row[index : index + 1])
        if name.tokens and not any(cell.tokens for cell in column):
            return rows
    return below


def _write_cell(page: Page, name: Cell, cell: Cell, *, is_first: bool) -> None:
    if not cell.tokens:
        return
    if name.tokens:
        markdown_inline.write(page, name.tokens)
        page.write(": ")
    start = page.begin()
    markdown_inline.write(page, cell.tokens)
    if is_first:
        page.mark("bold", start)
    page.gap(1)
