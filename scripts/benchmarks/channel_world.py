"""People who write and read at a loopback server, and keep the time."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

_LONGEST: Final = 120.0
_LOOK: Final = 0.1


@dataclass
class Told:
    """One message of a person, and when what came of it arrived.

    `edits` are those of the reply while it grew.
    """

    chat: int
    said: float
    typing: float = 0.0
    shown: float = 0.0
    edited: float = 0.0
    final: float = 0.0
    edits: int = 0


@dataclass
class _Open:
    told: Told
    over: asyncio.Event = field(default_factory=asyncio.Event)


class Talk(ABC):
    """What people do at a server, which calls `saw_...` for what bots do.

    `passed` has the chat and the time of each message or edit that came, `replies` is
    how many were whole.
    """

    told: list[Told]
    passed: list[tuple[int, float]]
    replies = 0
    _waiting: dict[int, _Open]
    _latest = 0.0
    _talk: asyncio.Task[None] | None = None

    def open_talk(self) -> None:
        """Begin with nothing said."""
        self.told, self.passed, self._waiting = [], [], {}

    @abstractmethod
    def write(self, chat: int, text: str) -> None:
        """Have whoever is there say something."""

    @abstractmethod
    def heard_since(self, moment: float) -> float:
        """Give when a bot first listened after a moment; 0 if none did."""

    @abstractmethod
    def is_drained(self) -> bool:
        """Whether the bot has been told all."""

    @property
    def is_over(self) -> bool:
        """Whether everybody has been answered; raises what went wrong."""
        if self._talk is None or not self._talk.done():
            return False
        self._talk.result()
        return True

    def one_by_one(self, chats: Sequence[int], rounds: int, text: str) -> None:
        """Have each wait until the one before was answered."""
        self._start(self._queued(chats, rounds, text))

    def side_by_side(self, chats: Sequence[int], rounds: int, text: str) -> None:
        """Have all write at once, and again as soon as they are answered."""
        self._start(self.together(chats, rounds, text))

    def at_once(self, chats: Sequence[int], many: int, text: str, quiet: float) -> None:
        """Have all write all they have; it is over when nothing came for a while."""
        self._start(self._flooded(chats, many, text, quiet))

    def first(self, chat: int, text: str, since: float) -> None:
        """Have somebody write as soon as a bot listens; `said` is since when it did."""
        self._start(self._first(chat, text, since))

    def saw_typing(self, chat: int, at: float) -> None:
        """Take note that the bot was seen typing."""
        if asked := self._waiting.get(chat):
            asked.told.typing = asked.told.typing or at

    def saw_some(self, chat: int, at: float, *, is_edit: bool = False) -> None:
        """Take note that something was seen of a reply."""
        self._latest = at
        if asked := self._waiting.get(chat):
            told = asked.told
            told.shown = told.shown or at
            if is_edit:
                told.edited = told.edited or at
                told.edits += 1

    def saw_all(self, chat: int, at: float) -> None:
        """Take note that a reply was there as a whole."""
        self.replies += 1
        if asked := self._waiting.get(chat):
            asked.told.final = at
            asked.over.set()

    def _start(self, talk: Coroutine[Any, Any, None]) -> None:
        self.told, self._waiting = [], {}
        self._talk = asyncio.create_task(talk)

    async def together(self, chats: Sequence[int], rounds: int, text: str) -> None:
        """Have all write at once, and again as soon as they are answered."""
        async with asyncio.TaskGroup() as group:
            for chat in chats:
                group.create_task(self._queued([chat], rounds, text))

    async def _queued(self, chats: Sequence[int], rounds: int, text: str) -> None:
        for number in range(rounds):
            for chat in chats:
                await self._ask(chat, f"{text} {number}")

    async def _flooded(
        self, chats: Sequence[int], many: int, text: str, quiet: float
    ) -> None:
        began = time.monotonic()
        for number in range(many):
            for chat in chats:
                self.write(chat, f"{text} {number}")
            await asyncio.sleep(0)
        self._latest = time.monotonic()
        while not self.is_drained() or time.monotonic() - self._latest < quiet:  # noqa: ASYNC110 -- silence has no event
            await asyncio.sleep(_LOOK)
        self.told = [Told(0, began, final=self._latest)]

    async def _first(self, chat: int, text: str, since: float) -> None:
        async with asyncio.timeout(_LONGEST):
            while not (heard := self.heard_since(since)):  # noqa: ASYNC110 -- of two kinds of server
                await asyncio.sleep(_LOOK / 50)
        await self._ask(chat, text)
        self.told[0].said = heard

    async def _ask(self, chat: int, text: str) -> None:
        asked = self._waiting[chat] = _Open(Told(chat, time.monotonic()))
        self.write(chat, text)
        async with asyncio.timeout(_LONGEST):
            await asked.over.wait()
        self.told.append(asked.told)


async def lasting(*origins: str) -> None:
    """Say where a server is, and return when whoever started it is gone."""
    print(*origins, flush=True)
    closed = asyncio.Event()
    loop = asyncio.get_running_loop()
    # Whoever started us holds the other end: when they die, we end.
    loop.add_reader(sys.stdin, _heard, closed)
    await closed.wait()
    loop.remove_reader(sys.stdin)


def _heard(closed: asyncio.Event) -> None:
    if not os.read(sys.stdin.fileno(), 4096):
        closed.set()
