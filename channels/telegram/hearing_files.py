"""The files of a message, by the names that Telegram keeps them under."""

from __future__ import annotations

from typing import Final

from apx.domain.attachment import Attachment, Medium
from apx.domain.text import clean, excerpt
from channels.shared.raw import Raw, maybe_number, part, parts, text, word

# getFile refuses what is larger; nothing but a server of one's own can more.
MOST: Final = 20 << 20
TOO_LARGE: Final = "Telegram lets bots fetch files of at most 20 MB"
_LONGEST_NAME: Final = 200

_KINDS: Final = {
    "voice": (Medium.VOICE, "audio/ogg"),
    "audio": (Medium.AUDIO, "audio/mpeg"),
    "animation": (Medium.VIDEO, "video/mp4"),
    "video": (Medium.VIDEO, "video/mp4"),
    "video_note": (Medium.VIDEO, "video/mp4"),
    "document": (Medium.DOCUMENT, "application/octet-stream"),
}


def files(message: Raw, *, is_others: bool) -> tuple[Attachment, ...]:
    """Name what came with a message; nothing of it is fetched here."""
    # A live photo is a photo that moves, and an animation has a document beside it
    # for bots of old: each is one file.
    live = part(message, "live_photo")
    sizes = parts(message, "photo") or parts(live, "photo")
    if sizes:
        largest = max(sizes, key=_extent)
        return (_file(largest, (Medium.PHOTO, "image/jpeg"), is_others=is_others),)
    for key, what in _KINDS.items():
        if raw := part(message, key):
            return (_file(raw, what, is_others=is_others),)
    if live:
        return (_file(live, (Medium.VIDEO, "video/mp4"), is_others=is_others),)
    return ()


def _file(raw: Raw, what: tuple[Medium, str], *, is_others: bool) -> Attachment:
    medium, usual = what
    size = maybe_number(raw, "file_size")
    return Attachment(
        medium=medium,
        ref=text(raw, "file_id"),
        title=_title(raw),
        media_type=clean(word(raw, "mime_type")) or usual,
        size=max(size, 0),
        seconds=max(maybe_number(raw, "duration"), 0),
        note=TOO_LARGE if size > MOST else "",
        is_others=is_others,
    )


def _title(raw: Raw) -> str:
    song = " - ".join(filter(None, (word(raw, "performer"), word(raw, "title"))))
    return excerpt(clean(word(raw, "file_name") or song), _LONGEST_NAME)


def _extent(size: Raw) -> tuple[int, int]:
    area = maybe_number(size, "width") * maybe_number(size, "height")
    return area, maybe_number(size, "file_size")
