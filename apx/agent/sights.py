"""What a turn may see: who can read its reply decides."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import ChannelError
from apx.domain.person import OWNER, TERMINAL, Audience, Sight
from apx.domain.thread import Thread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from apx.domain.person import Account
    from apx.ports import Channel
    from apx.store.people import People
    from apx.store.threads import Threads

log = structlog.get_logger(__name__)

# What a platform said of a member list holds for so many seconds.
FRESH: Final = 600.0
# After a failure it is asked again; whoever does not answer by then has failed.
_FAILED: Final = 30.0
_HANGS: Final = 30.0
# A turn waits no longer for a platform's answer; what came late serves the next one.
_PATIENCE: Final = 0.2


class Sights:
    """Finds the audiences of a person, in private and in a room."""

    def __init__(
        self,
        people: People,
        threads: Threads,
        channels: Mapping[str, Channel],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._people = people
        self._threads = threads
        self._members = _Members(channels, clock)

    async def of(self, person: str, audience: str) -> Sight:
        """Say what a turn of this person sees, where this audience reads the reply.

        In a room that is the room and what is shared; the person's own is withheld.
        """
        homes = await self._people.homes(person)
        private = tuple(str(Audience.private(key)) for key in (person, *homes))
        if audience != private[0]:
            return Sight(audience, withheld=private)
        return Sight(audience, (*private[1:], *await self._rooms(person)))

    async def rooms(self, person: str) -> tuple[str, ...]:
        """Name the rooms that a person takes part in, as audiences."""
        return await self._rooms(person)

    async def _rooms(self, person: str) -> tuple[str, ...]:
        accounts = [kept.account for kept in await self._people.accounts(person)]
        if person == OWNER:
            accounts.append(TERMINAL)
        pairs = [
            (Thread.parse(name), account)
            for account in accounts
            for name in await self._threads.rooms(account.channel, account.bot)
        ]
        found = await self._members.among(pairs)
        return tuple(dict.fromkeys(str(Audience.room(thread)) for thread in found))


class _Members:
    """Asks platforms who is in a room, and remembers it for a while.

    Whatever is late, fails or is not known counts as no.
    """

    def __init__(
        self, channels: Mapping[str, Channel], clock: Callable[[], float]
    ) -> None:
        self._channels = channels
        self._clock = clock
        self._known: dict[tuple[Thread, Account], tuple[bool, float]] = {}
        self._asking: dict[tuple[Thread, Account], asyncio.Task[None]] = {}

    async def among(self, pairs: Sequence[tuple[Thread, Account]]) -> list[Thread]:
        """Give the threads that their account can read."""
        now = self._clock()
        stale = [pair for pair in pairs if self._until(pair) <= now]
        tasks = [self._ask(pair) for pair in stale]
        if tasks:
            await asyncio.wait(tasks, timeout=_PATIENCE)
        now = self._clock()
        return [pair[0] for pair in pairs if self._is_member(pair, now)]

    def _until(self, pair: tuple[Thread, Account]) -> float:
        return self._known.get(pair, (False, -1.0))[1]

    def _is_member(self, pair: tuple[Thread, Account], now: float) -> bool:
        is_member, until = self._known.get(pair, (False, -1.0))
        return is_member and until > now

    def _ask(self, pair: tuple[Thread, Account]) -> asyncio.Task[None]:
        if pair not in self._asking:
            self._asking[pair] = asyncio.ensure_future(self._asked(pair))
            self._asking[pair].add_done_callback(lambda _: self._asking.pop(pair, None))
        return self._asking[pair]

    async def _asked(self, pair: tuple[Thread, Account]) -> None:
        thread, account = pair
        channel = self._channels.get(thread.channel)
        is_member, fresh = False, _FAILED
        try:
            async with asyncio.timeout(_HANGS):
                if channel is not None:
                    is_member = await channel.has_member(thread, account)
            fresh = FRESH
        except (ChannelError, TimeoutError, OSError) as error:
            log.info("members_unknown", thread=str(thread), kind=type(error).__name__)
        except Exception:  # a channel's fault must not end a turn
            log.exception("members_unknown", thread=str(thread))
        self._known[pair] = (is_member, self._clock() + fresh)
