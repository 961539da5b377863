"""The files of a message, by where Discord keeps them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.attachment import Attachment, Medium
from apx.domain.errors import InputError
from apx.domain.text import clean, excerpt
from channels.discord.raw import maybe_snowflake, snowflake
from channels.shared.raw import Raw, maybe_number, part, parts, text, word

if TYPE_CHECKING:
    from collections.abc import Iterator

# Members who pay send up to 500 MB.
MOST: Final = 50_000_000
TOO_LARGE: Final = "from Discord I fetch files of at most 50 MB"
_LONGEST_NAME: Final = 200
_LONGEST_SOUND: Final = 1_000_000.0
_LONGEST_LINK: Final = 4_000
_VOICE: Final = 1 << 13
_PLAIN: Final = "application/octet-stream"
# Drawings in words, which no model is shown as a picture.
_DRAWN: Final = "image/svg"
_KINDS: Final = {
    "image": Medium.PHOTO,
    "audio": Medium.AUDIO,
    "video": Medium.VIDEO,
}


@dataclass(frozen=True, slots=True)
class Source:
    """Where an attachment is: its link expires, and its message tells another."""

    channel: int
    message: int
    attachment: int
    url: str

    def __str__(self) -> str:
        return f"{self.channel} {self.message} {self.attachment} {self.url}"

    @classmethod
    def parse(cls, ref: str) -> Source:
        """Read what an attachment is fetched by."""
        try:
            channel, message, attachment, url = ref.split(" ")
            return cls(int(channel), int(message), int(attachment), url)
        except ValueError:
            raise InputError("this is no attachment of Discord's") from None


def files(
    message: Raw, *, within: Raw | None = None, is_others: bool
) -> tuple[Attachment, ...]:
    """Name what came with a message; nothing of it is fetched here.

    `within` is the message that a forwarded one came in: it tells where the files are.
    """
    found = (
        _file(raw, message, within or message, is_others=is_others)
        for raw in parts(message, "attachments")
    )
    return tuple(filter(None, found))


def link(message: Raw, attachment: int) -> str:
    """Find the link of an attachment of a message, or of one forwarded in it."""
    found = (
        word(raw, "url")
        for raw in _listed(message)
        if maybe_snowflake(raw, "id") == attachment
    )
    return next(found, "")


def snapshots(message: Raw) -> list[Raw]:
    """Give the messages that were forwarded in one."""
    found = (part(raw, "message") for raw in parts(message, "message_snapshots"))
    return [one for one in found if one]


def _file(raw: Raw, message: Raw, whole: Raw, *, is_others: bool) -> Attachment | None:
    """Name a file, or refuse it; what others brought never spoils a message."""
    try:
        source = Source(
            snowflake(whole, "channel_id"),
            snowflake(whole, "id"),
            snowflake(raw, "id"),
            _link(raw),
        )
    except InputError:
        if is_others:
            return None
        raise
    size = maybe_number(raw, "size")
    return Attachment(
        medium=_medium(raw, is_voice=bool(maybe_number(message, "flags") & _VOICE)),
        ref=str(source),
        title=excerpt(clean(word(raw, "filename")), _LONGEST_NAME),
        media_type=_media_type(raw) or _PLAIN,
        size=max(size, 0),
        seconds=_seconds(raw),
        note=TOO_LARGE if size > MOST else "",
        is_others=is_others,
    )


def _listed(message: Raw) -> Iterator[Raw]:
    for one in (message, *snapshots(message)):
        yield from parts(one, "attachments")


def _link(raw: Raw) -> str:
    found = text(raw, "url")
    if not found or len(found) > _LONGEST_LINK or " " in found or clean(found) != found:
        raise InputError("url: no link")
    return found


def _medium(raw: Raw, *, is_voice: bool) -> Medium:
    media_type = _media_type(raw)
    if is_voice and not media_type.startswith(("image/", "video/")):
        return Medium.VOICE
    if media_type.startswith(_DRAWN):
        return Medium.DOCUMENT
    return _KINDS.get(media_type.partition("/")[0], Medium.DOCUMENT)


def _media_type(raw: Raw) -> str:
    """Give the type of a file, without what more is said of it."""
    return clean(word(raw, "content_type")).partition(";")[0].strip().lower()


def _seconds(raw: Raw) -> int:
    value = raw.get("duration_secs")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    told = float(min(max(value, 0), _LONGEST_SOUND))
    return 0 if math.isnan(told) else round(told)
