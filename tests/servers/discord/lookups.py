"""Routes about who is there: the bot itself, channels, threads, guilds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.servers.discord.asked import snowflake
from tests.servers.discord.refused import (
    bad,
    forbidden,
    invalid,
    too_long,
    unknown,
)
from tests.servers.discord.shown import brief_guild, full_member
from tests.servers.discord.things import FORUM, THREAD, Channel

if TYPE_CHECKING:
    from typing import Any

    from tests.servers.discord.asked import Asked
    from tests.servers.discord.things import Guild, Json


def me(asked: Asked) -> Json:
    """Tell the bot who it is."""
    more = {"flags": 0, "verified": True, "mfa_enabled": True, "email": None}
    return asked.world.users[asked.bot.id] | more


def application(asked: Asked) -> Json:
    """Tell the bot what the portal has of its application."""
    return {
        "id": str(asked.bot.id),
        "name": asked.bot.name,
        "icon": None,
        "description": "",
        "summary": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "owner": asked.world.users[asked.bot.id],
        "team": None,
        "flags": asked.bot.flags,
        "approximate_guild_count": len(_guilds(asked)),
    }


def gateway(asked: Asked) -> Json:
    """Say where websockets are, and how many fresh sessions are left today."""
    return {
        "url": asked.world.gateway_url,
        "shards": 1,
        "session_start_limit": {
            "total": 1000,
            "remaining": max(asked.bot.starts, 0),
            "reset_after": 86_400_000,
            "max_concurrency": 1,
        },
    }


def user(asked: Asked) -> Json:
    """Tell who somebody is."""
    found = asked.world.users.get(asked.number("user"))
    if found is None:
        raise unknown("User")
    return found


def opened(asked: Asked) -> Json:
    """Open the private chat with somebody."""
    number = snowflake("recipient_id", asked.known("recipient_id").get("recipient_id"))
    if number not in asked.world.users:
        raise unknown("User")
    if asked.world.users[number]["bot"]:
        raise forbidden(50007)
    channel = asked.world.dm(number, asked.bot.id)
    return asked.world.channels[channel].json(asked.world.users)


# -- channels and threads


def channel(asked: Asked) -> Json:
    """Tell what a channel is."""
    return asked.channel().json(asked.world.users)


def changed(asked: Asked) -> Json:
    """Open, close or rename a thread; other channels are not the bot's to change."""
    place = asked.channel()
    told = asked.known("name", "archived", "locked", "auto_archive_duration")
    if not place.is_thread:
        raise forbidden(50013)
    managing = place.may(asked.bot.id, "MANAGE_THREADS") or place.owner == asked.bot.id
    opening = told == {"archived": False} and not place.locked
    if not managing and not opening:
        raise forbidden(50013)
    place.archived = told.get("archived", place.archived)
    place.locked = told.get("locked", place.locked)
    place.name = told.get("name", place.name)
    asked.world.emit("THREAD_UPDATE", place.json(asked.world.users), place)
    return place.json(asked.world.users)


def closed(asked: Asked) -> Json:
    """Delete a thread, which a bot rarely may."""
    place = asked.channel("MANAGE_THREADS")
    asked.world.delete_channel(place.id)
    return place.json(asked.world.users)


def began(asked: Asked) -> Json:
    """Begin the thread of a message, whose id it has."""
    parent = asked.channel("CREATE_PUBLIC_THREADS", "READ_MESSAGE_HISTORY")
    told = asked.known("name", "auto_archive_duration", "rate_limit_per_user")
    name = told.get("name") or ""
    if not name.strip():
        raise invalid("name", "BASE_TYPE_REQUIRED", "This field is required")
    if len(name) > 100:
        raise too_long("name", 100)
    if told.get("auto_archive_duration", 60) not in {60, 1440, 4320, 10080}:
        raise invalid("auto_archive_duration", "BASE_TYPE_CHOICES", "not a choice")
    if parent.guild is None or parent.is_thread or parent.kind == FORUM:
        raise bad(50024, "Cannot execute action on this channel type")
    number = int(asked.message(parent)["id"])
    if number in asked.world.channels:
        raise bad(160004, "A thread has already been created for this message")
    thread = Channel(number, THREAD, name, parent.guild, parent, owner=asked.bot.id)
    asked.world.begin(thread)
    return thread.json(asked.world.users)


