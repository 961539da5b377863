"""What a part becomes at Discord: messages and files, the same whenever asked."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from zlib import crc32

from channels.discord.code_files import code_files
from channels.discord.markdown import render
from channels.discord.message import Message
from channels.discord.splitting import LIMIT, split
from channels.shared.units import units

if TYPE_CHECKING:
    from apx.domain.turn import Part
    from channels.discord.failures import Rejected

_EMPTY: Final = "(no text)"
_LEAST: Final = 200
_NONCE: Final = 25
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"

_UNKNOWN_MESSAGE: Final = 10008
_OTHERS_MESSAGE: Final = 50005
_INVALID: Final = 50035
_NO_HISTORY: Final = 160002
_NOT_EDITABLE: Final = frozenset({_UNKNOWN_MESSAGE, _OTHERS_MESSAGE})
_FILE_TOO_LARGE: Final = frozenset({40005, 50045})
_EMPTY_MESSAGE: Final = 50006


def pieces(text: str, *, is_plain: bool) -> tuple[Message, ...]:
    """Give the messages of a text, then the files of its long code."""
    parts = split(render(text, is_plain=is_plain)) or (_EMPTY,)
    files = () if is_plain else code_files(text, len(parts))
    return (
        *(Message(part) for part in parts),
        *(Message("", file) for file in files),
    )


def nonce(part: Part, index: int) -> str:
    """Name a message of a part so that Discord knows it when it comes again.

    What is answered is in it: the turns of another home have the same numbers.
    """
    asked = crc32(f"{part.thread}/{part.answers}".encode())
    numbers = (part.turn, part.id, index, asked)
    return _short(".".join(_written(number) for number in numbers))


def another(known: str, index: int) -> str:
    """Name a message that comes instead of, or after, one that has a nonce."""
    if not known:
        return ""
    return sha256(f"{known}/{index}".encode()).hexdigest()[:_NONCE]


def halves(message: Message) -> tuple[Message, ...]:
    """Cut a message that is too long; empty if it cannot be cut."""
    length = units(message.content)
    limit = LIMIT if length > LIMIT else max(length // 2, _LEAST)
    parts = split(message.content, limit)
    if len(parts) <= 1:
        return ()
    last = len(parts) - 1
    return tuple(
        replace(
            message,
            content=part,
            reply_to=message.reply_to if not index else None,
            edits=message.edits if not index else None,
            components=message.components if index == last else (),
            file=message.file if index == last else None,
            nonce=another(message.nonce, index),
        )
        for index, part in enumerate(parts)
    )


def is_too_long(error: Rejected) -> bool:
    """Whether Discord wants less text at a time."""
    is_content = error.says("in content:", "content must be")
    return error.code == _INVALID and is_content and error.says("or fewer")


def is_file_too_large(error: Rejected) -> bool:
    """Whether it is the file that is not taken."""
    return error.is_too_large or error.code in _FILE_TOO_LARGE


def without_file(message: Message, reason: str) -> Message:
    """Give the words of a message, and say which file does not come with them."""
    if message.file is None:
        return message
    told = render(f"{message.file.name} was left out: {reason}", is_plain=True)
    words = f"{message.content}\n\n{told}".strip()
    return replace(message, content=words, file=None)


def mended(message: Message, error: Rejected) -> Message | None:
    """Give the message as Discord may take it; none if nothing helps.

    Each remedy is used once. Words come before looks: what is refused goes without it.
    """
    if is_too_long(error):
        return None
    is_invalid = error.code == _INVALID
    about_reply = (is_invalid and error.says("message_reference")) or (
        error.code == _NO_HISTORY
    )
    remedies: tuple[tuple[bool, bool, dict[str, Any]], ...] = (
        (message.edits is not None, error.code in _NOT_EDITABLE, {"edits": None}),
        (message.reply_to is not None, about_reply, {"reply_to": None}),
        (
            bool(message.components),
            is_invalid and error.says("components"),
            {"components": ()},
        ),
        (not message.content.strip(), error.code == _EMPTY_MESSAGE, _SPOKEN),
    )
    for is_open, is_meant, change in remedies:
        if is_open and is_meant:
            return replace(message, **change)
    bare = replace(message, reply_to=None, components=())
    return None if bare == message else bare


_SPOKEN: Final = {"content": _EMPTY}


def read_ids(text: str) -> list[str]:
    """Read which pieces were sent: one entry each."""
    return text.split(",") if text else []


def _written(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits or "0"


def _short(name: str) -> str:
    return name if len(name) <= _NONCE else another(name, 0)
