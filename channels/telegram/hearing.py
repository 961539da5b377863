"""A raw message as what the door hears; nothing of it is looked up or fetched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apx.domain.heard import Caller, Heard, Press, What
from apx.domain.person import Account
from apx.domain.text import clean
from channels.shared.raw import Raw, maybe_number, number, part, section, text
from channels.telegram import groups, hearing_names, hearing_quotes, hearing_things
from channels.telegram.hearing_files import files
from channels.telegram.settings import GroupMode
from channels.telegram.updates import PRIVATE, at, is_group, topic

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from apx.domain.quoted import Quoted
    from apx.domain.thread import Thread
    from channels.telegram.groups import Me, Words
    from channels.telegram.settings import BotSettings

    # Gives the thread of a chat and a topic.
    Threads = Callable[[int, int | None], Thread]


@dataclass(frozen=True, slots=True)
class Ears:
    """With what a bot hears: who it is, what it is told to hear, and where."""

    me: Me
    settings: BotSettings
    thread: Threads


def message(update: Raw, ears: Ears, *, is_ours: bool = False) -> Heard | None:
    """Translate a message or an edit; nothing for what no turn may come of.

    Raises `InputError` where a field is not what it must be. `is_ours` says that the
    bot is meant, whatever the words say.
    """
    is_edit = "edited_message" in update
    raw = section(update, "edited_message" if is_edit else "message")
    chat = section(raw, "chat")
    in_group = is_group(chat)
    if _is_no_persons(raw, chat, ears.me):
        return None
    if in_group and ears.settings.group_mode is GroupMode.OFF:
        return None
    if is_edit and "location" in raw:
        return None  # somebody walks, and shares where
    words = groups.words(raw, ears.me, ears.settings, is_ours=is_ours)
    what = _what(words, ears.settings, is_edit=is_edit)
    return _heard(raw, ears, words, what) if what else None


def album(raw: Raw, ears: Ears) -> str:
    """Name the album that a message is part of; empty if none."""
    group = maybe_album(raw)
    chat = number(section(raw, "chat"), "id")
    return f"{ears.me.id}.{chat}.{group}" if group else ""


def maybe_album(raw: Raw) -> str:
    """Give Telegram's id of the album; empty if none."""
    return clean(text(raw, "media_group_id")) if "media_group_id" in raw else ""


def caller(user: Raw, chat: Raw, topic_id: int | None, ears: Ears) -> Caller:
    """Say who is there, by ids that stay."""
    place = number(chat, "id")
    return Caller(
        account=Account("telegram", ears.settings.name, str(number(user, "id"))),
        thread=ears.thread(place, topic_id),
        name=hearing_names.user(user),
        group=_group(place, ears) if is_group(chat) else "",
        is_bot=user.get("is_bot") is True,
    )


def _group(chat_id: int, ears: Ears) -> str:
    """Name a group as config.json does: by its id, or by the one that it had first."""
    first = ears.thread(chat_id, None).place.rpartition(":")[2]
    return str(chat_id) if str(chat_id) in ears.settings.groups else first


def stopped(raw: Raw, ears: Ears, now: datetime) -> Press | None:
    """Translate the button under a reply that grows: its draft is the turn.

    Drafts are in private chats alone, whose id is the person's.
    """
    chat = section(raw, "chat")
    if text(chat, "type") != PRIVATE:
        return None
    found = maybe_number(raw, "message_thread_id")
    who = caller(chat, chat, found if found > 1 else None, ears)
    return Press(who, f"stop:{number(raw, 'draft_id')}", now)


def _is_no_persons(raw: Raw, chat: Raw, me: Me) -> bool:
    """Whether no single person stands for a message.

    Channels, anonymous administrators and bots; what somebody sent through us is
    our own.
    """
    if chat.get("type") == "channel" or part(raw, "sender_chat"):
        return True
    author = section(raw, "from")
    through = maybe_number(part(raw, "via_bot"), "id")
    return author.get("is_bot") is True or through == me.id


def _what(words: Words, settings: BotSettings, *, is_edit: bool) -> What | None:
    if words.is_anothers:
        return None
    if not (words.is_ours or settings.group_context):
        return None
    # The core knows what it was that is edited, and whether it was for us.
    if is_edit:
        return What.EDIT
    return What.MESSAGE if words.is_ours else What.CONTEXT


def _heard(raw: Raw, ears: Ears, words: Words, what: What) -> Heard | None:
    bot = ears.me.id
    is_others = hearing_quotes.is_forwarded(raw, bot)
    own = "" if is_others else _own(raw, words)
    quoted = _quoted(raw, bot, is_others=is_others)
    brought = files(raw, is_others=is_others)
    if not own and not brought and not (is_others and quoted):
        return None  # somebody joined, or the title changed
    is_edit = what is What.EDIT
    chat = section(raw, "chat")
    who = caller(section(raw, "from"), chat, topic(raw), ears)
    return Heard(
        caller=who,
        text=own,
        at=at(raw, "edit_date" if is_edit else "date"),
        external_id=f"{bot}.{number(chat, 'id')}.{number(raw, 'message_id')}",
        what=what,
        quoted=quoted,
        files=brought + hearing_quotes.answered_files(raw, bot),
        album=album(raw, ears),
        revision=str(number(raw, "edit_date")) if is_edit else "",
    )


def _quoted(raw: Raw, bot: int, *, is_others: bool) -> tuple[Quoted, ...]:
    if is_others:
        return hearing_quotes.forwarded(raw, bot)
    return hearing_quotes.answered(raw, bot)


def _own(raw: Raw, words: Words) -> str:
    things = (words.text, hearing_things.rich(raw), hearing_things.named(raw))
    return clean("\n".join(filter(None, things))).strip()
