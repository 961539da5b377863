"""The desk inside the owner itself."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from apx.desk.calls import CALLS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from apx.domain.thread import Thread
    from apx.wiring import House
    from channels.terminal.channel import Screen
    from channels.terminal.signs import Sign


class LocalDesk:
    """A desk without a socket between."""

    is_owner = True

    def __init__(self, house: House) -> None:
        self.house = house

    async def call(self, name: str, **args: Any) -> Any:  # noqa: ANN401 -- JSON
        """Do what is asked."""
        return await CALLS[name](self.house, args)

    @asynccontextmanager
    async def watch(self, thread: Thread) -> AsyncIterator[LocalWatch]:
        """Watch a thread for the length of the block."""
        with self.house.terminal.attached(thread) as screen:
            self.house.gateway.wake(thread)
            yield LocalWatch(screen)


class LocalWatch:
    """The signs of a thread, at first hand."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    async def next(self) -> Sign:
        """Wait for the next sign."""
        return await self._screen.signs.get()

    async def has_shown(self, part: int) -> None:
        """Say that the person has seen a part."""
        self._screen.has_shown(part)
