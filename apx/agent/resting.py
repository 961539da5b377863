"""How far a text that still grows may be written down: never into half a password.

Half of one does not look like one. So what may still grow into one waits: for the end
of its sentence, or until nothing more comes and it looks like plain words.
"""

from __future__ import annotations

import re
from typing import Final

from apx.domain.secret_words import lowered, names_in

_END: Final = re.compile(r"\n|[。！？]|[.!?\u2026][\"'\u201d\u00bb)\]]{0,3}\s")  # noqa: RUF001 -- Chinese and Japanese end sentences so
# So much of what was shown may wait for its end; some lists and poems have none.
_LONGEST: Final = 400
# Of a longer one this much waits, and more up to a space.
_WORD: Final = 200
# A name of a password is read so far before it.
_NEAR: Final = 160
_HALF: Final = re.compile(
    r"\d{3}|[A-Za-z]\d|\d[A-Za-z]|[a-z][A-Z]\S*[a-z][A-Z]|[A-Za-z0-9_+/=-]{20}"
)


def settled(text: str, since: int) -> int:
    """Say how far a text is whole while it grows; all before `since` is written."""
    end = since
    for found in _END.finditer(text, since):
        end = found.end()
    if len(text) - end <= _LONGEST:
        return end
    latest = len(text) - _WORD
    space = max(text.rfind(space, end, latest) for space in " \t")
    return space + 1 if space >= 0 else latest


def rested(text: str, since: int) -> int:
    """Say how far a text is whole to which nothing was added for a while."""
    end = settled(text, since)
    near = text[max(0, len(text) - _NEAR) :]
    if _HALF.search(text, end) or names_in(lowered(near)):
        return end
    return len(text)
