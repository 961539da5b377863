"""One bot at work: from its token to the last of its tasks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from aiogram.methods import GetMe

from channels.shared.answering import Answers
from channels.shared.journal import Journal
from channels.shared.troubles import ASIDE, SILENT, STOPPED, TOKEN, Troubles
from channels.telegram import menu, webhook
from channels.telegram.client import Client
from channels.telegram.groups import Me
from channels.telegram.hearing import Ears
from channels.telegram.insisting import Line, insisted
from channels.telegram.members import is_inside
from channels.telegram.pace import Pace
from channels.telegram.places import Places
from channels.telegram.polling import Poller
from channels.telegram.pressing import Hands
from channels.telegram.receiving import Receiver
from channels.telegram.rooms import Rooms
from channels.telegram.sending import Sender

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from apx.domain.attachment import Attachment
    from apx.domain.person import Account
    from apx.domain.thread import Thread
    from apx.ports import Clock, Door, Drawer
    from channels.telegram.settings import BotSettings
    from channels.telegram.waits import Waits

_FETCHED: Final = 20 << 20


class Bot:
    """A bot's connection, places and voice, while it runs and between two runs.

    `key` is where config.json has its token. Raises `WrongToken` for what is none.
    """

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
        self.client = Client(settings.token, settings.base_url)
        self.places = Places(settings.name, drawer)
        self.sender = Sender(self.client, self.places, Pace(), drawer, settings.name)
        self._drawer = drawer
        self._clock = clock
        self._waits = waits
        self._line = Line(self.client, self.troubles, waits, key)
        self._is_known = False

    @property
    def is_connected(self) -> bool:
        """Whether Telegram knew the bot and answers."""
        return self._is_known and not self.troubles.include(SILENT, TOKEN)

    async def run(self, door: Door) -> None:
        """Hear and answer until cancelled, or raise `Exhausted` in a group."""
        await self.places.load()
        journal = Journal(self.client.bot_id, self._drawer, self._clock)
        await journal.load()
        if journal.asides:
            self.troubles.has(ASIDE, journal.asides)
        rooms = Rooms(self._line, self.settings, self.places, self._drawer)
        await rooms.load()
        known = await insisted(self._line, GetMe())
        me = Me(known.id, known.username or "")
        self._is_known = True
        self.sender.connected()
        async with asyncio.TaskGroup() as group:
            # Beside all else: a list that waits for a flood to pass holds up nobody.
            told = menu.announce(self._line, self._drawer, self.settings.commands)
            group.create_task(told)
            await self._heard(self._receiver(door, me, journal, rooms, group))

    async def run_anew(self, door: Door) -> None:
        """Run again, over new connections."""
        await self.client.rebuild()
        await self.run(door)

    def download(self, file: Attachment) -> AsyncGenerator[bytes, None]:
        """Give the bytes of an attachment."""
        return self.client.download(file.ref, _FETCHED)

    async def has_member(self, thread: Thread, account: Account) -> bool:
        """Whether an account can read a thread, as Telegram says now."""
        place = self.places.place(thread)
        if not place.is_group:
            return account.user == str(place.chat_id)
        if not account.user.isdecimal():
            return False
        return await is_inside(self.client, place.chat_id, int(account.user))

    async def close(self) -> None:
        """Hang up."""
        self._is_known = False
        await self.sender.close()
        await self.client.close()

    def _receiver(
        self,
        door: Door,
        me: Me,
        journal: Journal,
        rooms: Rooms,
        group: asyncio.TaskGroup,
    ) -> Receiver:
        answers = Answers(door, self.sender.tell, journal, group, self._waits)
        ears = Ears(me, self.settings, self.places.thread)
        hands = Hands(door, self.client, answers, ears, self._clock, self._waits)
        return Receiver(hands, journal, self.troubles, rooms, group)

    async def _heard(self, receiver: Receiver) -> None:
        """Take updates for ever, whichever way they come."""
        hook = self.settings.webhook
        if hook is None:
            self.troubles.over(STOPPED)
            await Poller(self._line, receiver).run()
            return
        await receiver.settle()
        async with webhook.Hook(hook, receiver, self._line).served():
            self.troubles.over(STOPPED)
            await webhook.watched(self._line, hook, self._clock)
