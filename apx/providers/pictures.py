"""Owns which pictures a model is shown."""

from __future__ import annotations

from typing import Final

from apx.domain.errors import InputError
from apx.domain.message import Image

# Bytes. Vendors take between 5 and 20 MB; what platforms make of a photo has some
# hundred thousand.
MOST: Final = 8_000_000
_MEGABYTE: Final = 1_000_000
_BEGINNINGS: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


def media_type(data: bytes) -> str | None:
    """Tell the kind of a picture by its first bytes; none for what no model takes."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for begin, kind in _BEGINNINGS if data.startswith(begin)), None)


def picture(data: bytes) -> Image:
    """Give a picture for a model, or raise an `InputError` that says why not."""
    kind = media_type(data)
    if kind is None:
        raise InputError(
            "models see PNG, JPEG, WebP and GIF pictures, and this is none"
        )
    if len(data) > MOST:
        raise InputError(
            f"this picture has {len(data) / _MEGABYTE:.1f} MB, and a model is shown at"
            f" most {MOST // _MEGABYTE} MB"
        )
    return Image(kind, data)
