"""Owns the rule by which small parts become large ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

# Parts below this size are one. Above, a part is at least this many times as large
# as the one after it: few parts to ask, and each document is moved a few times only.
SMALL: Final = 2_048
_RATIO: Final = 4


def to_merge(sizes: Sequence[int]) -> int:
    """Say how many of the newest parts shall become one; 1 or 0 is none."""
    count = 1
    total = sizes[-1] if sizes else 0
    for size in reversed(sizes[:-1]):
        if total + size > SMALL and size >= _RATIO * total:
            break
        total += size
        count += 1
    return count if sizes else 0
