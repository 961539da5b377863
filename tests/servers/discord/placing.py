"""How a message comes into a channel, whoever wrote it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tests.servers.discord.shown import member_json, message_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.servers.discord.things import Channel, Json
    from tests.servers.discord.world import World

File = tuple[str, bytes, str]
"""Name, content, and kind."""

MENTION: Final = re.compile(r"<@!?(\d+)>")
ROLE: Final = re.compile(r"<@&(\d+)>")
VOICE: Final = 1 << 13


def place(
    world: World,
    channel: Channel,
    author: Json,
    content: Json,
    number: int = 0,
    *,
    is_shown: bool = True,
) -> Json:
    """Put a message into a channel and tell the bots of it.

    One that is not shown is for one person alone, and in no channel.
    """
    number = number or world.snowflake()
    fresh: Json = {
        "id": str(number),
        "type": 0,
        "channel_id": str(channel.id),
        "author": author,
        "content": "",
        "timestamp": world.iso(),
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "components": [],
        "pinned": False,
        "flags": 0,
    }
    message = fresh | content
    if not is_shown:
        return message
    channel.messages[number] = message
    if channel.is_thread and channel.archived:
        channel.archived = False
        world.emit("THREAD_UPDATE", channel.json(world.users), channel)
    announce(world, channel, message, "MESSAGE_CREATE")
    return message


def announce(world: World, channel: Channel, message: Json, kind: str) -> None:
    """Tell the bots of a message; only the gateway says who the member is."""
    told = message_json(world, channel, message)
    author = int(message["author"]["id"])
    if channel.guild is not None and "webhook_id" not in message:
        told["member"] = member_json(channel.guild, author)
    world.emit(kind, told, channel)


def remove(world: World, channel: Channel, number: int) -> None:
    """Take a message away and tell the bots of it."""
    del channel.messages[number]
    told = {"id": str(number), "channel_id": str(channel.id)}
    world.emit("MESSAGE_DELETE", told, channel)


def mentioned(world: World, channel: Channel, text: str) -> list[Json]:
    """Give the people whom a text names, members alone in guilds."""
    found = dict.fromkeys(int(number) for number in MENTION.findall(text))
    return [
        world.users[number]
        for number in found
        if number in world.users
        and (channel.guild is None or number in channel.guild.members)
    ]


def kept(world: World, files: Sequence[File]) -> list[Json]:
    """Store files, and give them as attachments."""
    told = []
    for name, content, kind in files:
        number = str(world.snowflake())
        world.blobs[number] = content
        told.append(
            {
                "id": number,
                "filename": name,
                "size": len(content),
                "content_type": kind,
                "url": "",
                "proxy_url": "",
            }
        )
    return told


def reference(channel: Channel, message: int) -> Json:
    """Write that a message answers another one of its channel."""
    told = {"type": 0, "message_id": str(message), "channel_id": str(channel.id)}
    return told | ({"guild_id": str(channel.guild.id)} if channel.guild else {})
