"""A loopback Telegram in a process of its own, and people who write and read there."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tests.servers.telegram.control import ControlledServer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.servers.telegram.bots import Bot
    from tests.servers.telegram.params import Params
    from tests.servers.telegram.world import Call

# What a person sees first of a reply, and what ends one.
_SHOWN: Final = ("sendMessage", "sendMessageDraft", "editMessageText")
_LAST: Final = "sendMessage"
_TYPING: Final = "sendChatAction"
_LONGEST: Final = 120.0
_LOOK: Final = 0.1


@dataclass
class Told:
    """One message of a person, and when what came of it arrived."""

    chat: int
    said: float
    typing: float = 0.0
    shown: float = 0.0
    final: float = 0.0


@dataclass
class _Open:
    told: Told
    over: asyncio.Event = field(default_factory=asyncio.Event)


class Stage(ControlledServer):
    """The server of the tests, whose people write by themselves and keep the time."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.told: list[Told] = []
        self._waiting: dict[int, _Open] = {}
        self._last = 0.0
        self._talk: asyncio.Task[None] | None = None

    @property
    def is_over(self) -> bool:
        """Whether everybody has been answered; raises what went wrong."""
        if self._talk is None or not self._talk.done():
            return False
        self._talk.result()
        return True

    @property
    def refusals(self) -> int:
        """How many messages came too fast for Telegram's rules."""
        return self.flood.refusals if self.flood else 0

    def invite(self, numbers: Sequence[int]) -> None:
        """Make people who have pressed Start."""
        for number in numbers:
            self.user(number, f"P{number}")

    def assemble(self, groups: Sequence[int]) -> None:
        """Make groups, with the person in them who was made first."""
        for number in groups:
            self.group(number, f"G{-number}")

    def one_by_one(self, chats: Sequence[int], rounds: int, text: str) -> None:
        """Have each wait until the one before was answered."""
        self._begin(self._queued(chats, rounds, text))

    def side_by_side(self, chats: Sequence[int], rounds: int, text: str) -> None:
        """Have all write at once, and again as soon as they are answered."""
        self._begin(self._together(chats, rounds, text))

    def at_once(self, chats: Sequence[int], many: int, text: str, quiet: float) -> None:
        """Have all write all they have; it is over when nothing came for a while."""
        self._begin(self._flooded(chats, many, text, quiet))

    def _begin(self, talk: Any) -> None:  # noqa: ANN401 -- a coroutine of ours
        self.told, self._waiting = [], {}
        self._talk = asyncio.create_task(talk)

    async def _queued(self, chats: Sequence[int], rounds: int, text: str) -> None:
        for number in range(rounds):
            for chat in chats:
                await self._ask(chat, f"{text} {number}")

    async def _together(self, chats: Sequence[int], rounds: int, text: str) -> None:
        async with asyncio.TaskGroup() as group:
            for chat in chats:
                group.create_task(self._queued([chat], rounds, text))

    async def _flooded(
        self, chats: Sequence[int], many: int, text: str, quiet: float
    ) -> None:
        began = time.monotonic()
        for number in range(many):
            for chat in chats:
                self.say(f"{text} {number}", chat, self._writer(chat))
            await asyncio.sleep(0)
        self._last = time.monotonic()
        while self.bot().pending or time.monotonic() - self._last < quiet:  # noqa: ASYNC110 -- silence has no event
            await asyncio.sleep(_LOOK)
        self.told = [Told(0, began, final=self._last)]

    async def _ask(self, chat: int, text: str) -> None:
        asked = self._waiting[chat] = _Open(Told(chat, time.monotonic()))
        self.say(text, chat, self._writer(chat))
        async with asyncio.timeout(_LONGEST):
            await asked.over.wait()
        self.told.append(asked.told)

    def _writer(self, chat: int) -> int | None:
        return chat if chat > 0 else None

    async def _do(
        self, call: Call, bot: Bot | None, params: Params
    ) -> tuple[int, dict[str, Any]]:
        done = await super()._do(call, bot, params)
        chat = call.chat
        if call.method in _SHOWN:
            self._last = call.at
        asked = self._waiting.get(chat) if chat is not None else None
        if asked is not None and call.status == 200:  # noqa: PLR2004 -- HTTP's
            _noted(asked, call)
        return done


def _noted(asked: _Open, call: Call) -> None:
    told = asked.told
    if call.method == _TYPING:
        told.typing = told.typing or call.at
    elif call.method in _SHOWN:
        told.shown = told.shown or call.at
    if call.method == _LAST:
        told.final = call.at
        asked.over.set()


async def _serve() -> None:
    async with Stage() as server:
        print(server.origin, server.control, flush=True)
        closed = asyncio.Event()
        loop = asyncio.get_running_loop()
        # Whoever started us holds the other end: when they die, we end.
        loop.add_reader(sys.stdin, _heard, closed)
        await closed.wait()
        loop.remove_reader(sys.stdin)


def _heard(closed: asyncio.Event) -> None:
    if not os.read(sys.stdin.fileno(), 4096):
        closed.set()


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    asyncio.run(_serve())
