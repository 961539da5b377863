"""The blocks of a text, line by line: what Discord lacks in words that it has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from channels.discord.markdown_fences import (
    closes,
    dedented,
    disarmed,
    opening,
)
from channels.discord.markdown_inline import inline
from channels.discord.markdown_tables import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from channels.discord.markdown_fences import Opening

_RULE: Final = "─" * 12
_QUOTE: Final = re.compile(r"[ ]{0,3}>[ ]?(.*)")
# Below, marks are text like any other.
_DEEPEST: Final = 8
_HEADING: Final = re.compile(r"[ ]{0,3}(#{1,6})[ \t]+(.*)")
_CLOSING: Final = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_HEADINGS: Final = 3
_LINE: Final = re.compile(
    r"[ ]{0,3}(?:(?:-[ \t]*){3,}+|(?:_[ \t]*){3,}+|(?:\*[ \t]*){3,}+)"
)
_UNDERLINE: Final = re.compile(r"[ ]{0,3}(?:={3,}+|-{3,}+)[ \t]*")
_ITEM: Final = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)(.*)")
_BOX: Final = re.compile(r"\[([ xX])\](?=[ \t])")
_CODE: Final = re.compile("(`+)[^`]+\\1")


def written(lines: Sequence[str], depth: int = 0) -> list[str]:
    """Write all lines for Discord."""
    writer = _Writer(lines, depth)
    while writer.take():
        pass
    return writer.written


class _Writer:
    """Goes through the lines of one quote, or of what is outside of any."""

    def __init__(self, lines: Sequence[str], depth: int) -> None:
        self.written: list[str] = []
        self._lines = lines
        self._depth = depth
        self._at = 0
        self._paragraph: list[str] = []

    def take(self) -> bool:
        """Write what comes next; false at the end."""
        if self._at >= len(self._lines):
            self._end_paragraph()
            return False
        line = self._lines[self._at]
        if not (self._take_code(line) or self._take_block(line)):
            if _ITEM.fullmatch(line):
                self._end_paragraph()
                line = _item(line)
            self._paragraph.append(line)
            self._at += 1
        return True

    def _take_code(self, line: str) -> bool:
        begun = opening(line)
        if begun is None:
            return False
        self._end_paragraph()
        first = last = self._at + 1
        while last < len(self._lines) and not closes(self._lines[last], begun):
            last += 1
        self._at = min(last + 1, len(self._lines))
        self.written += _code(begun, self._lines[first:last])
        return True

    def _take_block(self, line: str) -> bool:
        if not line.strip():
            self._put([""])
        elif self._depth < _DEEPEST and _QUOTE.fullmatch(line):
            self._take_quote()
        elif found := table(self._lines, self._at):
            self._put(found.written(), found.lines)
        elif _UNDERLINE.fullmatch(line) and self._is_title():
            title = self._paragraph.pop().strip()
            self._put([f"{'#' if '=' in line else '##'} {inline(title)}"])
        elif _LINE.fullmatch(line):
            self._put([_RULE])
        elif (heading := _HEADING.fullmatch(line)) and heading[2].strip():
            self._put([_heading(len(heading[1]), heading[2])])
        else:
            return False
        return True

    def _is_title(self) -> bool:
        """Whether the paragraph so far is what dashes below it make a heading."""
        if len(self._paragraph) != 1:
            return False
        return _ITEM.fullmatch(self._paragraph[0]) is None

    def _take_quote(self) -> None:
        inner: list[str] = []
        for at in range(self._at, len(self._lines)):
            found = _QUOTE.fullmatch(self._lines[at])
            if found is None:
                break
            inner.append(found[1])
        lines = [f"> {line}" for line in written(inner, self._depth + 1)]
        self._put(lines, len(inner))

    def _put(self, lines: list[str], taken: int = 1) -> None:
        self._end_paragraph()
        self.written += lines
        self._at += taken

    def _end_paragraph(self) -> None:
        if self._paragraph:
            self.written += inline("\n".join(self._paragraph)).split("\n")
            self._paragraph = []


def _item(line: str) -> str:
    """Write an item with a bullet that Discord knows, and a box where it has one."""
    found = _ITEM.fullmatch(line)
    if found is None:
        return line
    space, bullet, gap, words = found.groups()
    box = _BOX.sub(lambda one: "☐" if one[1] == " " else "☑", words[:4])
    return f"{space}{'-' if bullet == '+' else bullet}{gap}{box}{words[4:]}"


def _heading(level: int, source: str) -> str:
    words = inline(_CLOSING.sub("", source).strip() or source.strip())
    if level <= _HEADINGS:
        return f"{'#' * level} {words}"
    bare = words if _CODE.search(words) else words.replace("**", "")
    return bare if "**" in bare or not bare.strip() else f"**{bare}**"


def _code(begun: Opening, lines: Sequence[str]) -> list[str]:
    """Write code as Discord reads it, which knows one kind of fence."""
    beside = inline(begun.beside)
    if not "".join(lines).strip():
        bare = begun.mark.replace("`", "\\`").replace("~", "\\~")
        return [f"{begun.lead}{bare}{inline(begun.info)}", *lines]
    code = [disarmed(dedented(line, begun.shift)) for line in lines]
    fence = f"{'' if beside else begun.marker}```{begun.language}"
    above = [f"{begun.marker}{beside}"] if beside else []
    return [*above, fence, *code, "```"]
