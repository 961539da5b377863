"""Raw interactions: what was asked, by whom and where; nothing of it is looked up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from apx.domain.errors import InputError
from apx.domain.heard import Caller
from apx.domain.person import Account
from apx.domain.text import clean
from channels.discord import hearing_names
from channels.discord.menu import WORDS
from channels.discord.places import CHANNEL
from channels.discord.raw import maybe_snowflake, snowflake
from channels.shared.raw import Raw, maybe_number, part, parts, section, text, word

if TYPE_CHECKING:
    from channels.discord.places import Places

_CHAT_INPUT: Final = 1
_BUTTON: Final = 2
_DM: Final = 1
# Of private chats, the one with the bot; in all others it is a guest.
_WITH_US: Final = 1
_EPHEMERAL: Final = 1 << 6


class Kind(IntEnum):
    """What an interaction is, by Discord's numbers."""

    PING = 1
    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    FORM = 5


@dataclass(frozen=True, slots=True)
class Ticket:
    """What is needed to acknowledge an interaction, and to answer it for a while.

    `command` is the name of the one that was given, empty for all else.
    """

    id: int
    token: str
    kind: Kind
    group: str
    command: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button, and the message that it is under; `answers` is what that replies to."""

    data: str
    channel_id: int
    message_id: int
    answers: int
    components: tuple[Raw, ...]
    is_ephemeral: bool


def ticket(raw: Raw) -> Ticket | None:
    """Read what an interaction is; nothing for a kind that nobody knows.

    Raises `InputError` where it could not be answered.
    """
    try:
        kind = Kind(maybe_number(raw, "type"))
    except ValueError:
        return None
    named = word(part(raw, "data"), "name") if kind is Kind.COMMAND else ""
    return Ticket(
        id=snowflake(raw, "id"),
        token=text(raw, "token"),
        kind=kind,
        group=_group(raw),
        command=clean(named),
    )


def caller(raw: Raw, place: int, bot: str, places: Places) -> Caller:
    """Say who is there, by ids that stay; `place` is where the conversation is."""
    member = part(raw, "member")
    user = section(member or raw, "user")
    return Caller(
        account=Account(CHANNEL, bot, str(snowflake(user, "id"))),
        thread=places.thread(place),
        name=hearing_names.user(user, member),
        group=_group(raw),
        is_bot=user.get("bot") is True,
    )


def channel(raw: Raw) -> int:
    """Say in which channel it was."""
    return snowflake(raw, "channel_id")


def is_chat_with_us(raw: Raw) -> bool:
    """Whether it came from a private chat with the bot, not from other people's."""
    is_ours = raw.get("context") in (None, _WITH_US)
    return is_ours and maybe_number(part(raw, "channel"), "type") == _DM


def command_text(raw: Raw) -> str:
    """Write a command as it would have been typed, or refuse what is none of ours."""
    data = section(raw, "data")
    if maybe_number(data, "type") not in {0, _CHAT_INPUT}:
        raise InputError("I do not know this command.")
    given = (
        word(option, "value")
        for option in parts(data, "options")
        if option.get("name") == WORDS
    )
    return clean(f"/{text(data, 'name')} {' '.join(given)}").strip()


def pressed(raw: Raw) -> Pressed:
    """Read a button, or refuse what is none."""
    data, message = section(raw, "data"), section(raw, "message")
    reference = part(message, "message_reference")
    if maybe_number(data, "component_type") not in {0, _BUTTON}:
        raise InputError("I do not know this control.")
    return Pressed(
        data=text(data, "custom_id"),
        channel_id=channel(raw),
        message_id=snowflake(message, "id"),
        answers=maybe_snowflake(reference, "message_id"),
        components=tuple(parts(message, "components")),
        is_ephemeral=bool(maybe_number(message, "flags") & _EPHEMERAL),
    )


def _group(raw: Raw) -> str:
    """Give the id of the guild; empty for what surely is of none."""
    if raw.get("guild_id") is None and raw.get("member") is None:
        return ""
    if not (guild := snowflake(raw, "guild_id")):
        raise InputError("guild_id: no guild")
    return str(guild)
