"""A model is shown pictures that it can see, and none that is too large."""

from __future__ import annotations

import pytest

from apx.domain.errors import InputError
from apx.domain.message import Image
from apx.providers.pictures import MOST, media_type, picture

PNG = b"\x89PNG\r\n\x1a\n"
WEBP = b"RIFF\x24\0\0\0WEBPVP8 "


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG + b"\0", "image/png"),
        (b"\xff\xd8\xff\xe0\0", "image/jpeg"),
        (b"GIF89a\1", "image/gif"),
        (b"GIF87a\1", "image/gif"),
        (WEBP, "image/webp"),
        (b"RIFF\x24\0\0\0WAVE", None),
        (b"<svg/>", None),
        (b"", None),
    ],
)
def test_a_picture_is_known_by_its_first_bytes(data: bytes, kind: str | None):
    """What a platform or a name claims may be wrong, and a vendor refuses it then."""
    assert media_type(data) == kind


def test_what_a_model_cannot_see_is_said():
    """So that the person sends it in another form."""
    with pytest.raises(InputError, match="PNG, JPEG, WebP and GIF"):
        picture(b"\0\0\0\x18ftypheic")


def test_too_large_a_picture_is_said():
    """With both numbers."""
    assert picture(PNG.ljust(MOST)) == Image("image/png", PNG.ljust(MOST))
    with pytest.raises(InputError, match=r"has 9\.0 MB, .* at most 8 MB"):
        picture(PNG.ljust(9_000_000))
