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
from channels.discord.places import State
from channels.discord.raw import first_at, made_at, snowflake
from channels.shared.failures import Rejected
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

MISSED: Final = "missed"
# Messages of two channels may come in another order than they were written in.
_MARGIN: Final = timedelta(minutes=1)
_LONGEST: Final = timedelta(days=3)
_DAY: Final = 86_400.0
_AT_ONCE: Final = 4
_CHATS: Final = 200
_THREADS: Final = 50
_TRIES: Final = 8


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
        self._missed: set[int] = set()
        self._told = 0

    def begin(self, guilds: Iterable[int]) -> None:
        """Catch up with private chats now, and with guilds as they come.

        Until all of it is done the mark stays where it is.
        """
        since = self._mark.number
        if made_at(since) < self._hands.clock() - _LONGEST:
            log.warning("discord_away_too_long", since=f"{made_at(since):%Y-%m-%d}")
            self._tell()
        for guild in guilds:
            if guild not in self._awaited:
                self._mark.begin(since + 1)
                self._awaited[guild] = _Awaited(since)
        self._group.create_task(self._waited())
        chats = sorted(self._hands.places.dms)[-_CHATS:]
        for channel in reversed(chats):
            self.channel(Room(channel), since)

    def guild(self, raw: Raw) -> None:
        """Catch up with a guild that has come, if it was awaited."""
        guild = snowflake(raw, "id")
        awaited = self._awaited.pop(guild, None)
        if awaited is None:
            return
        try:
            floor = self._floor(awaited.since)
            active = dict(last_said(raw))
            for channel, last in active.items():
                if last > floor:
                    self.channel(self._guilds.room(channel, guild), awaited.since)
            for channel in self._asleep(raw, active):
                self.channel(self._guilds.room(channel, guild), awaited.since)
        finally:
            self._let_go(awaited)

    def channel(self, room: Room, since: int) -> None:
        """Have a channel read from a message on, before what waits there."""
        self._mark.begin(since + 1)
        self._lanes.ahead(room.id, partial(self.read, room, since))

    async def read(self, room: Room, since: int) -> None:
        """Read a channel from a message on, which is under way till then."""
        if not await self._read(room, self._floor(since)):
            log.warning("discord_not_caught_up", channel=room.id)
            self._missed.add(room.id)
            self._tell()
        self._mark.end(since + 1)

    async def _read(self, room: Room, floor: int) -> bool:
        """Read a channel; false if not all of it could be."""
        backoff = Backoff(self._hands.waits.first, self._hands.waits.longest)
        for _ in range(_TRIES):
            try:
                async with self._slots:
                    wants = partial(self._wants, room)
                    found = await self._history.since(room.id, floor, wants)
                    for raw in found.messages:
                        await self._taker.message(raw, room)
            except (Rejected, Undeliverable):
                return True  # the bot may not read there, or there is no there
            except (Unreachable, TimeoutError) as error:
                await asyncio.sleep(pause(error, backoff))
            else:
                return found.is_whole
        return False

    def _wants(self, room: Room, raw: Raw) -> bool:
        return self._taker.wants(raw, room)

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

    def _tell(self) -> None:
        """Tell for a day that not all was heard."""
        many = len(self._missed)
        where = f" in {many} channel{'s' * (many > 1)}" if many else ""
        text = f"not all that was said while nobody listened could be read{where}"
        self._told += 1
        self._hands.troubles.has(MISSED, text)
        self._group.create_task(self._forget(self._told))

    async def _forget(self, told: int) -> None:
        await asyncio.sleep(_DAY)
        if told == self._told:  # nothing was added since
            self._hands.troubles.over(MISSED)
            self._missed.clear()
