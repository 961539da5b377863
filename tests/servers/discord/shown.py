"""How Discord writes guilds, members and messages."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Final

from tests.servers.discord.things import THREADS

if TYPE_CHECKING:
    from tests.servers.discord.things import Bot, Channel, Guild, Json
    from tests.servers.discord.world import World

_JOINED: Final = "2026-01-01T00:00:00+00:00"


def member_json(guild: Guild, user: int) -> Json:
    """Give a member without the user, as messages have it."""
    return {
        "roles": [str(role) for role in guild.members.get(user, [])],
        "nick": None,
        "avatar": None,
        "joined_at": _JOINED,
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "flags": 0,
        "communication_disabled_until": None,
    }


def full_member(world: World, guild: Guild, user: int) -> Json:
    """Give a member with the user."""
    return member_json(guild, user) | {"user": world.users[user]}


def guild_json(world: World, guild: Guild, bot: Bot) -> Json:
    """Give a guild as a bot without the intent for members is told of it."""
    places = [one for one in world.channels.values() if one.guild is guild]
    channels = [one for one in places if one.kind not in THREADS]
    threads = [
        one
        for one in places
        if one.kind in THREADS and not one.archived and one.may(bot.id, "VIEW_CHANNEL")
    ]
    told = brief_guild(guild) | {
        "channels": [one.json(world.users) for one in channels],
        "threads": [one.json(world.users) for one in threads],
        "members": [full_member(world, guild, bot.id)],
        "member_count": len(guild.members),
        "joined_at": _JOINED,
        "large": False,
        "unavailable": False,
    }
    empty = (
        "presences",
        "voice_states",
        "stage_instances",
        "guild_scheduled_events",
        "soundboard_sounds",
    )
    return told | {name: [] for name in empty}


def brief_guild(guild: Guild) -> Json:
    """Give a guild as REST does."""
    zeros = (
        "verification_level",
        "default_message_notifications",
        "explicit_content_filter",
        "mfa_level",
        "nsfw_level",
        "premium_tier",
        "system_channel_flags",
    )
    return {
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.owner),
        "icon": None,
        "roles": list(guild.roles.values()),
        "emojis": [],
        "stickers": [],
        "features": [],
        "preferred_locale": "en-US",
        "afk_timeout": 300,
    } | dict.fromkeys(zeros, 0)


def message_json(world: World, channel: Channel, message: Json) -> Json:
    """Give a message as REST does: links are fresh, what it answers is in it."""
    told = deepcopy(message)
    for file in told["attachments"]:
        file["url"] = file["proxy_url"] = link(world, file["id"], file["filename"])
    reference = told.get("message_reference", {})
    if reference and reference.get("type", 0) == 0 and told["type"] in {19, 21}:
        kept = channel.messages.get(int(reference["message_id"]))
        if kept is None and told["type"] == 21 and channel.parent is not None:
            kept = channel.parent.messages.get(int(reference["message_id"]))
        told["referenced_message"] = None
        if kept is not None:
            inner = message_json(world, channel, kept)
            inner.pop("referenced_message", None)
            told["referenced_message"] = inner
    return told


def link(world: World, number: str, name: str) -> str:
    """Give the address of a file, which is good until links expire."""
    path = f"{world.origin}/attachments/{number}/{name}"
    return f"{path}?ex={world.links:x}&is=0&hm={world.links:x}"
