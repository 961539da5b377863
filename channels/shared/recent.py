"""The last few thousand of something, such as messages that were taken."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, Generic, TypeVar

_REMEMBERED: Final = 2_000

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A memory of keys and values; what was put in first is forgotten first."""

    def __init__(self, most: int = _REMEMBERED) -> None:
        self._known: OrderedDict[K, V] = OrderedDict()
        self._most = most

    def __contains__(self, key: K) -> bool:
        return key in self._known

    def get(self, key: K) -> V | None:
        """Give the value of a key; none if it is not remembered."""
        return self._known.get(key)

    def keep(self, key: K, value: V) -> None:
        """Remember something."""
        self._known[key] = value
        if len(self._known) > self._most:
            self._known.popitem(last=False)
