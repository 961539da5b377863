"""A model's Markdown as Discord shows it: all that was written is to be read."""

from __future__ import annotations

import re
from typing import Final

from apx.domain.text import clean
from channels.discord.markdown_blocks import written
from channels.discord.markdown_plain import plain

_LINE_ENDS: Final = re.compile("[\u2028\u2029]")
# Discord refuses a message of these alone, or shows an empty one.
_NOTHING: Final = re.compile(
    "[\\s\u034f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2800\u3164\ufeff\ufffc"
    "\U000e0000-\U000e007f]*"
)


def render(text: str, *, is_plain: bool) -> str:
    """Give a reply as Discord takes it; plain text is shown as it is.

    Empty only where there is nothing to be seen in the source.
    """
    text = cleaned(text)
    if is_blank(text):
        return ""
    shown = plain(text) if is_plain else "\n".join(written(text.split("\n")))
    return shown.strip("\n").rstrip()


def cleaned(text: str) -> str:
    """Leave out what no message may hold."""
    return _LINE_ENDS.sub("\n", clean(text))


def is_blank(text: str) -> bool:
    """Whether there is nothing to see in a text."""
    return _NOTHING.fullmatch(text) is not None
