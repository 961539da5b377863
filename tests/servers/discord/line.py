"""One websocket of the gateway, as the server holds it."""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

if TYPE_CHECKING:
    from tests.servers.discord.sessions import Session


class Line:
    """Sends what a session has; what the bot says is handed on.

    A `deaf` one is open but says nothing any more, as behind a cut cable.
    """

    def __init__(self, http: web.Request, interval: float) -> None:
        self.socket = web.WebSocketResponse(autoping=False, timeout=0.2)
        self.session: Session | None = None
        self.interval = interval
        self.beaten = time.monotonic()
        self.acks = True
        self.deaf = False
        self.code: int | None = None
        self._http = http
        self._sent = 0
        self._said: list[float] = []
        self._wake = asyncio.Event()
        compressed = http.query.get("compress") == "zlib-stream"
        self._deflate = zlib.compressobj() if compressed else None

    async def open(self) -> None:
        """Shake hands."""
        await self.socket.prepare(self._http)

    async def send(self, op: int, data: Any = None) -> None:
        """Send something that is no event."""
        await self.say(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    async def say(self, text: str) -> None:
        """Send any text."""
        if self.deaf or self.socket.closed:
            return
        with suppress(ConnectionError):
            if self._deflate is None:
                await self.socket.send_str(text)
            else:
                packed = self._deflate.compress(text.encode())
                packed += self._deflate.flush(zlib.Z_SYNC_FLUSH)
                await self.socket.send_bytes(packed)

    async def heard(self) -> Any:
        """Wait for what the bot says; None is that it hung up."""
        message = await self.socket.receive()
        if message.type is WSMsgType.TEXT:
            return json.loads(message.data)
        if message.type is WSMsgType.CLOSE:
            self.code = message.data
        return None

    def is_chatty(self) -> bool:
        """Count what the bot says: no more than 120 things in a minute."""
        now = time.monotonic()
        self._said = [at for at in self._said if at > now - 60]
        self._said.append(now)
        return len(self._said) > 120

    def serve(self, session: Session, sent: int) -> None:
        """Begin to send what the session has behind this number."""
        self.session, self._sent = session, sent
        session.wake = self._wake
        self._wake.set()

    async def pump(self) -> None:
        """Send what the session has, again and again."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self.session is not None and self._sent < len(self.session.sent):
                self._sent += 1
                await self.say(self.session.sent[self._sent - 1])

    async def hang_up(self, code: int) -> None:
        """Close it, with a reason."""
        self.let_go()
        with suppress(ConnectionError):
            await self.socket.close(code=code)

    def let_go(self) -> None:
        """Keep what the session has for the next socket."""
        if self.session is not None and self.session.wake is self._wake:
            self.session.wake = None

    def cut(self) -> None:
        """Break it off without a word."""
        if self._http.transport is not None:
            self._http.transport.abort()
