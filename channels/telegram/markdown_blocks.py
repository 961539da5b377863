"""The blocks of a text on their page: paragraphs, lists, quotes, code, tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from channels.telegram import markdown_inline
from channels.telegram.markdown_page import Page
from channels.telegram.markdown_tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markdown_it.token import Token

_RULE: Final = "─" * 12
_BULLET: Final = "• "
_BOXES: Final = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}
# Alone beside the fence, or before settings such as `title="x"` and `{1,3}`.
_LANGUAGE: Final = re.compile(r"\s*([A-Za-z0-9+#._-]{1,32})(?:\s*$|\s+\S*[={])")
# Telegram makes one space of a tab, and code would lose its shape.
_TAB: Final = 4
_CONTAINERS: Final = frozenset({"blockquote", "list_item", "ordered_list"})


def written(tokens: Iterable[Token]) -> Page:
    """Write all blocks on a page."""
    writer = _Writer()
    for token in _numbered(list(tokens)):
        writer.take(token)
    return writer.page


def _numbered(tokens: list[Token]) -> list[Token]:
    """Count the items of a list that says `1.` at each; others say their numbers."""
    lists: list[list[Token]] = []
    for token in tokens:
        if token.type == "ordered_list_open":
            lists.append([])
        elif token.type == "list_item_open" and token.info:
            lists[-1].append(token)
        elif token.type == "ordered_list_close":
            items = lists.pop()
            if all(item.info == "1" for item in items):
                for number, item in enumerate(items, 1):
                    item.info = str(number)
    return tokens


def language(info: str) -> str:
    """Give the language that a code block names, empty if it names none."""
    named = _LANGUAGE.match(info)
    return named[1] if named else ""


@dataclass(slots=True)
class _Outside:
    """What is to be restored when a quote, a list or an item ends."""

    prefix: str
    start: int = -1


class _Writer:
    """Writes tokens one after the other; its stack is how deep it is."""

    def __init__(self) -> None:
        self.page = Page()
        self._stack: list[_Outside] = []
        self._quotes = 0
        self._heading = -1
        self._last_line = 0
        self._table: Table | None = None

    def take(self, token: Token) -> None:
        """Write the next token."""
        if self._table is not None and token.type != "table_close":
            self._table.take(token)
            return
        self._keep_distance(token)
        kind, _, side = token.type.rpartition("_")
        if kind in _CONTAINERS and side == "open":
            self._enter(kind, token)
        elif kind in _CONTAINERS:
            self._leave(kind)
        elif kind == "bullet_list":
            pass
        else:
            self._take_leaf(token)

    def _keep_distance(self, token: Token) -> None:
        """Have an empty line where the source has one."""
        if token.map is None or token.type not in _LEAVES:
            return
        self.page.gap(1 if token.map[0] <= self._last_line else 2)
        self._last_line = token.map[1]

    def _enter(self, kind: str, token: Token) -> None:
        page = self.page
        outside = _Outside(page.prefix)
        self._stack.append(outside)
        if kind == "list_item":
            self._enter_item(token)
        elif kind == "blockquote":
            self._enter_quote(outside)

    def _enter_item(self, token: Token) -> None:
        page = self.page
        marker = f"{token.info}{token.markup} " if token.info else _BULLET
        page.gap(0 if page.lead else 1)
        page.lead = (page.lead or page.prefix) + marker
        page.prefix += " " * min(len(marker), 3)

    def _enter_quote(self, outside: _Outside) -> None:
        """Begin a quote; Telegram has none in a quote, so that one gets its marks."""
        page = self.page
        if page.lead:
            page.begin()
        page.gap(1)
        page.prefix = f"{page.prefix}> " if self._quotes else ""
        self._quotes += 1
        outside.start = page.size

    def _leave(self, kind: str) -> None:
        page, outside = self.page, self._stack.pop()
        if kind == "list_item" and page.lead:
            page.begin()
        elif kind == "blockquote":
            self._quotes -= 1
            if not self._quotes:
                page.mark("blockquote", outside.start)
        page.gap(1)
        page.prefix = outside.prefix

    def _take_leaf(self, token: Token) -> None:
        if token.type == "inline":
            self._box(token)
            markdown_inline.write(self.page, token.children or ())
        elif token.type in {"fence", "code_block"}:
            self._code(token)
        elif token.type == "hr":
            self.page.write(_RULE)
        elif token.type in {"heading_open", "heading_close"}:
            self._head(token)
        elif token.type == "table_open":
            self._table = Table()
        elif token.type == "table_close" and self._table is not None:
            self._table.write(self.page)
            self._table = None

    def _head(self, token: Token) -> None:
        if token.nesting > 0:
            self._heading = self.page.begin()
        else:
            self.page.mark("bold", self._heading)

    def _box(self, token: Token) -> None:
        """Draw the box of a task in the place of its bullet."""
        first = token.children[0] if token.children else None
        if not self.page.lead or first is None or first.type != "text":
            return
        box = _BOXES.get(first.content[:4])
        if box is not None:
            self.page.lead = self.page.lead.removesuffix(_BULLET) + box
            first.content = first.content[4:]

    def _code(self, token: Token) -> None:
        code = token.content.expandtabs(_TAB)
        named = language(token.info)
        if not code.strip():
            self.page.write(f"{token.markup}{token.info}")
            return
        # What else stands beside the fence: a file's name, or code in a wrong place.
        self.page.write(token.info.strip().removeprefix(named).strip())
        self.page.gap(1)
        self.page.write_block(code, "pre", named)


_LEAVES: Final = frozenset(
    {"paragraph_open", "heading_open", "fence", "code_block", "hr", "table_open"}
)
