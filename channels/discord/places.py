"""Where a thread is at Discord: a private chat, a channel, or a thread of our own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Self

from apx.domain.errors import Undeliverable
from apx.domain.thread import Thread

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apx.ports import Drawer

CHANNEL: Final = "discord"

_TITLES: Final = 1_000
# So many threads of our own are known; in older ones the bot has to be named again.
_OWNS: Final = 20_000
_SLICE: Final = 500


class State(StrEnum):
    """How far a thread of our own is; a flat one could not be made.

    What is said in a flat one is said in its parent, as a reply to its message.
    """

    NEW = "new"
    MADE = "made"
    FLAT = "flat"


@dataclass(frozen=True, slots=True)
class Own:
    """A thread that begins with a message of `user` in `parent`, whose id it has."""

    parent: int
    user: int
    state: State = State.NEW

    def __str__(self) -> str:
        return f"{self.parent} {self.user} {self.state}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a line of the drawer."""
        parent, user, state = text.split()
        return cls(int(parent), int(user), State(state))


class Places:
    """The channels of one bot, by their ids; what cannot be asked for is kept."""

    def __init__(self, bot: str, drawer: Drawer) -> None:
        self._bot = bot
        self._drawer = drawer
        self._dms: dict[int, int] = {}
        self._owns: dict[int, Own] = {}
        self._old: list[int] = []
        self._titles: dict[int, str] = {}

    async def load(self) -> None:
        """Read what an earlier process knew."""
        self._dms = {
            number: int(user) for number, user in (await self._kept("dm")).items()
        }
        kept, owns = await self._kept("own"), {}
        numbers = sorted(kept)
        for count, number in enumerate(numbers[-_OWNS:]):
            owns[number] = Own.parse(kept[number])
            if count % _SLICE == 0:
                await asyncio.sleep(0)  # the loop is others', too
        self._owns, self._old = owns, numbers[:-_OWNS]

    def thread(self, channel_id: int) -> Thread:
        """Name the thread of a channel."""
        return Thread(CHANNEL, f"{self._bot}:{channel_id}")

    def channel(self, thread: Thread) -> int:
        """Give the channel of a thread, or raise `Undeliverable`."""
        bot, _, number = thread.place.partition(":")
        if thread.channel == CHANNEL and bot == self._bot and number.isdecimal():
            return int(number)
        raise Undeliverable(f"{thread} is no chat of the bot {self._bot}")

    @property
    def dms(self) -> dict[int, int]:
        """Whose each private chat is: users by channels, in no order."""
        return dict(self._dms)

    @property
    def owns(self) -> Mapping[int, Own]:
        """Give the threads of ours that are known, by their ids, as they are now."""
        return MappingProxyType(self._owns)

    def dm(self, channel_id: int) -> int:
        """Say whose a private chat is; 0 for any other channel."""
        return self._dms.get(channel_id, 0)

    def is_group(self, thread: Thread) -> bool:
        """Whether more than one person may read a thread."""
        return self.channel(thread) not in self._dms

    async def keep_dm(self, channel_id: int, user: int) -> None:
        """Keep whose a private chat is: nobody tells it once more."""
        # First to the disk: whoever fails at it comes again.
        if self._dms.get(channel_id) != user:
            await self._drawer.put(f"dm/{self._bot}/{channel_id}", str(user))
        self._dms[channel_id] = user

    async def forget_dm(self, channel_id: int) -> None:
        """Forget that a channel was a private chat: a guild says that it is its own."""
        # First here: whatever the disk does, nobody has it for theirs any more.
        self._dms.pop(channel_id, None)
        await self._drawer.drop(f"dm/{self._bot}/{channel_id}")

    def own(self, channel_id: int) -> Own | None:
        """Give what is known of a thread of ours; none for any other channel."""
        return self._owns.get(channel_id)

    async def keep_own(self, channel_id: int, own: Own, title: str = "") -> None:
        """Keep that a thread is to begin with a message, unless that is known.

        Its title are words of that message, which are kept as long as we live only.
        """
        if channel_id not in self._owns:
            self._titles[channel_id] = title
            for old in list(self._titles)[:-_TITLES]:
                del self._titles[old]
            await self._keep(channel_id, own)
            self._owns.setdefault(channel_id, own)
            if len(self._owns) > _OWNS:
                del self._owns[oldest := next(iter(self._owns))]
                await self._drop(oldest)

    async def tidy(self) -> None:
        """Let go of the threads of ours that were too old to be read."""
        while self._old:
            await self._drop(self._old[-1])
            self._old.pop()

    def title(self, channel_id: int) -> str:
        """Give the title of a thread of ours; empty if that is forgotten."""
        return self._titles.get(channel_id, "")

    async def became(self, channel_id: int, state: State) -> None:
        """Keep how far a thread of ours is."""
        if own := self._owns.get(channel_id):
            self._owns[channel_id] = own = replace(own, state=state)
            await self._keep(channel_id, own)

    async def _drop(self, channel_id: int) -> None:
        await self._drawer.drop(f"own/{self._bot}/{channel_id}")

    async def _keep(self, channel_id: int, own: Own) -> None:
        await self._drawer.put(f"own/{self._bot}/{channel_id}", str(own))

    async def _kept(self, kind: str) -> dict[int, str]:
        prefix = f"{kind}/{self._bot}/"
        found = await self._drawer.find(prefix)
        return {int(key.removeprefix(prefix)): value for key, value in found.items()}
