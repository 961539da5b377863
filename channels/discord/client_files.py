"""How the bytes of an attachment come to us: from Discord's own addresses alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from aiohttp import ClientTimeout
from discord.http import Route
from yarl import URL

from apx.domain.errors import Undeliverable, Unreachable
from channels.discord.failures import STRUCK, translated, troubled

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    import aiohttp

_CDN: Final = frozenset({"cdn.discordapp.com", "media.discordapp.net"})
_CHUNK: Final = 64 * 1024
_CONNECTING: Final = 10.0
_SILENCE: Final = 30.0
_PATIENCE: Final = 300.0
_FINE: Final = 200


async def fetched(
    session: aiohttp.ClientSession, url: str, most: int
) -> AsyncGenerator[bytes, None]:
    """Fetch a file of at most so many bytes."""
    address = _address(url)
    # Not `asyncio.timeout`: while we wait at a `yield`, its time would be another's.
    patience = ClientTimeout(total=_PATIENCE, connect=_CONNECTING, sock_read=_SILENCE)
    seen = 0
    try:
        async with session.get(
            address,
            timeout=patience,
            allow_redirects=False,
            headers={"Accept-Encoding": "identity"},
        ) as answer:
            _accept(answer, most)
            async for chunk in answer.content.iter_chunked(_CHUNK):
                seen += len(chunk)
                if seen > most:
                    raise _too_large(most)
                yield chunk
    except STRUCK as error:
        failure = translated(error, "for a file")
    else:
        return
    raise failure


def _address(url: str) -> URL:
    """Take an address of Discord's: nobody else's is asked for, whoever names it."""
    try:
        address = URL(url)
    except (ValueError, TypeError):
        raise Undeliverable("its address cannot be read") from None
    is_cdn = address.scheme == "https" and address.host in _CDN
    if is_cdn and address.explicit_port is None:
        return address
    if address.scheme and address.host and address.origin() == URL(Route.BASE).origin():
        return address
    raise Undeliverable("it is not kept by Discord")


def _accept(answer: aiohttp.ClientResponse, most: int) -> None:
    trouble = troubled(answer.status, answer.headers, "for a file")
    if isinstance(trouble, TimeoutError):
        raise Unreachable(str(trouble))
    if trouble is not None:
        raise trouble
    if answer.status != _FINE:
        raise Undeliverable(
            f"Discord gives it no more: its link has expired ({answer.status})"
        )
    if (answer.content_length or 0) > most:
        raise _too_large(most)


def _too_large(most: int) -> Undeliverable:
    return Undeliverable(f"it is larger than {most / 1_000_000:.0f} MB")
