"""Other people's words that came with a message: forwarded or answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.quoted import Provenance, Quoted
from apx.domain.text import clean, excerpt
from apx.domain.untrusted import named
from channels.discord import hearing_names, hearing_things, hearing_words
from channels.discord.hearing_files import files, snapshots
from channels.discord.raw import maybe_snowflake
from channels.shared.names import ASSISTANT, SOMEBODY, others
from channels.shared.raw import Raw, maybe_number, part, word

if TYPE_CHECKING:
    from apx.domain.attachment import Attachment
    from channels.discord.guilds import Room
    from channels.discord.hearing_names import Me

# Our own words stand in the conversation already: enough of them to know which.
_OWN: Final = 300
_FORWARD: Final = 1


def is_forwarded(message: Raw) -> bool:
    """Whether a message brings another one."""
    kind = maybe_number(part(message, "message_reference"), "type")
    return kind == _FORWARD and bool(snapshots(message))


def forwarded(message: Raw, room: Room) -> tuple[Quoted, ...]:
    """Give what was forwarded: Discord does not say whose words these are."""
    if not is_forwarded(message):
        return ()
    source = maybe_snowflake(part(message, "message_reference"), "channel_id")
    place = room.names.channel(source)
    by = f"#{named(place)}" if place.strip() else "unknown"
    told = (_written(one, room) for one in snapshots(message))
    return tuple(Quoted(Provenance.FORWARDED, by, text) for text in told if text)


def forwarded_files(message: Raw) -> tuple[Attachment, ...]:
    """Name the files of what was forwarded."""
    if not is_forwarded(message):
        return ()
    return tuple(
        file
        for one in snapshots(message)
        for file in files(one, within=message, is_others=True)
    )


def answered(message: Raw, room: Room, me: Me) -> tuple[Quoted, ...]:
    """Give what a message is a reply to."""
    replied = part(message, "referenced_message")
    by, text = _sender(replied, me), _whole(replied, room)
    if is_ours(replied, me):
        text = excerpt(text, _OWN)
    return (Quoted(Provenance.QUOTED, by, text),) if text else ()


def answered_files(message: Raw, room: Room, me: Me) -> tuple[Attachment, ...]:
    """Name the files of the message that this one is a reply to.

    In a private chat, and if it was ours, they are in the conversation already.
    """
    replied = part(message, "referenced_message")
    if not room.guild or not replied or is_ours(replied, me):
        return ()
    return files(replied, is_others=True) + forwarded_files(replied)


def is_ours(message: Raw, me: Me) -> bool:
    """Whether the bot wrote a message."""
    return bool(me.id) and maybe_snowflake(part(message, "author"), "id") == me.id


def _whole(message: Raw, room: Room) -> str:
    """Give all that a message says, and what was forwarded in it."""
    lines = (_written(one, room) for one in (message, *snapshots(message)))
    return "\n".join(filter(None, lines))


def _written(message: Raw, room: Room) -> str:
    """Give what a message says itself, things in brackets."""
    users = hearing_names.mentioned(message)
    lines = (
        hearing_words.shown(word(message, "content"), users, room.names),
        hearing_things.named(message),
        hearing_things.embedded(message),
    )
    return clean("\n".join(filter(None, lines)))


def _sender(message: Raw, me: Me) -> str:
    if is_ours(message, me):
        return ASSISTANT
    return others(hearing_names.user(part(message, "author"))) or SOMEBODY
