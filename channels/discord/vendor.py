"""What we take of discord.py beneath its public names, all of it in one place."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

import discord
from discord.http import Route

from channels.discord.vendor_buckets import Bucket

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    import aiohttp
    from discord.gateway import DiscordWebSocket

    Parsers = dict[str, Callable[[Any], None]]

# A longer silence is for another day: `Flood` says so at once.
_LONGEST_FLOOD: Final = 60.0
_API: Final = "/api/v10"
# No voice: what would be missing for it is no news.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


def base(url: str) -> None:
    """Have all of this process talk to the Discord at a URL."""
    Route.BASE = url.rstrip("/") + _API


def made(intents: discord.Intents, trace: aiohttp.TraceConfig) -> discord.Client:
    """Make a client that keeps guilds, channels and roles, and no messages.

    `trace` sees its calls. Within a running loop only.
    """
    client = discord.Client(
        intents=intents,
        max_messages=None,
        max_ratelimit_timeout=_LONGEST_FLOOD,
        chunk_guilds_at_startup=False,
        member_cache_flags=discord.MemberCacheFlags.none(),
        allowed_mentions=discord.AllowedMentions.none(),
        # Its own "ready" is nothing that we wait for.
        guild_ready_timeout=0.0,
        http_trace=trace,
    )
    http = client.http
    client.http.get_ratelimit = (  # type: ignore[method-assign] # no other way in
        lambda key: _bucket(http, key)
    )
    return client


def parsers(client: discord.Client) -> Parsers:
    """Give what is done with each event of the gateway, to be changed in place."""
    return client._connection.parsers  # noqa: SLF001 -- as the first line says


def watch(
    client: discord.Client, silence: float, opened: Callable[[DiscordWebSocket], None]
) -> None:
    """Have `opened` told of each new socket before anything is read from it.

    One that says nothing for so many seconds is given up.
    """
    state = client._connection  # noqa: SLF001 -- as the first line says
    state.heartbeat_timeout = silence
    state._update_references = opened  # type: ignore[method-assign,assignment] # noqa: SLF001


def stop(client: discord.Client) -> None:
    """End what it does by itself after it was connected."""
    task = client._connection._ready_task  # noqa: SLF001 -- as the first line says
    if task is not None:
        task.cancel()


def global_pause(client: discord.Client) -> asyncio.Event:
    """Give what all calls wait for: it is cleared while Discord wants none."""
    return client.http._global_over  # noqa: SLF001 -- as the first line says


def _bucket(http: Any, key: str) -> Bucket:  # noqa: ANN401 -- what is private has no type
    known = http._buckets.get(key)  # noqa: SLF001 -- as the first line says
    if known is None:
        http._buckets[key] = known = Bucket(_LONGEST_FLOOD)  # noqa: SLF001
        http._try_clear_expired_ratelimits()  # noqa: SLF001
    return known  # type: ignore[no-any-return]


class _Terse(logging.Filter):
    """Leaves of a line what it says: a stack of the whole loop is not for the log.

    That a heartbeat was answered late is measured from the one before, if the answer
    comes at once: it says so of every good connection.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = str(record.msg).partition("\n")[0]
        return not record.msg.startswith("Can't keep up")


def _hush() -> None:
    # Below warnings it logs every payload with what people say, and the token.
    logging.getLogger("discord").setLevel(logging.WARNING)
    for name in ("discord.gateway", "discord.client", "discord.http"):
        logging.getLogger(name).addFilter(_Terse())


_hush()
