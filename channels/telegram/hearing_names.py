"""How people, chats and bots are called where they are quoted."""

from __future__ import annotations

from apx.domain.untrusted import named
from channels.shared.names import ASSISTANT, SOMEBODY, others
from channels.shared.raw import Raw, maybe_number, part, word


def user(raw: Raw) -> str:
    """Name somebody as their profile does; empty if it names nothing."""
    full = " ".join(filter(None, (word(raw, "first_name"), word(raw, "last_name"))))
    name = full.strip() or word(raw, "username")
    return named(name) if name else ""


def chat(raw: Raw) -> str:
    """Name a channel or a group, or whom a private chat is with."""
    title = word(raw, "title") or word(raw, "username")
    return named(title) if title else user(raw)


def sender(message: Raw, bot: int) -> str:
    """Name who wrote a message."""
    author = part(message, "from")
    if maybe_number(author, "id") == bot:
        return ASSISTANT
    name = chat(part(message, "sender_chat")) or user(author)
    return others(name) or SOMEBODY


def origin(raw: Raw, bot: int) -> str:
    """Name where a forwarded message is from."""
    author = part(raw, "sender_user")
    if author and maybe_number(author, "id") == bot:
        return ASSISTANT
    hidden = word(raw, "sender_user_name")
    place = part(raw, "chat") or part(raw, "sender_chat")
    name = user(author) or (named(hidden) if hidden else "") or chat(place)
    return others(name) or "unknown"
