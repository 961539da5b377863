"""Lives of a real house on Telegram, each of which may end by SIGKILL at a point.

    python -m tests.crash.telegram_child

loads everything once. Of each line of JSON on stdin it makes one life, a process of
its own: `{"home": ..., "point": ..., "chat": ...}`. It says the life's number on
stdout when it is born, and how it ended when it has. A life dies when the point is
reached in that chat, at the first message that it was itself given there: what an
earlier life left is not what it dies of. Its rooms are the real ones; where they meet
the outside, they are watched by classes beneath them. SIGTERM ends a life in peace.
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
from aiogram.methods import GetMe

import apx.agent.compacted
import apx.providers.openai
import channels.telegram.bot
from apx import logs
from apx.config import load
from apx.desk import lock
from apx.desk.server import listening
from apx.store.drawers import ChannelDrawer
from apx.store.ledger import Ledger
from apx.store.outbox import Outbox
from apx.wiring import opened
from apx.wiring.serving import serving
from channels.telegram.channel import TelegramChannel
from channels.telegram.client import Client
from channels.telegram.waits import Waits

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from apx.wiring import House

_LOADED: Final = (
    openai.resources.chat,
    openai.types.chat,
    GetMe,
    apx.agent.compacted,
    apx.providers.openai,
    channels.telegram.bot,
)
_WHAT: Final = "apx run"
_TRIES: Final = 10
POINTS: Final = (
    "updates are here, nothing is written",
    "writing takes its time",
    "accepted, not confirmed",
    "begun",
    "a draft shows the beginning",
    "a placeholder was sent, not noted",
    "a placeholder shows the beginning",
    "before the end is written",
    "the end is written, nothing sent",
    "before it is sent",
    "one of three pieces was sent",
    "one of three pieces was noted",
    "all is sent, that is not written",
    "a file is on its way",
    "one photo of two is accepted",
    "before what came is written",
    "a command is done, not answered",
    "a command is answered, not marked",
    "a press is done, not answered",
    "an edit is written",
)


class Fate:
    """Kills this very process when the point is reached."""

    def __init__(self, point: str = "", chat: str = "") -> None:
        self._point = point
        self._chat = chat
        self._is_met = False
        self._numbers: set[str] = set()
        self.sent = 0

    def sees(self, batch: list[dict[str, Any]]) -> None:
        """Look through updates for those that this life is to die of."""
        for update in batch:
            if f'"id": {self._chat},' in json.dumps(update):
                self._is_met = True
                self._numbers.add(f"/{update['update_id']}")

    def is_ahead(self, point: str) -> bool:
        """Whether this is the point, and what it waits for has come."""
        return point == self._point and self._is_met

    def at(self, point: str, *names: object) -> None:
        """Die here, if this is the point and one of the names holds the chat."""
        told = " ".join(map(str, names))
        if self.is_ahead(point) and self._chat in told:
            os.kill(os.getpid(), signal.SIGKILL)

    def at_update(self, point: str, key: str) -> None:
        """Die here, if a key ends with the number of one of the updates."""
        if any(key.endswith(number) for number in self._numbers):
            self.at(point, self._chat)


# A process has one.
FATE = Fate()


class MortalLedger(Ledger):
    async def accept(self, heard):
        # Long enough for whoever asks on without waiting for this.
        await asyncio.sleep(0.3 * FATE.is_ahead("writing takes its time"))
        FATE.at("writing takes its time", heard.thread)
        accepted = await super().accept(heard)
        FATE.at("accepted, not confirmed", heard.thread)
        FATE.at("one photo of two is accepted", heard.thread)
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


class MortalOutbox(Outbox):
    async def due(self, thread):
        found = await super().due(thread)
        if found:
            print("looked at what is due", flush=True)  # noqa: T201 -- for the test
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
            FATE.at_update(f"a command is {place}", key)
        await super().put(key, value)
        if key.startswith("live/"):
            FATE.at("a placeholder shows the beginning", key)


class MortalClient(Client):
    async def updates(self, offset, timeout, allowed):  # noqa: ASYNC109 -- as above it
        found = await super().updates(offset, timeout, allowed)
        FATE.sees(found)
        FATE.at("updates are here, nothing is written", json.dumps(found))
        return found

    async def call(self, method, *patience):
        name, chat = method.__api_method__, getattr(method, "chat_id", "")
        if name == "answerCallbackQuery":
            FATE.at("a press is done, not answered", FATE._chat)
        done = await super().call(method, *patience)
        if name == "sendMessageDraft" and method.text:
            FATE.at("a draft shows the beginning", chat)
        if name == "sendMessage":
            FATE.at("a placeholder was sent, not noted", chat)
            FATE.at("one of three pieces was sent", chat)
        return done

    async def download(self, file_id: str, most: int) -> AsyncGenerator[bytes, None]:
        async for chunk in super().download(file_id, most):
            FATE.at("a file is on its way", FATE._chat)
            yield chunk


class MortalChannel(TelegramChannel):
    def _made(self):
        made = super()._made()
        for bot in made.values():
            bot.client.__class__ = MortalClient
        return made

    async def deliver(self, part, note):
        FATE.at("before it is sent", part.thread)
        ids = await super().deliver(part, note)
        FATE.at("all is sent, that is not written", part.thread)
        return ids


def _watch(house: House, waits: dict[str, float]) -> None:
    """Have what was built die where it is told to; nothing else of it changes."""
    channel: Any = house.channels["telegram"]
    channel.__class__ = MortalChannel
    channel._drawer.__class__ = MortalDrawer
    house.memory.ledger.__class__ = MortalLedger
    house.memory.outbox.__class__ = MortalOutbox
    if waits:
        channel._waits = Waits(**waits)  # type: ignore[arg-type]  # of JSON


def _moved(by: str | None) -> datetime:
    """Tell the time of a clock that a test moves while it goes."""
    hours = float(Path(by).read_text()) if by else 0.0
    return datetime.now(UTC) + timedelta(hours=hours)


@asynccontextmanager
async def _owned(home: Path, told: dict[str, Any]) -> AsyncIterator[House]:
    """Open a home as `apx run` does, by a clock that may have been moved."""
    loaded = load(home / "config.json")
    logs.configure(home / "apx.log", secrets=loaded.config.secrets())
    clock = partial(_moved, told.get("clock"))
    async with opened(loaded.config, home, _WHAT, clock) as house:
        _watch(house, told.get("waits", {}))
        async with (
            listening(home, house),
            house.shortening.open(),
            serving(house),
            house.gateway.open(),
            house.gathering.open(),
        ):
            yield house


async def _live(told: dict[str, Any]) -> None:
    home, loop = Path(told["home"]), asyncio.get_running_loop()
    # Nothing is written to it while somebody lives: it was closed.
    loop.add_reader(sys.stdin, os.kill, os.getpid(), signal.SIGKILL)
    is_told = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, is_told.set)
    for _ in range(_TRIES):
        with lock.held(home, _WHAT) as is_ours:
            if is_ours:
                await _serve(home, told, is_told)
                return
        # A reader of documents that was just being started may hold it for a moment.
        await asyncio.sleep(0.05)
    raise AssertionError("somebody else holds the home")


async def _serve(home: Path, told: dict[str, Any], is_told: asyncio.Event) -> None:
    async with _owned(home, told) as house:
        await house.gateway.resume()
        work = asyncio.ensure_future(house.keep_up())
        await is_told.wait()
        work.cancel()
        await asyncio.wait([work])


def _born(told: dict[str, Any]) -> int:
    """Begin a life; only the one who gave it comes back from here."""
    global FATE  # noqa: PLW0603 -- a process has one
    if number := os.fork():
        return number
    FATE = Fate(told.get("point", ""), str(told.get("chat", "")))
    with Path(told["home"], "stderr").open("a") as complaints:
        os.dup2(complaints.fileno(), 1)
        os.dup2(complaints.fileno(), 2)
    try:
        asyncio.run(_live(told))
    except BaseException:  # noqa: BLE001 -- this is the end of the process
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def main() -> None:
    while line := sys.stdin.readline():
        number = _born(json.loads(line))
        print(number, flush=True)  # noqa: T201 -- it is how the test learns
        _, status = os.waitpid(number, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201 -- the same


if __name__ == "__main__":
    main()
