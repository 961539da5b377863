"""The fences of a whole text, also in quotes and lists, as stretches of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from channels.discord.markdown_fences import closes, dedented, opening
from channels.discord.splitting_spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from channels.discord.markdown_fences import Opening

# Nobody quotes deeper, and each part has to write it again.
_DEEPEST: Final = 8
_BEGIN: Final = re.compile(
    r"^(?P<quote>(?:[ \t]*+>)*+)(?P<line>[^\n`~]*+(?:`{3,}|~{3,})[^\n]*)$",
    re.MULTILINE,
)
_FAR: Final = ("    ", "\t", " \t", "  \t", "   \t")
_MARKS: Final = re.compile(r"(?:[ \t]*+>)++ ?")
_OUTSIDE: Final = re.compile(r"^(?![ \t]*>)", re.MULTILINE)
_END: Final = re.compile(r"^(?P<line>[ \t]*+(?:`{3,}+|~{3,}+)[ \t]*+)$", re.MULTILINE)
_QUOTED_END: Final = re.compile(
    r"^(?:[ \t]*+>)*+(?P<line>[ \t]*+(?:`{3,}+|~{3,}+)[ \t]*+)$", re.MULTILINE
)


class _Found(NamedTuple):
    """A fence and how it was written."""

    line: re.Match[str]
    begun: Opening
    span: Span
    is_closed: bool


def mended(text: str) -> str:
    """Close what is open, and leave nothing but languages beside fences.

    What else stands there becomes a line above: no part has room for it.
    """
    pieces, at = [], 0
    for fence in _found(text):
        line, begun, span = fence.line, fence.begun, fence.span
        if begun.beside:
            quote = line["quote"] + (" " if line["quote"] else "")
            pieces.append(text[at : line.start()])
            pieces.append(f"{quote}{begun.marker}{begun.beside}\n")
            pieces.append(f"{quote}{begun.mark}{begun.language}")
            at = line.end()
        if not fence.is_closed:
            pieces += [text[at : span.end], span.closed]
            at = span.end
        elif text[span.last + 1 : span.end].startswith(_FAR):
            # Below a fence that was opened again it would be code itself.
            pieces += [text[at : span.last], span.closed]
            at = span.end
    return "".join([*pieces, text[at:]])


def fences(text: str) -> Iterator[Span]:
    """Give all fences, in order."""
    return (fence.span for fence in _found(text))


def codes(text: str) -> Iterator[tuple[str, str]]:
    """Give the language and the code of all fences, in order."""
    for fence in _found(text):
        code = text[fence.span.first - 1 : fence.span.last]
        lines = code.split("\n")
        if fence.line["quote"]:
            lines = [_MARKS.sub("", line) for line in lines]
        shift = fence.begun.shift
        yield fence.begun.language, "\n".join(dedented(one, shift) for one in lines)


def _found(text: str) -> Iterator[_Found]:
    at = 0
    while line := _BEGIN.search(text, at):
        at = line.end()
        begun = opening(
            line["line"].removeprefix(" ") if line["quote"] else line["line"]
        )
        if begun is not None:
            fence = _fence(text, line, begun)
            yield fence
            at = max(fence.span.end, at)


def _fence(text: str, line: re.Match[str], begun: Opening) -> _Found:
    depth, body = line["quote"].count(">"), line.end() + 1
    limit = len(text)
    if depth and (outside := _OUTSIDE.search(text, body)):
        limit = max(outside.start() - 1, line.end())
    ends = (_QUOTED_END if depth else _END).finditer(text, min(body, limit), limit)
    found = next((end for end in ends if closes(end["line"], begun)), None)
    last, end = (found.start() - 1, found.end()) if found else (limit, limit)
    quote = "> " * min(depth, _DEEPEST)
    opened, closed = f"{quote}{begun.mark}{begun.language}\n", f"\n{quote}{begun.mark}"
    span = Span(line.start(), end, body + 1, last, opened, closed, is_code=True)
    return _Found(line, begun, span, found is not None)
