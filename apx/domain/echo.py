"""Takes out of a reply what a model only repeats: the blocks that it was shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from apx.domain.delimiters import CLOSERS, OPENERS, Mark, read
from apx.domain.untrusted import harmless

# No name of a mark is longer, with some spaces in it, and no rest of its head.
_NAME: Final = 48
_HEAD: Final = 160
_OPENER: Final = re.compile(f"[{re.escape(OPENERS)}]")
_EDGE: Final = re.compile(f"[\n{re.escape(OPENERS + CLOSERS)}]")
_BLANK_LINE: Final = re.compile(r"\n[ \t]*\n")
_POINT: Final = "\u2022"
# A mark is only mentioned where so many characters follow it on its line.
_LINE: Final = 400


def without_echo(reply: str) -> str:
    """Give a reply without the blocks that it repeats."""
    sieve = Sieve()
    return sieve.take(reply) + sieve.end()


class _Where(Enum):
    OUTSIDE = auto()
    BEHIND_HEAD = auto()
    INSIDE = auto()


@dataclass(frozen=True, slots=True)
class _Seen:
    mark: Mark
    closes: bool
    text: str


class Sieve:
    """Takes repeated blocks out of a reply while it grows.

    A block is what stands between two marks, where the first one ends its line or has
    a point of a list behind it, or where both are on one line. Any other mark is only
    mentioned, and its brackets become round. A block that never ends is taken out up
    to a blank line; `endless` names the marks of which this is known.
    """

    def __init__(self, endless: frozenset[Mark] = frozenset()) -> None:
        self._endless = endless
        self._where = _Where.OUTSIDE
        self._text = ""
        self._head: _Seen | None = None
        self._inside: list[str] = []
        self._skips = False

    def take(self, text: str) -> str:
        """Take a piece of a reply; give what can be shown by now.

        Of what stands outside a block only what may begin a mark is held back.
        """
        self._text += text
        shown: list[str] = []
        seen: _Seen | None = None
        while self._text:
            before, seen, self._text = _split(self._text)
            self._pass(before, shown)
            if seen is None:
                break
            self._see(seen, shown)
        return "".join(shown)

    def end(self) -> str:
        """Give what was held back, at the end of the reply."""
        shown: list[str] = []
        self._pass(self._text, shown)
        self._text = ""
        inside, head = "".join(self._inside), self._head
        if head is not None and self._where is _Where.INSIDE:
            # It was never closed. What is left after a paragraph is read once more.
            _, gap, rest = _parted(inside)
            again = Sieve(self._endless | {head.mark})
            shown += [again.take(rest), again.end()] if gap else []
        elif head is not None and inside.strip():
            shown.append(harmless(head.text + inside))
        self._leave()
        return "".join(shown)

    def _see(self, seen: _Seen, shown: list[str]) -> None:
        head = self._head
        if head is None and not seen.closes:
            self._head, self._where = seen, _Where.BEHIND_HEAD
        elif head is None or (seen.closes and seen.mark is head.mark):
            self._skips = head is not None
            self._leave()
        else:
            self._pass(seen.text, shown)

    def _pass(self, text: str, shown: list[str]) -> None:
        """Show text, or keep it where a mark was opened before it."""
        while text:
            if self._where is _Where.OUTSIDE:
                shown.append(self._unspaced(text))
                text = ""
            elif self._where is _Where.BEHIND_HEAD:
                text = self._decide(text, shown)
            else:
                text = self._keep(text)

    def _decide(self, text: str, shown: list[str]) -> str:
        """Take the rest of the line behind a head; give what comes after it."""
        line, end, rest = text.partition("\n")
        before = "".join(self._inside)
        self._inside = [before, line + end]
        said = (before + line).strip()
        if said.startswith(_POINT) or (end and not said):
            self._where = _Where.INSIDE
            # The line's end belongs to what is looked through for a blank line.
            self._inside = [before + line]
            return end + rest
        if self._head is not None and (end or len(before) + len(line) > _LINE):
            # At the same letter, however much of the line has come by now.
            kept = (before + line + end)[: _LINE + 1]
            shown.append(harmless(self._head.text + kept))
            self._leave()
            return (before + line + end)[_LINE + 1 :] + rest
        return rest

    def _keep(self, text: str) -> str:
        """Keep what stands in a block; give what comes after it, if that is known."""
        if self._head is None or self._head.mark not in self._endless:
            self._inside.append(text)
            return ""
        _, gap, rest = _parted(text)
        if gap:
            self._leave()
        return rest

    def _leave(self) -> None:
        self._where, self._head, self._inside = _Where.OUTSIDE, None, []

    def _unspaced(self, text: str) -> str:
        """Drop the space between a block that was taken out and what comes next."""
        if not self._skips:
            return text
        rest = text.lstrip()
        self._skips = not rest
        return rest


def _parted(text: str) -> tuple[str, str, str]:
    """Part a text at its first blank line; the second part is empty without one."""
    gap = _BLANK_LINE.search(text)
    return (text[: gap.start()], gap[0], text[gap.end() :]) if gap else (text, "", "")


def _split(text: str) -> tuple[str, _Seen | None, str]:
    """Give what stands before the first mark, the mark, and what stands behind it.

    Without a mark the last part is what may yet become one.
    """
    for place in _OPENER.finditer(text):
        start = place.start()
        found = read(text, start, _NAME)
        if found is None:
            continue
        edge = None if found.is_partial else _EDGE.search(text, found.end)
        room = _NAME if found.is_partial else _HEAD
        if edge is None and len(text) - start < room:
            return text[:start], None, text[start:]
        if edge is None or edge[0] not in CLOSERS or edge.end() - start > _HEAD:
            continue
        if found.mark is not None:
            head = text[start : edge.end()]
            return (
                text[:start],
                _Seen(found.mark, found.closes, head),
                text[edge.end() :],
            )
    return text, None, ""
