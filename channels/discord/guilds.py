"""Which channel is where, as the guilds of a bot are now, and what is heard there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import discord

from channels.discord.raw import snowflake
from channels.discord.settings import GuildMode
from channels.shared.raw import Raw, parts
from channels.shared.unheard import Unheard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apx.ports import Drawer
    from channels.discord.client import Client
    from channels.discord.hearing_names import Names
    from channels.discord.settings import BotSettings
    from channels.shared.troubles import Troubles

# Discord's numbers for kinds of channels.
TEXT: Final = 0
NEWS: Final = 5
THREADS: Final = frozenset({10, 11, 12})
_PRIVATE_THREAD: Final = 12
_FORUMS: Final = frozenset({15, 16})
# A forum is a list of threads, a category a list of channels: nobody talks there.
_SILENT: Final = _FORUMS | {4, 14}


class Unnamed:
    """Names of a place where nothing has one."""

    def role(self, number: int) -> str:
        """Know no role."""
        del number
        return ""

    def channel(self, number: int) -> str:
        """Know no channel."""
        del number
        return ""


MISSING: Final = "missing"


@dataclass(frozen=True, slots=True)
class Room:
    """A channel, as far as it is known: `kind` is Discord's number, -1 if unknown.

    `guild` is 0 in a private chat, `parent` is 0 but in a thread. `our_role` is the
    one that the guild has for the bot alone.
    """

    id: int
    guild: int = 0
    kind: int = -1
    parent: int = 0
    in_forum: bool = False
    our_role: int = 0
    names: Names = field(default_factory=Unnamed)

    @property
    def is_thread(self) -> bool:
        """Whether it began in another channel."""
        return self.kind in THREADS

    @property
    def is_private_thread(self) -> bool:
        """Whether only its members, and who may manage threads, can read it."""
        return self.kind == _PRIVATE_THREAD

    @property
    def may_begin_threads(self) -> bool:
        """Whether a message there can be the beginning of a thread."""
        return self.kind in {TEXT, NEWS}


class Guilds:
    """The guilds of one bot, and which of them it is in without hearing them."""

    def __init__(
        self,
        client: Client,
        settings: BotSettings,
        troubles: Troubles,
        drawer: Drawer,
        key: str,
    ) -> None:
        self._client = client
        self._settings = settings
        self._troubles = troubles
        self._key = key
        prefix = f"guilds/{settings.name}/"
        self._unheard = Unheard(troubles, drawer, prefix, self._told)

    async def load(self) -> None:
        """Read what an earlier process found, without what config.json has by now."""
        await self._unheard.load(self._is_meant)

    def hears(self, guild: int) -> bool:
        """Whether what is said in a guild may be for the bot."""
        is_off = self._settings.guild_mode is GuildMode.OFF
        return not is_off and str(guild) in self._settings.guilds

    def room(self, channel: int, guild: int = 0) -> Room:
        """Say what is known of a channel; a private chat is of no guild."""
        found = self._found(channel, guild)
        if found is None:
            return _unknown(channel, self._guild(guild), guild)
        is_thread = isinstance(found, discord.Thread)
        parent = found.parent if isinstance(found, discord.Thread) else None
        return Room(
            id=channel,
            guild=found.guild.id,
            kind=found.type.value,
            parent=found.parent_id if isinstance(found, discord.Thread) else 0,
            in_forum=is_thread and _kind(parent) in _FORUMS,
            our_role=_our_role(found.guild),
            names=_Known(found.guild, channel),
        )

    async def spoken(self, guild: int) -> bool:
        """Take note that the bot was spoken to in a guild that is not heard.

        Gives whether that is told for the first time.
        """
        if self._is_meant(guild):
            return False
        known = self._guild(guild)
        return await self._unheard.keep(guild, known.name if known else "")

    async def are(self, guilds: frozenset[int]) -> None:
        """Take note of all the guilds that the bot is in."""
        for guild in self._unheard.rooms - guilds:
            await self._unheard.forget(guild)
        for guild in {int(one) for one in self._settings.guilds} - guilds:
            self._missing(guild)

    def came(self, guild: int) -> None:
        """Take note that the bot is in a guild."""
        self._troubles.over(f"{MISSING} {guild}")

    async def left(self, guild: int) -> None:
        """Take note that the bot is not in a guild any more."""
        await self._unheard.forget(guild)
        if self.hears(guild):
            self._missing(guild)

    def _missing(self, guild: int) -> None:
        self._troubles.has(
            f"{MISSING} {guild}",
            f"not in the server {guild}, which {self._key} names: `apx doctor` has the"
            " link that adds it",
        )

    def _is_meant(self, guild: int) -> bool:
        is_off = self._settings.guild_mode is GuildMode.OFF
        return is_off or str(guild) in self._settings.guilds

    def _told(self, title: str, guild: int) -> str:
        return (
            f'in the server "{title}" ({guild}), which {self._key} does not have:'
            " nothing there is heard"
        )

    def _guild(self, guild: int) -> discord.Guild | None:
        return self._client.vendor.get_guild(guild) if guild else None

    def _found(
        self, channel: int, guild: int
    ) -> discord.abc.GuildChannel | discord.Thread | None:
        if known := self._guild(guild):
            return known.get_channel_or_thread(channel)
        found = self._client.vendor.get_channel(channel)
        if isinstance(found, discord.abc.PrivateChannel):
            return None
        return found


class _Known:
    """The names of a guild as the cache has them."""

    def __init__(self, guild: discord.Guild, here: int) -> None:
        self._guild = guild
        self._here = here

    def role(self, number: int) -> str:
        """Name a role."""
        found = self._guild.get_role(number)
        return found.name if found else ""

    def channel(self, number: int) -> str:
        """Name a channel or a thread that is this one, or that everybody may see."""
        found = self._guild.get_channel_or_thread(number)
        if found is None or not (number == self._here or _is_public(found)):
            return ""
        return found.name


def last_said(raw: Raw) -> Iterator[tuple[int, int]]:
    """Give the channels of a guild where people talk, each with its last message."""
    for one in (*parts(raw, "channels"), *parts(raw, "threads")):
        is_silent = one.get("type") in _SILENT
        if not is_silent and one.get("last_message_id") is not None:
            yield snowflake(one, "id"), snowflake(one, "last_message_id")


def _unknown(channel: int, known: discord.Guild | None, guild: int) -> Room:
    if known is None:
        return Room(channel, guild)
    return Room(channel, guild, our_role=_our_role(known), names=_Known(known, channel))


def _our_role(guild: discord.Guild) -> int:
    role = guild.self_role
    return role.id if role else 0


def _is_public(found: discord.abc.GuildChannel | discord.Thread) -> bool:
    where = found.parent if isinstance(found, discord.Thread) else found
    if where is None or _kind(found) == _PRIVATE_THREAD:
        return False
    return where.permissions_for(found.guild.default_role).view_channel


def _kind(channel: object) -> int:
    kind = getattr(channel, "type", None)
    return int(kind.value) if kind is not None else -1
