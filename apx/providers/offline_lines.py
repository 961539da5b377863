"""Which wishes stand in the lines of one request: messages of a burst are joined."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from apx.domain.intent import Intent, Wish, is_courtesy, read

if TYPE_CHECKING:
    from collections.abc import Sequence

# A text of more lines was written at once.
_MOST: Final = 200
_BULLET: Final = re.compile(r"\s*(?:[-*+•·–—>|・※]|\d{1,3}[.)、．]|\[[ xX]?\])")  # noqa: RUF001 -- as they are typed
_OPENS: Final = re.compile(r"[:\uff1a]\s*$")
_COLON: Final = re.compile(r":(?=\s)|\uff1a")
_ASKED: Final = re.compile(r"[?\uff1f]\s*$")
_NUMBERED: Final = re.compile(r"note \d+")
_OUTRIGHT: Final = frozenset({Wish.REMEMBER, Wish.FORGET, Wish.LIST_NOTES})


def wishes(text: str) -> list[Intent]:
    """Tell what a person's own words ask for, one thing after the other.

    Lines that ask for nothing go with the wish before them, so that a list or a poem
    is one note. Without a wish that is worded outright a text is read as a whole.
    """
    lines = text.strip().split("\n")
    if not 1 < len(lines) <= _MOST:
        return [read(text)]
    found = [read(part) for part in _parts(lines)]
    if len(found) == 1 or not any(one.kind in _OUTRIGHT for one in found):
        return [read(text)]
    asked = [one for one in found if one.kind is not Wish.OTHER]
    return list(dict.fromkeys(asked))


@dataclass(slots=True)
class _Part:
    """Lines that belong together; `kind` is what the first of them asks for."""

    kind: Wish
    lines: list[str] = field(default_factory=list)

    @property
    def first(self) -> str:
        return self.lines[0] if self.lines else ""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def is_listed(self, line: str, kind: Wish) -> bool:
        """Whether a line is of the list that the first line announces."""
        if not _OPENS.search(self.first):
            return False
        after = next(filter(str.strip, self.lines[1:]), "")
        is_alike = _is_item(after) == _is_item(line) and _kind(after) is kind
        return not after or is_alike


def _parts(lines: Sequence[str]) -> list[str]:
    """Cut where a wish begins."""
    parts = [_Part(_kind(lines[0]), [lines[0]])]
    for place, line in enumerate(lines[1:], start=1):
        following = lines[place + 1] if place + 1 < len(lines) else ""
        part, kind = parts[-1], _kind(line)
        if is_courtesy(line) and not part.is_listed(line, kind):
            continue
        if not _begins(part, line, kind, following):
            part.lines.append(line)
        elif part.kind is Wish.OTHER and _closes(part.text, line, kind):
            part.kind = kind
            part.lines.append(line)
        else:
            parts.append(_Part(kind, [line]))
    return [part.text for part in parts]


def _begins(part: _Part, line: str, kind: Wish, following: str) -> bool:
    """Whether a line is more than what a part goes on with."""
    if not line.strip() or part.is_listed(line, kind):
        return False
    if kind is Wish.OTHER:
        # "... を覚えて" is a wish only where it ends one.
        return part.kind in _OUTRIGHT and not _is_one(part.first, line, part.kind)
    if part.kind is not Wish.REMEMBER or kind is Wish.REMEMBER:
        return True
    if kind is Wish.FORGET:
        # In a note, only what cannot be meant otherwise.
        return _NUMBERED.fullmatch(read(line).subject) is not None
    goes_on = bool(following.strip()) and _kind(following) is Wish.OTHER
    return len(part.lines) == 1 or not goes_on


def _closes(before: str, line: str, kind: Wish) -> bool:
    """Whether a wish to remember is of what stands before it: the verb comes last."""
    return kind is Wish.REMEMBER and _is_one(before, line, kind)


def _is_one(before: str, line: str, kind: Wish) -> bool:
    return read(f"{before}\n{line}").kind is kind


def _is_item(line: str) -> bool:
    return _BULLET.match(line) is not None


def _kind(line: str) -> Wish:
    """Tell what a line asks for by itself; an item of a list, nothing."""
    if _is_item(line):
        return Wish.OTHER
    kind = read(line).kind
    explains = _COLON.search(line) and not _ASKED.search(line)
    return Wish.OTHER if kind is Wish.ASK and explains else kind
