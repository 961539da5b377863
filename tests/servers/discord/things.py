"""What there is at Discord: bots, guilds, channels, and who may do what there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tests.servers.discord.sessions import Session

Json = dict[str, Any]

TEXT, DM, VOICE, NEWS, THREAD, PRIVATE_THREAD, FORUM = 0, 1, 2, 5, 11, 12, 15
THREADS: Final = frozenset({10, THREAD, PRIVATE_THREAD})

RIGHTS: Final = {
    "ADMINISTRATOR": 1 << 3,
    "ADD_REACTIONS": 1 << 6,
    "VIEW_CHANNEL": 1 << 10,
    "SEND_MESSAGES": 1 << 11,
    "MANAGE_MESSAGES": 1 << 13,
    "EMBED_LINKS": 1 << 14,
    "ATTACH_FILES": 1 << 15,
    "READ_MESSAGE_HISTORY": 1 << 16,
    "MENTION_EVERYONE": 1 << 17,
    "USE_APPLICATION_COMMANDS": 1 << 31,
    "MANAGE_THREADS": 1 << 34,
    "CREATE_PUBLIC_THREADS": 1 << 35,
    "CREATE_PRIVATE_THREADS": 1 << 36,
    "SEND_MESSAGES_IN_THREADS": 1 << 38,
}
ALL: Final = sum(RIGHTS.values())
USUAL: Final = ALL & ~sum(
    RIGHTS[name]
    for name in (
        "ADMINISTRATOR",
        "MANAGE_MESSAGES",
        "MENTION_EVERYONE",
        "MANAGE_THREADS",
    )
)


def bits(*names: str) -> int:
    """Add up rights by their names."""
    return sum(RIGHTS[name] for name in names)


@dataclass(eq=False)
class Bot:
    """An application and its bot, which have the same id.

    `content` is the portal's switch for the Message Content intent.
    """

    token: str
    id: int
    name: str
    content: bool = True
    alive: bool = True
    commands: list[Json] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    identified: list[float] = field(default_factory=list)
    starts: int = 1000
    dms: dict[int, int] = field(default_factory=dict)

    @property
    def flags(self) -> int:
        """The application's flags; this one is the switch of an app in few guilds."""
        return 1 << 19 if self.content else 0


@dataclass(eq=False)
class Guild:
    """A server, as people call it; `members` have the ids of their roles."""

    id: int
    name: str
    owner: int
    roles: dict[int, Json] = field(default_factory=dict)
    members: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.role(self.id, "@everyone", USUAL)

    def role(self, number: int, name: str, rights: int) -> None:
        """Make a role."""
        self.roles[number] = {
            "id": str(number),
            "name": name,
            "permissions": str(rights),
            "position": len(self.roles),
            "color": 0,
            "hoist": False,
            "managed": False,
            "mentionable": False,
            "flags": 0,
        }

    def rights(self, user: int) -> int:
        """Add up what a member may do in the whole guild."""
        if user == self.owner:
            return ALL
        held = 0
        for number in [self.id, *self.members.get(user, [])]:
            held |= int(self.roles[number]["permissions"])
        return ALL if held & RIGHTS["ADMINISTRATOR"] else held


@dataclass(eq=False)
class Channel:
    """Where something is said; `user` and `bot` are the two of a private chat."""

    id: int
    kind: int
    name: str = ""
    guild: Guild | None = None
    parent: Channel | None = None
    user: int = 0
    bot: int = 0
    owner: int = 0
    archived: bool = False
    locked: bool = False
    made: str = ""
    slow: int = 0
    overwrites: dict[int, Json] = field(default_factory=dict)
    joined: list[int] = field(default_factory=list)
    messages: dict[int, Json] = field(default_factory=dict)
    nonces: dict[tuple[int, str], tuple[float, int]] = field(default_factory=dict)

    @property
    def is_thread(self) -> bool:
        """Whether it is a thread, a forum's post included."""
        return self.kind in THREADS

    def rights(self, user: int) -> int:
        """Add up what somebody may do here."""
        if self.guild is None:
            return ALL if user in {self.user, self.bot} else 0
        if user not in self.guild.members:
            return 0
        if self.parent is not None and self.is_thread:
            held = self.parent.rights(user)
            known = self.kind != PRIVATE_THREAD or user in self.joined
            known = known or bool(held & RIGHTS["MANAGE_THREADS"])
            return held if known else 0
        held = self.guild.rights(user)
        if held & RIGHTS["ADMINISTRATOR"]:
            return ALL
        held = self._overwritten(held, user)
        return held if held & RIGHTS["VIEW_CHANNEL"] else 0

    def _overwritten(self, held: int, user: int) -> int:
        assert self.guild is not None
        roles = self.guild.members[user]
        for group in ([self.guild.id], roles, [user]):
            found = [self.overwrites[one] for one in group if one in self.overwrites]
            for one in found:
                held &= ~int(one["deny"])
            for one in found:
                held |= int(one["allow"])
        return held

    def may(self, user: int, *names: str) -> bool:
        """Whether somebody has all of these rights here."""
        wanted = bits(*names)
        return self.rights(user) & wanted == wanted

    def json(self, world_users: dict[int, Json]) -> Json:
        """Give it as Discord does."""
        told: Json = {
            "id": str(self.id),
            "type": self.kind,
            "last_message_id": str(max(self.messages)) if self.messages else None,
            "flags": 0,
        }
        if self.guild is None:
            return told | {"recipients": [world_users[self.user]]}
        told |= {
            "guild_id": str(self.guild.id),
            "name": self.name,
            "parent_id": str(self.parent.id) if self.parent else None,
            "rate_limit_per_user": self.slow,
        }
        return told | (self._as_thread() if self.is_thread else self._as_channel())

    def _as_channel(self) -> Json:
        told: Json = {
            "position": 0,
            "permission_overwrites": list(self.overwrites.values()),
            "nsfw": False,
            "topic": None,
        }
        return told | ({"available_tags": []} if self.kind == FORUM else {})

    def _as_thread(self) -> Json:
        return {
            "owner_id": str(self.owner),
            "message_count": len(self.messages),
            "member_count": len(self.joined),
            "total_message_sent": len(self.messages),
            "applied_tags": [],
            "thread_metadata": {
                "archived": self.archived,
                "auto_archive_duration": 1440,
                "archive_timestamp": self.made,
                "locked": self.locked,
                "create_timestamp": self.made,
            },
        }
