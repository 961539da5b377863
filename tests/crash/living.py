"""Lives of a real house on a platform, each of which may end by SIGKILL at a point.

A module calls `run` with what is to be watched, and is started as a process that loads
everything once. Of each line of JSON on stdin it makes one life, a process of its own:
`{"home": ..., "point": ..., "chat": ...}`. It says the life's number on stdout when it
is born, and how it ended when it has. A life dies when the point is reached in that
chat, at the first message that it was itself given there: what an earlier life left is
not what it dies of. Its rooms are the real ones; where they meet the outside, they are
watched by classes beneath them. SIGTERM ends a life in peace.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import traceback
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

# What a life would import in its first second is here before it is born.
import openai.resources.chat
import openai.types.chat

import apx.agent.compacted
import apx.providers.openai
from apx import logs
from apx.config import load
from apx.desk import lock
from apx.desk.server import listening
from apx.store.drawers import ChannelDrawer
from apx.store.ledger import Ledger
from apx.store.outbox import Outbox
from apx.wiring import opened
from apx.wiring.serving import serving
from channels.shared.bots import Bots

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from apx.wiring import House

    Watch = Callable[[House, dict[str, float]], None]

_LOADED: Final = (
    openai.resources.chat,
    openai.types.chat,
    apx.agent.compacted,
    apx.providers.openai,
)
_WHAT: Final = "apx run"
_TRIES: Final = 10


class Fate:
    """Kills this very process when the point is reached."""

    def __init__(self) -> None:
        self._point = ""
        self._is_met = False
        self._names: set[str] = set()
        self._numbers: set[str] = set()
        self.chat = ""

    def becomes(self, point: str, chat: str) -> None:
        """Be that of a life which has just begun."""
        self._point, self.chat = point, chat
        self._names.add(chat)

    def meets(self, number: object, *names: object) -> None:
        """Take note of something that this life is to die of, and how it is called."""
        self._is_met = True
        self._numbers.add(f"/{number}")
        self._names.update(map(str, names))

    def is_ahead(self, point: str) -> bool:
        """Whether this is the point, and what it waits for has come."""
        return point == self._point and self._is_met

    def at(self, point: str, *told: object) -> None:
        """Die here, if this is the point and something of this names the chat."""
        words = " ".join(map(str, told))
        if self.is_ahead(point) and any(name in words for name in self._names):
            os.kill(os.getpid(), signal.SIGKILL)

    def at_number(self, point: str, key: str) -> None:
        """Die here, if a key ends with the number of something that was met."""
        if any(key.endswith(number) for number in self._numbers):
            self.at(point, self.chat)


# A process has one.
FATE: Final = Fate()


def says(words: object) -> None:
    """Tell the test something."""
    print(words, flush=True)  # noqa: T201 -- it is how the test learns


class MortalLedger(Ledger):
    async def accept(self, heard):
        # Long enough for whoever asks on without waiting for this.
        await asyncio.sleep(0.3 * FATE.is_ahead("writing takes its time"))
        FATE.at("writing takes its time", heard.thread)
        accepted = await super().accept(heard)
        FATE.at("accepted, not confirmed", heard.thread)
        FATE.at("one photo of two is accepted", heard.thread)
        FATE.at("one of three that were missed is accepted", heard.thread)
        return accepted

    async def begin(self, thread, at):
        turn = await super().begin(thread, at)
        if turn is not None:
            FATE.at("begun", thread)
        return turn

    async def end(self, turn, ending, at):
        FATE.at("before the end is written", turn.thread)
        await super().end(turn, ending, at)
        FATE.at("the end is written, nothing sent", turn.thread)

    async def gather(self, found, at):
        FATE.at("before what came is written", *(one.key for one in found))
        return await super().gather(found, at)

    async def edit(self, heard, revision):
        done = await super().edit(heard, revision)
        FATE.at("an edit is written", heard.thread)
        return done

    async def withdraw(self, thread, key, at):
        done = await super().withdraw(thread, key, at)
        FATE.at("a deletion is taken", thread)
        return done


class MortalOutbox(Outbox):
    async def due(self, thread):
        found = await super().due(thread)
        if found:
            says("looked at what is due")
        return found

    async def mark(self, part, state, at, **found):
        await super().mark(part, state, at, **found)
        if found.get("message_id") and state == "sending":
            FATE.at("one of three pieces was noted", part.thread)


class MortalDrawer(ChannelDrawer):
    async def put(self, key, value):
        if key.startswith("answered/"):
            is_done = value == "done"
            place = "answered, not marked" if is_done else "done, not answered"
            FATE.at_number(f"a command is {place}", key)
        await super().put(key, value)
        if value.startswith("late "):
            FATE.at_number("a slash command is taken, not done", key)
        if key.startswith("live/"):
            FATE.at("a placeholder shows the beginning", key)


class MortalChannel(Bots):
    async def deliver(self, part, note):
        FATE.at("before it is sent", part.thread)
        ids = await super().deliver(part, note)
        FATE.at("all is sent, that is not written", part.thread)
        return ids


def watched(house: House) -> None:
    """Have the ledger of a house die where it is told to."""
    house.memory.ledger.__class__ = MortalLedger
    house.memory.outbox.__class__ = MortalOutbox


def _moved(by: str | None) -> datetime:
    """Tell the time of a clock that a test moves while it goes."""
    hours = float(Path(by).read_text()) if by else 0.0
    return datetime.now(UTC) + timedelta(hours=hours)


@asynccontextmanager
async def _owned(
    home: Path, told: dict[str, Any], watch: Watch
) -> AsyncIterator[House]:
    """Open a home as `apx run` does, by a clock that may have been moved."""
    loaded = load(home / "config.json")
    logs.configure(home / "apx.log", secrets=loaded.config.secrets())
    clock = partial(_moved, told.get("clock"))
    async with opened(loaded.config, home, _WHAT, clock) as house:
        watch(house, told.get("waits", {}))
        async with (
            listening(home, house),
            house.shortening.open(),
            serving(house),
            house.gateway.open(),
            house.gathering.open(),
        ):
            yield house


async def _live(told: dict[str, Any], watch: Watch) -> None:
    home, loop = Path(told["home"]), asyncio.get_running_loop()
    # Nothing is written to it while somebody lives: it was closed.
    loop.add_reader(sys.stdin, os.kill, os.getpid(), signal.SIGKILL)
    is_told = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, is_told.set)
    for _ in range(_TRIES):
        with lock.held(home, _WHAT) as is_ours:
            if is_ours:
                async with _owned(home, told, watch) as house:
                    await _served(house, is_told)
                return
        # A reader of documents that was just being started may hold it for a moment.
        await asyncio.sleep(0.05)
    raise AssertionError("somebody else holds the home")


async def _served(house: House, is_told: asyncio.Event) -> None:
    await house.gateway.resume()
    work = asyncio.ensure_future(house.keep_up())
    await is_told.wait()
    work.cancel()
    await asyncio.wait([work])


def _born(told: dict[str, Any], watch: Watch) -> int:
    """Begin a life; only the one who gave it comes back from here."""
    if number := os.fork():
        return number
    FATE.becomes(told.get("point", ""), str(told.get("chat", "")))
    with Path(told["home"], "stderr").open("a") as complaints:
        os.dup2(complaints.fileno(), 1)
        os.dup2(complaints.fileno(), 2)
    try:
        asyncio.run(_live(told, watch))
    except BaseException:  # noqa: BLE001 -- this is the end of the process
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def run(watch: Watch) -> None:
    """Give lives until stdin closes."""
    while line := sys.stdin.readline():
        number = _born(json.loads(line), watch)
        says(number)
        _, status = os.waitpid(number, 0)
        says(os.waitstatus_to_exitcode(status))
