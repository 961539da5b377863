"""How tests wait for a server: for something to hold, as soon as it does."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


@dataclass(repr=False, eq=False, kw_only=True)
class Happening:
    """Something in which things happen; `changes` counts them."""

    changes: int = 0
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def bump(self) -> None:
        """Wake whoever waits for something to happen."""
        self.changes += 1
        self._changed.set()

    def last(self) -> list[str]:
        """Tell what was asked for lately, for whoever waited in vain."""
        return []

    async def until(self, holds: Callable[[], T], seconds: float = 40) -> T:
        """Wait until something holds; looks again whenever anything happens."""
        try:
            async with asyncio.timeout(seconds):
                while not (result := holds()):
                    self._changed.clear()
                    await self._changed.wait()
                return result
        except TimeoutError:
            told = f"it never held; the last calls: {self.last()}"
            raise TimeoutError(told) from None
