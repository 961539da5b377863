"""Owns an SDK's client from its first use to its end."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

Client = TypeVar("Client")


class LazyClient(Generic[Client]):
    """Makes a client when it is first needed, and keeps it for the running loop.

    The SDK costs up to a second to import. A thread does that in `load`, so that a
    daemon goes on serving meanwhile; `make` is called on the loop, after it.
    """

    def __init__(
        self,
        sdk: str,
        make: Callable[[], Client],
        close: Callable[[Client], Awaitable[None]],
    ) -> None:
        self._sdk = sdk
        self._make = make
        self._close = close
        self._client: Client | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def load(self) -> None:
        """Import the SDK, so that importing it again costs nothing."""
        if self._client is None:
            await asyncio.to_thread(import_module, self._sdk)

    def get(self) -> Client:
        """Give the client of the running loop."""
        # A client of another loop cannot be closed from here; its sockets went with
        # its loop.
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = self._make(), loop
        return self._client

    async def aclose(self) -> None:
        """Close the client, if there is one; the next `get` makes another."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await self._close(client)
