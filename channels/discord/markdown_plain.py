"""Plain words: whatever they look like, Discord shows them as they are."""

from __future__ import annotations

import re
from typing import Final

_MEANT: Final = re.compile(
    # A link would be broken by backslashes; in pointed brackets it has no preview.
    r"(?P<address>https?://\w[^\s<>`]*)"
    r"|(?P<mark>[\\*_~`|<])"
    r"|(?P<all>@(?=everyone|here))"
    r"|(?P<label>\](?=\())"
    r"|(?P<emoji>:(?=[\w+-]+:))"
    # Also inside of a line: a long text is cut, and what follows begins a message.
    r"|(?<!\S)(?P<start>#{1,3}|-\#|>{1,3}|[-+]|\d+(?=\.))(?=[\s.])"
    r"|(?<!\S)(?P<glued>[#>])"
)
_END: Final = re.compile(r"[.,;:!?'\")\]]+$")


def plain(text: str) -> str:
    """Take the meaning away from all that Discord would read as a mark."""
    return _MEANT.sub(_written, text)


def _written(found: re.Match[str]) -> str:
    text = found[0]
    match found.lastgroup:
        case "address":
            return _address(text)
        case "all":
            return "@\u200b"
        case "start" if text.isdecimal():
            return f"{text}\\"
        case _:
            return f"\\{text}"


def _address(text: str) -> str:
    bare = _END.sub("", text)
    return f"<{bare}>{plain(text[len(bare) :])}"
