"""How fast one bot may speak: in all, in a chat, in a group.

Telegram's numbers: 30 messages a second in all, one a second in a chat, 20 a minute in
a group. What is counted are the messages of the last stretch of time, so the numbers
hold for every stretch, not only on average.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from channels.shared.failures import Flood

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

# How long a call waits for a flood to pass; a longer one is for another day.
PATIENCE: Final = 60.0

# A little less than allowed: what we send evenly does not arrive evenly.
_ALL: Final = (29, 1.0)
# Nor does what leaves in a heap: a busy loop writes its end late, and the next heap
# falls into the same second. So few at a time that a fifth of a second does not matter.
_EVENLY: Final = (5, 0.2)
# One a second on average; a reply in three pieces need not drip.
_CHAT: Final = (3, 3.2)
_GROUP: Final = (20, 61.0)
# What an edit leaves for the messages that have to arrive.
_SPARE_ALL: Final = 10
_SPARE_CHAT: Final = 1
_SPARE_GROUP: Final = 5
# In a group edits begin swiftly, and are few after that: they count as messages.
_SWIFT: Final = 4
_SLOW: Final = 5.0
_MANY: Final = 1_000
# Less than a clock can be trusted with is no time at all.
_INSTANT: Final = 1e-6
# So many chats that are told to be silent at once mean the bot, not the chats.
_ALL_OF_THEM: Final = 3


class _Window:
    """At most so many in so many seconds, whichever seconds these are."""

    __slots__ = ("_most", "_seconds", "_times")

    def __init__(self, most: int, seconds: float) -> None:
        self._most = most
        self._seconds = seconds
        self._times: deque[float] = deque(maxlen=most)

    def take(self, now: float) -> None:
        self._times.append(now)

    def wait(self, now: float, spare: int = 0) -> float:
        """How long until there is room for one, and `spare` more."""
        room = self._most - spare
        if len(self._times) < room:
            return 0.0
        return max(self._times[-room] + self._seconds - now, 0.0)

    def count(self, now: float) -> int:
        return sum(1 for at in self._times if at > now - self._seconds)

    @property
    def last(self) -> float:
        return self._times[-1] if self._times else -self._seconds

    def is_idle(self, now: float) -> bool:
        return self.last <= now - self._seconds


class _Chat:
    """What is known of one chat while it matters."""

    __slots__ = ("closed_until", "line", "users", "wider", "window")

    def __init__(self, *, is_group: bool) -> None:
        self.window = _Window(*_CHAT)
        self.wider = _Window(*_GROUP) if is_group else None
        self.closed_until = 0.0
        self.line = asyncio.Lock()
        self.users = 0

    def wait(self, now: float) -> float:
        wider = self.wider.wait(now) if self.wider else 0.0
        return max(self.window.wait(now), wider, self.closed_until - now)

    def has_room(self, now: float) -> bool:
        """Whether an edit may go, and enough is left for texts; none waits then."""
        if self.closed_until > now or self.window.wait(now, _SPARE_CHAT) > 0:
            return False
        if self.wider is None:
            return True
        gap = _SLOW if self.wider.count(now) >= _SWIFT else 0.0
        has_gap = now - self.wider.last >= gap
        return has_gap and self.wider.wait(now, _SPARE_GROUP) <= 0

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
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self.clock = clock
        self.sleep = sleep
        self._all = _Window(*_ALL)
        self._evenly = _Window(*_EVENLY)
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
        is_full = self._all.wait(now, _SPARE_ALL) > 0 or self._evenly.wait(now, 1) > 0
        if self._closed_until > now or is_full:
            return False
        return self._chat(chat_id).has_room(now)

    def room(self, chat_id: int) -> bool:
        """Whether an edit may go to a chat now; it is counted if so."""
        if not self.has_room(chat_id):
            return False
        self._take(self._chat(chat_id), self.clock())
        return True

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

    def _wait(self) -> float:
        now = self.clock()
        return max(self._all.wait(now), self._evenly.wait(now))

    def _take(self, chat: _Chat, now: float) -> None:
        chat.take(now)
        self._all.take(now)
        self._evenly.take(now)

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
            chat = self._chats[chat_id] = _Chat(is_group=chat_id < 0)
        return chat

    def _sweep(self) -> None:
        """Forget chats where nothing was said lately, whenever they have doubled."""
        if len(self._chats) < self._sweep_at:
            return
        now = self.clock()
        kept = {key: chat for key, chat in self._chats.items() if not chat.is_idle(now)}
        self._chats = kept
        self._sweep_at = max(_MANY, 2 * len(kept))
