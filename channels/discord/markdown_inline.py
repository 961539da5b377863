"""The inside of a paragraph: what Discord would read otherwise than it was meant."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from typing import Final

_TOKEN: Final = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<wrapped>\\\n)"
    r"|(?P<ticks>`++)"
    r"|(?P<image>!\[(?:(?!```)[^\[\]\n])*\]\([^\s()`]*(?:\([^\s()`]*\)[^\s()`]*)*"
    r"(?:[ ]+\"[^\"\n`]*\")?\))"
    r"|(?P<link>\[(?:(?!```)[^\[\]\n])*\]\([^\s()`]*(?:\([^\s()`]*\)[^\s()`]*)*"
    r"(?:[ ]+\"[^\"\n`]*\")?\))"
    r"|(?P<angle><[^<>\s`]+>)"
    r"|(?P<address>https?://[^\s<>`]+)"
    r"|(?P<stars>\*++)"
    r"|(?P<bars>\|\|++)"
)
_IMAGE: Final = re.compile(r"!\[(.*)\]\((\S*?)(?:[ ]+\"(.*)\")?\)")
_TICKS: Final = re.compile("`+")
_TWO: Final = re.compile("(?<!`)``(?!`)")
# A backslash before these is there to take a meaning away; before any other mark it
# is part of a path, a pattern or a formula, and Discord would swallow it.
_MARKS: Final = "*_`~|<@:"
_STARTS: Final = "#>+-"
_LINK: Final = re.compile(r"\\\[[^\[\]\n]{0,200}\]\(")


def inline(text: str) -> str:
    """Write the inside of a paragraph as Discord is to read it."""
    return _Writer(text).written()


class _Writer:
    """Goes through a paragraph once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ticks: dict[int, list[int]] = defaultdict(list)
        for run in _TICKS.finditer(text):
            self._ticks[len(run[0])].append(run.start())
        self._open: set[int] = set()

    def written(self) -> str:
        pieces, at = [], 0
        while found := _TOKEN.search(self._text, at):
            pieces.append(self._text[at : found.start()])
            written, at = self._token(found)
            pieces.append(written)
        return "".join([*pieces, self._text[at:]])

    def _token(self, found: re.Match[str]) -> tuple[str, int]:
        """Give what a token becomes, and where to go on."""
        end = found.end()
        match found.lastgroup:
            case "ticks":
                return self._code(found)
            case "escape":
                written = self._escape(found)
            case "wrapped":
                written = "\n"
            case "image":
                written = _image(found[0])
            case "stars" | "bars":
                written = self._run(found)
            case _:
                written = found[0]
        return written, end

    def _code(self, found: re.Match[str]) -> tuple[str, int]:
        """Write inline code, or backticks that are none as they are."""
        length = len(found[0])
        starts = self._ticks[length]
        place = bisect_right(starts, found.start())
        if place == len(starts):
            return "\\`" * length, found.end()
        last = starts[place]
        return _coded(self._text[found.end() : last]), last + length

    def _escape(self, found: re.Match[str]) -> str:
        text, at, mark = self._text, found.start(), found[0][1]
        if mark in _MARKS:
            return found[0]
        if mark == "[":
            is_meant = _LINK.match(text, at) is not None
        elif mark == "]":
            is_meant = text.startswith("(", at + 2)
        else:
            before = text[text.rfind("\n", 0, at) + 1 : at].strip()
            is_meant = (mark in _STARTS and not before) or (
                mark in ".)" and before.isdecimal() and len(before) < 10  # noqa: PLR2004 -- as Markdown counts
            )
        # Else the backslash itself is to be read.
        return found[0] if is_meant else f"\\\\{_literal(mark)}"

    def _run(self, found: re.Match[str]) -> str:
        """Take away the meaning of marks that were meant as they stand."""
        text, run = self._text, found[0]
        before = text[found.start() - 1 : found.start()] or " "
        after = text[found.end() : found.end() + 1] or " "
        is_inside = _is_word(before) and _is_word(after)
        if run[0] == "|":
            is_lost = before.isspace() and after.isspace()
            is_literal = is_inside or is_lost or len(run) > 2  # noqa: PLR2004 -- ||
        else:
            is_literal = is_inside and len(run) not in self._open
        if is_literal:
            return "".join(f"\\{mark}" for mark in run)
        if run[0] == "*":
            self._open ^= {len(run)}
        return run


def _coded(code: str) -> str:
    """Write inline code between marks that are not in it; never between three."""
    code = code.replace("\n", " ")
    lengths = {len(run) for run in _TICKS.findall(code)}
    for mark in ("`", "``"):
        if len(mark) not in lengths:
            return f"{mark}{code}{mark}"
    return "``" + _TWO.sub("`\u200b`", code) + "``"


def _image(source: str) -> str:
    """Write an image as a link: a message has no other place for it."""
    found = _IMAGE.fullmatch(source)
    if found is None or found[1].strip():
        return source[1:]
    return " ".join(filter(None, (found[2], found[3])))


def _literal(mark: str) -> str:
    return "\\\\" if mark == "\\" else mark


def _is_word(character: str) -> bool:
    return character.isascii() and character.isalnum()
