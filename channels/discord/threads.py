"""The threads that questions begin: each is made when something is first said there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

import structlog

from apx.domain.errors import ChannelError, Undeliverable
from apx.domain.text import excerpt, flatten
from channels.discord.failures import Rejected
from channels.discord.places import State

if TYPE_CHECKING:
    from apx.domain.thread import Thread
    from channels.discord.client import Client
    from channels.discord.places import Own, Places

log = structlog.get_logger(__name__)

_THERE_ALREADY: Final = 160004
_NAME: Final = 60
_UNNAMED: Final = "Question"
_DAY: Final = 1_440  # minutes
# The answer is waiting.
_PATIENCE: Final = 2.0
_FROM_MESSAGE: Final = "/channels/{channel_id}/messages/{message_id}/threads"
_MEMBER: Final = "/channels/{channel_id}/thread-members/{user_id}"


@dataclass(frozen=True, slots=True)
class Where:
    """The channel in which to say something, and what to reply to there."""

    channel_id: int
    reply_to: int | None = None


class Threads:
    """Knows where each thread of one bot is now; makes those that are yet to be."""

    def __init__(self, client: Client, places: Places) -> None:
        self._client = client
        self._places = places
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def where(self, thread: Thread) -> Where:
        """Say where a thread is, and make it first if it is to be one of our own.

        `Unreachable` and `TimeoutError` say that nobody knows yet.
        """
        channel_id = self._places.channel(thread)
        own = self._places.own(channel_id)
        if own is not None and own.state is State.NEW:
            lock = self._locks.setdefault(channel_id, asyncio.Lock())
            async with lock:
                own = self._places.own(channel_id) or own
                if own.state is State.NEW:
                    await self._begin(channel_id, own)
            own = self._places.own(channel_id)
        if own is not None and own.state is State.FLAT:
            return Where(own.parent, channel_id)
        return Where(channel_id)

    async def _begin(self, channel_id: int, own: Own) -> None:
        try:
            await self._made(channel_id, own)
        except (Rejected, Undeliverable) as error:
            # No right to it, no message any more, no place for threads.
            log.info("discord_thread_refused", error=str(error))
            await self._places.became(channel_id, State.FLAT)
            return
        await self._places.became(channel_id, State.MADE)
        await self._bring(channel_id, own.user)

    async def _made(self, channel_id: int, own: Own) -> None:
        name = excerpt(flatten(self._places.title(channel_id)), _NAME) or _UNNAMED
        try:
            await self._client.call(
                "POST",
                _FROM_MESSAGE,
                json={"name": name, "auto_archive_duration": _DAY},
                channel_id=own.parent,
                message_id=channel_id,
            )
        except Rejected as error:
            if error.code != _THERE_ALREADY:
                raise

    async def _bring(self, channel_id: int, user: int) -> None:
        """Have the asker see the thread in their list; it goes without, too."""
        try:
            await self._client.call(
                "PUT",
                _MEMBER,
                timeout=_PATIENCE,
                channel_id=channel_id,
                user_id=user,
            )
        except (ChannelError, TimeoutError) as error:
            log.info("discord_thread_without_asker", error=str(error))
