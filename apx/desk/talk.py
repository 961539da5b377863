"""Talking in one thread: messages offered, answers shown, whoever owns the home."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Self
from uuid import uuid4

from apx.desk.errors import OwnerLeft
from apx.desk.open import open_desk
from channels.terminal.signs import Arrived, Noticed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

    from apx.config import Config
    from apx.desk.client import RemoteWatch
    from apx.desk.local import LocalWatch
    from apx.desk.open import Desk
    from apx.domain.thread import Thread
    from channels.terminal.signs import Sign

# A reply is on its way at once when its turn ends; one that does not come was shown
# before, on a screen that is gone.
_PATIENCE: Final = 10.0
# Short commands own a home for a moment; after so many of them something is wrong.
_OWNERS: Final = 20
_GONE: Final = "the owner of the home keeps going away; apx.log may say why"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a message: a command's text, or the turn with its state."""

    text: str
    state: str = "completed"
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Words:
    """A message, with an id that stays the same when it has to be offered again."""

    text: str
    model: str = ""
    id: str = ""

    @classmethod
    def new(cls, text: str, model: str = "") -> Words:
        """Give a message its id."""
        return cls(text, model, uuid4().hex)


class Talker:
    """A conversation that goes on when the owner of the home leaves.

    The same words are then offered to the next owner, perhaps this very process; as
    they carry their id, that never asks twice.
    """

    def __init__(self, home: Path, config: Config, thread: Thread, what: str) -> None:
        self.thread = thread
        self._home = home
        self._config = config
        self._what = what
        self._stack = AsyncExitStack()
        self._desk: Desk | None = None
        self._watch: LocalWatch | RemoteWatch | None = None
        self._stop = asyncio.Event()
        self._shown = _Shown()

    async def __aenter__(self) -> Self:
        """Reach the owner of the home, or become it."""
        await self._open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave; what is under way may finish."""
        await self._stack.__aexit__(kind, error, trace)

    async def say(self, words: Words, show: Callable[[Sign], None]) -> Answer:
        """Offer a message and show what comes, until it is answered."""
        self._stop.clear()
        for _ in range(_OWNERS):
            try:
                return await self._say(words, show)
            except OwnerLeft:
                await self._stack.aclose()
                await self._open()
        raise OwnerLeft(_GONE)

    async def offer(self, words: Words) -> None:
        """Hand a message in without waiting; `say` with the same words then waits."""
        if self._desk is not None:
            with suppress(OwnerLeft):
                await self._hear(self._desk, words)

    async def order(self, words: Words) -> str | None:
        """Offer what may be a chat command and give its answer; None if it is none.

        Works while an answer is under way.
        """
        if self._desk is None or not words.text.startswith("/"):
            return None
        answer: str | None = await self._desk.call(
            "order", thread=str(self.thread), text=words.text, id=words.id
        )
        return answer

    def stop(self) -> None:
        """Have the message that was said last answered no more."""
        self._stop.set()

    async def overhear(self, show: Callable[[Sign], None]) -> None:
        """Show what goes on while nothing was asked, until cancelled."""
        with suppress(OwnerLeft):  # the next message finds the next owner
            while self._watch is not None:
                sign = await self._watch.next()
                if isinstance(sign, Arrived):
                    show(replace(sign, is_late=True))
                    await self._watch.has_shown(sign.part)
                    await self._shown.add(sign.part)
                else:
                    show(sign)

    async def model(self) -> str:
        """Name the model that answers."""
        if self._desk is None:
            return ""
        return str((await self._desk.call("status"))["model"])

    async def _open(self) -> None:
        for _ in range(_OWNERS):
            desk = open_desk(self._home, self._config, self._what)
            self._desk = await self._stack.enter_async_context(desk)
            try:
                watch = self._desk.watch(self.thread)
                self._watch = await self._stack.enter_async_context(watch)
            except OwnerLeft:
                await self._stack.aclose()
            else:
                return
        raise OwnerLeft(_GONE)

    async def _say(self, words: Words, show: Callable[[Sign], None]) -> Answer:
        assert self._desk is not None  # noqa: S101 -- opened by __aenter__
        offer = self._ordered if words.text.startswith("/") else self._hear
        heard = await offer(self._desk, words)
        if not heard["follows"]:
            return Answer(heard["answer"])
        if heard["answer"]:
            show(Noticed(0, heard["answer"]))
        if heard["behind"]:
            show = _behind(heard["behind"], show)
        try:
            async with asyncio.TaskGroup() as group:
                beside = [
                    group.create_task(self._show(show)),
                    group.create_task(self._stopped(self._desk, heard["key"])),
                ]
                turn = await self._desk.call(
                    "settled", thread=str(self.thread), key=heard["key"]
                )
                is_all = await self._shown.has(turn["parts"])
                for task in beside:
                    task.cancel()
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        if not is_all and turn["final"]:
            show(Arrived(0, turn["turn"], turn["final"], is_repeat=True))
        return Answer(turn["final"] or turn["error"], turn["state"], turn["turn"])

    async def _stopped(self, desk: Desk, key: str) -> None:
        while await self._stop.wait():
            self._stop.clear()
            await desk.call("stop", thread=str(self.thread), key=key)

    async def _ordered(self, desk: Desk, words: Words) -> Any:  # noqa: ANN401 -- JSON
        """Offer a command, which may take long and can be stopped meanwhile."""
        try:
            async with asyncio.TaskGroup() as group:
                stopped = self._stopped(desk, f"{self.thread}/{words.id}")
                stopping = group.create_task(stopped)
                heard = await self._hear(desk, words)
                stopping.cancel()
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        return heard

    async def _hear(self, desk: Desk, words: Words) -> Any:  # noqa: ANN401 -- JSON
        return await desk.call(
            "hear",
            thread=str(self.thread),
            text=words.text,
            id=words.id,
            model=words.model,
        )

    async def _show(self, show: Callable[[Sign], None]) -> None:
        assert self._watch is not None  # noqa: S101 -- opened by __aenter__
        while True:
            sign = await self._watch.next()
            show(sign)
            if isinstance(sign, Arrived):
                await self._watch.has_shown(sign.part)
                await self._shown.add(sign.part)


def _behind(other: int, show: Callable[[Sign], None]) -> Callable[[Sign], None]:
    """Show of another message's turn only its answer, as what it is."""
    show(Noticed(other, "another answer is being written; yours comes after it"))

    def shown(sign: Sign) -> None:
        if isinstance(sign, Arrived) and sign.turn == other:
            show(replace(sign, is_late=True))
        elif isinstance(sign, Arrived) or sign.turn != other:
            show(sign)

    return shown


class _Shown:
    """Which parts this screen has shown, to whichever owner of the home it was."""

    def __init__(self) -> None:
        self._parts: set[int] = set()
        self._grown = asyncio.Condition()

    async def add(self, part: int) -> None:
        async with self._grown:
            self._parts.add(part)
            self._grown.notify_all()

    async def has(self, parts: list[int]) -> bool:
        """Wait until all of these were shown; false if some never came."""
        try:
            async with asyncio.timeout(_PATIENCE), self._grown:
                await self._grown.wait_for(lambda: self._parts.issuperset(parts))
        except TimeoutError:
            return False
        return True
