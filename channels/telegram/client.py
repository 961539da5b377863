"""One bot's connection to the Bot API: calls, updates, files.

The token is in the address of everything asked here. So errors are made anew, outside
of the block that caught the vendor's: neither text nor traceback leads back to it.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import structlog
from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.methods import GetUpdates, Response
from aiogram.utils.token import TokenValidationError
from aiohttp import ClientTimeout

from apx.domain.errors import Unreachable
from channels.shared.failures import WrongToken
from channels.telegram.client_files import fetched
from channels.telegram.failures import STRUCK, translated
from channels.telegram.settings import OFFICIAL

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager

    from aiogram.client.session.base import BaseSession
    from aiogram.methods import TelegramMethod
    from aiohttp import ClientSession

log = structlog.get_logger(__name__)

T = TypeVar("T")

_PATIENCE: Final = 30.0
# Whoever does not take a connection by then was told nothing: we know that it was
# not sent, which a deadline of the whole call does not tell.
_CONNECTING: Final = 10.0
# How much later than asked for an empty answer to a long poll may come.
_LATE: Final = 15.0
_TRIES: Final = 3


class _RawUpdates(GetUpdates):
    """Updates as they are: one that nobody understands spoils no other."""

    __returning__ = list[dict[str, Any]]


class _Session(AiohttpSession):
    """A session that does not sleep when it is closed."""

    _opened: ClientSession | None = None

    async def create_session(self) -> ClientSession:
        """Give the session beneath, opened if need be."""
        self._opened = await super().create_session()
        return self._opened

    async def close(self) -> None:
        """Close at once: aiohttp waits for its connections by itself."""
        if self._opened is not None:
            await self._opened.close()


class _Line:
    """One session and those who use it: it is closed when the last has hung up."""

    def __init__(self, token: str, session: BaseSession) -> None:
        self.bot = Bot(token, session=session)
        self._users = 0
        self._is_left = False

    @asynccontextmanager
    async def used(self) -> AsyncIterator[Bot]:
        """Lend the bot for the length of the block."""
        self._users += 1
        try:
            yield self.bot
        finally:
            self._users -= 1
            await self._close_if_free()

    async def leave(self) -> None:
        """Begin nothing new here."""
        self._is_left = True
        await self._close_if_free()

    async def _close_if_free(self) -> None:
        if self._is_left and not self._users:
            await self.bot.session.close()


class Client:
    """What one bot may ask of Telegram; raises `failures`, never the vendor's errors.

    A token that can be none is a `WrongToken` at once. `session` makes another
    connection than the usual one.
    """

    def __init__(
        self,
        token: str,
        base_url: str = OFFICIAL,
        session: Callable[[], BaseSession] | None = None,
    ) -> None:
        self._token = token
        self._is_official = base_url.rstrip("/") == OFFICIAL
        api = TelegramAPIServer.from_base(base_url)
        self._open = session or (lambda: _Session(api=api))
        # aiogram makes the class of each answer anew, and pydantic forgets one that
        # nobody holds: making it takes ten milliseconds.
        self._answers: dict[type, type] = {}
        self._line = self._connected()
        self.bot_id: int = self._line.bot.id

    async def call(
        self,
        method: TelegramMethod[T],
        timeout: float = _PATIENCE,  # noqa: ASYNC109 -- each call has its own
    ) -> T:
        """Do one thing, within so many seconds.

        `Unreachable` means that it was not done, `TimeoutError` that nobody knows.
        """
        kind = type(method)
        if kind not in self._answers:
            self._answers[kind] = Response[kind.__returning__]  # type: ignore[name-defined]
        patience = ClientTimeout(total=None, connect=_CONNECTING)
        try:
            async with self._line.used() as bot, asyncio.timeout(timeout):
                # aiogram hands it on to aiohttp, which takes more than a number.
                return await bot(method, request_timeout=cast("int", patience))
        except STRUCK as error:
            failure = translated(error, method.__api_method__)
        raise failure

    async def updates(
        self,
        offset: int,
        timeout: int,  # noqa: ASYNC109 -- Telegram's, which keeps it
        allowed: list[str],
    ) -> list[dict[str, Any]]:
        """Wait so many seconds for what is new, from `offset` on."""
        asked = _RawUpdates(offset=offset, timeout=timeout, allowed_updates=allowed)
        found: Any = await self.call(asked, timeout + _LATE)
        return list(found or ())

    async def download(self, file_id: str, most: int) -> AsyncGenerator[bytes, None]:
        """Fetch a file of at most so many bytes, or raise `ChannelError` in words.

        One that breaks off is fetched again; what was given by then is not repeated.
        """
        given, tries = 0, 0
        while True:
            seen, tries = 0, tries + 1
            source = fetched(self, file_id, most, is_official=self._is_official)
            try:
                async with aclosing(source):
                    async for chunk in source:
                        fresh = chunk[max(given - seen, 0) :]
                        seen += len(chunk)
                        given = max(given, seen)
                        if fresh:
                            yield fresh
            except Unreachable as error:
                reason = str(error)
            except TimeoutError:
                reason = "the connection broke"
            else:
                return
            log.info("telegram_file_broken", tries=tries, error=reason)
            if tries >= _TRIES:
                raise Unreachable(f"the file could not be fetched: {reason}")

    def lent(self) -> AbstractAsyncContextManager[Bot]:
        """Lend the connection itself, for what is no method of the Bot API."""
        return self._line.used()

    async def rebuild(self) -> None:
        """Make new connections; what is under way ends on the old ones."""
        old, self._line = self._line, self._connected()
        await old.leave()

    async def close(self) -> None:
        """Hang up once nothing is under way any more."""
        await self._line.leave()

    def _connected(self) -> _Line:
        try:
            return _Line(self._token, self._open())
        except TokenValidationError:
            pass
        raise WrongToken("this is no token of a bot: expected such as 123456:AAE...")
