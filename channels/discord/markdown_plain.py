"""Plain words: whatever they look like, Discord shows them as they are.

Many copy the raw text, or are notified of it: so there is no backslash but where
Discord would make something of a mark.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

# A longer text may be cut, and what follows begins a message.
_WHOLE: Final = 900

# Names of no emoji: our usual bot, pieces of times and of addresses.
_NO_EMOJI: Final = (
    r"(?i:main|(?!100:|1234:)\d+|(?!ab|cd)[\da-f]{2}"
    r"|(?=[a-f]*\d)(?!100:|1234:)[\da-f]{3,4}):"
)
_MARKS: Final = (
    # A link would be broken by backslashes; in pointed brackets it has no preview.
    r"(?P<address>https?://\w[^\s<>`\\]*)"
    r"|(?P<scheme>(?i:https?|steam|discord))(?=://)"
    r"|(?P<slash>\\)(?=[^0-9A-Za-z\s]|https?://\w)"
    # One between spaces, or an underscore in a word, neither opens nor closes.
    r"|(?P<star>(?<=\S)\*|\*(?=\S))"
    r"|(?P<line>_(?![0-9A-Za-z])|(?<![^\W_])_)"
    r"|(?P<run>`++|~{2,}+|\|{2,}+)"
    r"|(?P<angle><(?=[@\#:/+]|(?:a|t|id):|https?://"
    r"|[^\s>:@]{0,200}+[:@][^\s>]{0,1000}+>))"
    r"|(?P<all>@)(?=everyone|here)"
    r"|(?P<label>\](?=\())"
    rf"|(?P<emoji>:)(?!{_NO_EMOJI})(?=[\w+-]+:)"
)
_STARTS: Final = r"(?:\#{1,3}|-\#|>{1,3}|[-+*])(?=[^\S\n])"
_MEANT: Final = re.compile(
    rf"^(?P<space>[^\S\n]*+)(?:(?P<start>{_STARTS})|(?P<number>\d+)(?=\.[^\S\n]))"
    rf"|{_MARKS}",
    re.MULTILINE,
)
_MEANT_ANYWHERE: Final = re.compile(
    rf"(?<!\S)(?P<space>)(?:(?P<start>{_STARTS}|[#>]|[-+*](?=\s))"
    rf"|(?P<number>\d+)(?=\.(?!\S)))|{_MARKS}"
)
_END: Final = re.compile(r"[.,;:!?'\")\]]+$")
_RUN: Final = re.compile(r"`+|~{2,}|\|{2,}")
# Of so many, some could be a pair already.
_ENOUGH: Final = 3


def plain(text: str) -> str:
    """Take the meaning away from all that Discord would read as a mark."""
    meant = _MEANT if len(text) <= _WHOLE else _MEANT_ANYWHERE
    return meant.sub(_Writer(text).written, text)


class _Writer:
    """Writes marks of one text so that nothing comes of them."""

    def __init__(self, text: str) -> None:
        runs = [run[0] for run in _RUN.finditer(text)]
        many = Counter(run[0] for run in runs)
        self._paired = {
            run[0] for run in runs if many[run[0]] > 1 or len(run) >= _ENOUGH
        }

    def written(self, found: re.Match[str]) -> str:
        """Write one of them."""
        text = found[0]
        match found.lastgroup:
            case "address":
                return _address(text)
            case "scheme" | "number":
                return f"{text}\\"
            case "start":
                return f"{found['space']}\\{found['start']}"
            case "run" if text[0] not in self._paired:
                return text
        # Backslashes do not help there.
        return "@\u200b" if text == "@" else "".join(f"\\{mark}" for mark in text)


def _address(text: str) -> str:
    bare = _END.sub("", text)
    return f"<{bare}>{text[len(bare) :]}"
