"""What the tests of commands and buttons share: one bot's hands, without a gateway."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, nullcontext, suppress
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from apx.testing import MemoryDrawer
from channels.discord.buttons import rows
from channels.discord.client import Client
from channels.discord.interactions import Interactions
from channels.discord.interactions_reply import Hands
from channels.discord.menu import announce
from channels.discord.message import Message, payload
from channels.discord.places import Places
from channels.discord.settings import BotSettings, Command
from channels.discord.waits import Waits
from channels.shared.answering import Answers
from channels.shared.journal import Journal
from tests.servers.discord import TOKEN
from tests.servers.discord.furnished import HOME
from tests.servers.discord.sessions import Session

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from apx.domain.heard import Notice
    from apx.domain.thread import Thread
    from apx.ports import Door

SWIFT = Waits(first=0.01, longest=0.05, token=0.05, hold=0.05, toast=0.05)
COMMANDS = (
    Command("new", "start afresh"),
    Command("status", "what runs"),
    Command("memory", "the newest notes", takes_words=True),
    Command("compact", "condense", takes_words=True),
    Command("remember", "save a note", takes_words=True),
)


def stopped_clock() -> datetime:
    """Tell always the same time, so that only Discord knows what is over."""
    return datetime(2030, 1, 1, tzinfo=UTC)


class Ear(Session):
    """A session whose events are handed on at once, by no socket."""

    take: Callable[[Any], None]

    def push(self, kind: str, data: Any) -> None:
        if kind == "INTERACTION_CREATE":
            self.take(deepcopy(data))


@dataclass
class Desk:
    """One bot's hands, and what is behind them."""

    client: Client
    places: Places
    drawer: Any
    interactions: Interactions
    failures: list[str] = field(default_factory=list)


@asynccontextmanager
async def controls(
    discord: Any,
    door: Door,
    *,
    client: Client | None = None,
    drawer: Any = None,
    clock: Callable[[], datetime] | None = None,
    **settings: Any,
) -> AsyncIterator[Desk]:
    """Do what people of a server do with a bot, for the length of the block.

    A `client` that is given is connected; whoever has its ears hands on what it hears.
    """
    drawer = drawer or MemoryDrawer()
    is_alone = client is None
    client, places = client or Client(TOKEN), Places("main", drawer)
    known = {"guilds": frozenset({str(HOME)}), "commands": COMMANDS}
    given = BotSettings(name="main", token=TOKEN, **{**known, **settings})
    await places.load()
    if is_alone:
        await client.login()
    await announce(client, MemoryDrawer(), given.commands, SWIFT)
    journal = Journal(client.app_id, drawer, lambda: datetime.now(UTC))
    await journal.load()

    def now():
        return datetime.fromtimestamp(discord.now(), UTC)

    tell = partial(_tell, client, places)
    closing = _closed(client) if is_alone else nullcontext()
    async with closing, _group() as group:
        answers = Answers(door, tell, journal, group, SWIFT)
        hands = Hands(
            door, client, places, answers, tell, journal, given, clock or now, SWIFT
        )
        interactions = Interactions(hands, group)
        if is_alone:
            ear = Ear("s", discord.bot(), 0)
            ear.take = interactions.take
            discord.bot().sessions.append(ear)
        try:
            yield Desk(client, places, drawer, interactions)
        finally:
            interactions.close()


async def _tell(client: Client, places: Places, thread: Thread, notice: Notice):
    said = Message(notice.text, components=rows(notice.buttons))
    await client.call(
        "POST",
        "/channels/{channel}/messages",
        json=payload(said),
        channel=places.channel(thread),
    )


@asynccontextmanager
async def _closed(client: Client) -> AsyncIterator[None]:
    """Hang up after all else: whoever still speaks would open a new connection."""
    try:
        yield
    finally:
        await client.close()


@asynccontextmanager
async def _group() -> AsyncIterator[asyncio.TaskGroup]:
    """Give a group whose tasks end with the block, and none of them by an error."""
    opened: asyncio.Future[asyncio.TaskGroup]
    opened = asyncio.get_running_loop().create_future()

    async def run() -> None:
        async with asyncio.TaskGroup() as group:
            opened.set_result(group)
            await asyncio.Event().wait()

    task = asyncio.create_task(run())
    try:
        yield await opened
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def done(discord: Any, number: int):
    """Wait until nobody is shown that the bot thinks, and give what is shown."""
    await discord.until(lambda: discord.answer(number).acked_ms is not None)
    await discord.until(lambda: not discord.answer(number).thinking)
    return discord.answer(number)
