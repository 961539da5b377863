"""Takes one message, edit or deletion: durable, or set aside in so many words."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import Conflict, HomeError, StoreError
from apx.domain.heard import What
from apx.domain.secrets import mask
from channels.discord import hearing
from channels.discord.hearing_names import Ears, Me
from channels.discord.places import Own
from channels.discord.raw import maybe_snowflake, snowflake
from channels.shared.answering import FAILURES
from channels.shared.apologies import Apologies
from channels.shared.recent import Recent
from channels.shared.troubles import ASIDE, STORE
from channels.shared.waiting import Backoff

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from apx.domain.heard import Caller, Heard
    from apx.domain.thread import Thread
    from apx.ports import Clock, Door
    from channels.discord.client import Client
    from channels.discord.guilds import Room
    from channels.discord.places import Places
    from channels.discord.settings import BotSettings
    from channels.discord.waits import Waits
    from channels.shared.answering import Answers
    from channels.shared.journal import Journal
    from channels.shared.raw import Raw
    from channels.shared.troubles import Troubles

log = structlog.get_logger(__name__)

_TITLE: Final = 100


@dataclass(frozen=True, slots=True)
class Hands:
    """What it takes to hear for a bot."""

    door: Door
    client: Client
    places: Places
    settings: BotSettings
    answers: Answers
    journal: Journal
    troubles: Troubles
    clock: Clock
    waits: Waits


class Taker:
    """Takes what is said to a bot; the same message twice is one.

    `ears` know who the bot is once Discord has said so.
    """

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self._apologies = Apologies(hands.door, hands.answers, hands.clock)
        self._done: Recent[int, Thread | None] = Recent()
        self._revisions: Recent[int, str] = Recent()
        self.ears = Ears(Me(0, 0), hands.settings, hands.places)

    def is_us(self, me: Me) -> None:
        """Take note of who the bot is."""
        self.ears = Ears(me, self._hands.settings, self._hands.places)

    def wants(self, raw: Raw, room: Room) -> bool:
        """Whether a message has to be taken; one that cannot be read has to."""
        if (number := maybe_snowflake(raw, "id")) and self._is_over(number):
            return False
        try:
            return hearing.message(raw, room, self.ears) is not None
        except FAILURES:
            return True

    async def message(self, raw: Raw, room: Room) -> None:
        """Take a message; once this returns, nothing of it can be lost."""
        await self.insisted(partial(self._message, raw, room))

    async def edit(self, raw: Raw, room: Room) -> None:
        """Take what a message is by now."""
        await self.insisted(partial(self._edit, raw, room))

    async def gone(self, number: int, channel: int) -> None:
        """Take note that a message was deleted."""
        await self.insisted(partial(self._gone, number, channel))

    async def unread(self, number: int, error: Exception) -> None:
        """Go on without a message of which nobody knows where it was said."""
        name = type(error).__name__
        log.warning("discord_message_set_aside", error=name)
        journal = self._hands.journal
        await journal.put_aside(number, "message", name)
        self._hands.troubles.has(ASIDE, journal.asides)

    async def insisted(self, deed: Callable[[], Awaitable[None]]) -> None:
        """Do something again and again while nothing can be written down."""
        backoff = Backoff(self._hands.waits.first, self._hands.waits.longest)
        troubles = self._hands.troubles
        while True:
            try:
                await deed()
            except (StoreError, HomeError, OSError) as error:
                name = type(error).__name__
                if troubles.has(STORE, f"messages cannot be written down ({name})"):
                    log.warning("discord_store_fails", error=name)
                await asyncio.sleep(backoff.next())
            else:
                if backoff.has_begun:
                    troubles.over(STORE)
                return

    async def _message(self, raw: Raw, room: Room) -> None:
        heard: Heard | None = None
        try:
            number = snowflake(raw, "id")
            if self._is_over(number):
                return
            heard = hearing.message(raw, room, self.ears)
            self._revisions.keep(number, hearing.edited(raw))
            if heard is not None:
                await self._heard(raw, room, heard)
            self._done.keep(number, heard.caller.thread if heard else None)
        except (StoreError, HomeError, OSError) as error:
            if not isinstance(error, Conflict):
                raise
            await self._set_aside(raw, room, heard, error)
        except FAILURES as error:
            await self._set_aside(raw, room, heard, error)

    async def _heard(self, raw: Raw, room: Room, heard: Heard) -> None:
        places, user = self._hands.places, int(heard.caller.account.user)
        if not room.guild:
            await places.keep_dm(room.id, user)
        thread = hearing.began(heard, raw, room, self.ears)
        if thread and await self._hands.door.admits(heard.caller):
            # Others read it, also when its message is gone: no password stands in it.
            title = mask(heard.text)[:_TITLE]
            await places.keep_own(thread, Own(room.id, user), title)
        late = partial(self._set_aside_late, raw, room, heard)
        try:
            await self._hands.answers.hear(snowflake(raw, "id"), heard, late)
        except Conflict:
            # It was heard before, and is another text by now.
            await self._amended(raw, room)

    async def _amended(self, raw: Raw, room: Room) -> None:
        if (heard := hearing.edit(raw, room, self.ears)) is not None:
            await self._hands.door.hear(heard)

    async def _edit(self, raw: Raw, room: Room) -> None:
        try:
            number, revision = snowflake(raw, "id"), hearing.edited(raw)
            if not revision or self._revisions.get(number) == revision:
                return
            await self._amended(raw, room)
            self._revisions.keep(number, revision)
        except (StoreError, HomeError, OSError) as error:
            if not isinstance(error, Conflict):
                raise
        except FAILURES as error:
            log.warning("discord_edit_unread", error=type(error).__name__)

    async def _gone(self, number: int, channel: int) -> None:
        places = self._hands.places
        threads = {self._done.get(number) or places.thread(channel)}
        if places.own(number):
            threads.add(places.thread(number))
        name = hearing.external_id(number, channel, self.ears)
        for thread in sorted(threads):
            try:
                await self._hands.door.gone(thread, name, self._hands.clock())
            except (StoreError, HomeError, OSError):
                raise
            except FAILURES as error:
                log.warning("discord_deletion_failed", error=type(error).__name__)

    def _is_over(self, number: int) -> bool:
        return number in self._done or self._hands.journal.is_over(number)

    async def _set_aside(
        self, raw: Raw, room: Room, heard: Heard | None, error: Exception
    ) -> None:
        """Go on without a message; that it was one is kept, none of its words."""
        await self.unread(maybe_snowflake(raw, "id"), error)
        if (caller := self._whose(raw, room, heard)) is not None:
            await self._apologies.offer(caller)

    async def _set_aside_late(
        self, raw: Raw, room: Room, heard: Heard, error: Exception
    ) -> None:
        """Set aside what failed when nobody waited for it any more."""
        try:
            await self._set_aside(raw, room, heard, error)
        except FAILURES as failure:
            log.warning("discord_aside_not_kept", error=type(failure).__name__)

    def _whose(self, raw: Raw, room: Room, heard: Heard | None) -> Caller | None:
        """Say whose a message is, as far as it can be read.

        In a guild nobody is told of what was not said to the bot.
        """
        if heard is not None:
            return None if heard.what is What.CONTEXT else heard.caller
        if room.guild:
            return None
        try:
            return hearing.caller(raw, room, room.id, self.ears)
        except FAILURES:
            return None
