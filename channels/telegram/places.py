"""Where a thread is at Telegram, and what a message there is called by us."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.errors import Undeliverable
from apx.domain.thread import Thread

if TYPE_CHECKING:
    from apx.ports import Drawer

CHANNEL: Final = "telegram"

# The topic that every forum has. Telegram refuses it by its number.
_GENERAL: Final = 1


@dataclass(frozen=True, slots=True)
class Place:
    """A chat, and one topic of it where it has them."""

    chat_id: int
    topic: int | None = None

    @property
    def is_group(self) -> bool:
        """Whether more than one person may read it."""
        return is_group(self.chat_id)


def is_group(chat_id: int) -> bool:
    """Whether a chat is a group; Telegram gives those numbers below zero."""
    return chat_id < 0


class Places:
    """Which chat a thread of one bot is, also after the group got another id.

    A group that Telegram upgrades is a new chat; here it stays the thread that it was.
    """

    def __init__(self, bot: str, drawer: Drawer) -> None:
        self._bot = bot
        self._drawer = drawer
        self._prefix = f"moved/{bot}/"
        self._moved: dict[int, int] = {}
        self._first: dict[int, int] = {}

    async def load(self) -> None:
        """Read which groups have moved."""
        found = await self._drawer.find(self._prefix)
        for old, new in found.items():
            self._moved[int(old.removeprefix(self._prefix))] = int(new)
        self._index()

    def thread(self, chat_id: int, topic: int | None = None) -> Thread:
        """Name the thread of a chat; `topic` only where the chat is a forum."""
        first = self._first.get(chat_id, chat_id)
        place = f"{self._bot}:{first}"
        if topic is not None and topic != _GENERAL:
            place = f"{place}:{topic}"
        return Thread(CHANNEL, place)

    def is_own(self, thread: Thread) -> bool:
        """Whether a thread belongs to this bot."""
        return thread.channel == CHANNEL and thread.place.startswith(f"{self._bot}:")

    def place(self, thread: Thread) -> Place:
        """Say where a thread is now, or raise `Undeliverable`."""
        numbers = thread.place.removeprefix(f"{self._bot}:").split(":")
        if self.is_own(thread) and len(numbers) <= len(("chat", "topic")):
            try:
                chat_id, *topic = (int(number) for number in numbers)
            except ValueError:
                pass
            else:
                return Place(self._latest(chat_id), *topic)
        raise Undeliverable(f"{thread} is no chat of the bot {self._bot}")

    def is_group(self, thread: Thread) -> bool:
        """Whether a thread is in a group."""
        return self.place(thread).is_group

    async def migrated(self, old: int, new: int) -> None:
        """Keep that a group has another id from now on."""
        if self._latest(old) == new or self._latest(new) == self._latest(old):
            return  # as both chats say it, and each failed call says it again
        self._moved[old] = new
        self._index()
        await self._drawer.put(f"{self._prefix}{old}", str(new))

    def _latest(self, chat_id: int) -> int:
        while (following := self._moved.get(chat_id)) is not None:
            chat_id = following
        return chat_id

    def _index(self) -> None:
        """Find the first id of each chat; chains never close, `migrated` sees to it."""
        before = {new: old for old, new in self._moved.items()}
        for chat_id in before:
            first = chat_id
            while first in before:
                first = before[first]
            self._first[chat_id] = first
