"""Which code of a reply is too long to be read in messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.text import clean
from channels.shared.code_files import files
from channels.shared.units import units
from channels.telegram.markdown_blocks import language
from channels.telegram.markdown_parser import parse

if TYPE_CHECKING:
    from channels.shared.code_files import CodeFile

# A reply of so many messages can still be read as it is.
_CHUNKS: Final = 2
_LONG: Final = 3_000


def code_files(text: str, chunks: int) -> tuple[CodeFile, ...]:
    """Give the long code blocks of a reply that takes `chunks` messages."""
    if chunks <= _CHUNKS:
        return ()
    return files(
        (language(token.info), token.content)
        for token in parse(clean(text))
        if token.type == "fence" and units(token.content) > _LONG
    )
