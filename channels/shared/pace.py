"""How fast one bot may speak: in all, in a chat, in a group.

What is counted are the messages of the last stretch of time, so a platform's numbers
hold for every stretch, not only on average.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from channels.shared.failures import Flood

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

# How long a call waits for a flood to pass; a longer one is for another day.
PATIENCE: Final = 60.0

_MANY: Final = 1_000
# Less than a clock can be trusted with is no time at all.
_INSTANT: Final = 1e-6
# So many chats that are told to be silent at once mean the bot, not the chats.
_ALL_OF_THEM: Final = 3


@dataclass(frozen=True, slots=True)
class Rate:
    """So many in so many seconds; edits leave `spare` to what has to arrive."""

    most: int
    seconds: float
    spare: int = 0


@dataclass(frozen=True, slots=True)
class Rates:
    """The numbers of a platform: `everywhere` for the bot, the others for a chat.

    In groups, where those have a rate of their own, `swift` edits come as they like;
    after so many there are `slow` seconds between two.
    """

    everywhere: tuple[Rate, ...]
    chat: Rate
    group: Rate | None = None
    swift: int = 0
    slow: float = 0.0


class _Window:
    """At most so many in so many seconds, whichever seconds these are."""

    __slots__ = ("_rate", "_times")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._times: deque[float] = deque(maxlen=rate.most)

    def take(self, now: float) -> None:
        self._times.append(now)

    def wait(self, now: float) -> float:
        """How long until there is room for one."""
        return self._wait(now, self._rate.most)

    def has_spare(self, now: float) -> bool:
        """Whether there is room for one, and enough for others after it."""
        return self._wait(now, self._rate.most - self._rate.spare) <= 0

    def _wait(self, now: float, room: int) -> float:
        if len(self._times) < room:
            return 0.0
        return max(self._times[-room] + self._rate.seconds - now, 0.0)

    def count(self, now: float) -> int:
        return sum(1 for at in self._times if at > now - self._rate.seconds)

    @property
    def last(self) -> float:
        return self._times[-1] if self._times else -self._rate.seconds

    def is_idle(self, now: float) -> bool:
        return self.last <= now - self._rate.seconds


class _Chat:
    """What is known of one chat while it matters."""

    __slots__ = ("_rates", "closed_until", "line", "users", "wider", "window")

    def __init__(self, rates: Rates, *, is_group: bool) -> None:
        self._rates = rates
        self.window = _Window(rates.chat)
        self.wider = _Window(rates.group) if is_group and rates.group else None
        self.closed_until = 0.0
        self.line = asyncio.Lock()
        self.users = 0

    def wait(self, now: float) -> float:
        wider = self.wider.wait(now) if self.wider else 0.0
        return max(self.window.wait(now), wider, self.closed_until - now)

    def has_room(self, now: float) -> bool:
        """Whether an edit may go, and enough is left for texts; none waits then."""
        if self.closed_until > now or not self.window.has_spare(now):
            return False
        if self.wider is None:
            return True
        is_swift = self.wider.count(now) < self._rates.swift
        has_gap = now - self.wider.last >= (0.0 if is_swift else self._rates.slow)
        return has_gap and self.wider.has_spare(now)

    def take(self, now: float) -> None:
        self.window.take(now)
        if self.wider is not None:
            self.wider.take(now)

    def is_idle(self, now: float) -> bool:
        is_busy = self.users or self.closed_until > now
        wide = self.wider or self.window
        return not is_busy and wide.is_idle(now)


class Pace:
    """The gate of one bot: final texts wait here, edits go when there is room.

    Chats take turns: one with much to say holds up no other.
    """

    def __init__(
        self,
        rates: Rates,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[object]],
    ) -> None:
        self.clock = clock
        self.sleep = sleep
        self._rates = rates
        self._all = [_Window(rate) for rate in rates.everywhere]
        self._turns = asyncio.Lock()
        self._closed_until = 0.0
        self._chats: dict[int, _Chat] = {}
        self._sweep_at = _MANY

    async def enter(self, chat_id: int, until: float) -> None:
        """Wait until a message may go to a chat, and count it.

        Raises `Flood` if that is more than a minute away, or later than `until`.
        """
        async with self._known(chat_id) as chat, chat.line:
            while True:
                if self.clock() > until:
                    raise Flood(self.clock() - until)
                await self._pass(lambda: self._gate(chat), until)
                async with self._turns:
                    await self._pass(self._wait, until)
                    now = self.clock()
                    # It may have been closed while others had their turn.
                    if self._gate(chat) <= _INSTANT:
                        self._take(chat, now)
                        return

    def has_room(self, chat_id: int) -> bool:
        """Whether an edit may go to a chat now."""
        now = self.clock()
        has_spare = all(window.has_spare(now) for window in self._all)
        if self._closed_until > now or not has_spare:
            return False
        return self._chat(chat_id).has_room(now)

    def room(self, chat_id: int) -> bool:
        """Whether an edit may go to a chat now; it is counted if so."""
        if not self.has_room(chat_id):
            return False
        self.count(chat_id)
        return True

    def count(self, chat_id: int) -> None:
        """Count a message that goes to a chat without having waited here."""
        self._take(self._chat(chat_id), self.clock())

    def flood(self, retry_after: float, chat_id: int) -> None:
        """Be silent in a chat for so long; in all, if many chats are told so."""
        now = self.clock()
        chat = self._chat(chat_id)
        chat.closed_until = max(chat.closed_until, now + retry_after)
        silent = sum(1 for one in self._chats.values() if one.closed_until > now)
        if silent >= _ALL_OF_THEM:
            pause = min(retry_after, PATIENCE)
            self._closed_until = max(self._closed_until, now + pause)

    @property
    def size(self) -> int:
        """How many chats are remembered now."""
        return len(self._chats)

    def is_group(self, chat_id: int) -> bool:
        """Whether a chat has the rate of groups."""
        del chat_id
        return False

    def _wait(self) -> float:
        now = self.clock()
        return max(window.wait(now) for window in self._all)

    def _take(self, chat: _Chat, now: float) -> None:
        chat.take(now)
        for window in self._all:
            window.take(now)

    def _gate(self, chat: _Chat) -> float:
        now = self.clock()
        return max(chat.wait(now), self._closed_until - now)

    async def _pass(self, wait: Callable[[], float], until: float) -> None:
        while (seconds := wait()) > _INSTANT:
            if seconds > PATIENCE or self.clock() + seconds > until:
                raise Flood(seconds)
            await self.sleep(seconds)

    @asynccontextmanager
    async def _known(self, chat_id: int) -> AsyncIterator[_Chat]:
        chat = self._chat(chat_id)
        chat.users += 1
        try:
            yield chat
        finally:
            chat.users -= 1

    def _chat(self, chat_id: int) -> _Chat:
        chat = self._chats.get(chat_id)
        if chat is None:
            self._sweep()
            is_group = self.is_group(chat_id)
            chat = self._chats[chat_id] = _Chat(self._rates, is_group=is_group)
        return chat

    def _sweep(self) -> None:
        """Forget chats where nothing was said lately, whenever they have doubled."""
        if len(self._chats) < self._sweep_at:
            return
        now = self.clock()
        kept = {key: chat for key, chat in self._chats.items() if not chat.is_idle(now)}
        self._chats = kept
        self._sweep_at = max(_MANY, 2 * len(kept))
