"""Which code of a reply is too long to be read in messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from channels.discord.markdown import cleaned
from channels.discord.splitting_fences import codes
from channels.shared.code_files import files
from channels.shared.units import units

if TYPE_CHECKING:
    from channels.shared.code_files import CodeFile

# A reply of so many messages can still be read as it is.
_PARTS: Final = 2
_LONG: Final = 2_500


def code_files(text: str, parts: int) -> tuple[CodeFile, ...]:
    """Give the long code blocks of a reply that takes `parts` messages."""
    if parts <= _PARTS:
        return ()
    return files(
        (language, f"{code}\n")
        for language, code in codes(cleaned(text))
        if units(code) > _LONG
    )
