"""Connections to a webhook's address: few of strangers, and none that says nothing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from aiohttp import StreamReader
    from aiohttp.abc import AbstractStreamWriter
    from aiohttp.http_parser import RawRequestMessage

    Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]

_LARGEST: Final = 4 << 20
_MOST: Final = 100
_PATIENCE: Final = 10.0


class Visitors(web.Server):
    """A server that anybody can find, in a process that may open only so many files.

    Whoever connects is a stranger until it is `known`. One that still is after
    `patience` seconds is hung up on, and the first of them when there are too many.
    """

    def __init__(
        self, handler: Handler, most: int = _MOST, patience: float = _PATIENCE
    ) -> None:
        super().__init__(handler, request_factory=_request, access_log=None)
        self._most = most
        self._patience = patience
        self._transports: dict[web.RequestHandler, asyncio.Transport] = {}
        self._timers: dict[web.RequestHandler, asyncio.TimerHandle] = {}

    def connection_made(
        self, handler: web.RequestHandler, transport: asyncio.Transport
    ) -> None:
        """Let somebody in."""
        super().connection_made(handler, transport)
        if len(self._timers) >= self._most:
            self._turn_out(next(iter(self._timers)))
        self._transports[handler] = transport
        self._timers[handler] = asyncio.get_running_loop().call_later(
            self._patience, self._turn_out, handler
        )

    def connection_lost(
        self, handler: web.RequestHandler, exc: BaseException | None = None
    ) -> None:
        """Forget somebody."""
        self.known(handler)
        super().connection_lost(handler, exc)

    def known(self, handler: web.RequestHandler) -> None:
        """Take note that somebody is no stranger: they may stay."""
        self._transports.pop(handler, None)
        if timer := self._timers.pop(handler, None):
            timer.cancel()

    def _turn_out(self, handler: web.RequestHandler) -> None:
        transport = self._transports.get(handler)
        self.known(handler)
        if transport is not None:
            transport.abort()


def _request(
    message: RawRequestMessage,
    payload: StreamReader,
    protocol: web.RequestHandler,
    writer: AbstractStreamWriter,
    task: asyncio.Task[None],
) -> web.BaseRequest:
    loop = asyncio.get_running_loop()
    return web.BaseRequest(
        message, payload, protocol, writer, task, loop, client_max_size=_LARGEST
    )
