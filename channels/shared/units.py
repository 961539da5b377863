"""How long texts are for platforms that count UTF-16 units."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def units(text: str) -> int:
    """Count the UTF-16 units of a text."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def offsets(text: str) -> Sequence[int]:
    """Give the UTF-16 offset of each code point of a text, and of its end."""
    if not text or max(text) <= "\uffff":
        return range(len(text) + 1)
    return [0, *accumulate(2 if letter > "\uffff" else 1 for letter in text)]
