"""One socket to the gateway, from its greeting to its end."""

from __future__ import annotations

import asyncio
import json
import zlib
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import structlog
from aiohttp import ClientError
from discord import ConnectionClosed, DiscordException
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from channels.discord import vendor
from channels.discord.failures import MALFORMED

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from discord import Client
    from yarl import URL

    from channels.discord.waits import Waits

log = structlog.get_logger(__name__)

# Discord's closing codes after which a session cannot go on.
# https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway
_OVER: Final = frozenset({4003, 4007, 4009})
_SHORTEST: Final = 0.05
_LONGEST: Final = 600.0
_HANGING_UP: Final = 2.0
_SLICE: Final = 0.01
_LEAVING: Final = 1000
_STAYING: Final = 4000


class Garbled(OSError):
    """What comes out of the socket is no gateway's."""


_ENDS: Final = (
    ReconnectWebSocket,
    DiscordException,
    ClientError,
    OSError,
    TimeoutError,
    RuntimeError,
    *MALFORMED,
)


@dataclass(frozen=True, slots=True)
class Session:
    """Where a session is to be taken up again."""

    number: str
    sequence: int | None
    gateway: URL


@dataclass(frozen=True, slots=True)
class End:
    """How a socket ended: Discord's code, or 0, and the session that may go on.

    `was_settled` says that a session stood.
    """

    code: int
    session: Session | None
    was_settled: bool


class Socket(DiscordWebSocket):
    """discord.py's socket, which stumbles over nothing that can be passed over."""

    begun: Callable[[], Awaitable[None]]
    # Seconds that were spent with events since others had their turn.
    busy = 0.0

    async def identify(self) -> None:
        """Begin a session, which is counted before."""
        self._need_greeting()
        await self.begun()
        await super().identify()

    async def resume(self) -> None:
        """Take a session up again."""
        self._need_greeting()
        await super().resume()

    async def received_message(self, msg: Any, /) -> None:  # noqa: ANN401 -- as it comes
        """Take a frame; one that cannot be read is nothing but logged."""
        text = self._unpacked(msg)
        if text is None:
            return
        before, began = self._keep_alive, perf_counter()
        try:
            await super().received_message(text)
        except MALFORMED as error:
            log.warning("discord_frame_unread", error=type(error).__name__)
        finally:
            if before is not None and self._keep_alive is not before:
                before.stop()  # a second greeting brought another
            self.busy += perf_counter() - began

    async def close(self, code: int = _STAYING) -> None:
        """Say farewell, and wait only shortly for one."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_HANGING_UP):
                await super().close(code)

    def stop(self) -> None:
        """End the thread that keeps the connection alive."""
        beating, self._keep_alive = self._keep_alive, None
        if beating is not None:
            beating.stop()

    def _need_greeting(self) -> None:
        if self._keep_alive is None:
            raise Garbled("the gateway did not say hello")

    def _unpacked(self, msg: str | bytes) -> str | None:
        if isinstance(msg, bytes):
            try:
                unpacked = self._decompressor.decompress(msg)
            except (*MALFORMED, zlib.error):
                # The rest of the stream depends on what was lost.
                raise Garbled("a frame cannot be unpacked") from None
            if unpacked is None:
                return None
            msg = unpacked
        if '"heartbeat_interval"' in msg and not _is_bearable(msg):
            raise Garbled("the gateway wants an impossible heartbeat")
        return msg


def _is_bearable(text: str) -> bool:
    """Whether a greeting wants a heart to beat so that it can; true for all else."""
    try:
        frame = json.loads(text)
        return bool(
            frame["op"] != DiscordWebSocket.HELLO
            or _SHORTEST <= frame["d"]["heartbeat_interval"] / 1_000 <= _LONGEST
        )
    except MALFORMED:
        return False


class Line:
    """Opens sockets for one client, one after the other."""

    def __init__(
        self, client: Client, waits: Waits, begun: Callable[[], Awaitable[None]]
    ) -> None:
        self._client = client
        self._waits = waits
        self._begun = begun
        self._socket: Socket | None = None
        self._is_settled = False
        vendor.watch(client, waits.silence, self._opened)

    def settled(self) -> None:
        """Take note that the session of this socket stands."""
        self._is_settled = True

    async def live(self, gateway: URL, session: Session | None) -> End:
        """Hear what comes until the socket ends, whatever ends it.

        Without a `session` to be taken up again, one is begun.
        """
        self._socket, self._is_settled = None, False
        code, leaving = 0, _LEAVING
        try:
            await self._heard(gateway, session)
        except ConnectionClosed as error:
            code, leaving = error.code, _STAYING
            session = self._left(session)
        except ReconnectWebSocket as error:
            leaving = _STAYING
            session = self._left(session) if error.resume else None
            code = self._closing_code()
        except _ENDS as error:
            leaving = _STAYING
            log.info("discord_socket_broken", error=type(error).__name__)
            session = self._left(session)
        finally:
            await self._hung_up(leaving)
        if code in _OVER:
            session = None
        return End(code, session, self._is_settled)

    async def _heard(self, gateway: URL, session: Session | None) -> None:
        began = asyncio.get_running_loop().time()
        async with asyncio.timeout(self._waits.connecting):
            socket = await Socket.from_client(
                self._client,
                # Spacing sessions is our business, not discord.py's.
                initial=True,
                gateway=gateway,
                resume=session is not None,
                session=session.number if session else None,
                sequence=session.sequence if session else None,
            )
        # By itself it would wait half a minute for a farewell after all that silence.
        patience = self._waits.silence + _HANGING_UP
        heard = socket.sequence
        while True:
            if socket.sequence != heard:
                began, heard = asyncio.get_running_loop().time(), socket.sequence
            deadline = asyncio.get_running_loop().time() + patience
            if not self._is_settled:
                deadline = min(deadline, began + self._waits.connecting)
            async with asyncio.timeout_at(deadline):
                await socket.poll_event()
            # A thousand guilds at once are no reason to keep everybody else waiting;
            # but one event a turn of a busy loop would leave commands unheard.
            if socket.busy >= _SLICE:
                socket.busy = 0.0
                await asyncio.sleep(0)

    def _opened(self, socket: DiscordWebSocket) -> None:
        if isinstance(socket, Socket):
            socket.begun = self._begun
            self._socket = self._client.ws = socket

    def _left(self, session: Session | None) -> Session | None:
        """Give the session as it is now, if there is one."""
        socket = self._socket
        if socket is None or not socket.session_id:
            return session
        return Session(socket.session_id, socket.sequence, socket.gateway)

    def _closing_code(self) -> int:
        return (self._socket and self._socket.socket.close_code) or 0

    async def _hung_up(self, code: int) -> None:
        socket = self._socket
        if socket is None:
            return
        socket.stop()
        if socket.open:
            with suppress(*_ENDS):
                await socket.close(code)
