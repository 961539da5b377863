"""What a part becomes at Telegram: messages and files, the same whenever asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from channels.shared.units import units
from channels.telegram.code_files import code_files
from channels.telegram.markdown import render
from channels.telegram.rendered import Rendered
from channels.telegram.splitting import LIMIT, split

if TYPE_CHECKING:
    from aiogram.types import InlineKeyboardMarkup

    from channels.shared.code_files import CodeFile
    from channels.shared.failures import Rejected

REPEAT: Final = Rendered("(may be a repeat)\n")

_EMPTY: Final = Rendered("(no text)")
_TOO_LONG: Final = ("message is too long", "message_too_long", "text is too long")
_NOT_EDITABLE: Final = (
    "message to edit not found",
    "message can't be edited",
    "message_id_invalid",
    "no text in the message to edit",
    "message_edit_time_expired",
)
_NO_TOPIC: Final = (
    "thread not found",
    "topic_deleted",
    "topic_id_invalid",
    "topic_closed",
)
_ENTITIES: Final = ("parse entities", "entity", "entities")
_NO_REPLY: Final = ("replied not found", "reply_message_id_invalid")
_NO_BUTTONS: Final = ("button", "reply_markup", "reply markup", "inline keyboard")


@dataclass(frozen=True, slots=True)
class Message:
    """A message to be sent, or to be put in place of the one that it `edits`.

    One that is new and a repeat says so; putting a text in place twice changes nothing.
    """

    words: Rendered
    file: CodeFile | None = None
    reply_to: int | None = None
    markup: InlineKeyboardMarkup | None = None
    edits: int | None = None
    is_repeat: bool = False
    has_topic: bool = True
    has_moved: bool = False

    @property
    def shown(self) -> Rendered:
        """What is to be read."""
        is_marked = self.is_repeat and self.edits is None
        return joined(REPEAT, self.words) if is_marked else self.words

    @property
    def elsewhere(self) -> Message:
        """The same for another chat, whose messages have other numbers."""
        return replace(self, reply_to=None, edits=None, has_moved=True)


def pieces(text: str, *, is_plain: bool) -> tuple[Message, ...]:
    """Give the messages of a text, then the files of its long code."""
    chunks = split(render(text, is_plain=is_plain)) or (_EMPTY,)
    files = () if is_plain else code_files(text, len(chunks))
    return (
        *(Message(chunk) for chunk in chunks),
        *(Message(Rendered(""), file) for file in files),
    )


def halves(message: Message) -> tuple[Message, ...]:
    """Cut a message that is too long; empty if it cannot be cut."""
    length, most = message.words.units, LIMIT - REPEAT.units
    limit = most if message.shown.units > LIMIT else length // 2
    chunks = split(message.words, limit) if limit > 1 else ()
    if len(chunks) == 1 and chunks[0].units == length:
        return ()
    last = len(chunks) - 1
    return tuple(
        replace(
            message,
            words=chunk,
            reply_to=message.reply_to if index == 0 else None,
            edits=message.edits if index == 0 else None,
            is_repeat=message.is_repeat and index == 0,
            markup=message.markup if index == last else None,
        )
        for index, chunk in enumerate(chunks)
    )


def is_too_long(error: Rejected) -> bool:
    """Whether Telegram wants less text at a time."""
    return error.says(*_TOO_LONG)


def is_lost(error: Rejected) -> bool:
    """Whether the message that was to be edited is not there, or not to be edited."""
    return error.says(*_NOT_EDITABLE)


def mended(message: Message, error: Rejected) -> Message | None:
    """Give the message as Telegram may take it; none if nothing helps.

    Each remedy is used once. Words come before looks: what is refused goes without it,
    and a topic that is gone leaves the chat, which the same people read. The last one
    is for what nobody has seen yet: the bare words.
    """
    if is_too_long(error):
        return None
    remedies: tuple[tuple[bool, tuple[str, ...], dict[str, Any]], ...] = (
        (message.has_topic, _NO_TOPIC, {"has_topic": False}),
        (message.edits is not None, _NOT_EDITABLE, {"edits": None}),
        (bool(message.words.entities), _ENTITIES, {"words": plain(message.words)}),
        (message.reply_to is not None, _NO_REPLY, {"reply_to": None}),
        (message.markup is not None, _NO_BUTTONS, {"markup": None}),
    )
    for is_open, reasons, change in remedies:
        if is_open and error.says(*reasons):
            return replace(message, **change)
    bare = replace(message, words=plain(message.words), reply_to=None, markup=None)
    return None if bare == message else bare


def joined(*texts: Rendered) -> Rendered:
    """Put texts one behind the other."""
    text, entities = "", []
    for one in texts:
        moved = units(text)
        entities += [
            replace(entity, offset=entity.offset + moved) for entity in one.entities
        ]
        text += one.text
    return Rendered(text, tuple(entities))


def plain(words: Rendered) -> Rendered:
    """Give the bare text; addresses that lay under it stand behind it."""
    text = words.text.encode("utf-16-le", "surrogatepass")
    for entity in sorted(words.entities, key=lambda one: one.end, reverse=True):
        if entity.url:
            at = entity.end * 2
            text = text[:at] + f" ({entity.url})".encode("utf-16-le") + text[at:]
    spelled = text.decode("utf-16-le", "surrogatepass")
    return Rendered(spelled if units(spelled) <= LIMIT else words.text)


def read_ids(text: str) -> list[str]:
    """Read which pieces were sent: one entry each, as `written_ids` has them."""
    return text.split(",") if text else []


def written_ids(sent: list[str]) -> str:
    """Write which pieces were sent."""
    return ",".join(sent)
