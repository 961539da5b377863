"""What the three model servers have in common: a real port, a brain, faults."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from typing import TYPE_CHECKING, Any, Self

from aiohttp import web

from apx.domain.message import Usage
from tests.servers.brain import Brain, Call, Request, echo
from tests.servers.faults import Answer, Cut, Drop, Fault, Hang, Raw, failing

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence


class ModelServer(ABC):
    """A loopback server that speaks one vendor's format, while it is entered.

    `requests` holds what came; each fault in `faults` spoils one request, in order,
    and None leaves one alone. `usage` is what is reported, None for nothing. `room` is
    how many bytes of a request fit into the model's window, None for all.
    """

    content_type = "text/event-stream"

    def __init__(self, brain: Brain = echo, *, models: Sequence[str] = ("tiny",)):
        self.brain = brain
        self.models = list(models)
        self.requests: list[Request] = []
        self.faults: deque[Fault | None] = deque()
        self.usage: Usage | None = Usage(prompt=11, completion=7, cached=3)
        self.room: int | None = None
        self.active = 0
        self._changed = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self._port = 0

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 << 20)
        self._route(app.router)
        # Only with handler_cancellation does a handler learn that its client left.
        self._runner = web.AppRunner(
            app, handler_cancellation=True, access_log=None, shutdown_timeout=0.01
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    @property
    def origin(self) -> str:
        """The address without a path."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def base_url(self) -> str:
        """What config.json would hold."""
        return self.origin

    def error(self, status: int, text: str, **headers: str) -> Answer:
        """Give an error as the vendor writes it."""
        told = {"message": text, "code": status, "type": "x"}
        return failing(status, {"error": told}, **headers)

    async def until_idle(self) -> None:
        """Wait until no request is being answered."""
        while self.active:
            self._changed.clear()
            await self._changed.wait()

    async def until_busy(self, many: int = 1) -> None:
        """Wait until so many requests have come."""
        while self.active < many:
            self._changed.clear()
            await self._changed.wait()

    @abstractmethod
    def _route(self, router: web.UrlDispatcher) -> None:
        """Add the vendor's paths."""

    @abstractmethod
    def _read(self, http: web.Request, body: dict[str, Any]) -> Request:
        """Read a request."""

    @abstractmethod
    def _text(self, request: Request, text: str) -> bytes:
        """Write a piece of text."""

    @abstractmethod
    def _call(self, request: Request, call: Call, number: int) -> bytes:
        """Write a tool call, the `number`th of its answer."""

    @abstractmethod
    def _end(self, request: Request, calls: int) -> bytes:
        """Write the finish."""

    async def _chat(self, http: web.Request) -> web.StreamResponse:
        request = self._read(http, await http.json())
        self.requests.append(request)
        fault = self.faults.popleft() if self.faults else None
        if self.room is not None and (http.content_length or 0) > self.room:
            fault = self.error(400, "the request exceeds the available context size")
        self.active += 1
        self._changed.set()
        try:
            return await self._serve(http, request, fault)
        finally:
            self.active -= 1
            self._changed.set()

    async def _listing(self, body: Any) -> web.StreamResponse:
        """Answer a question for models, where a fault may wait too."""
        fault = self.faults.popleft() if self.faults else None
        if isinstance(fault, Answer):
            return _whole(fault)
        if isinstance(fault, Hang):
            await asyncio.Event().wait()
        return web.json_response(body)

    async def _serve(
        self, http: web.Request, request: Request, fault: Fault | None
    ) -> web.StreamResponse:
        if isinstance(fault, Answer):
            return _whole(fault)
        response = web.StreamResponse(headers={"Content-Type": self.content_type})
        given = fault.pieces if isinstance(fault, Raw | Drop) else ()
        pieces = _listed(given) if given else self._said(request)
        sent = 0
        async for piece in _with_end(pieces):
            if isinstance(fault, Cut | Drop | Hang) and sent == fault.after:
                return await _spoil(http, response, fault)
            if not response.prepared:
                await response.prepare(http)
            await response.write(piece)
            sent += 1
        return response

    async def _said(self, request: Request) -> AsyncIterator[bytes]:
        calls = 0
        async for piece in self.brain(request):
            if isinstance(piece, Call):
                yield self._call(request, piece, calls)
                calls += 1
            else:
                yield self._text(request, piece)
        yield self._end(request, calls)


def _whole(fault: Answer) -> web.Response:
    return web.Response(
        status=fault.status,
        text=fault.body,
        headers=fault.headers,
        content_type=fault.content_type,
    )


async def _listed(pieces: Sequence[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


async def _with_end(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Go on for one empty piece, so that a fault may also come after the last."""
    async for piece in pieces:
        yield piece
    yield b""


async def _spoil(
    http: web.Request, response: web.StreamResponse, fault: Cut | Drop | Hang
) -> web.StreamResponse:
    if isinstance(fault, Hang):
        await asyncio.Event().wait()
    if isinstance(fault, Drop):
        assert http.transport is not None
        # Not abort: a reset would take what was sent already with it.
        http.transport.close()
    return response
