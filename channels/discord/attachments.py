"""Fetches the files of messages; a link that has expired is asked for anew."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from apx.domain.errors import InputError, Undeliverable, Unreachable
from channels.discord.hearing_files import MOST, TOO_LARGE, Source, link
from channels.shared.failures import Rejected

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from apx.domain.attachment import Attachment
    from channels.discord.client import Client

_GONE: Final = "Discord has it no more: its message was deleted"


async def fetch(client: Client, file: Attachment) -> AsyncGenerator[bytes, None]:
    """Give the bytes of an attachment, or raise `ChannelError` with words."""
    if file.size > MOST:
        raise Undeliverable(TOO_LARGE)
    source = _source(file)
    seen = False
    try:
        async with aclosing(client.download(source.url, MOST)) as chunks:
            async for chunk in chunks:
                seen = True
                yield chunk
    except (Rejected, Undeliverable):
        if seen:
            raise  # the link is good, the file is not
    else:
        return
    url = await _renewed(client, source)
    async with aclosing(client.download(url, MOST)) as chunks:
        async for chunk in chunks:
            yield chunk


def _source(file: Attachment) -> Source:
    try:
        return Source.parse(file.ref)
    except InputError as error:
        raise Undeliverable(str(error)) from None


async def _renewed(client: Client, source: Source) -> str:
    """Ask for the message once more: the links in it are fresh."""
    try:
        message = await client.call(
            "GET",
            "/channels/{channel_id}/messages/{message_id}",
            channel_id=source.channel,
            message_id=source.message,
        )
    except (Rejected, Undeliverable):
        raise Undeliverable(_GONE) from None
    except TimeoutError as error:
        raise Unreachable(str(error)) from None
    url = link(message, source.attachment) if isinstance(message, dict) else ""
    if not url:
        raise Undeliverable(_GONE)
    return url
