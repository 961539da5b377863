"""Who can read a channel, as Discord says now; whatever is unknown is a no."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from apx.domain.errors import Undeliverable, Unreachable
from channels.discord.failures import MALFORMED
from channels.discord.guilds import THREADS, Room
from channels.discord.places import CHANNEL
from channels.discord.raw import maybe_snowflake
from channels.discord.rooms_members import Members
from channels.shared.failures import Rejected
from channels.shared.raw import maybe_number

if TYPE_CHECKING:
    from apx.domain.person import Account
    from apx.domain.thread import Thread
    from channels.discord.client import Client
    from channels.discord.places import Places


class Readers:
    """Knows for one bot who can read what."""

    def __init__(self, client: Client, places: Places) -> None:
        self._client = client
        self._places = places
        self._members = Members(client)

    async def has_member(self, thread: Thread, account: Account) -> bool:
        """Whether an account can read a thread, or raise `ChannelError`."""
        if account.channel != CHANNEL or not account.user.isdecimal():
            return False
        places, user = self._places, int(account.user)
        try:
            channel = places.channel(thread)
            if owner := places.dm(channel):
                return owner == user
            # What we begin is as public as where it begins.
            own = places.own(channel)
            return await self._reads(own.parent if own else channel, user)
        except (Rejected, Undeliverable):
            return False
        except TimeoutError as error:
            raise Unreachable(str(error)) from None

    async def _reads(self, channel: int, user: int) -> bool:
        room = await self._room(channel)
        guild = self._client.vendor.get_guild(room.guild)
        where = guild.get_channel(room.parent or room.id) if guild else None
        if guild is None or where is None or guild.unavailable:
            return False
        told = await self._members.of(guild.id, user)
        rights = _rights(where, guild, told, user)
        if not _may_read(where, rights):
            return False
        if not room.is_private_thread or rights.manage_threads:
            return True
        return await self._is_in_thread(room.id, user)

    async def _room(self, channel: int) -> Room:
        """Find out what a channel is: the cache knows no thread that sleeps."""
        known = self._client.vendor.get_channel(channel)
        if isinstance(known, discord.Thread):
            return Room(channel, known.guild.id, known.type.value, known.parent_id)
        if isinstance(known, discord.abc.GuildChannel):
            return Room(channel, known.guild.id, known.type.value)
        told = await self._client.call(
            "GET", "/channels/{channel_id}", channel_id=channel
        )
        raw = told if isinstance(told, dict) else {}
        kind = maybe_number(raw, "type")
        parent = maybe_snowflake(raw, "parent_id") if kind in THREADS else 0
        return Room(channel, maybe_snowflake(raw, "guild_id"), kind, parent)

    async def _is_in_thread(self, thread: int, user: int) -> bool:
        await self._client.call(
            "GET",
            "/channels/{channel_id}/thread-members/{user_id}",
            channel_id=thread,
            user_id=user,
        )
        return True  # else it would be refused


def _rights(
    where: discord.abc.GuildChannel,
    guild: discord.Guild,
    told: Any,  # noqa: ANN401 -- JSON
    user: int,
) -> discord.Permissions:
    """Say what a member may do in a channel; nothing if that cannot be read."""
    try:
        member = discord.Member(data=told, guild=guild, state=guild._state)  # noqa: SLF001 -- as discord.py makes one
        return where.permissions_for(member) if member.id == user else _NOTHING
    except MALFORMED:
        return _NOTHING


def _may_read(where: discord.abc.GuildChannel, rights: discord.Permissions) -> bool:
    """Whether somebody reads what was said before they looked.

    Beside a call only those do who may take part in it.
    """
    is_open = (
        not isinstance(where, discord.VoiceChannel | discord.StageChannel)
        or rights.connect
    )
    return rights.view_channel and rights.read_message_history and is_open


_NOTHING = discord.Permissions.none()
