"""What is said to somebody who is named, without the name around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_BEFORE: Final = " \t\r\n,:;"
_AFTER: Final = " \t\r\n,:;.?!"


def without(text: str, names: Sequence[tuple[int, int]]) -> str:
    """Take a name out where it stands before or after what is said.

    `names` are the places of it, from where to where, in their order.
    """
    first, last, tail = 0, len(text), ""
    for begin, end in names:
        if not text[first:begin].strip(_BEFORE):
            first = end
    for begin, end in reversed(names):
        after = text[end:last]
        if begin >= first and not (tail or after.strip(_AFTER)):
            last, tail = begin, after.strip()
    if (first, last) == (0, len(text)):
        return text
    kept = text[first:last].lstrip(_BEFORE).rstrip(_BEFORE if tail else None)
    # Nothing but the name: that is what was said, then.
    return f"{kept}{tail}" if kept else text
