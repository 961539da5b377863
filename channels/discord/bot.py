"""One bot at work: from its token to the last of its tasks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from apx.domain.errors import Unreachable
from channels.discord import attachments, menu
from channels.discord.client import Client
from channels.discord.connection import Connection, Place
from channels.discord.interactions import Interactions
from channels.discord.interactions_reply import Hands as Fingers
from channels.discord.pace import Pace
from channels.discord.places import Places
from channels.discord.receiving import Receiver
from channels.discord.rooms import Readers
from channels.discord.sending import Sender
from channels.discord.taking import Hands
from channels.discord.threads import Threads
from channels.shared.answering import Answers
from channels.shared.journal import Journal
from channels.shared.troubles import ASIDE, SILENT, STOPPED, TOKEN, Troubles

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from apx.domain.attachment import Attachment
    from apx.domain.person import Account
    from apx.domain.thread import Thread
    from apx.ports import Clock, Door, Drawer
    from channels.discord.settings import BotSettings
    from channels.discord.waits import Waits
    from channels.shared.raw import Raw


class Bot:
    """A bot's connection, places and voice; `key` is where config.json has it."""

    def __init__(
        self,
        settings: BotSettings,
        drawer: Drawer,
        clock: Clock,
        waits: Waits,
        key: str,
    ) -> None:
        self.settings = settings
        self.troubles = Troubles(clock)
        self.client = Client(settings.token)
        self.places = Places(settings.name, drawer)
        self._readers = Readers(self.client, self.places)
        threads = Threads(self.client, self.places)
        pace = Pace()
        name = settings.name
        self.sender = Sender(self.client, self.places, threads, pace, drawer, name)
        self.drawer = drawer
        self._clock = clock
        self._waits = waits
        self.key = key

    @property
    def is_connected(self) -> bool:
        """Whether Discord knew the bot and answers."""
        return self.client.app_id > 0 and not self.troubles.include(SILENT, TOKEN)

    async def run(self, door: Door) -> None:
        """Hear and answer until cancelled."""
        await self.places.load()
        journal = Journal(self.settings.name, self.drawer, self._clock)
        await journal.load()
        if journal.asides:
            self.troubles.has(ASIDE, journal.asides)
        async with asyncio.TaskGroup() as group:
            ears = self._ears(door, journal, group)
            await ears.load()
            place = Place(self.client, self.troubles, self._waits, f"{self.key}.token")
            connection = Connection(place, ears, self.drawer, self._clock)
            self.troubles.over(STOPPED)
            try:
                await connection.run()
            finally:
                await ears.close()

    async def run_anew(self, door: Door) -> None:
        """Run again; each login makes new connections."""
        await self.run(door)

    async def announced(self) -> None:
        """Tell Discord the slash commands, if they have changed."""
        commands = self.settings.commands
        await menu.announce(self.client, self.drawer, commands, self._waits)

    def download(self, file: Attachment) -> AsyncGenerator[bytes, None]:
        """Give the bytes of an attachment."""
        return attachments.fetch(self.client, file)

    async def has_member(self, thread: Thread, account: Account) -> bool:
        """Whether an account can read a thread, as Discord says now."""
        if not self.is_connected:
            # Who may read what is told by the gateway alone.
            raise Unreachable("the bot does not hear who may read what")
        return await self._readers.has_member(thread, account)

    async def close(self) -> None:
        """Hang up."""
        await self.sender.close()
        await self.client.close()

    def _ears(self, door: Door, journal: Journal, group: asyncio.TaskGroup) -> Ears:
        answers = Answers(door, self.sender.tell, journal, group, self._waits)
        hands = Hands(
            door=door,
            client=self.client,
            places=self.places,
            settings=self.settings,
            answers=answers,
            journal=journal,
            troubles=self.troubles,
            clock=self._clock,
            waits=self._waits,
        )
        fingers = Fingers(
            door=door,
            client=self.client,
            places=self.places,
            answers=answers,
            tell=self.sender.tell,
            journal=journal,
            settings=self.settings,
            clock=self._clock,
            waits=self._waits,
        )
        return Ears(self, hands, fingers, group)


class Ears(Receiver):
    """What a bot hears; the first time, it says hello in turn."""

    def __init__(
        self, bot: Bot, hands: Hands, fingers: Fingers, group: asyncio.TaskGroup
    ) -> None:
        self._interactions = Interactions(fingers, group)
        super().__init__(hands, bot.drawer, group, self._interactions.take, bot.key)
        self._bot = bot
        self._greets = group
        self._has_greeted = False

    async def close(self) -> None:
        """Hear nothing more."""
        self._interactions.close()
        await super().close()

    def ready(self, raw: Raw) -> None:
        """Take note of a fresh session, and have commands told, beside all else."""
        super().ready(raw)
        self._bot.sender.connected()
        if not self._has_greeted:
            self._has_greeted = True
            self._greets.create_task(self._bot.announced())
