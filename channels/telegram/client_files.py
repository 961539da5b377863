"""How a file's bytes come from a Bot API server to us, once through."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, cast

from aiogram.methods import GetFile
from aiohttp import ClientTimeout

from apx.domain.errors import Undeliverable, Unreachable
from channels.shared.failures import Rejected
from channels.telegram.failures import STRUCK, translated

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from contextlib import AbstractAsyncContextManager

    from aiogram import Bot
    from aiogram.types import File

TOO_BIG: Final = "Telegram lets bots fetch files of at most 20 MB"

_CHUNK: Final = 64 * 1024
_CONNECTING: Final = 10.0
_SILENCE: Final = 30.0
_PATIENCE: Final = 300.0


class _Caller(Protocol):
    async def call(self, method: GetFile) -> File: ...

    def lent(self) -> AbstractAsyncContextManager[Bot]: ...


async def fetched(
    client: _Caller, file_id: str, most: int, *, is_official: bool
) -> AsyncGenerator[bytes, None]:
    """Fetch a file of at most so many bytes; `Unreachable` says to try again."""
    file = await _located(client, file_id)
    size, path = file.file_size or 0, file.file_path
    if size > most:
        raise _too_large(most)
    if not path:
        raise Undeliverable(TOO_BIG)
    # A server of one's own may keep files on this machine, and names them in full.
    # The official one never does; nobody may name files of this machine in its name.
    is_local = path.startswith("/") and not is_official
    seen = 0
    async with aclosing(_local(path) if is_local else _remote(client, path)) as source:
        async for chunk in source:
            seen += len(chunk)
            if seen > most:
                raise _too_large(most)
            yield chunk
    if seen < size:
        raise Unreachable("it ended too early")


async def _located(client: _Caller, file_id: str) -> File:
    try:
        return await client.call(GetFile(file_id=file_id))
    except Rejected as error:
        if error.says("file is too big"):
            raise Undeliverable(TOO_BIG) from None
        raise


async def _remote(client: _Caller, path: str) -> AsyncGenerator[bytes, None]:
    # Not `asyncio.timeout`: while we wait at a `yield`, its time would be another's.
    patience = ClientTimeout(total=_PATIENCE, connect=_CONNECTING, sock_read=_SILENCE)
    try:
        async with client.lent() as bot:
            url = bot.session.api.file_url(bot.token, path)
            stream = bot.session.stream_content(
                url, timeout=cast("int", patience), chunk_size=_CHUNK
            )
            async with aclosing(stream):
                async for chunk in stream:
                    yield chunk
    except STRUCK as error:
        failure = translated(error, "for a file")
    else:
        return
    raise failure


async def _local(path: str) -> AsyncGenerator[bytes, None]:
    try:
        file = await asyncio.to_thread(Path(path).open, "rb")
    except OSError as error:
        reason = error.strerror
    else:
        try:
            while chunk := await asyncio.to_thread(file.read, _CHUNK):
                yield chunk
        finally:
            file.close()
        return
    raise Undeliverable(
        f"the Bot API server keeps its files where they cannot be read here: {reason}"
    )


def _too_large(most: int) -> Undeliverable:
    return Undeliverable(f"it is larger than {most / 1_000_000:.0f} MB")
