"""Doubles of the ports that the receiving side of a bot stands between."""

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from apx.domain.heard import Button, What
from apx.testing import MemoryDrawer
from channels.telegram import hearing
from channels.telegram.channel import TelegramChannel
from channels.telegram.groups import Me
from channels.telegram.hearing import Ears
from channels.telegram.places import Places
from channels.telegram.settings import BotSettings
from channels.telegram.waits import Waits
from tests.servers.telegram import TOKEN

NOW = datetime(2030, 1, 1, 12, 3, tzinfo=UTC)
SWIFT = Waits(
    poll=5,
    silence=30.0,
    first=0.01,
    longest=0.05,
    conflict=0.01,
    token=0.05,
    hold=0.05,
    toast=0.05,
    look=0.05,
)
BOT = 4242001


def clock():
    return NOW


class RecordingDoor:
    """A door that keeps what came, and answers what starts with a stroke.

    Each entry of `failures` spoils one message; while `gate` is closed, whatever says
    `slow` waits.
    """

    def __init__(self):
        self.heard = []
        self.pressed = []
        self.deleted = []
        self.failures = []
        self.answers = {}
        self.under: tuple[Button, ...] = ()
        self.outcome = None
        self.admitted = True
        self.gate = asyncio.Event()

    async def hear(self, heard):
        if "slow" in heard.text:
            await self.gate.wait()
        if self.failures and (error := self.failures.pop(0)):
            raise error
        self.heard.append(heard)
        return self.answers.get(heard.text)

    async def press(self, press):
        if "slow" in press.data:
            await self.gate.wait()
        if self.failures and (error := self.failures.pop(0)):
            raise error
        self.pressed.append(press)
        return self.outcome

    async def buttons(self, heard):
        return self.under if heard.text in self.answers else ()

    async def gone(self, thread, external_id, at):
        del at
        self.deleted.append((str(thread), external_id))

    async def admits(self, caller):
        del caller
        return self.admitted

    @property
    def texts(self):
        return [one.text for one in self.heard if one.what is not What.CONTEXT]


def ears(username="loop_bot", **settings):
    given = BotSettings(name="main", token=TOKEN, **settings)
    return Ears(Me(BOT, username), given, Places("main", MemoryDrawer()).thread)


ANA = {"id": 7, "is_bot": False, "first_name": "Ana", "last_name": "Ruiz"}
PRIVATE = {"id": 7, "type": "private", "first_name": "Ana"}
GROUP = {"id": -100, "type": "supergroup", "title": "Home"}
US = {"id": BOT, "is_bot": True, "first_name": "Loop", "username": "loop_bot"}


def heard(chat=PRIVATE, /, kind="message", *, settings=None, **content):
    """Translate a message of these fields."""
    base = {"message_id": 5, "date": 1_900_000_000, "chat": chat, "from": ANA}
    update = {"update_id": 1, kind: base | content}
    return hearing.message(update, ears(**(settings or {})))


class Running(TelegramChannel):
    """A channel, and the task that says how its run ended."""

    ended: asyncio.Task[None]


@asynccontextmanager
async def running(telegram, door, drawer=None, waits=SWIFT, more=(), **settings):
    """Run a channel at a server for the length of the block."""
    first = BotSettings(name="main", token=TOKEN, base_url=telegram.origin, **settings)
    drawer = MemoryDrawer() if drawer is None else drawer
    channel = Running([first, *more], drawer, clock, waits)
    task = asyncio.create_task(channel.run(door))
    channel.ended = task
    try:
        yield channel
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
