"""What the tests of the receiving side share: raw messages, and one bot's ears."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from apx.testing import MemoryDrawer, until
from channels.discord import hearing
from channels.discord.client import Client
from channels.discord.connection import Connection, Place
from channels.discord.guilds import TEXT, Room
from channels.discord.hearing_names import Ears, Me
from channels.discord.message import Message, payload
from channels.discord.places import Places
from channels.discord.raw import first_at
from channels.discord.receiving import Receiver
from channels.discord.settings import BotSettings, Command
from channels.discord.taking import Hands
from channels.discord.waits import Waits
from channels.shared.answering import Answers
from channels.shared.journal import Journal
from channels.shared.troubles import Troubles
from tests.channels.telegram.hearers import RecordingDoor
from tests.servers.discord import TOKEN
from tests.servers.discord.furnished import HOME

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

SWIFT = Waits(
    first=0.01, longest=0.05, token=0.05, hold=0.05, connecting=0.3, spaced=0.0
)
KEY = "channels.discord.bots[0]"
ME = Me(900, 901)
ANA = {"id": "7", "username": "ana", "global_name": "Ana Ruiz", "bot": False}
US = {"id": "900", "username": "apx", "bot": True}
NUMBER = 1_300_000_000_000_000_000
COMMANDS = (Command("new", "start afresh"), Command("status", "what runs"))


class GuildNames:
    """A guild with a role and a channel."""

    def role(self, number: int) -> str:
        return {61: "Cooks"}.get(number, "")

    def channel(self, number: int) -> str:
        return {50: "general", 70: "Which pan?"}.get(number, "")


DM = Room(20)
HALL = Room(50, 5, TEXT, our_role=60, names=GuildNames())
POST = Room(70, 5, 11, 51, in_forum=True, names=GuildNames())


def ago(discord: Any, **time: float) -> str:
    """Give the mark of a bot that went away so long before now."""
    now = datetime.fromtimestamp(discord.now(), UTC)
    return str(first_at(now - timedelta(**time)))


def ears(**settings: Any) -> Ears:
    known = {"guilds": frozenset({"5"}), "commands": COMMANDS}
    given = BotSettings(name="main", token="", **{**known, **settings})
    return Ears(ME, given, Places("main", MemoryDrawer()))


def raw(room: Room = DM, **content: Any) -> dict[str, Any]:
    """Write a message of these fields as Discord does."""
    base = {
        "id": str(NUMBER),
        "channel_id": str(room.id),
        "type": 0,
        "author": ANA,
        "content": "",
        "edited_timestamp": None,
        "mentions": [],
    }
    return base | content


def heard(room: Room = DM, /, *, by: Any = None, **content: Any) -> Any:
    """Translate a message of these fields."""
    return hearing.message(raw(room, **content), room, by or ears())


class GoneDoor(RecordingDoor):
    """A door that keeps what was deleted, and fails at what it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.deleted: list[tuple[str, str]] = []

    async def gone(self, thread: Any, external_id: str, at: datetime) -> None:
        del at
        if self.failures and (error := self.failures.pop(0)):
            raise error
        self.deleted.append((str(thread), external_id))


@dataclass
class Hearing:
    """One bot that hears, and all around it."""

    hands: Hands
    drawer: Any
    interactions: list[Any] = field(default_factory=list)
    receiver: Receiver = field(init=False)
    door: Any = None

    @property
    def told(self) -> str:
        """What is wrong, for people."""
        return self.hands.troubles.text

    async def settled(self, discord: Any) -> None:
        """Wait until the bot is connected and has nothing to do."""
        await until(lambda: self.receiver._there and discord.sessions())
        guilds = self.hands.client.vendor
        await until(lambda: guilds.guilds and not any(map(_is_to_come, guilds.guilds)))
        await self.receiver.lanes.done()
        # A first start begins to hear at a moment that nobody may be before.
        await until(lambda: self.receiver.mark.number)

    async def told_all(self, discord: Any) -> None:
        """Wait until the bot knows all that the gateway has said until now."""
        seen = len(self.interactions)
        discord.raw("INTERACTION_CREATE", {})
        await until(lambda: len(self.interactions) > seen)


def _is_to_come(guild: Any) -> bool:
    return bool(guild.unavailable)


def _hands(
    discord: Any,
    door: Any,
    drawer: Any,
    waits: Waits,
    settings: dict[str, Any],
    group: asyncio.TaskGroup,
) -> Hands:
    known = {"guilds": frozenset({str(HOME)}), "commands": COMMANDS}
    given = BotSettings(name="main", token=TOKEN, **{**known, **settings})

    def now() -> datetime:
        return datetime.fromtimestamp(discord.now(), UTC)

    client, places = Client(TOKEN), Places("main", drawer)
    journal = Journal(discord.bot().id, drawer, now)

    async def tell(thread: Any, notice: Any) -> None:
        said = payload(Message(notice.text))
        channel = places.channel(thread)
        await client.call("POST", "/channels/{at}/messages", json=said, at=channel)

    return Hands(
        door=door,
        client=client,
        places=places,
        settings=given,
        answers=Answers(door, tell, journal, group, waits),
        journal=journal,
        troubles=Troubles(now),
        clock=now,
        waits=waits,
    )


@asynccontextmanager
async def hearers(
    discord: Any,
    door: Any,
    drawer: Any = None,
    *,
    waits: Any = SWIFT,
    **settings: Any,
) -> AsyncIterator[Hearing]:
    """Hear what people of a server say, for the length of the block."""
    drawer = drawer or MemoryDrawer()
    opened: asyncio.Future[Hearing] = asyncio.get_running_loop().create_future()

    async def run() -> None:
        async with asyncio.TaskGroup() as group:
            hands = _hands(discord, door, drawer, waits, settings, group)
            await hands.places.load()
            await hands.journal.load()
            known = Hearing(hands, drawer, door=door)
            known.receiver = receiver = Receiver(
                hands, drawer, group, known.interactions.append, KEY
            )
            await receiver.load()
            patient = replace(waits, connecting=5.0)
            place = Place(hands.client, hands.troubles, patient, f"{KEY}.token")
            opened.set_result(known)
            try:
                await Connection(place, receiver, drawer, hands.clock).run()
            finally:
                await receiver.close()

    task = asyncio.create_task(run())
    try:
        yield await opened
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
