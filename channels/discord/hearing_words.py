"""The words of a message as people see them: signs of Discord's become names."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from apx.domain.untrusted import named
from channels.discord.hearing_names import mentioned
from channels.discord.raw import snowflakes
from channels.shared.names import SOMEBODY
from channels.shared.naming import without
from channels.shared.raw import Raw, said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from channels.discord.guilds import Room
    from channels.discord.hearing_names import Me, Names

# In code nothing is a sign.
_SIGN: Final = re.compile(
    r"(?P<code>```.*?```|``.*?``|`[^`]*`)"
    r"|<@!?(?P<user>[0-9]{1,20})>"
    r"|<@&(?P<role>[0-9]{1,20})>"
    r"|<#(?P<channel>[0-9]{1,20})>"
    r"|<a?:(?P<emoji>\w{1,32}):[0-9]{1,20}>"
    r"|<t:(?P<time>-?[0-9]{1,12})(?::[A-Za-z])?>"
    r"|</(?P<command>[^:<>\n]{1,100}):[0-9]{1,20}>",
    re.DOTALL,
)

# A command is spoken of, and not given.
_AS_WORDS: Final = {"emoji": ":{}:", "command": "`/{}`"}


def names_us(message: Raw, room: Room, me: Me) -> bool:
    """Whether a message mentions the bot, or the role that is its own."""
    roles = set(snowflakes(message.get("mention_roles")))
    return me.id in mentioned(message) or bool(room.our_role and room.our_role in roles)


def own(message: Raw, room: Room, me: Me) -> str:
    """Give what somebody says, without the bot's name before or after it."""
    written = said(message, "content")
    bare = without(written, list(_ours(written, room, me)))
    return shown(bare, mentioned(message), room.names)


def shown(text: str, users: dict[int, str], names: Names) -> str:
    """Write a text with names in place of signs."""

    def told(sign: re.Match[str]) -> str:
        kind = sign.lastgroup or ""
        if kind == "code":
            return sign[0]
        return _told(kind, sign[kind], users, names)

    return _SIGN.sub(told, text)


def _told(kind: str, what: str, users: dict[int, str], names: Names) -> str:
    if kind in _AS_WORDS:
        return _AS_WORDS[kind].format(what)
    if kind == "time":
        return _time(int(what))
    return _mention(kind, int(what), users, names)


def _mention(kind: str, number: int, users: dict[int, str], names: Names) -> str:
    match kind:
        case "user":
            return f"@{users.get(number) or SOMEBODY}"
        case "role":
            return f"@{_named(names.role(number)) or kind}"
    return f"#{_named(names.channel(number)) or kind}"


def _time(seconds: int) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"
    except (ValueError, OverflowError, OSError):
        return f"<t:{seconds}>"


def _named(name: str) -> str:
    return named(name) if name.strip() else ""


def _ours(text: str, room: Room, me: Me) -> Iterator[tuple[int, int]]:
    """Find where the bot is named, itself or by its role."""
    for sign in _SIGN.finditer(text):
        is_role = sign["role"] is not None and int(sign["role"]) == room.our_role
        if is_role or (sign["user"] is not None and int(sign["user"]) == me.id):
            yield sign.span()
