"""Other people's words that came with a message: forwarded, quoted, answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.quoted import Provenance, Quoted
from apx.domain.text import clean, excerpt
from channels.shared.names import ASSISTANT
from channels.shared.raw import Raw, maybe_number, part, said, word
from channels.telegram import groups, hearing_names, hearing_things
from channels.telegram.hearing_files import files

if TYPE_CHECKING:
    from apx.domain.attachment import Attachment

# Our own words stand in the conversation already: enough of them to know which.
_OWN: Final = 300


def written(message: Raw) -> str:
    """Give all that a message says, things in brackets."""
    text = said(message, "text") or said(message, "caption")
    lines = (text, hearing_things.rich(message), hearing_things.named(message))
    return clean("\n".join(filter(None, lines)))


def forwarded(message: Raw, bot: int) -> tuple[Quoted, ...]:
    """Give what a forwarded message says: none of it is the words of who sent it."""
    by = _origin(message, bot)
    text = written(message)
    return (Quoted(Provenance.FORWARDED, by, text),) if by and text else ()


def is_forwarded(message: Raw, bot: int) -> bool:
    """Whether somebody else wrote a message, or a bot for whoever sent it."""
    return bool(_origin(message, bot))


def answered(message: Raw, bot: int) -> tuple[Quoted, ...]:
    """Give what a message is a reply to."""
    if groups.is_beginning(message):
        return ()
    told = _reply(message, bot) or _elsewhere(message, bot) or _story(message)
    return (told,) if told and told.text else ()


def answered_files(message: Raw, bot: int) -> tuple[Attachment, ...]:
    """Name the files of the message that this one is a reply to.

    In a private chat, and if it was ours, they are in the conversation already.
    """
    replied = part(message, "reply_to_message")
    if replied and not groups.is_beginning(message):
        is_ours = maybe_number(part(replied, "from"), "id") == bot
        is_room = part(message, "chat").get("type") != "private"
        return files(replied, is_others=True) if is_room and not is_ours else ()
    return files(part(message, "external_reply"), is_others=True)


def _reply(message: Raw, bot: int) -> Quoted | None:
    replied = part(message, "reply_to_message")
    if not replied:
        return None
    by = _origin(replied, bot) or hearing_names.sender(replied, bot)
    text = _chosen(message) or written(replied)
    if by == ASSISTANT:
        text = excerpt(text, _OWN)
    return Quoted(Provenance.QUOTED, by, text)


def _elsewhere(message: Raw, bot: int) -> Quoted | None:
    """Quote a message of another chat: only the part that was chosen is there."""
    reply = part(message, "external_reply")
    if not reply:
        return None
    by = hearing_names.origin(part(reply, "origin"), bot)
    text = _chosen(message) or clean(hearing_things.named(reply))
    return Quoted(Provenance.QUOTED, by, text)


def _story(message: Raw) -> Quoted | None:
    story = part(message, "reply_to_story")
    if not story:
        return None
    by = hearing_names.chat(part(story, "chat")) or "somebody"
    return Quoted(Provenance.QUOTED, by, "[story]")


def _chosen(message: Raw) -> str:
    return clean(word(part(message, "quote"), "text"))


def _origin(message: Raw, bot: int) -> str:
    origin = part(message, "forward_origin")
    if origin:
        return hearing_names.origin(origin, bot)
    through = part(message, "via_bot")
    return f"{hearing_names.user(through) or 'a bot'}" if through else ""
