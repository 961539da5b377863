"""What the Discord channel is told of each bot, as config.json has it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

OFFICIAL: Final = "https://discord.com"


class GuildMode(StrEnum):
    """What of a guild is for the bot: what names it, everything, nothing."""

    MENTION = "mention"
    ALL = "all"
    OFF = "off"


class ThreadMode(StrEnum):
    """Whether a question in a guild's channel gets a thread of its own."""

    OFF = "off"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Command:
    """A chat command as people see it; `takes_words` says that something follows it."""

    name: str
    told: str
    takes_words: bool = False


@dataclass(frozen=True, slots=True)
class BotSettings:
    """One bot. `name` is how threads call it; the token changes, the name stays.

    `guilds` are the ids of those that it hears. `channels` are ids of channels, forums
    and threads in which all is for it. `guild_context` has it read what is not for it,
    too.
    """

    name: str
    token: str
    guilds: frozenset[str] = frozenset()
    guild_mode: GuildMode = GuildMode.MENTION
    guild_context: bool = False
    channels: frozenset[str] = frozenset()
    thread_mode: ThreadMode = ThreadMode.OFF
    commands: tuple[Command, ...] = ()
