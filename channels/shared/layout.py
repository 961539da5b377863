"""Where texts are laid out: beside the loop, one after the other."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from apx.domain.errors import Unreachable

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Layout:
    """One thread of one bot: several would only keep the loop from its turns."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="layout")
        self._is_closed = False

    async def done(self, work: Callable[[], T]) -> T:
        """Do a work there; `Unreachable` after the end."""
        if self._is_closed:
            raise Unreachable("the bot is not connected")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        """Begin nothing new; the thread ends with what it does."""
        self._is_closed = True
        self._thread.shutdown(wait=False)
