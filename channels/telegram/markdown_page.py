"""The page that Markdown is written on: text that grows, and spans over it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, NamedTuple

_EMPTY_LINES: Final = re.compile(r"(?:[^\S\n]*\n)+")


class Span(NamedTuple):
    """What a stretch of the page is; counted in code points."""

    kind: str
    start: int
    end: int
    url: str = ""
    language: str = ""

    def over(self, start: int, end: int) -> Span:
        """Give the same thing over another stretch."""
        return Span(self.kind, start, end, self.url, self.language)


@dataclass(slots=True)
class Page:
    """Text line by line, each with what stands before it.

    `prefix` stands before every line; `lead`, once, in its place: a bullet.
    """

    prefix: str = ""
    lead: str = ""
    size: int = 0
    spans: list[Span] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)
    _gap: int = 1

    def gap(self, lines: int) -> None:
        """Let what comes next begin a line, with `lines - 1` empty ones before it."""
        self._gap = max(self._gap, lines)

    def begin(self) -> int:
        """Write what stands before the next text, and say where that begins."""
        if self._gap:
            self._add("\n" * self._gap if self.size else "")
            self._add(self.lead or self.prefix)
        elif self.lead:
            self._add(self.lead)
        self._gap, self.lead = 0, ""
        return self.size

    def write(self, text: str) -> None:
        """Go on in the line."""
        if text:
            self.begin()
            self._add(text)

    def write_block(self, text: str, kind: str, language: str = "") -> None:
        """Write lines as they are, but none that is empty at either end."""
        if self.lead:
            self.begin()
            self.gap(1)
        prefix, self.prefix = self.prefix, ""
        empty = _EMPTY_LINES.match(text)
        start = self.begin()
        self._add(text[empty.end() if empty else 0 :].rstrip())
        self.prefix = prefix
        self.mark(kind, start, language=language)

    def mark(self, kind: str, start: int, url: str = "", language: str = "") -> None:
        """Say what all is that was written since `start`."""
        if start < self.size:
            self.spans.append(Span(kind, start, self.size, url, language))

    @property
    def pieces(self) -> int:
        """How many pieces were written; remember it to ask for `since`."""
        return len(self._pieces)

    def since(self, pieces: int) -> str:
        """Give what was written after that many pieces."""
        return "".join(self._pieces[pieces:])

    def _add(self, text: str) -> None:
        if text:
            self._pieces.append(text)
            self.size += len(text)
