"""A model's Markdown as a Telegram message: all that was written is to be read."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from apx.domain.text import clean
from channels.telegram.markdown_blocks import written
from channels.telegram.markdown_parser import parse
from channels.telegram.markdown_spans import entities
from channels.telegram.rendered import Rendered, is_blank

if TYPE_CHECKING:
    from channels.telegram.markdown_page import Span

# Telegram takes these out itself: marks that turn the direction of what follows, and
# three accents. One of them makes an å where a text is decomposed.
_TAKEN_OUT: Final = re.compile("[\u202a-\u202e\u030a\u0333\u033f]")
_RING: Final = re.compile("[AaUuWwYy]\u030a")
_LINE_ENDS: Final = re.compile("[\u2028\u2029]")


def render(text: str, *, is_plain: bool) -> Rendered:
    """Give a reply as Telegram takes it; plain text is shown as it is.

    Nothing comes back only where there is nothing to be seen in the source.
    """
    text = _cleaned(text)
    if not is_plain:
        page = written(parse(text))
        shown = _stripped(page.since(0), page.spans)
        if not is_blank(shown.text):
            return shown
    return Rendered("" if is_blank(text) else text.strip())


def _cleaned(text: str) -> str:
    text = _LINE_ENDS.sub("\n", clean(text))
    text = _RING.sub(lambda found: unicodedata.normalize("NFC", found[0]), text)
    return _TAKEN_OUT.sub("", text)


def _stripped(text: str, spans: list[Span]) -> Rendered:
    """Leave out the space around a text; a first line of code stays indented."""
    end = len(text.rstrip())
    start = len(text) - len(text.lstrip())
    for span in spans:
        if span.kind == "pre" and span.start < start:
            start = span.start
    within = (
        span.over(max(span.start - start, 0), min(span.end, end) - start)
        for span in spans
        if span.start < end and span.end > start
    )
    text = text[start:end]
    return Rendered(text, entities(text, within))
