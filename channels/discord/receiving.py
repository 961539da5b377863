"""Hears all that the gateway brings of one bot, and has it done in its order."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import HomeError, InputError, StoreError
from channels.discord import hearing, hearing_words
from channels.discord.catching_up import CatchingUp
from channels.discord.guilds import Guilds, Room
from channels.discord.hearing_names import Me
from channels.discord.lanes import Lanes
from channels.discord.mark import Mark
from channels.discord.raw import maybe_snowflake, snowflake
from channels.discord.taking import Hands, Taker
from channels.shared.answering import FAILURES
from channels.shared.raw import Raw, part, parts

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from apx.ports import Drawer

log = structlog.get_logger(__name__)

_CLOSING: Final = 2.0


class Receiver:
    """The `Events` of a bot: each message once, in its channel's order.

    `interaction` takes what is pressed or commanded; that is in no lane. `key` is
    where config.json has the bot.
    """

    def __init__(
        self,
        hands: Hands,
        drawer: Drawer,
        group: asyncio.TaskGroup,
        interaction: Callable[[Raw], None],
        key: str,
    ) -> None:
        self._hands = hands
        self._group = group
        self._interaction = interaction
        self.lanes = Lanes(group)
        self.mark = Mark(hands.settings.name, drawer, hands.clock)
        self.guilds = Guilds(
            hands.client, hands.settings, hands.troubles, drawer, f"{key}.guilds"
        )
        self._taker = Taker(hands)
        self._catching = CatchingUp(
            hands, self._taker, self.lanes, self.mark, self.guilds, group
        )
        self._is_settled = False
        self._there: set[int] = set()
        self._overfull: set[int] = set()

    async def load(self) -> None:
        """Read what an earlier process knew."""
        await self.mark.load()
        await self.guilds.load()

    async def close(self) -> None:
        """Keep how far all was heard, if that can be written down soon."""
        try:
            async with asyncio.timeout(_CLOSING):
                await self.mark.keep()
        except (StoreError, HomeError, OSError) as error:
            log.warning("discord_mark_not_kept", error=type(error).__name__)

    def ready(self, raw: Raw) -> None:
        """Hear as who Discord says that we are, and catch up."""
        me = maybe_snowflake(part(raw, "user"), "id")
        app = maybe_snowflake(part(raw, "application"), "id")
        self._taker.is_us(Me(me, self._hands.client.app_id or app or me))
        if not self._is_settled:
            self._is_settled = True
            self._do(self._hands.answers.settle)
            self._do(self._hands.places.tidy)
        self._there = {maybe_snowflake(one, "id") for one in parts(raw, "guilds")}
        self._do(partial(self.guilds.are, frozenset(self._there)))
        if not self.mark.number:
            self._do(self.mark.begin_now)
            return
        self._catching.begin(filter(self.guilds.hears, sorted(self._there)))

    def resumed(self) -> None:
        """Go on: all that was said meanwhile comes by itself."""

    def guild(self, raw: Raw) -> None:
        """Catch up with a guild, or tell that it is not heard if we just came in."""
        guild = snowflake(raw, "id")
        for one in (*parts(raw, "channels"), *parts(raw, "threads")):
            self._is_no_dm(maybe_snowflake(one, "id"))
        if self.guilds.hears(guild):
            self.guilds.came(guild)
            self._catching.guild(raw)
        elif guild not in self._there:
            self._do(partial(self._spoken, guild))
        self._there.add(guild)

    def guild_gone(self, raw: Raw) -> None:
        """Tell no more of a guild."""
        guild = snowflake(raw, "id")
        self._there.discard(guild)
        self._do(partial(self.guilds.left, guild))

    def thread(self, raw: Raw) -> None:
        """Leave a thread alone until something is said in it."""

    def message(self, raw: Raw) -> None:
        """Have a message taken, if it may be for us."""
        number = maybe_snowflake(raw, "id")
        try:
            room = self._room(raw)
        except InputError as error:
            # Nobody knows where it was said: nobody is told.
            self._do(partial(self._taker.unread, number, error))
            return
        if room.guild:
            self._is_no_dm(room.id)
        if room.guild and not self.guilds.hears(room.guild):
            self._elsewhere(raw, room)
        elif room.id in self._overfull:
            return  # it is read again later
        elif not self._taker.wants(raw, room):
            self.mark.begin(number)
            self.mark.end(number)
        else:
            if not room.guild:
                self._catching.private(room)
            self._put(number, raw, room)

    def edited(self, raw: Raw) -> None:
        """Have an edit taken, if it may be one."""
        room = self._room(raw)
        if room.guild and not self.guilds.hears(room.guild):
            return
        if raw.get("edited_timestamp") is not None:
            self.lanes.after(room.id, partial(self._taker.edit, raw, room))

    def deleted(self, channel_id: int, message_ids: tuple[int, ...]) -> None:
        """Have taken note of that messages are gone, after what they said."""
        room = self.guilds.room(channel_id)
        if room.guild and not self.guilds.hears(room.guild):
            return
        for number in message_ids:
            gone = partial(self._taker.gone, number, channel_id)
            self.lanes.after(channel_id, gone)

    def interaction(self, raw: Raw) -> None:
        """Have a command or a button done at once."""
        self._interaction(raw)

    def _room(self, raw: Raw) -> Room:
        channel = snowflake(raw, "channel_id")
        if raw.get("guild_id") is None and raw.get("member") is None:
            # As the cache knows it: what a guild says is never a private chat.
            return self.guilds.room(channel)
        if not (guild := snowflake(raw, "guild_id")):
            raise InputError("guild_id: no guild")
        return self.guilds.room(channel, guild)

    def _is_no_dm(self, channel: int) -> None:
        """Mend what an event without its guild may have made us believe."""
        if self._hands.places.dm(channel):
            log.warning("discord_no_private_chat", channel=channel)
            self._do(partial(self._hands.places.forget_dm, channel))

    def _put(self, number: int, raw: Raw, room: Room) -> None:
        self.mark.begin(number)
        if not self.lanes.put(room.id, partial(self._take, number, raw, room)):
            # Once all that waits is done, this and what comes after it is asked for.
            self._overfull.add(room.id)
            self.lanes.after(room.id, partial(self._read_again, number, room))

    async def _take(self, number: int, raw: Raw, room: Room) -> None:
        await self._taker.message(raw, room)
        self.mark.end(number)

    async def _read_again(self, number: int, room: Room) -> None:
        self._overfull.discard(room.id)
        await self._catching.read(room, number - 1)

    def _elsewhere(self, raw: Raw, room: Room) -> None:
        """Look whether somebody speaks to us in a guild that config.json lacks."""
        try:
            is_meant = hearing_words.names_us(raw, room, self._taker.ears.me)
        except FAILURES:
            return
        if is_meant and not hearing.is_no_persons(raw, self._taker.ears):
            self._do(partial(self._spoken, room.guild))

    async def _spoken(self, guild: int) -> None:
        if await self.guilds.spoken(guild):
            log.warning("discord_guild_unheard", guild=guild)

    def _do(self, deed: Callable[[], Awaitable[None]]) -> None:
        work: Coroutine[object, object, None] = self._taker.insisted(deed)
        self._group.create_task(work)
