"""Routes about messages: to send, change, delete, read them."""

from __future__ import annotations

import time
from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Final

from tests.servers.discord import drafts
from tests.servers.discord.placing import announce, place, remove
from tests.servers.discord.refused import bad, forbidden, invalid
from tests.servers.discord.sessions import censored
from tests.servers.discord.shown import message_json
from tests.servers.discord.things import FORUM

if TYPE_CHECKING:
    from tests.servers.discord.asked import Asked
    from tests.servers.discord.things import Channel, Json

_REMEMBERED: Final = 300.0


def send(asked: Asked) -> Json:
    """Say something in a channel; a nonce that is enforced swallows a repeat."""
    channel = asked.writable()
    if channel.kind == FORUM:
        raise bad(50008, "Cannot send messages in a non-text channel")
    told = asked.known(*drafts.FIELDS)
    nonce = _nonce(told)
    key = asked.bot.id, nonce
    at, number = channel.nonces.get(key, (0.0, 0))
    if told.get("enforce_nonce") and nonce and asked.world.now() - at < _REMEMBERED:
        message = channel.messages.get(number)
        if message is not None:
            return message_json(asked.world, channel, message) | {"nonce": nonce}
    message = said(asked, channel, told)
    if nonce:
        channel.nonces[key] = asked.world.now(), int(message["id"])
        return message_json(asked.world, channel, message) | {"nonce": nonce}
    return message_json(asked.world, channel, message)


def said(asked: Asked, channel: Channel, told: Json, **more: Any) -> Json:
    """Put a message of the bot into a channel."""
    draft = drafts.drafted(asked, channel, told, 0)
    reference = drafts.answered(asked, channel, told)
    if reference is not None:
        draft |= {"type": 19, "message_reference": reference}
    number = asked.world.snowflake()
    drafts.ring(asked, channel, draft | {"id": number}, told)
    author = asked.world.users[asked.bot.id]
    return place(asked.world, channel, author, draft | more, number)


def _nonce(told: Json) -> str:
    nonce = str(told.get("nonce") or "")
    if len(nonce) > 25:
        asked_for = "Must be between 1 and 25 in length."
        raise invalid("nonce", "BASE_TYPE_BAD_LENGTH", asked_for)
    return nonce


def listed(asked: Asked) -> list[Json]:
    """Read messages, the newest first, around, before or after one."""
    channel = asked.channel()
    limit = int(asked.query.get("limit", 50))
    if not 1 <= limit <= 100:
        raise invalid("limit", "NUMBER_TYPE_MAX", "int value should be 1 to 100.")
    if not channel.may(asked.bot.id, "READ_MESSAGE_HISTORY"):
        return []
    numbers = _chosen(sorted(channel.messages), asked, limit)
    return [
        _read(asked, channel, channel.messages[number]) for number in reversed(numbers)
    ]


def _chosen(numbers: list[int], asked: Asked, limit: int) -> list[int]:
    query = asked.query
    if "after" in query:
        return [one for one in numbers if one > int(query["after"])][:limit]
    if "around" in query:
        middle = bisect_left(numbers, int(query["around"]))
        first = max(middle - limit // 2, 0)
        return numbers[first : first + limit]
    before = int(query.get("before", 1 << 63))
    return [one for one in numbers if one < before][-limit:]


def fetched(asked: Asked) -> Json:
    """Read one message."""
    channel = asked.channel("READ_MESSAGE_HISTORY")
    return _read(asked, channel, asked.message(channel))


def _read(asked: Asked, channel: Channel, message: Json) -> Json:
    """Show a message as far as the bot may read it."""
    told = message_json(asked.world, channel, message)
    # REST asks the portal alone, not what a session wished for.
    if asked.bot.content or channel.guild is None:
        return told
    shown = censored(told | {"guild_id": str(channel.guild.id)}, asked.bot.id)
    shown.pop("guild_id")
    return shown


def edited(asked: Asked) -> Json:
    """Change a message of the bot's own."""
    channel = asked.channel()
    message = asked.message(channel)
    told = asked.known(*drafts.EDITABLE)
    if not asked.is_own(message):
        if set(told) - {"flags"}:
            raise forbidden(50005)
        if not channel.may(asked.bot.id, "MANAGE_MESSAGES"):
            raise forbidden(50013)
    return change(asked, channel, message, told)


def change(asked: Asked, channel: Channel, message: Json, told: Json) -> Json:
    """Put something in place of what a message says."""
    if channel.archived:
        raise bad(50083, "Thread is archived")
    message |= drafts.changed(asked, channel, message, told)
    message["edited_timestamp"] = asked.world.iso()
    announce(asked.world, channel, message, "MESSAGE_UPDATE")
    return message_json(asked.world, channel, message)


def deleted(asked: Asked) -> None:
    """Take a message away."""
    channel = asked.channel()
    message = asked.message(channel)
    if not asked.is_own(message) and not channel.may(asked.bot.id, "MANAGE_MESSAGES"):
        raise forbidden(50013)
    if channel.archived:
        raise bad(50083, "Thread is archived")
    remove(asked.world, channel, int(message["id"]))


def typing(asked: Asked) -> None:
    """Show that the bot writes."""
    channel = asked.writable()
    asked.world.typed.append((channel.id, asked.bot.id, time.monotonic()))


def reacted(asked: Asked) -> None:
    """Take a reaction, which nobody looks at here."""
    asked.message(asked.channel("READ_MESSAGE_HISTORY"))


ROUTES: Final = {
    "POST /channels/{channel}/messages": send,
    "GET /channels/{channel}/messages": listed,
    "GET /channels/{channel}/messages/{message}": fetched,
    "PATCH /channels/{channel}/messages/{message}": edited,
    "DELETE /channels/{channel}/messages/{message}": deleted,
    "POST /channels/{channel}/typing": typing,
    "PUT /channels/{channel}/messages/{message}/reactions/{emoji}/@me": reacted,
}
