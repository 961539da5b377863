"""A raw message as what the door hears; nothing of it is looked up or fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.heard import Caller, Heard, What
from apx.domain.person import Account
from apx.domain.text import clean
from channels.discord import (
    hearing_names,
    hearing_quotes,
    hearing_things,
    hearing_words,
)
from channels.discord.hearing_files import files
from channels.discord.places import CHANNEL, State
from channels.discord.raw import made_at, maybe_snowflake, snowflake, time
from channels.discord.settings import GuildMode, ThreadMode
from channels.shared.message_id import MessageId
from channels.shared.raw import Raw, maybe_number, part, section

if TYPE_CHECKING:
    from channels.discord.guilds import Room
    from channels.discord.hearing_names import Ears

# A message, and one that is a reply. All else that bears a person's name is Discord's:
# somebody joined, a thread began, a message was pinned.
_SAID: Final = frozenset({0, 19})


def message(raw: Raw, room: Room, ears: Ears) -> Heard | None:
    """Translate a message; nothing for what no turn may come of.

    Raises `InputError` where a field is not what it must be.
    """
    if is_no_persons(raw, ears):
        return None
    words = _own(raw, room, ears)
    what = _what(is_ours=is_meant(raw, room, ears, words), ears=ears)
    return _heard(raw, room, ears, (what, words)) if what else None


def edit(raw: Raw, room: Room, ears: Ears) -> Heard | None:
    """Translate what a message is after an edit; nothing if no person edited it.

    Discord tells of previews in the same way, and not always all of a message.
    """
    if not edited(raw) or not isinstance(raw.get("content"), str):
        return None
    if not part(raw, "author") or is_no_persons(raw, ears):
        return None
    # Whether or not it still names the bot: what it was before may have been for it.
    return _heard(raw, room, ears, (What.EDIT, _own(raw, room, ears)))


def edited(raw: Raw) -> str:
    """Say when a message was edited; empty if it was not."""
    if raw.get("edited_timestamp") is None:
        return ""
    return time(raw, "edited_timestamp").isoformat()


def is_meant(raw: Raw, room: Room, ears: Ears, words: str) -> bool:
    """Whether the bot is: there all is for it, or it is named, answered, commanded."""
    if not room.guild or _is_open(room, ears):
        return True
    if hearing_words.names_us(raw, room, ears.me) or _answers_us(raw, ears):
        return True
    command = words.partition(" ")[0].partition("\n")[0]
    return command in {f"/{known.name}" for known in ears.settings.commands}


def external_id(message_id: int, channel_id: int, ears: Ears) -> str:
    """Name a message by numbers that no other has."""
    return str(MessageId(ears.me.app, channel_id, message_id))


def began(heard: Heard, raw: Raw, room: Room, ears: Ears) -> int:
    """Give the thread that is to begin with a message, 0 for none."""
    number = snowflake(raw, "id")
    begins = heard.caller.thread == ears.places.thread(number)
    return number if begins and number != room.id else 0


def caller(raw: Raw, room: Room, thread: int, ears: Ears) -> Caller:
    """Say who wrote a message, by ids that stay."""
    author = section(raw, "author")
    return Caller(
        account=Account(CHANNEL, ears.settings.name, str(snowflake(author, "id"))),
        thread=ears.places.thread(thread),
        name=hearing_names.user(author, part(raw, "member")),
        group=str(room.guild) if room.guild else "",
        is_bot=author.get("bot") is True,
    )


def is_no_persons(raw: Raw, ears: Ears) -> bool:
    """Whether a bot, a webhook or Discord itself wrote a message."""
    author = section(raw, "author")
    if author.get("bot") is True or author.get("system") is True:
        return True
    is_ours = maybe_snowflake(author, "id") == ears.me.id
    is_hook = raw.get("webhook_id") is not None
    return is_ours or is_hook or maybe_number(raw, "type") not in _SAID


def _what(*, is_ours: bool, ears: Ears) -> What | None:
    if is_ours:
        return What.MESSAGE
    return What.CONTEXT if ears.settings.guild_context else None


def _is_open(room: Room, ears: Ears) -> bool:
    """Whether everything said there is for the bot."""
    if ears.settings.guild_mode is GuildMode.ALL or ears.places.own(room.id):
        return True
    return not ears.settings.channels.isdisjoint({str(room.id), str(room.parent)})


def _answers_us(raw: Raw, ears: Ears) -> bool:
    return hearing_quotes.is_ours(part(raw, "referenced_message"), ears.me)


def _own(raw: Raw, room: Room, ears: Ears) -> str:
    """Give what its sender says; of a post in a forum, its title is the beginning."""
    words = hearing_words.own(raw, room, ears.me)
    is_post = room.in_forum and snowflake(raw, "id") == room.id
    title = room.names.channel(room.id) if is_post else ""
    lines = (title, words, hearing_things.named(raw))
    return clean("\n".join(filter(None, lines))).strip()


def _heard(raw: Raw, room: Room, ears: Ears, said: tuple[What, str]) -> Heard | None:
    what, words = said
    me, number = ears.me, snowflake(raw, "id")
    forwarded = hearing_quotes.forwarded(raw, room)
    brought = files(raw, is_others=False) + hearing_quotes.forwarded_files(raw)
    if not (words or brought or forwarded):
        return None
    is_edit = what is What.EDIT
    thread = _thread(raw, room, ears, said)
    return Heard(
        caller=caller(raw, room, thread, ears),
        text=words,
        at=time(raw, "edited_timestamp") if is_edit else made_at(number),
        external_id=external_id(number, room.id, ears),
        what=what,
        quoted=forwarded + hearing_quotes.answered(raw, room, me),
        files=brought + hearing_quotes.answered_files(raw, room, me),
        revision=edited(raw) if is_edit else "",
    )


def _thread(raw: Raw, room: Room, ears: Ears, said: tuple[What, str]) -> int:
    """Say by which id the conversation goes: a channel's, or of a thread to begin."""
    what, words = said
    number = snowflake(raw, "id")
    if not room.guild or room.is_thread:
        return room.id
    if ears.places.own(number):
        return number
    if root := _continued(raw, room, ears):
        return root
    is_question = what is What.MESSAGE and not words.startswith("/")
    is_auto = ears.settings.thread_mode is ThreadMode.AUTO
    begins = is_question and is_auto and room.may_begin_threads
    return number if begins else room.id


def _continued(raw: Raw, room: Room, ears: Ears) -> int:
    """Give the conversation that a reply goes on with, where it could have no thread.

    What we say in such a one are replies to the message that it began with.
    """
    replied = part(raw, "referenced_message")
    if not hearing_quotes.is_ours(replied, ears.me):
        return 0
    root = maybe_snowflake(part(replied, "message_reference"), "message_id")
    own = ears.places.own(root)
    is_flat = own is not None and own.state is State.FLAT and own.parent == room.id
    return root if is_flat else 0
