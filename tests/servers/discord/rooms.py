"""What there is and who is in it: guilds, channels, threads, rights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.servers.discord.placing import announce, mentioned, place, reference
from tests.servers.discord.shown import full_member, guild_json
from tests.servers.discord.things import (
    FORUM,
    PRIVATE_THREAD,
    TEXT,
    THREAD,
    Channel,
    Guild,
    bits,
)
from tests.servers.discord.world import World, person

if TYPE_CHECKING:
    from tests.servers.discord.things import Json

HAS_THREAD: Final = 1 << 5


class Rooms(World):
    """Makes and changes what there is; whoever sees it is told."""

    def user(self, number: int, name: str, *, bot: bool = False) -> Json:
        """Make a person, who joins all guilds that there are."""
        self.users[number] = person(number, name, is_bot=bot)
        for guild in self.guilds.values():
            guild.members[number] = []
        return self.users[number]

    def guild(self, number: int, name: str, owner: int = 0) -> None:
        """Make a guild, which all join who are there."""
        guild = self.guilds[number] = Guild(number, name, owner)
        guild.members = {user: [] for user in self.users}
        for bot in self.bots.values():
            self.emit_to(bot, "GUILD_CREATE", guild_json(self, guild, bot))

    def channel(
        self, guild: int, number: int, name: str = "general", kind: int = TEXT
    ) -> None:
        """Make a channel of a guild; the kind 15 is a forum."""
        self._add(Channel(number, kind, name, self.guilds[guild]))

    def thread(
        self,
        parent: int,
        user: int,
        name: str = "talk",
        *,
        message: int = 0,
        private: bool = False,
    ) -> int:
        """Begin a thread, of a message or of nothing, and give its number."""
        where = self.channels[parent]
        number = message or self.snowflake()
        kind = PRIVATE_THREAD if private else THREAD
        self.begin(Channel(number, kind, name, where.guild, where, owner=user))
        if not message:
            told = {"type": 18, "content": name}
            place(self, where, self.users[user], told)
        return number

    def post(self, forum: int, user: int, title: str, text: str) -> int:
        """Post into a forum; the post's number is that of its first message too."""
        where = self.channels[forum]
        if where.kind != FORUM:
            raise ValueError(f"{forum} is no forum")
        number = self.snowflake()
        self.begin(Channel(number, THREAD, title, where.guild, where, owner=user))
        names = mentioned(self, self.channels[number], text)
        content = {"content": text, "mentions": names}
        place(self, self.channels[number], self.users[user], content, number)
        return number

    def begin(self, thread: Channel) -> None:
        """Tell all who see a new thread of it."""
        thread.made = self.iso()
        thread.joined.append(thread.owner)
        self.channels[thread.id] = thread
        told = thread.json(self.users) | {"newly_created": True}
        self.emit("THREAD_CREATE", told, thread)
        assert thread.parent is not None
        first = thread.parent.messages.get(thread.id)
        if first is not None:
            # An update that is no edit.
            first["flags"] |= HAS_THREAD
            announce(self, thread.parent, first, "MESSAGE_UPDATE")
            told = reference(thread.parent, thread.id)
            told = {"type": 21, "message_reference": told}
            place(self, thread, first["author"], told)

    def archive(self, thread: int, *, locked: bool = False) -> None:
        """Close a thread; it opens when somebody writes, unless it is locked."""
        place_ = self.channels[thread]
        place_.archived, place_.locked = True, locked
        self.emit("THREAD_UPDATE", place_.json(self.users), place_)

    def delete_channel(self, number: int) -> None:
        """Take a channel or thread away."""
        gone = self.channels.pop(number)
        kind = "THREAD_DELETE" if gone.is_thread else "CHANNEL_DELETE"
        self.emit(kind, gone.json(self.users), gone)
        for other in [one for one in self.channels.values() if one.parent is gone]:
            del self.channels[other.id]

    # -- who may what

    def role(self, guild: int, number: int, name: str, *rights: str) -> None:
        """Make a role."""
        place_ = self.guilds[guild]
        place_.role(number, name, bits(*rights))
        told = {"guild_id": str(guild), "role": place_.roles[number]}
        self._tell_members(place_, "GUILD_ROLE_CREATE", told)

    def give(self, guild: int, user: int, *roles: int) -> None:
        """Give somebody these roles and no others."""
        place_ = self.guilds[guild]
        place_.members[user] = list(roles)
        told = full_member(self, place_, user) | {"guild_id": str(guild)}
        for bot in self.bots.values():
            if bot.id == user:
                self.emit_to(bot, "GUILD_MEMBER_UPDATE", told)

    def deny(self, channel: int, *rights: str, to: int = 0) -> None:
        """Take rights from somebody, a role or the bot, in one channel."""
        self._overwrite(channel, to, deny=bits(*rights))

    def allow(self, channel: int, *rights: str, to: int = 0) -> None:
        """Give rights to somebody, a role or the bot, in one channel."""
        self._overwrite(channel, to, allow=bits(*rights))

    def _overwrite(
        self, channel: int, to: int, *, allow: int = 0, deny: int = 0
    ) -> None:
        where, target = self.channels[channel], to or self.bot().id
        assert where.guild is not None
        saw = self.bots_in(where)
        where.overwrites[target] = {
            "id": str(target),
            "type": 0 if target in where.guild.roles else 1,
            "allow": str(allow),
            "deny": str(deny),
        }
        told = where.json(self.users) | {"guild_id": str(where.guild.id)}
        for bot in {*saw, *self.bots_in(where)}:
            self.emit_to(bot, "CHANNEL_UPDATE", told)

    # -- who comes and goes

    def join(self, user: int, guild: int) -> None:
        """Let somebody, or a bot, come into a guild."""
        place_ = self.guilds[guild]
        place_.members[user] = []
        for bot in self.bots.values():
            if bot.id == user:
                self.emit_to(bot, "GUILD_CREATE", guild_json(self, place_, bot))

    def leave(self, user: int, guild: int) -> None:
        """Let somebody leave a guild; bots without the intent are not told."""
        del self.guilds[guild].members[user]
        self.bump()

    def kick(self, guild: int, bot: int = 0) -> None:
        """Show a bot out of a guild."""
        gone = self.bot(bot)
        del self.guilds[guild].members[gone.id]
        self.emit_to(gone, "GUILD_DELETE", {"id": str(guild)})

    def outage(self, guild: int) -> None:
        """Let a guild be unavailable for a while."""
        told = {"id": str(guild), "unavailable": True}
        self._tell_members(self.guilds[guild], "GUILD_DELETE", told)

    def available(self, guild: int) -> None:
        """End an outage."""
        place_ = self.guilds[guild]
        for bot in self.bots.values():
            if bot.id in place_.members:
                self.emit_to(bot, "GUILD_CREATE", guild_json(self, place_, bot))

    def shut_dms(self, user: int, *, shut: bool = True) -> None:
        """Let somebody take no messages from bots."""
        (self.shut.add if shut else self.shut.discard)(user)

    def _add(self, channel: Channel) -> None:
        self.channels[channel.id] = channel
        self.emit("CHANNEL_CREATE", channel.json(self.users), channel)

    def _tell_members(self, guild: Guild, kind: str, told: Json) -> None:
        for bot in self.bots.values():
            if bot.id in guild.members:
                self.emit_to(bot, kind, told)
