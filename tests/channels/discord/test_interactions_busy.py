"""Half a second for an acknowledgement, whatever else this process has to do."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import asynccontextmanager, closing, suppress
from typing import TYPE_CHECKING, Any

import pytest

from apx.domain.access import Access, Rules
from apx.domain.heard import Button
from apx.store.drawers import ChannelDrawer
from apx.testing import ScriptedModel, until
from channels.discord.buttons import rows
from channels.discord.message import Message, payload
from tests.agent.conftest import World
from tests.agent.test_door import House
from tests.channels.discord.connected import RecordingEars, connected
from tests.channels.discord.controls import controls
from tests.servers.discord.furnished import ANA, BEN, GENERAL, HOME, pointed
from tests.servers.discord.remote import running

if TYPE_CHECKING:
    from collections.abc import Callable

SLICE = 0.04


class Ears(RecordingEars):
    """Hands on what people do with the bot."""

    def __init__(self):
        super().__init__()
        self.take: Callable[[Any], None] = self.heard.append

    def interaction(self, raw):
        self.take(raw)


@asynccontextmanager
async def busy():
    """Keep the loop at work, as a turn does that is read, cut and written."""

    async def work():
        while True:
            end = time.perf_counter() + SLICE
            while time.perf_counter() < end:
                pass
            await asyncio.sleep(0)

    task = asyncio.create_task(work())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@asynccontextmanager
async def locked(path):
    """Hold a database as another process would."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        yield
        other.execute("rollback")


@pytest.fixture
def world(database, ledger, history, outbox, clock, tmp_path):
    return World(database, ledger, history, outbox, clock, tmp_path)


async def test_each_is_acknowledged_at_once(world, database, tmp_path):
    """Strangers and friends, commands and buttons, in private and in a guild."""
    ears = Ears()
    rules = {"main": Rules(Access.OPEN, groups=frozenset({str(HOME)}))}
    with running(furnished=True) as discord, pointed(discord.origin):
        async with (
            world.open(ScriptedModel(["ok"])) as gateway,
            connected(ears=ears) as bot,
        ):
            await until(lambda: ears.of("guild"))
            door = House(world, gateway).doors.of("discord", rules)
            drawer = ChannelDrawer(database, "discord")
            clock = world.clock
            hands = controls(
                discord, door, client=bot.client, drawer=drawer, clock=clock
            )
            async with hands as desk:
                ears.take = desk.interactions.take
                stop = await said_with_stop(bot.client)
                dm = await asyncio.to_thread(discord.dm, ANA)
                async with busy(), locked(tmp_path / "ledger.db"):
                    numbers = await asyncio.to_thread(acted, discord, dm, stop)
                    took = await asyncio.to_thread(acknowledged, discord, numbers)
                    is_thinking = await asyncio.to_thread(
                        lambda: discord.answer(numbers[0]).thinking
                    )
                await asyncio.to_thread(answered, discord, numbers)

    assert max(took) < 500, took
    assert is_thinking


async def said_with_stop(client):

    said = Message("Well", components=rows([Button("Stop", "stop:5")]))
    made = await client.call(
        "POST", "/channels/{channel}/messages", json=payload(said), channel=GENERAL
    )
    return int(made["id"])


def acted(discord, dm, stop):
    """Do several things at once."""
    return [
        discord.slash("status", user=ANA, channel=dm),
        discord.slash("status", user=BEN, channel=GENERAL),
        discord.press(stop, "Stop", BEN),
    ]


def acknowledged(discord, numbers):
    """Give how long each of them took, as the server saw it."""
    discord.until(
        lambda: all(discord.answer(one).acked_ms is not None for one in numbers)
    )
    return [discord.answer(one).acked_ms for one in numbers]


def answered(discord, numbers):
    """Return when the commands have their answers."""
    discord.until(lambda: all(discord.answer(one).texts for one in numbers[:2]))
