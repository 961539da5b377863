"""A Telegram with people and rooms in it, and the client that apx uses."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer

from tests.servers.telegram.server import TelegramServer
from tests.servers.telegram.world import TOKEN

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ANA, BEN = 7, 8
GROUP, ROOM, FORUM, NEWS = -55, -1000000000066, -1000000000077, -1000000000088


@asynccontextmanager
async def furnished() -> AsyncIterator[TelegramServer]:
    """Open a server with Ana, Ben, a group, a supergroup, a forum and a channel."""
    async with TelegramServer() as telegram:
        telegram.user(ANA, "Ana", username="ana")
        telegram.user(BEN, "Ben")
        telegram.group(GROUP, "Flat")
        telegram.supergroup(ROOM, "Room")
        telegram.forum(FORUM, "Home", status="administrator")
        telegram.channel(NEWS, "News")
        yield telegram


@asynccontextmanager
async def client(
    origin: str, token: str = TOKEN, seconds: float = 5
) -> AsyncIterator[Any]:
    """Open aiogram's bot at a server of ours; untyped, for every field may be None."""
    session = AiohttpSession(api=TelegramAPIServer.from_base(origin))
    session.timeout = seconds
    try:
        yield Bot(token, session=session)
    finally:
        # aiogram's own close waits a quarter of a second for TLS.
        if session._session is not None:
            await session._session.close()
