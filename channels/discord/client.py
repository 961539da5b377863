"""One bot's calls to Discord; the only one that holds its token."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
from discord.http import MultipartParameters, Route

from apx.domain.errors import Unreachable
from channels.discord import vendor
from channels.discord.client_calls import Course, followed, trace
from channels.discord.client_files import fetched
from channels.discord.client_interactions import Interactions
from channels.discord.failures import STRUCK, translated
from channels.shared.failures import Answered, Flood

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

_PATIENCE: Final = 30.0
_HANGING_UP: Final = 5.0


class Client:
    """What one bot may ask of Discord; raises `failures`, never the vendor's errors.

    `vendor` is discord.py's client, whose cache knows guilds and permissions; each
    login makes it anew.
    """

    def __init__(self, token: str) -> None:
        self._token = token
        self._intents = discord.Intents.none()
        self._intents.guilds = True
        self._intents.guild_messages = self._intents.dm_messages = True
        self._intents.message_content = True
        self.vendor = vendor.made(self._intents, trace())
        self._session: aiohttp.ClientSession | None = None
        self._is_fresh = True
        self._is_open = False

    @property
    def app_id(self) -> int:
        """The bot's id; 0 before it has logged in."""
        return self.vendor.application_id or 0

    @property
    def has_content(self) -> bool:
        """Whether the text of messages is asked for that are not for the bot."""
        return self._intents.message_content

    def without_content(self) -> None:
        """Ask no more for the text of messages that are not for the bot."""
        self._intents.message_content = False

    async def login(self) -> None:
        """Tell Discord the token; `WrongToken` says that it knows no such bot."""
        if not self._is_fresh:
            await self.rebuild()
        self._is_fresh = False
        try:
            async with asyncio.timeout(_PATIENCE):
                await self.vendor.login(self._token)
        except STRUCK as error:
            failure = translated(error, "who the bot is")
        else:
            self._is_open = True
            return
        raise failure

    async def call(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        query: Mapping[str, Any] | None = None,
        parts: MultipartParameters | None = None,
        timeout: float = _PATIENCE,  # noqa: ASYNC109 -- each call has its own
        **ids: int | str,
    ) -> Any:  # noqa: ANN401 -- JSON
        """Do one thing, such as `("GET", "/channels/{channel_id}", channel_id=5)`.

        `Unreachable` means that it was not done, `TimeoutError` that nobody knows.
        """
        if not self._is_open:
            raise Unreachable("the bot is not connected to Discord")
        more: dict[str, Any] = {}
        if json is not None:
            more["json"] = json
        if query:
            more["params"] = dict(query)
        if parts is not None:
            more |= {"form": parts.multipart, "files": parts.files}
        course, deed, asked = followed(), f"{method} {path}", self.vendor
        try:
            async with asyncio.timeout(timeout):
                said = await asked.http.request(
                    Route(method, path, metadata=None, **ids), **more
                )
        except STRUCK as error:
            failure = _failure(error, course, deed)
        else:
            return _read(said, deed)
        finally:
            _let_go(asked, course)
        raise failure

    def download(self, url: str, most: int) -> AsyncGenerator[bytes, None]:
        """Fetch an attachment of at most so many bytes, or raise in words.

        `Undeliverable` says that it is in vain, `Unreachable` and `TimeoutError` that
        it may be tried again.
        """
        return fetched(self._direct(), url, most)

    @property
    def interactions(self) -> Interactions:
        """Give what answers interactions, beside every rate limit."""
        return Interactions(self._direct(), self.app_id)

    async def rebuild(self) -> None:
        """Make new connections; what is under way on the old ones breaks off."""
        await self.close()
        self.vendor = vendor.made(self._intents, trace())
        self._is_fresh = True

    async def close(self) -> None:
        """Hang up."""
        self._is_open = False
        session, self._session = self._session, None
        if session is not None:
            await session.close()
        vendor.stop(self.vendor)
        if not self._is_fresh:
            with suppress(*STRUCK):
                async with asyncio.timeout(_HANGING_UP):
                    await self.vendor.close()

    def _direct(self) -> aiohttp.ClientSession:
        """Give a session that knows neither the token nor any limit."""
        if not self._is_open:
            raise Unreachable("the bot is not connected to Discord")
        if self._session is None:
            self._session = aiohttp.ClientSession(
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": self.vendor.http.user_agent},
            )
        return self._session


def _failure(error: Exception, course: Course, deed: str) -> Exception:
    """Say what happened, and not to know it only where nobody does."""
    failure = translated(error, deed)
    if course.is_sent or not isinstance(failure, TimeoutError):
        return failure
    if course.silence:
        return Flood(course.silence)
    return Unreachable(f"{deed} was not sent to Discord ({type(error).__name__})")


def _read(said: object, deed: str) -> object:
    """Give JSON, or nothing if nothing was said."""
    if not isinstance(said, str):
        return said
    if said:
        # Whoever stands between us and Discord; it would have said JSON.
        raise Answered(f"what was answered to {deed} is no JSON")
    return None


def _let_go(asked: discord.Client, course: Course) -> None:
    """Have others call again after a silence that this call broke off from.

    discord.py would have them wait for ever: nobody else ends what it began.
    """
    pause = vendor.global_pause(asked)
    if course.silence and not pause.is_set():
        asyncio.get_running_loop().call_later(course.silence, pause.set)
