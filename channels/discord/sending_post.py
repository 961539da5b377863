"""One message to one thread, through whatever Discord has against it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import structlog

from apx.domain.errors import Undeliverable
from channels.discord.failures import Rejected
from channels.discord.message import Message, parts, payload
from channels.discord.sending_pieces import (
    another,
    halves,
    is_file_too_large,
    is_too_long,
    mended,
    without_file,
)
from channels.discord.splitting import LIMIT
from channels.shared.failures import Flood
from channels.shared.units import units

if TYPE_CHECKING:
    from apx.domain.thread import Thread
    from channels.discord.client import Client
    from channels.discord.pace import Pace
    from channels.discord.threads import Threads, Where

log = structlog.get_logger(__name__)

_TEXT_PATIENCE: Final = 30.0
_FILE_PATIENCE: Final = 120.0
# In a row, each twice as long as told: whoever says "now" and means it not would be
# asked without end.
_FLOODS: Final = 5
_SHORTEST: Final = 1.0
_MESSAGES: Final = "/channels/{channel_id}/messages"
_MESSAGE: Final = "/channels/{channel_id}/messages/{message_id}"
_CHANNEL: Final = "/channels/{channel_id}"
_TOO_LARGE: Final = "it is too large for this place"
_NOT_ALLOWED: Final = "no files may be sent here"
_NOT_TAKEN: Final = "Discord did not take it"


class Post:
    """Sends messages of one bot, in its pace."""

    def __init__(self, client: Client, threads: Threads, pace: Pace) -> None:
        self._client = client
        self._threads = threads
        self._pace = pace

    async def send(
        self, thread: Thread, message: Message, until: float
    ) -> tuple[int, ...]:
        """Send a message, in two where it is too long; gives their ids.

        Raises `Unreachable` if it cannot be sent before `until`, a time of the pace.
        """
        if units(message.content) <= LIMIT:
            try:
                return await self._whole(thread, message, until)
            except Rejected as error:
                if not is_too_long(error) or not halves(message):
                    raise
        sent: tuple[int, ...] = ()
        for half in halves(message):
            sent += await self.send(thread, half, until)
        return sent

    async def _whole(
        self, thread: Thread, message: Message, until: float
    ) -> tuple[int, ...]:
        """Send a message, and say which file of it is not there."""
        try:
            made = await self._one(thread, message, until)
        except Rejected as error:
            if message.file is None or not is_file_too_large(error):
                raise
            reason = _TOO_LARGE
        except Undeliverable:
            if message.file is None:
                raise
            # It may be the file alone; else the words are refused, too.
            reason = _NOT_ALLOWED
        else:
            sent = number(made)
            if message.file is None or made.get("attachments"):
                return (sent,)
            log.warning("discord_file_missing", file=message.file.name)
            bare = replace(message, content="", nonce=another(message.nonce, 1))
            note = without_file(bare, _NOT_TAKEN)
            return (sent, *await self._whole(thread, note, until))
        log.warning("discord_file_left_out", file=message.file.name, reason=reason)
        return await self._whole(thread, without_file(message, reason), until)

    async def _one(self, thread: Thread, message: Message, until: float) -> Any:  # noqa: ANN401 -- JSON
        floods, was_opened = 0, False
        where = await self._threads.where(thread)
        if message.reply_to is None:
            message = replace(message, reply_to=where.reply_to, is_quiet=True)
        while True:  # until it is there, or nothing helps, or it is too late
            await self._pace.enter(where.channel_id, until)
            try:
                return await self._asked(where, message)
            except Flood as error:
                # The gate is closed for so long now, or says that it is too long.
                self._pace.flood(_silence(error, floods), where.channel_id)
                floods += 1
                if floods >= _FLOODS:
                    raise
            except Rejected as error:
                if error.is_archived and not was_opened:
                    was_opened = True
                    await self._open(where)
                    continue
                message = _mended(message, error)

    async def _open(self, where: Where) -> None:
        """Open a thread again that was closed because nobody wrote."""
        try:
            await self._client.call(
                "PATCH",
                _CHANNEL,
                json={"archived": False},
                timeout=_TEXT_PATIENCE,
                channel_id=where.channel_id,
            )
        except Rejected as error:
            failure = Undeliverable(f"the thread is closed: {error.description}")
        else:
            return
        raise failure

    async def _asked(self, where: Where, message: Message) -> Any:  # noqa: ANN401 -- JSON
        if message.edits is not None:
            return await self._client.call(
                "PATCH",
                _MESSAGE,
                json=payload(message),
                timeout=_TEXT_PATIENCE,
                channel_id=where.channel_id,
                message_id=message.edits,
            )
        file = parts(message)
        return await self._client.call(
            "POST",
            _MESSAGES,
            json=None if file else payload(message),
            parts=file,
            timeout=_FILE_PATIENCE if file else _TEXT_PATIENCE,
            channel_id=where.channel_id,
        )


def _mended(message: Message, error: Rejected) -> Message:
    if message.file is not None and is_file_too_large(error):
        raise error
    better = mended(message, error)
    if better is None:
        raise error
    log.warning("discord_message_mended", reason=error.description)
    return better


def _silence(error: Flood, floods: int) -> float:
    """Give how long to be silent after so many floods in a row before this one."""
    return max(error.retry_after, _SHORTEST) * float(1 << floods)


def number(made: object) -> int:
    """Read the id of a message that was sent; `TimeoutError` if that is not told."""
    found = made.get("id") if isinstance(made, dict) else None
    if isinstance(found, str) and found.isdecimal():
        return int(found)
    raise TimeoutError("Discord did not say which message it made")
