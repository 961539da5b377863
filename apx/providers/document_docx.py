"""Owns the reading of Word documents, without a library; runs in the child.

What is read is three kinds of tags. The libraries for it load a document as a whole,
through an XML parser of 12 MB that knows entities.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.parsers import expat

from apx.providers.document_note import Ended

if TYPE_CHECKING:
    from collections.abc import Iterator
    from zipfile import ZipFile

# Most are called `document.xml`; what Word writes in a browser may have a number.
_MAIN: Final = re.compile(r"word/document\d*\.xml")
_NOTES: Final = ("word/footnotes.xml", "word/endnotes.xml")
_WORDS: Final = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
# The same once more, for programs that do not know the newer form of it.
_AGAIN: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_BREAKS: Final = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_ENDS: Final = {"p": "\n", "tc": "\t", "tr": "\n"}
_CHUNK: Final = 64 * 1024
# Of XML: some hundred times what is kept of its text.
_MOST: Final = 64 * 1024 * 1024


def main_part(archive: ZipFile) -> str:
    """Name the part that holds the text; nothing where it is no Word document."""
    return next(filter(_MAIN.fullmatch, archive.namelist()), "")


def pieces(archive: ZipFile) -> Iterator[str]:
    """Give the text of a document in pieces, then its footnotes and endnotes."""
    left = _MOST
    there = set(archive.namelist())
    for name in (main_part(archive), *(name for name in _NOTES if name in there)):
        reading = _Reading()
        with archive.open(name) as part:
            while data := part.read(_CHUNK):
                left -= len(data)
                if left < 0:
                    raise Ended("there is too much in it for me")
                yield reading.take(data)
        yield reading.take(b"", is_last=True)


class _Reading:
    """Takes XML piece by piece, and gives the text that is in it."""

    def __init__(self) -> None:
        self._found: list[str] = []
        self._is_text = False
        self._again = self._runs = self._cells = 0
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._begin
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._hear
        self._parser.EntityDeclHandler = _refuse

    def take(self, data: bytes, *, is_last: bool = False) -> str:
        self._parser.Parse(data, is_last)
        text = "".join(self._found)
        self._found.clear()
        return text

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        del attributes
        self._count(tag, 1)
        name = _word(tag)
        self._is_text = name == "t"
        # Outside a run of text, a tab is where one would stop.
        if name in _BREAKS and self._runs:
            self._add(_BREAKS[name])

    def _end(self, tag: str) -> None:
        self._count(tag, -1)
        name = _word(tag)
        self._is_text = False
        if name in _ENDS:
            self._add(" " if name == "p" and self._cells else _ENDS[name])

    def _count(self, tag: str, step: int) -> None:
        name = _word(tag)
        self._again += step * (tag == _AGAIN)
        self._runs += step * (name == "r")
        self._cells += step * (name == "tc")

    def _hear(self, text: str) -> None:
        if self._is_text:
            self._add(text)

    def _add(self, text: str) -> None:
        if not self._again:
            self._found.append(text)


def _word(tag: str) -> str:
    space, _, name = tag.partition(" ")
    return name if space in _WORDS else ""


def _refuse(*_: object) -> None:
    """Stop at an entity: no Word document has any, and a bomb is made of them."""
    raise Ended("it is no proper Word document")
