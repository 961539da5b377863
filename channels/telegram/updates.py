"""Raw updates of the Bot API: their fields, checked, and whose they are."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from apx.domain.errors import InputError
from channels.shared.raw import Raw, maybe_number, number, part, text

# What we have Telegram send; anything else would only be thrown away.
ALLOWED: Final = (
    "message",
    "edited_message",
    "callback_query",
    "my_chat_member",
    "stopped_message_generation",
)
PRIVATE: Final = "private"
_GROUPS: Final = frozenset({"group", "supergroup"})
_LAST_SECOND: Final = 253402300799  # of the year 9999; datetime knows none after


def update_id(update: Raw) -> int:
    """Give the number of an update."""
    return number(update, "update_id")


def kind(update: Raw) -> str:
    """Say what an update brings, in Telegram's word; empty for what we never use."""
    return next((name for name in ALLOWED if name in update), "")


def chat_id(update: Raw) -> int:
    """Say which chat an update is of, 0 if it does not tell: they keep their order."""
    body = part(update, kind(update))
    chat = part(body, "chat") or part(part(body, "message"), "chat")
    return maybe_number(chat, "id")


def private_chat(update: Raw) -> int:
    """Give the chat of an update if one person alone reads it, else 0."""
    body = part(update, kind(update))
    chat = part(body, "chat") or part(part(body, "message"), "chat")
    return maybe_number(chat, "id") if chat.get("type") == PRIVATE else 0


def topic(message: Raw) -> int | None:
    """Say in which topic a message is; General, number 1, is none.

    Outside of topics the field names the message that a discussion began with.
    """
    if message.get("is_topic_message") is not True:
        return None
    found = maybe_number(message, "message_thread_id")
    return found if found > 1 else None


def is_group(chat: Raw) -> bool:
    """Whether several people may read a chat; refuses what is no chat of people."""
    sort = text(chat, "type")
    if sort not in _GROUPS | {PRIVATE, "channel"}:
        raise InputError("chat: of an unknown type")
    return sort != PRIVATE


def at(body: Raw, key: str) -> datetime:
    """Read a time."""
    seconds = number(body, key)
    if not 0 <= seconds <= _LAST_SECOND:
        raise InputError(f"{key}: no time")
    return datetime.fromtimestamp(seconds, UTC)
