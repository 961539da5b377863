"""The owner's socket: lines of JSON, for the commands of the same person."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import structlog

from apx.desk import errors
from apx.desk.calls import CALLS, WAITS
from apx.domain.errors import ApxError, HomeError, InputError
from apx.domain.thread import Thread
from channels.terminal import signs

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from apx.wiring import House
    from channels.terminal.channel import Screen

log = structlog.get_logger(__name__)

# A message of 1 MB is well within a line, escapes and all.
LONGEST: Final = 64 * 1024 * 1024
_GRACE: Final = 1.0
# What a line that is not ours can raise; whoever sends one is hung up on.
_BROKEN: Final = (
    ApxError,
    AttributeError,
    KeyError,
    RecursionError,
    TypeError,
    ValueError,
)


@asynccontextmanager
async def listening(home: Path, house: House) -> AsyncIterator[None]:
    """Serve the socket until the block ends; what is under way may finish."""
    path = home / "apx.sock"
    clients: set[_Client] = set()
    is_closing = asyncio.Event()

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = _Client(house, reader, writer)
        if is_closing.is_set():
            writer.close()
            return
        clients.add(client)
        try:
            await client.serve()
        finally:
            clients.discard(client)

    try:
        path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(meet, path, limit=LONGEST)
    except OSError as error:
        reason = error.strerror or "the path is too long; set APX_HOME to a shorter one"
        raise HomeError(f"{path}: {reason}") from error
    path.chmod(0o600)
    try:
        yield
    finally:
        is_closing.set()
        server.close()
        path.unlink(missing_ok=True)
        await asyncio.gather(*(client.close() for client in clients))
        await server.wait_closed()


class _Client:
    """One connection: calls side by side, and the threads that it watches."""

    def __init__(
        self,
        house: House,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._house = house
        self._reader = reader
        self._writer = writer
        self._calls: set[asyncio.Task[None]] = set()
        self._waits: set[asyncio.Task[None]] = set()
        self._screens: list[Screen] = []
        self._done = asyncio.Event()

    async def serve(self) -> None:
        """Answer until the other side goes away; what it asked for is still done."""
        async with asyncio.TaskGroup() as group, AsyncExitStack() as stack:
            with suppress(ConnectionError, *_BROKEN):
                while line := await self._reader.readline():
                    self._take(json.loads(line), group, stack)
            for wait in self._waits:
                wait.cancel()
        self._writer.close()
        self._done.set()

    async def close(self) -> None:
        """Let answers that are due be given, then hang up, even on who never reads."""
        due = [*self._calls, *self._waits]
        if due:
            await asyncio.wait(due, timeout=_GRACE)
        self._reader.feed_eof()
        try:
            async with asyncio.timeout(_GRACE):
                await self._done.wait()
        except TimeoutError:
            self._writer.transport.abort()
            await self._done.wait()

    def _take(
        self, line: dict[str, Any], group: asyncio.TaskGroup, stack: AsyncExitStack
    ) -> None:
        if "shown" in line:
            for screen in self._screens:
                screen.has_shown(line["shown"])
        elif "watch" in line:
            thread = Thread.parse(line["watch"])
            screen = stack.enter_context(self._house.terminal.attached(thread))
            self._screens.append(screen)
            stack.callback(group.create_task(self._pump(screen, thread)).cancel)
        else:
            call, args = str(line["call"]), dict(line["args"])
            kept = self._waits if call in WAITS else self._calls
            task = group.create_task(self._answer(line["id"], call, args))
            kept.add(task)
            task.add_done_callback(kept.discard)

    async def _pump(self, screen: Screen, thread: Thread) -> None:
        await self._send({"watching": str(thread)})
        self._house.gateway.wake(thread)
        while True:
            await self._send(signs.to_json(await screen.signs.get()))

    async def _answer(self, number: object, call: str, args: dict[str, Any]) -> None:
        try:
            act = CALLS.get(call, _unknown)
            reply = {"result": await act(self._house, args)}
        except ApxError as error:
            reply = {"error": errors.to_json(error)}
        except Exception:  # one command's fault must not end the owner
            log.exception("call_failed", call=call)
            reply = {"error": {"kind": "ApxError", "text": "failed; see apx.log"}}
        await self._send({"id": number, **reply})

    async def _send(self, value: dict[str, Any]) -> None:
        with suppress(ConnectionError):
            self._writer.write(json.dumps(value).encode() + b"\n")
            await self._writer.drain()


async def _unknown(*_: object) -> None:
    raise InputError("this home's owner is another version of apx; restart it")
