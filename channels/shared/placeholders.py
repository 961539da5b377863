"""Whose the messages are that show a reply while it grows, also after a crash.

The drawer holds one line a thread: the turn, the message, and the part that took it,
if one did; 0 says that none came. What has no part and was not made by this process
was left by one that died: whoever comes next in that thread takes it, unless a later
reply stands below it by then.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from channels.shared.message_id import MessageId

if TYPE_CHECKING:
    from collections.abc import Callable

    from apx.domain.thread import Thread
    from apx.domain.turn import Part
    from apx.ports import Drawer

_NOBODY: Final = 0
# Soon after a start what was interrupted goes on. Later, nobody would look for a new
# answer so far up in the chat.
_FRESH: Final = 300.0


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A line of the drawer."""

    turn: int
    message: MessageId
    part: int | None = None

    def __str__(self) -> str:
        words = [str(self.turn), str(self.message)]
        return " ".join(words if self.part is None else [*words, str(self.part)])

    @classmethod
    def parse(cls, text: str) -> Placeholder | None:
        """Read a line; none if there is none."""
        turn, _, rest = text.partition(" ")
        name, _, part = rest.partition(" ")
        message = MessageId.parse(name)
        if message is None:
            return None
        return cls(int(turn), message, int(part) if part else None)


class Placeholders:
    """The placeholders of one bot; each is given to one taker."""

    def __init__(self, bot: str, drawer: Drawer, clock: Callable[[], float]) -> None:
        self._bot = bot
        self._clock = clock
        self._fresh_until = clock() + _FRESH
        self._was_connected = False
        self._drawer = drawer
        self._ours: dict[tuple[Thread, int], MessageId] = {}
        self._locks: WeakValueDictionary[Thread, asyncio.Lock] = WeakValueDictionary()

    def connected(self) -> None:
        """Begin to count how long ago the start was: nobody was heard before."""
        if not self._was_connected:
            self._was_connected = True
            self._fresh_until = self._clock() + _FRESH

    def waits(self, thread: Thread, turn: int) -> bool:
        """Whether a placeholder of this process still waits for its part."""
        return (thread, turn) in self._ours

    async def made(self, thread: Thread, turn: int, message: MessageId) -> None:
        """Keep that a turn shows itself in a message."""
        async with self._lock(thread):
            self._ours[thread, turn] = message
            await self._keep(thread, Placeholder(turn, message))

    async def adopted(self, thread: Thread, turn: int) -> MessageId | None:
        """Give a turn what a process that died left in its thread, if it did."""
        async with self._lock(thread):
            left = await self._kept(thread)
            if left is None or not self._is_orphan(thread, left, turn):
                return None
            self._ours[thread, turn] = left.message
            await self._keep(thread, Placeholder(turn, left.message))
            return left.message

    async def claimed(self, part: Part) -> MessageId | None:
        """Give a part the message that it is to take the place of, if there is one."""
        async with self._lock(part.thread):
            ours = self._ours.pop((part.thread, part.turn), None)
            left = await self._kept(part.thread)
            found = ours or (left.message if left and self._fits(left, part) else None)
            if found and (left is None or left.turn <= part.turn):
                taken = Placeholder(part.turn, found, part.id)
                if taken != left:
                    await self._keep(part.thread, taken)
            return found

    async def passed(self, thread: Thread, turn: int) -> MessageId | None:
        """Let nothing that was left before a turn be taken by what comes after it.

        Gives the message of a process that died, whose button nobody else takes away.
        """
        async with self._lock(thread):
            left = await self._kept(thread)
            if left is None or left.part is not None or left.turn >= turn:
                return None
            if self._is_orphan(thread, left, turn):
                return None
            await self._keep(thread, Placeholder(left.turn, left.message, _NOBODY))
            return None if self.waits(thread, left.turn) else left.message

    async def stopped(self, thread: Thread, turn: int) -> MessageId | None:
        """Give the message of a turn for which no part came; it was the last word."""
        async with self._lock(thread):
            ours = self._ours.pop((thread, turn), None)
            left = await self._kept(thread)
            if ours and left and left.turn == turn:
                await self._keep(thread, Placeholder(turn, ours, _NOBODY))
            return ours

    def _fits(self, left: Placeholder, part: Part) -> bool:
        if left.part is None:
            return left.turn == part.turn or self._is_orphan(
                part.thread, left, part.turn
            )
        # It was stopped, as it seemed; or this very part is tried once more.
        return left.turn == part.turn and left.part in {_NOBODY, part.id}

    def _is_orphan(self, thread: Thread, left: Placeholder, turn: int) -> bool:
        is_open = left.part is None and left.turn <= turn
        is_fresh = self._clock() < self._fresh_until
        return is_open and is_fresh and (thread, left.turn) not in self._ours

    async def _kept(self, thread: Thread) -> Placeholder | None:
        return Placeholder.parse(await self._drawer.get(self._key(thread)))

    async def _keep(self, thread: Thread, placeholder: Placeholder) -> None:
        await self._drawer.put(self._key(thread), str(placeholder))

    def _key(self, thread: Thread) -> str:
        return f"live/{self._bot}/{thread}"

    def _lock(self, thread: Thread) -> asyncio.Lock:
        return self._locks.setdefault(thread, asyncio.Lock())
