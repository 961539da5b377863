"""The other side of the owner's socket."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from apx.desk import errors
from apx.desk.errors import OwnerLeft
from apx.desk.server import LONGEST
from channels.terminal import signs

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from apx.domain.thread import Thread
    from channels.terminal.signs import Sign


# A stopped process accepts connections too, but says nothing.
_AWAKE: Final = 2.0


class RemoteDesk:
    """A desk in another process."""

    is_owner = False

    def __init__(self, home: Path) -> None:
        self._home = home

    async def call(self, name: str, **args: Any) -> Any:  # noqa: ANN401 -- JSON
        """Ask the owner; raises what the call raised, or `OwnerLeft`."""
        async with _connected(self._home) as line:
            return await line.call(name, args)

    @asynccontextmanager
    async def watch(self, thread: Thread) -> AsyncIterator[RemoteWatch]:
        """Watch a thread for the length of the block."""
        async with _connected(self._home) as line:
            await line.send({"watch": str(thread)})
            await line.read()
            yield RemoteWatch(line)


class RemoteWatch:
    """The signs of a thread, over the socket."""

    def __init__(self, line: _Line) -> None:
        self._line = line

    async def next(self) -> Sign:
        """Wait for the next sign; raises `OwnerLeft`."""
        return signs.from_json(await self._line.read())

    async def has_shown(self, part: int) -> None:
        """Tell the owner that the person has seen a part."""
        await self._line.send({"shown": part})


class _Line:
    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._ids = count(1)

    async def call(self, name: str, args: dict[str, Any]) -> Any:  # noqa: ANN401 -- JSON
        await self.send({"id": next(self._ids), "call": name, "args": args})
        reply = await self.read()
        if "error" in reply:
            raise errors.from_json(reply["error"])
        return reply["result"]

    async def send(self, value: dict[str, Any]) -> None:
        try:
            self._writer.write(json.dumps(value).encode() + b"\n")
            await self._writer.drain()
        except ConnectionError as error:
            raise OwnerLeft("the owner of the home went away") from error

    async def read(self) -> dict[str, Any]:
        try:
            line = await self._reader.readline()
        except ConnectionError:
            line = b""
        if not line.endswith(b"\n"):
            raise OwnerLeft("the owner of the home went away")
        value: dict[str, Any] = json.loads(line)
        return value


async def answers(home: Path) -> bool:
    """Whether an owner listens at the home's socket and is awake."""
    try:
        async with asyncio.timeout(_AWAKE), _connected(home) as line:
            await line.call("ping", {})
    except (OwnerLeft, TimeoutError):
        return False
    return True


@asynccontextmanager
async def _connected(home: Path) -> AsyncIterator[_Line]:
    try:
        reader, writer = await asyncio.open_unix_connection(
            home / "apx.sock", limit=LONGEST
        )
    except OSError as error:
        raise OwnerLeft("nobody listens at the home's socket") from error
    try:
        yield _Line(reader, writer)
    finally:
        writer.close()
