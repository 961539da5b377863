"""How text falls into words, by script and by language."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from operator import add
from typing import TYPE_CHECKING, Final

from apx.domain.small_words import SMALL_TALK, STOP_CHARACTERS, STOP_WORDS
from apx.domain.stems import WEAK, gram, stem

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST: Final = 64

# Scripts written without spaces between words: Chinese characters, kana, bopomofo,
# Thai, Lao, Tibetan, Burmese, Khmer.
_DENSE: Final = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U000323af"
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0f40-\u0fbc\u1000-\u1049\u1050-\u109f"
    "\u1780-\u17d3"
)
_HANGUL: Final = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb"
# Marks inside words, which `\w` leaves out: Hebrew points, Syriac, all Indic signs.
_MARKS: Final = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0711\u0730-\u074a"
    "\u0900-\u0963\u0966-\u0dff\ua8e0-\ua8f1"
)
_WORD: Final = rf"(?:(?![{_DENSE}{_HANGUL}])[\w{_MARKS}])+"
_SIGN: Final = (
    "[\U0001f1e6-\U0001f1ff]{2}|"
    "[\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]"
)

# One to three joiners (`://`) keep an address, a path, a date or an id in one piece.
_TOKEN: Final = re.compile(
    rf"(?P<dense>[{_DENSE}]+)|(?P<hangul>[{_HANGUL}]+)"
    rf"|(?P<word>{_WORD}(?:[-./\\:@+#?&=%~_]{{1,3}}{_WORD})*(?:\+\+|#)?)"
    rf"|(?P<sign>{_SIGN})"
)
# The `t` parts the date from the time in 2026-11-30T09:41.
_PARTS: Final = re.compile(r"[/\\:@+#?&=]+|(?<=-\d\d)t(?=\d\d)")
_PIECES: Final = re.compile(r"[-.%~_]+")

# Two of these are mostly the ending of a verb.
_HIRAGANA: Final = frozenset(map(chr, range(0x3041, 0x30A0)))
# A vowel sign is nothing alone.
_LONE_MARKS: Final = frozenset(
    WEAK + chr(code)
    for codes in (range(0xE00, 0x10A0), range(0x1780, 0x17D4), (0x3099, 0x309A))
    for code in codes
    if unicodedata.category(chr(code)).startswith("M")
)


def split(plain: str) -> list[str]:
    """Split a text in its `normal` form into its search terms."""
    found: list[str] = []
    for token in _TOKEN.finditer(plain):
        for piece in _pieces(token):
            found += _forms(piece, token.lastgroup)
    return found


def telling(plain: str) -> list[str]:
    """Give the search terms of a text that say something."""
    found: list[str] = []
    for token in _TOKEN.finditer(SMALL_TALK.sub(" ", plain)):
        for piece in _pieces(token):
            if piece not in STOP_WORDS:
                found += filter(_tells, _forms(piece, token.lastgroup))
    return found


def _tells(term: str) -> bool:
    bare = term.removeprefix(WEAK)
    return bare not in STOP_CHARACTERS and STOP_CHARACTERS.isdisjoint(term)


def _pieces(token: re.Match[str]) -> Iterable[str]:
    """Give `https://a.b/c-d` as itself, as `a.b` and `c-d`, and as single words."""
    word = token[0]
    if token.lastgroup != "word" or word.isalnum():
        return (word,)
    found = {word: None}
    for part in _PARTS.split(word):
        found[part] = None
        found |= dict.fromkeys(_PIECES.split(part))
    found.pop("", None)
    return found


def _forms(word: str, kind: str | None) -> list[str]:
    """Give a word's terms: its stem, its gram; the characters of a dense script."""
    if kind == "dense":
        return _neighbours(word)
    if kind == "sign":
        return [word]
    base = stem(word)
    if kind == "hangul":
        # One syllable alone is weak, as it is inside a longer word.
        whole = [base[:_LONGEST]] if len(base) > 1 else []
        return list(dict.fromkeys([*whole, *_neighbours(base)]))
    weak = gram(word, base)
    return [base[:_LONGEST], weak[:_LONGEST]] if weak else [base[:_LONGEST]]


def _neighbours(run: str) -> list[str]:
    """Give each pair, and as weak terms each character and what is all grammar."""
    found = [""] * (2 * len(run) - 1)
    found[::2] = [WEAK + character for character in run]
    found[1::2] = map(add, run, run[1:])
    if not _HIRAGANA.isdisjoint(run):
        found[1::2] = [
            WEAK + a + b if a in _HIRAGANA and b in _HIRAGANA else a + b
            for a, b in pairwise(run)
        ]
    if _LONE_MARKS.isdisjoint(found):
        return found
    return [term for term in found if term not in _LONE_MARKS]
