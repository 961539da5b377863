"""The form in which texts that look equal are equal."""

from __future__ import annotations

import re
import unicodedata

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# Marks and signs that make no difference to a search, as they stand after NFKD:
# accents of Latin, Greek and Cyrillic letters, vowel points and tatweel of Arabic,
# and what is not seen at all (soft hyphen, joiners, direction, variation, colour).
_CLUTTER: Final = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff"
    "\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\U000e0100-\U000e01ef]"
)

# Letters that Unicode does not take apart although people type them without.
CUT_LETTERS: Final = str.maketrans(
    {"\u0131": "i", "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "æ": "ae", "œ": "oe"}
    # Yeh and alef maksura, heh and teh marbuta stand for one another; Persian
    # keyboards have a yeh and a kaf of their own.
    | {"\u0649": "\u064a", "\u06cc": "\u064a", "\u0629": "\u0647", "\u06a9": "\u0643"}
)
# A run of what is neither letter nor space: only there can marks pile up.
_PILE: Final = re.compile(r"[^\w\s\x00-\x7f]{33,}")


def normal(text: str) -> str:
    """Give the form in which equal-looking texts are equal, for search too.

    Width, case, accents of Latin, Greek and Cyrillic letters, and the vowel points
    of Arabic make no difference. Vowel signs of Indic scripts and Thai are letters
    in all but name and stay.
    """
    if text.isascii():
        return " ".join(text.casefold().split())
    apart = unicodedata.normalize("NFKD", _level(text))
    folded = _CLUTTER.sub("", apart).casefold().translate(CUT_LETTERS)
    return " ".join(unicodedata.normalize("NFKC", _level(folded)).split())


def _level(text: str) -> str:
    """Drop piles of marks, as sorting one costs the square of its height."""
    # The half-wide voice marks of kana look like letters until they pile up, too.
    text = text.replace("\uff9e", "\u3099").replace("\uff9f", "\u309a")
    return _PILE.sub(lambda pile: "".join(filter(_stands, pile[0])), text)


def _stands(character: str) -> bool:
    return not unicodedata.combining(character)
