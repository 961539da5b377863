"""What a bot wants to say, and whether Discord takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.servers.discord.placing import ROLE, kept, mentioned, reference
from tests.servers.discord.refused import Refused, bad, forbidden, invalid, too_long
from tests.servers.discord.world import Ping

if TYPE_CHECKING:
    from tests.servers.discord.asked import Asked
    from tests.servers.discord.things import Channel, Json

FIELDS: Final = (
    "content",
    "nonce",
    "enforce_nonce",
    "tts",
    "embeds",
    "allowed_mentions",
    "message_reference",
    "components",
    "sticker_ids",
    "attachments",
    "flags",
)
EDITABLE: Final = (
    "content",
    "embeds",
    "flags",
    "allowed_mentions",
    "components",
    "attachments",
)
NO_EMBEDS, EPHEMERAL, LOADING, SILENT, FANCY = 1 << 2, 1 << 6, 1 << 7, 1 << 12, 1 << 15
_MOST: Final = 2000
_MOST_FILE: Final = 10 << 20


def content_of(told: Json) -> str:
    """Give the words, at most 2000 letters of them."""
    content = told.get("content") or ""
    if not isinstance(content, str):
        raise invalid("content", "STRING_TYPE_CONVERT", "Could not be a string.")
    if len(content) > _MOST:
        raise too_long("content", _MOST)
    return content.strip()


def drafted(asked: Asked, channel: Channel, told: Json, flags: int) -> Json:
    """Read a new message, but for what it answers."""
    said: Json = {
        "content": content_of(told),
        "embeds": told.get("embeds") or [],
        "components": components(told.get("components")),
        "flags": _flags(told, flags),
        "attachments": uploaded(asked, channel, told),
    }
    if not _holds_anything(said) and not flags & LOADING:
        raise bad(50006, "Cannot send an empty message")
    said["mentions"] = mentioned(asked.world, channel, said["content"])
    return said


def changed(asked: Asked, channel: Channel, message: Json, told: Json) -> Json:
    """Read what becomes of a message; what is not named stays."""
    fresh: Json = {}
    if "content" in told:
        fresh["content"] = content_of(told)
        fresh["mentions"] = mentioned(asked.world, channel, fresh["content"])
    if "embeds" in told:
        fresh["embeds"] = told["embeds"] or []
    if "components" in told:
        fresh["components"] = components(told["components"])
    if "flags" in told:
        stays = message["flags"] & ~NO_EMBEDS
        fresh["flags"] = stays | _flags(told, NO_EMBEDS | EPHEMERAL | FANCY)
    if "attachments" in told or asked.files:
        stay = {str(one["id"]) for one in told.get("attachments") or ()}
        old = [one for one in message["attachments"] if one["id"] in stay]
        fresh["attachments"] = old + uploaded(asked, channel, told)
    if not _holds_anything(message | fresh):
        raise bad(50006, "Cannot send an empty message")
    return fresh


def _holds_anything(said: Json) -> bool:
    return any(said[name] for name in ("content", "embeds", "attachments"))


def _flags(told: Json, more: int) -> int:
    flags = told.get("flags") or 0
    if not isinstance(flags, int) or flags & ~(more | NO_EMBEDS | SILENT | FANCY):
        raise invalid("flags", "BITFIELD_INVALID", f"flags {flags} are not taken")
    return flags


def uploaded(asked: Asked, channel: Channel, told: Json) -> list[Json]:
    """Keep the files that came along, unless there is too much of them."""
    if not asked.files:
        return []
    if channel.guild and not channel.may(asked.bot.id, "ATTACH_FILES"):
        raise forbidden(50013)
    if any(len(content) > _MOST_FILE for _, content, _ in asked.files):
        raise Refused(413, 40005, "Request entity too large")
    named = {str(one.get("id")): one for one in told.get("attachments") or ()}
    files = []
    for number, (name, content, kind) in enumerate(asked.files):
        if named and str(number) not in named:
            asked.world.complain(f"files[{number}] is not among the attachments")
        shown = named.get(str(number), {}).get("filename") or name
        files.append((shown, content, kind))
    return kept(asked.world, files)


# -- buttons


def components(told: Any) -> list[Json]:
    """Read rows of buttons, and refuse what clients could not show."""
    rows = told or []
    if len(rows) > 5:
        raise invalid("components", "BASE_TYPE_BAD_LENGTH", "Must be 5 or fewer.")
    names: set[str] = set()
    for number, row in enumerate(rows):
        where = f"components.{number}"
        if row.get("type") != 1:
            raise invalid(where, "UNION_TYPE_CHOICES", "only rows are known here")
        inside = row.get("components") or []
        if not 1 <= len(inside) <= 5:
            words = "Must be between 1 and 5 in length."
            raise invalid(where, "BASE_TYPE_BAD_LENGTH", words)
        for button in inside:
            _button(where, button, names)
    return [dict(row) for row in rows]


def _button(where: str, button: Json, names: set[str]) -> None:
    if button.get("type") != 2 or button.get("style") not in {1, 2, 3, 4, 5}:
        raise invalid(where, "UNION_TYPE_CHOICES", "only buttons are known here")
    label = button.get("label") or ""
    if len(label) > 80:
        raise too_long(f"{where}.label", 80)
    if not label and not button.get("emoji"):
        raise invalid(where, "BUTTON_COMPONENT_INVALID", "a button without a label")
    if button["style"] == 5:
        if not button.get("url") or button.get("custom_id"):
            raise invalid(where, "BUTTON_COMPONENT_INVALID", "a link needs its url")
        return
    name = button.get("custom_id") or ""
    if not 1 <= len(name) <= 100:
        words = "Must be between 1 and 100 in length."
        raise invalid(f"{where}.custom_id", "BASE_TYPE_BAD_LENGTH", words)
    if name in names:
        words = "Component custom id cannot be duplicated"
        raise invalid(f"{where}.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", words)
    names.add(name)


# -- whom it answers, and for whom it rings


def answered(asked: Asked, channel: Channel, told: Json) -> Json | None:
    """Give what a message answers; None where it answers nothing."""
    asks = told.get("message_reference")
    if not asks:
        return None
    if str(asks.get("channel_id", channel.id)) != str(channel.id):
        asked.world.complain("a reply to another channel")
    if channel.guild and not channel.may(asked.bot.id, "READ_MESSAGE_HISTORY"):
        words = "Cannot reply without permission to read message history"
        raise bad(160002, words)
    number = int(asks.get("message_id") or 0)
    if number in channel.messages:
        return reference(channel, number)
    if asks.get("fail_if_not_exists", True):
        words = "Unknown message"
        raise invalid("message_reference", "REPLIES_UNKNOWN_MESSAGE", words)
    return None


def ring(asked: Asked, channel: Channel, message: Json, told: Json) -> None:
    """Find for whom a new message rings, and complain unless it may."""
    policy = told.get("allowed_mentions")
    parse = (
        ["users", "roles", "everyone"] if policy is None else policy.get("parse", [])
    )
    policy = policy or {}
    if policy.get("users") and "users" in parse:
        words = 'parse:["users"] and users: [ids...] are mutually exclusive.'
        raise invalid("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE", words)
    named = {int(user["id"]) for user in message["mentions"]}
    allowed = {int(user) for user in policy.get("users", ())}
    rung = named if "users" in parse else named & allowed
    text = message["content"]
    loud = channel.guild and channel.may(asked.bot.id, "MENTION_EVERYONE")
    if ("everyone" in parse and loud and ("@everyone" in text or "@here" in text)) or (
        "roles" in parse and ROLE.search(text)
    ):
        rung = rung | {0}
    asker = _answered_user(channel, message)
    if asker > 0 and policy.get("replied_user", not policy):
        message["mentions"] += [
            user
            for user in [asked.world.users.get(asker)]
            if user and user not in message["mentions"]
        ]
        rung = rung | {asker}
    for user in rung:
        ping = Ping(channel.id, int(message["id"]), user)
        asked.world.pings.append(ping)
        if user != asker and channel.guild:
            asked.world.complain(f"rings for {user or 'many'}, who did not ask")


def _answered_user(channel: Channel, message: Json) -> int:
    """Give who wrote what a message answers, or nobody's number."""
    told = message.get("message_reference")
    kept_one = channel.messages.get(int(told["message_id"])) if told else None
    return int(kept_one["author"]["id"]) if kept_one else -1
