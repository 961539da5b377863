"""The plain form of texts in which passages are compared, whatever stands between."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from apx.domain.normal import CUT_LETTERS
from apx.domain.text import clean, normal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MARKUP: Final = "*_~`"
_BETWEEN_LETTERS: Final = f"{MARKUP}> "
_CUT: Final = [(chr(c), plain) for c, plain in CUT_LETTERS.items() if plain.isascii()]
_SPACES: Final = dict.fromkeys(
    map(ord, f"{_BETWEEN_LETTERS}\t\n\r\v\f\x1c\x1d\x1e\x1f")
)
_NO_MARKUP: Final = dict.fromkeys(map(ord, MARKUP))
_QUOTING: Final = re.compile(r"(?m)^[ \t]*>[> \t]*")
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
# Scripts without spaces between words: there a passage ends where it ends.
_DENSE: Final = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3105-\u312f"
    "\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
)
# Korean has spaces, but its particles stand behind the word without one.
_HANGUL: Final = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb"
_IS_DENSE: Final = re.compile(f"[{_DENSE}]")
IS_FREE: Final = re.compile(f"[{_DENSE}{_HANGUL}]")
_GAP: Final = re.compile(f"(?<=[{_DENSE}]) (?=[{_DENSE}])")


def plain(text: str) -> str:
    """Give the form in which a passage is compared."""
    bare = _QUOTING.sub(" ", text).translate(_NO_MARKUP)
    return _GAP.sub("", normal(bare))


def squeezed(text: str) -> str:
    """Give a text without what may stand between its letters."""
    found = normal(text)
    for character in _BETWEEN_LETTERS:
        found = found.replace(character, "")
    return found


def letters(text: str) -> str:
    """Give the plain letters and signs of a text, the others left out; very quick."""
    if text.isascii():
        found = text.casefold()
    else:
        found = unicodedata.normalize("NFKD", text).casefold()
        for character, simple in _CUT:
            found = found.replace(character, simple)
        found = found.encode("ascii", "ignore").decode()
    return found.translate(_SPACES)


def strings(value: object) -> Iterator[str]:
    """Give the strings of a JSON value, the names in it too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield key
            yield from strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)


def unescaped(text: str) -> str:
    """Give what a string of JSON means, one level of it."""
    return clean(_ESCAPE.sub(_meant, text))


def _meant(found: re.Match[str]) -> str:
    if found[1]:
        return chr(int(found[1], 16))
    return _ESCAPED.get(found[2], found[2])


@lru_cache(maxsize=8_192)
def fold(character: str) -> str:
    """Give a character in its plain form, which may be nothing, or several."""
    if character in MARKUP:
        return ""
    return " " if character.isspace() else normal(character)


def folded(text: str) -> tuple[str, list[int]]:
    """Give a text in its plain form, and from where each character of it is."""
    quoting = {
        place
        for found in _QUOTING.finditer(text)
        for place in range(found.start(), found.end())
    }
    kept: list[str] = []
    origins: list[int] = []
    for place, character in enumerate(text):
        for one in " " if place in quoting else fold(character):
            if one == " " and (not kept or kept[-1] == " "):
                continue
            if kept and kept[-1] == " " and _closes_up(kept, one):
                kept.pop()
                origins.pop()
            kept.append(one)
            origins.append(place)
    return "".join(kept), origins


def _closes_up(kept: Sequence[str], character: str) -> bool:
    """Whether a space between two characters of a dense script is only a line end."""
    before = kept[-2] if len(kept) > 1 else ""
    return bool(_IS_DENSE.match(character) and _IS_DENSE.match(before))
