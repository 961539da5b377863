"""Owns the numbers that stand for terms, threads and texts in arrays."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

# People repeat themselves: this many words are most of what is said.
_REMEMBERED: Final = 200_000


class Keys:
    """Gives the 64-bit number of a string: the same in every process and for ever.

    A million terms collide with a probability of 3e-8. Numbers need no dictionary
    on the disk, and do not show what was said.
    """

    def __init__(self) -> None:
        self._known: dict[str, int] = {}

    def of(self, text: str) -> int:
        """Give the number of one string."""
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[text] = _number(text)
        return found

    @staticmethod
    def once(text: str) -> int:
        """Give the number of a string that will hardly come again."""
        return _number(text)

    def array(self, texts: Iterable[str], count: int = -1) -> npt.NDArray[np.uint64]:
        """Give the numbers of many strings: uint64 [n]."""
        return np.fromiter(map(self.of, texts), np.uint64, count)

    def flat(self, lists: Sequence[Sequence[str]]) -> npt.NDArray[np.uint64]:
        """Give the numbers of all strings of all lists, one after the other."""
        total = sum(map(len, lists))
        return self.array((text for texts in lists for text in texts), total)


def _number(text: str) -> int:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")