def brought(asked: Asked) -> None:
    """Let somebody be brought into a thread."""
    thread, user = asked.channel(), asked.number("user")
    if user not in thread.joined:
        thread.joined.append(user)


def joined(asked: Asked) -> None:
    """Let the bot join a thread."""
    thread = asked.channel()
    if thread.archived:
        raise bad(50083, "Thread is archived")
    if asked.bot.id not in thread.joined:
        thread.joined.append(asked.bot.id)


def inside(asked: Asked) -> Json:
    """Tell whether somebody joined a thread."""
    thread, number = asked.channel(), asked.number("user")
    if number not in thread.joined:
        raise unknown("Member")
    return {
        "id": str(thread.id),
        "user_id": str(number),
        "flags": 0,
        "join_timestamp": "2030-01-01T00:00:00+00:00",
    }


def members(asked: Asked) -> list[Json]:
    """List who joined a thread."""
    thread = asked.channel()
    return [
        {"id": str(thread.id), "user_id": str(one), "flags": 0, "join_timestamp": ""}
        for one in thread.joined
    ]


# -- guilds


def guilds(asked: Asked) -> list[Json]:
    """List the guilds that the bot is in."""
    return [brief_guild(one) for one in _guilds(asked)]


def guild(asked: Asked) -> Json:
    """Tell what a guild is."""
    return brief_guild(_guild(asked))


def channels(asked: Asked) -> list[Json]:
    """List the channels of a guild, threads not among them."""
    return [one.json(asked.world.users) for one in _places(asked) if not one.is_thread]


def active(asked: Asked) -> Json:
    """List the threads of a guild that are open and that the bot sees."""
    open_ = [
        one.json(asked.world.users)
        for one in _places(asked)
        if one.is_thread and not one.archived and one.may(asked.bot.id, "VIEW_CHANNEL")
    ]
    return {"threads": open_, "members": []}


def member(asked: Asked) -> Json:
    """Tell what somebody is in a guild."""
    place, number = _guild(asked), asked.number("user")
    if number not in asked.world.users:
        raise unknown("User")
    if number not in place.members:
        raise unknown("Member")
    return full_member(asked.world, place, number)


def _guild(asked: Asked) -> Guild:
    found = asked.world.guilds.get(asked.number("guild"))
    if found is None or asked.bot.id not in found.members:
        raise unknown("Guild")
    return found


def _guilds(asked: Asked) -> list[Guild]:
    every = asked.world.guilds.values()
    return [one for one in every if asked.bot.id in one.members]


def _places(asked: Asked) -> list[Channel]:
    place = _guild(asked)
    return [one for one in asked.world.channels.values() if one.guild is place]


ROUTES: Final[dict[str, Any]] = {
    "GET /users/@me": me,
    "GET /applications/@me": application,
    "GET /oauth2/applications/@me": application,
    "GET /gateway/bot": gateway,
    "GET /users/@me/guilds": guilds,
    "GET /users/{user}": user,
    "POST /users/@me/channels": opened,
    "GET /channels/{channel}": channel,
    "PATCH /channels/{channel}": changed,
    "DELETE /channels/{channel}": closed,
    "POST /channels/{channel}/messages/{message}/threads": began,
    "PUT /channels/{channel}/thread-members/@me": joined,
    "PUT /channels/{channel}/thread-members/{user}": brought,
    "GET /channels/{channel}/thread-members/{user}": inside,
    "GET /channels/{channel}/thread-members": members,
    "GET /guilds/{guild}": guild,
    "GET /guilds/{guild}/channels": channels,
    "GET /guilds/{guild}/threads/active": active,
    "GET /guilds/{guild}/members/{user}": member,
}
