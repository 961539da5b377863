"""What whoever wrote something is called where it is quoted; one name is ours alone."""

from __future__ import annotations

import unicodedata
from typing import Final

ASSISTANT: Final = "assistant"
SOMEBODY: Final = "somebody"


def others(name: str) -> str:
    """Give somebody's name; empty if it is the one that our own words bear.

    Anybody may call themselves so, in any case and with anything between the letters:
    what they wrote must not look as if we had said it.
    """
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "" if "".join(filter(str.isalpha, plain)) == ASSISTANT else name
