"""One request of a bot, and what all routes check alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from tests.servers.discord.refused import Refused, forbidden, invalid, unknown
from tests.servers.discord.things import RIGHTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.servers.discord.interactions import Interactions
    from tests.servers.discord.placing import File
    from tests.servers.discord.things import Bot, Channel, Json


@dataclass(frozen=True)
class Asked:
    """A bot asks something of the world; `ids` are those of the path."""

    world: Interactions
    bot: Bot
    body: Any
    ids: Mapping[str, str]
    query: Mapping[str, str] = field(default_factory=dict)
    files: tuple[File, ...] = ()

    @property
    def given(self) -> Json:
        """The body as an object."""
        if self.body is None:
            return {}
        if not isinstance(self.body, dict):
            raise invalid("_", "DICT_TYPE_CONVERT", "Only dictionaries may be used.")
        return cast("Json", self.body)

    def known(self, *fields: str) -> Json:
        """Give the body, and complain of what Discord would overlook in it."""
        if more := set(self.given) - set(fields):
            self.world.complain(f"unknown fields: {sorted(more)}")
        return self.given

    def number(self, name: str) -> int:
        """Give an id of the path."""
        return snowflake(name, self.ids[name])

    def channel(self, *rights: str) -> Channel:
        """Give the channel, in which the bot must have these rights."""
        channel = self.world.channels.get(self.number("channel"))
        if channel is None:
            raise unknown("Channel")
        if channel.guild is None:
            if self.bot.id != channel.bot:
                raise forbidden(50001)
            return channel
        if not channel.may(self.bot.id, "VIEW_CHANNEL"):
            raise forbidden(50001)
        if not channel.may(self.bot.id, *rights):
            raise forbidden(50013)
        return channel

    def message(self, channel: Channel) -> Json:
        """Give the message, which must be there still."""
        message = channel.messages.get(self.number("message"))
        if message is None:
            raise unknown("Message")
        return message

    def is_own(self, message: Json) -> bool:
        """Whether the bot wrote a message."""
        return bool(message["author"]["id"] == str(self.bot.id))

    def writable(self) -> Channel:
        """Give the channel, in which the bot must be allowed to write."""
        channel = self.channel()
        if channel.guild is None:
            if not self.world.takes_dms(channel.user, self.bot.id):
                raise forbidden(50007)
            return channel
        right = "SEND_MESSAGES_IN_THREADS" if channel.is_thread else "SEND_MESSAGES"
        if not channel.may(self.bot.id, right):
            raise forbidden(50013)
        if (
            channel.locked
            and not channel.rights(self.bot.id) & RIGHTS["MANAGE_THREADS"]
        ):
            raise Refused(403, 160005, "This thread is locked")
        return channel


def snowflake(name: str, told: Any) -> int:
    """Read an id."""
    if not str(told).isdecimal():
        words = f"Value {told!r} is not snowflake."
        raise invalid(name, "NUMBER_TYPE_COERCE", words)
    return int(told)
