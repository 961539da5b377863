"""A loopback OpenAI that writes down recordings."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.servers.faults import Answer, Drop, Hang, Raw
from tests.servers.openai import OpenAIServer
from tests.servers.server import _whole

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Recording:
    """A request to write something down."""

    name: str
    media_type: str
    data: bytes
    fields: Mapping[str, str]
    headers: Mapping[str, str]


class TranscriptionServer(OpenAIServer):
    """Speaks `/v1/audio/transcriptions` too: hears `text`, whatever is said.

    A recording of more than `most` bytes is refused as the vendor does.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.text = "Buy bread."
        self.most = 1 << 30
        self.recordings: list[Recording] = []

    def _route(self, router: web.UrlDispatcher) -> None:
        super()._route(router)
        router.add_post("/v1/audio/transcriptions", self._transcribe)

    async def _transcribe(self, http: web.Request) -> web.StreamResponse:
        self.recordings.append(await _read(http))
        fault = self.faults.popleft() if self.faults else None
        if len(self.recordings[-1].data) > self.most:
            fault = self.error(413, "Maximum content size limit exceeded")
        self.active += 1
        self._changed.set()
        try:
            return await self._answer(http, fault)
        finally:
            self.active -= 1
            self._changed.set()

    async def _answer(self, http: web.Request, fault: object) -> web.StreamResponse:
        if isinstance(fault, Answer):
            return _whole(fault)
        if isinstance(fault, Hang):
            await asyncio.Event().wait()
        if isinstance(fault, Raw):
            body = b"".join(fault.pieces)
            return web.Response(body=body, content_type="application/json")
        if isinstance(fault, Drop):
            assert http.transport is not None
            http.transport.close()
        return web.json_response({"text": self.text})


async def _read(http: web.Request) -> Recording:
    form = await http.post()
    file = form["file"]
    assert isinstance(file, web.FileField)
    fields = {name: value for name, value in form.items() if isinstance(value, str)}
    with file.file as opened:
        data = opened.read()
    return Recording(file.filename, file.content_type, data, fields, http.headers)
