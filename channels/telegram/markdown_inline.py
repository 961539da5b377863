"""The inside of a line: emphasis, code, links and spoilers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from apx.domain.text import clean, flatten
from channels.telegram.markdown_links import is_link
from channels.telegram.markdown_parser import readable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markdown_it.token import Token

    from channels.telegram.markdown_page import Page

_KINDS: Final = {
    "strong": "bold",
    "em": "italic",
    "s": "strikethrough",
    "spoiler": "spoiler",
}
# Telegram takes no code in these, and what is hidden or leads somewhere counts more.
_WITHOUT_CODE: Final = frozenset({"link", "spoiler"})


class _Open(NamedTuple):
    """Something that has begun and will end."""

    type: str
    start: int
    pieces: int
    address: str = ""


def write(page: Page, tokens: Iterable[Token]) -> None:
    """Write the inside of a paragraph, a heading or a cell."""
    writer = _Writer(page)
    for token in tokens:
        writer.take(token)


def texts(tokens: Iterable[Token]) -> str:
    """Give the words of a line without any of its looks."""
    return "".join(_BREAKS.get(token.type, token.content) for token in tokens)


_BREAKS: Final = {"softbreak": " ", "hardbreak": " "}


class _Writer:
    """Writes tokens one after the other, however deeply they are nested."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._open: list[_Open] = []
        self._without_code = 0

    def take(self, token: Token) -> None:
        """Write the next token."""
        if token.type == "image":
            self._image(token)
        elif token.type in _BREAKS:
            self._page.gap(1)
        elif token.nesting > 0:
            self._begin(token.type.removesuffix("_open"), str(token.attrGet("href")))
        elif token.nesting < 0:
            self._end()
        elif token.type == "code_inline" and not self._without_code:
            start = self._page.begin()
            self._page.write(token.content)
            self._page.mark("code", start)
        else:
            self._page.write(token.content)

    def _begin(self, kind: str, address: str) -> None:
        start = self._page.begin()
        self._open.append(_Open(kind, start, self._page.pieces, address))
        self._without_code += kind in _WITHOUT_CODE

    def _end(self) -> None:
        ended = self._open.pop()
        self._without_code -= ended.type in _WITHOUT_CODE
        if ended.type == "link":
            self._end_link(ended)
        else:
            self._page.mark(_KINDS[ended.type], ended.start)

    def _end_link(self, link: _Open) -> None:
        """Let a label lead to its address; one that cannot stands beside it."""
        page, shown = self._page, flatten(clean(readable(link.address)))
        label = page.since(link.pieces).strip()
        if not label:
            page.write(shown)
        inside = any(other.type == "link" for other in self._open)
        if is_link(link.address) and not inside:
            page.mark("text_link", link.start, link.address)
        elif label and shown and not inside:
            bare = shown.removeprefix("mailto:")
            page.write("" if label in {shown, bare} else f" ({bare})")

    def _image(self, token: Token) -> None:
        """Show an image as a link: a message of text has no other place for it."""
        self._begin("link", str(token.attrGet("src")))
        for child in token.children or ():
            self.take(child)
        self._end()
