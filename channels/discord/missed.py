"""In which channels not all was heard, as people are told."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from channels.shared.troubles import Troubles

MISSED: Final = "missed"
_DAY: Final = 86_400.0


class Missed:
    """Tells of what can be read no more for a day, of all else until it is read."""

    def __init__(self, troubles: Troubles, group: asyncio.TaskGroup) -> None:
        self._troubles = troubles
        self._group = group
        self._lost: set[int] = set()
        self._unread: set[int] = set()
        self._forgetting: asyncio.Task[None] | None = None

    def unread(self, channel: int) -> None:
        """Tell that a channel is yet to be read."""
        self._unread.add(channel)
        self._tell()

    def read(self, channel: int, *, is_whole: bool) -> None:
        """Take note that a channel was read, or as much of it as ever will be."""
        if is_whole and channel not in self._unread:
            return
        self._unread.discard(channel)
        if not is_whole:
            self._lost.add(channel)
            if self._forgetting is not None:
                self._forgetting.cancel()
            self._forgetting = self._group.create_task(self._forget())
        self._tell()

    def _tell(self) -> None:
        many = len(self._lost | self._unread)
        if not many:
            self._troubles.over(MISSED)
            return
        where = f"in {many} channel{'s' * (many > 1)}"
        text = f"not all that was said while nobody listened could be read {where}"
        self._troubles.has(MISSED, text)

    async def _forget(self) -> None:
        await asyncio.sleep(_DAY)
        self._lost.clear()
        self._tell()
