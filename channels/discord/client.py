"""One bot's calls to Discord; the only one that holds its token."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import discord
from discord.http import MultipartParameters, Route

from channels.discord.failures import STRUCK, translated

if TYPE_CHECKING:
    from collections.abc import Mapping

_PATIENCE: Final = 30.0
# A longer silence is for another day: `Flood` says so at once.
_LONGEST_FLOOD: Final = 60.0


class Client:
    """What one bot may ask of Discord; raises `failures`, never the vendor's errors.

    `vendor` is discord.py's client, whose cache knows guilds and permissions.
    """

    def __init__(self, token: str) -> None:
        self._token = token
        intents = discord.Intents.none()
        intents.guilds = intents.guild_messages = intents.dm_messages = True
        intents.message_content = True
        self.vendor = discord.Client(
            intents=intents,
            max_messages=None,
            max_ratelimit_timeout=_LONGEST_FLOOD,
            chunk_guilds_at_startup=False,
            member_cache_flags=discord.MemberCacheFlags.none(),
            allowed_mentions=discord.AllowedMentions.none(),
        )

    @property
    def app_id(self) -> int:
        """The bot's id; 0 before it has logged in."""
        return self.vendor.application_id or 0

    async def login(self) -> None:
        """Tell Discord the token; `WrongToken` says that it knows no such bot."""
        try:
            async with asyncio.timeout(_PATIENCE):
                await self.vendor.login(self._token)
        except STRUCK as error:
            failure = translated(error, "who the bot is")
        else:
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
        more: dict[str, Any] = {}
        if json is not None:
            more["json"] = json
        if query:
            more["params"] = dict(query)
        if parts is not None:
            more |= {"form": parts.multipart, "files": parts.files}
        try:
            async with asyncio.timeout(timeout):
                return await self.vendor.http.request(
                    Route(method, path, **ids), **more
                )
        except STRUCK as error:
            failure = translated(error, f"{method} {path}")
        raise failure

    async def close(self) -> None:
        """Hang up."""
        await self.vendor.close()
