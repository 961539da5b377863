"""How people, channels and roles are called where a message names them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from apx.domain.untrusted import named
from channels.discord.raw import maybe_snowflake
from channels.shared.raw import Raw, parts, word

if TYPE_CHECKING:
    from channels.discord.places import Places
    from channels.discord.settings import BotSettings


class Names(Protocol):
    """What is known of a guild's names; empty for what is not."""

    def role(self, number: int) -> str:
        """Name a role."""
        ...

    def channel(self, number: int) -> str:
        """Name a channel or a thread."""
        ...


@dataclass(frozen=True, slots=True)
class Me:
    """The bot as Discord knows it; `app` is what its messages are called by."""

    id: int
    app: int


@dataclass(frozen=True, slots=True)
class Ears:
    """With what a bot hears: who it is, what it is told to hear, and where."""

    me: Me
    settings: BotSettings
    places: Places


def user(raw: Raw, member: Raw | None = None) -> str:
    """Name somebody as a guild does, or as their profile; empty if nothing does."""
    nick = word(member, "nick") if member else ""
    name = nick or word(raw, "global_name") or word(raw, "username")
    return named(name) if name.strip() else ""


def mentioned(message: Raw) -> dict[int, str]:
    """Name those whom a message mentions.

    By their profiles alone: asked for later, Discord does not tell what a guild calls
    them, and the same message would be another one.
    """
    told = ((maybe_snowflake(one, "id"), one) for one in parts(message, "mentions"))
    return {number: user(one) for number, one in told if number}
