"""Reads what was said while the bot was away, from the channels that it knows."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import Undeliverable, Unreachable
from channels.discord.guilds import Room, last_said
from channels.discord.history import History
from channels.discord.missed import Missed
from channels.discord.places import State
from channels.discord.raw import first_at, made_at, maybe_snowflake, snowflake
from channels.shared.failures import Flood, Rejected
from channels.shared.raw import parts
from channels.shared.waiting import Backoff, pause

if TYPE_CHECKING:
    from collections.abc import Iterable

    from channels.discord.guilds import Guilds
    from channels.discord.lanes import Lanes
    from channels.discord.mark import Mark
    from channels.discord.taking import Hands, Taker
    from channels.shared.raw import Raw

log = structlog.get_logger(__name__)

# Messages of two channels may come in another order than they were written in.
_MARGIN: Final = timedelta(minutes=1)
_LONGEST: Final = timedelta(days=3)
_AT_ONCE: Final = 4
_THREADS: Final = 50
# So often, before whoever writes there now is heard first.
_TRIES: Final = 5


@dataclass(slots=True)
class _Awaited:
    """A guild that is still to come after a start, and since when it was not heard."""

    since: int
    is_held: bool = True


class CatchingUp:
    """Has each channel read from the mark on, in front of what is said there now."""

    def __init__(
        self,
        hands: Hands,
        taker: Taker,
        lanes: Lanes,
        mark: Mark,
        guilds: Guilds,
        group: asyncio.TaskGroup,
    ) -> None:
        self._hands = hands
        self._taker = taker
        self._lanes = lanes
        self._mark = mark
        self._guilds = guilds
        self._group = group
        self._history = History(hands.client)
        self._slots = asyncio.Semaphore(_AT_ONCE)
        self._awaited: dict[int, _Awaited] = {}
        self._to_read: set[int] = set()
        self._missed = Missed(hands.troubles, group)
        # The mark that this process began with; 0 where nothing is to be read.
        self._began: int | None = None

    def begin(self, guilds: Iterable[int]) -> None:
        """Catch up with private chats now, and with guilds as they come.

        Until all of it is done the mark stays where it is.
        """
        since = self._mark.number
        if self._began is None:
            self._began = since
        for guild in guilds:
            if guild not in self._awaited:
                self._mark.begin(since + 1)
                self._awaited[guild] = _Awaited(since)
        self._group.create_task(self._waited())
        for channel in sorted(self._hands.places.dms, reverse=True):
            self.channel(Room(channel), since)

    def private(self, room: Room) -> None:
        """Read a private chat in which somebody writes, if it was not known of.

        Bots are given no list of these: more may have been written there before.
        """
        if self._began and not self._hands.places.dm(room.id):
            self.channel(room, self._began)

    def guild(self, raw: Raw) -> None:
        """Catch up with a guild that has come, if it was awaited."""
        guild = snowflake(raw, "id")
        awaited = self._awaited.pop(guild, None)
        if awaited is None:
            return
        try:
            # What is older than can be read is told of.
            least = min(self._floor(awaited.since), awaited.since)
            active = dict(last_said(raw))
            for channel, last in active.items():
                if last > least:
                    self.channel(self._guilds.room(channel, guild), awaited.since)
            for channel in self._asleep(raw, active):
                self.channel(self._guilds.room(channel, guild), awaited.since)
        finally:
            self._let_go(awaited)

    def channel(self, room: Room, since: int) -> None:
        """Have a channel read from a message on, before what waits there.

        What is to be read already is read as far as it goes by then.
        """
        if room.id not in self._to_read:
            self._mark.begin(since + 1)
            self._ahead(room, since)

    async def read(self, room: Room, since: int) -> None:
        """Read a channel from a message on, which is under way till then."""
        self._to_read.discard(room.id)
        try:
            is_whole = await self._read(room, since)
        except (Unreachable, TimeoutError) as error:
            log.warning("discord_not_caught_up", channel=room.id)
            self._missed.unread(room.id)
            self._to_read.add(room.id)
            self._group.create_task(self._read_later(room, since, error))
            return
        self._missed.read(room.id, is_whole=is_whole)
        self._mark.end(since + 1)

    def _ahead(self, room: Room, since: int) -> None:
        self._to_read.add(room.id)
        self._lanes.ahead(room.id, partial(self.read, room, since))

    async def _read_later(self, room: Room, since: int, error: Exception) -> None:
        """Read what Discord does not give now; till then the mark stays."""
        told = error.retry_after if isinstance(error, Flood) else 0.0
        await asyncio.sleep(max(told, self._hands.waits.longest))
        self._ahead(room, since)

    async def _read(self, room: Room, since: int) -> bool:
        """Read a channel; false if there was too much, or it was too long ago.

        Raises what keeps it from being read, after some tries or for long.
        """
        longest, tries = self._hands.waits.longest, 0
        backoff = Backoff(self._hands.waits.first, longest)
        while True:
            try:
                async with self._slots:
                    return await self._taken(room, since)
            except (Rejected, Undeliverable):
                return True  # the bot may not read there, or there is no there
            except (Unreachable, TimeoutError) as error:
                tries, wait = tries + 1, pause(error, backoff)
                if tries == _TRIES or wait > longest:
                    raise
            await asyncio.sleep(wait)

    async def _taken(self, room: Room, since: int) -> bool:
        floor, wants = self._floor(since), partial(self._wants, room)
        found = await self._history.since(room.id, floor, wants)
        for raw in found.messages:
            await self._taker.message(raw, room)
        if floor <= since or not found.is_whole:
            return found.is_whole
        return not await self._history.has(room.id, since, floor, wants)

    def _wants(self, room: Room, raw: Raw) -> bool:
        is_known = self._mark.knows(maybe_snowflake(raw, "id"))
        return not is_known and self._taker.wants(raw, room)

    def _floor(self, since: int) -> int:
        """Give where to begin: a little before, and not in times of old."""
        earliest = self._hands.clock() - _LONGEST
        return first_at(max(made_at(since) - _MARGIN, earliest))

    def _asleep(self, raw: Raw, active: dict[int, int]) -> list[int]:
        """Find threads of ours that are not listed: they fall asleep after a day."""
        here = {snowflake(one, "id") for one in parts(raw, "channels")}
        found = [
            channel
            for channel, own in self._hands.places.owns.items()
            if own.state is State.MADE and own.parent in here and channel not in active
        ]
        return sorted(found)[-_THREADS:]

    async def _waited(self) -> None:
        """Let the mark go on without guilds that do not come: Discord has lost them."""
        await asyncio.sleep(self._hands.waits.connecting)
        for awaited in self._awaited.values():
            self._let_go(awaited)

    def _let_go(self, awaited: _Awaited) -> None:
        if awaited.is_held:
            awaited.is_held = False
            self._mark.end(awaited.since + 1)
