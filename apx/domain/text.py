"""The rules about text: how it is cleaned, cut, measured and compared."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import Final

from apx.domain.normal import normal as normal  # noqa: PLC0414 -- told from here, too
from apx.domain.small_words import NAMES
from apx.domain.words import split, telling

_JOINER: Final = "\u200d"
_VIRAMA: Final = 9  # the combining class of the marks that join Indic letters
_TAGS: Final = range(0xE0020, 0xE0080)
_SKIN_TONES: Final = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS: Final = range(0x1F1E6, 0x1F200)

_AROUND_NAMES: Final = ".,;:!?()\"\u201c\u201d«»\u2019'"
_CACHED: Final = 32  # characters of a word that is worth remembering
_INSIDE: Final = range(0x80, 0xC0)  # a byte of UTF-8 that starts no character

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
# \v, \f and NEL are line ends to some programs. Of the other controls none means
# anything in a chat, and some (ESC, CSI) drive the terminal that shows them.
_LINE_END: Final = re.compile("\r\n|[\r\v\f\x85]")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")

# A row of stops is looked at once, from its beginning: else its cost is its square.
_SENTENCE_END: Final = re.compile(
    r"\n|(?<![.!?…])[.!?…]++[\"')\]»”]*+\s|[。\uff01\uff1f]"
)


def clean(text: str) -> str:
    r"""Make text safe to store and to show: no NUL, no lone surrogate, `\n` only."""
    if _SURROGATE.search(text):
        # UTF-16 joins the two halves of a character and refuses a half alone.
        halves = text.encode("utf-16-le", "surrogatepass")
        text = halves.decode("utf-16-le", "replace")
    return _CONTROL.sub("", _LINE_END.sub("\n", text))


def flatten(text: str) -> str:
    """Put text on one line, with single spaces."""
    return " ".join(text.split())


def excerpt(text: str, limit: int) -> str:
    """Show the beginning of a text on one line of at most `limit` characters."""
    flat = flatten(text)
    if len(flat) <= limit:
        return flat
    if limit < 1:
        return ""
    return flat[: _boundary(flat, limit - 1)].rstrip() + "…"


def cut_bytes(text: str, limit: int) -> str:
    """Keep as many whole characters as fit into `limit` bytes of UTF-8."""
    data = text[: max(limit, 0)].encode("utf-8", "surrogatepass")
    if len(data) <= limit:
        return text[: max(limit, 0)]
    end = max(limit, 0)
    while end and data[end] in _INSIDE:
        end -= 1
    return data[:end].decode("utf-8", "surrogatepass")


def bounded(text: str, limit_bytes: int) -> str:
    """Keep text within `limit_bytes` and say in it how much was cut.

    Where not even that remark fits, the beginning of the text stands alone.
    """
    size = _size(text)
    if size <= limit_bytes:
        return text
    room = limit_bytes - len(f"\n[cut: {size} of {size} bytes shown]")
    if room < 0:
        return cut_bytes(text, limit_bytes)
    kept = cut_bytes(text, room)
    return f"{kept}\n[cut: {_size(kept)} of {size} bytes shown]"


def estimate_tokens(text: str) -> int:
    """Estimate the tokens of a text, rather too many than too few.

    Three bytes a token: English and code have about four, the other languages in
    Latin letters three to four, Cyrillic and Arabic four to six (two a letter).
    A Chinese, Japanese, Thai or Hindi character is three bytes and about a token.
    """
    return -(-_size(text) // 3)


def terms(text: str) -> list[str]:
    """Split a text into what it can be found by, in order, with repetitions.

    Stems of words; numbers; addresses, paths and ids whole and in parts; in scripts
    without spaces each pair of neighbours; emoji. A term that begins with `~` is a
    weaker hint: the beginning of a long word, a single character.
    """
    found: list[str] = []
    for word in text.split():
        found += _known(word) if len(word) <= _CACHED else split(normal(word))
    return found


def content_terms(text: str) -> list[str]:
    """Give the terms that say something; small talk has none.

    A small word of one language that is a name in another says something where it
    is written as a name: `will Ben come`, `what did Mia say`.
    """
    found = telling(normal(text))
    for before, word in pairwise(text.split()):
        name = word.strip(_AROUND_NAMES).removesuffix("'s")
        if name.istitle() and before[-1] not in ".!?" and name.casefold() in NAMES:
            found += _known(name)
    return found


def sentences(text: str) -> list[str]:
    """Cut a text at the ends of its sentences."""
    ends = [0, *(end.end() for end in _SENTENCE_END.finditer(text)), len(text)]
    parts = (text[first:last].strip() for first, last in pairwise(ends))
    return [part for part in parts if part]


def chunks(text: str, size: int = 500, overlap: int = 80) -> list[str]:
    """Cut a text into overlapping slices of at most `size` characters.

    Every character is in one at least. A slice ends with a sentence or a word where
    its second half has such an end. Blank text has no chunks.
    """
    if not text.strip():
        return []
    overlap = max(0, min(overlap, size // 2 - 1))
    slices, start = [], 0
    while len(text) - start > size:
        end = _good_end(text, start + size // 2, start + size)
        slices.append(text[start:end])
        start = _word_start(text, end - overlap, end)
    return [*slices, text[start:]]


@lru_cache(maxsize=16_384)
def _known(word: str) -> tuple[str, ...]:
    """Split a word that will come again."""
    return tuple(split(normal(word)))


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _boundary(text: str, index: int) -> int:
    """Step back from `index` until no visible character is cut in two.

    This is the part of Unicode's rule that chats meet: accents, vowel signs, joined
    and coloured emoji, flags. A pile of marks without a start is cut anyhow.
    """
    for place in range(index, 0, -1):
        if not (_extends(text[place]) or _pulls(text, place)):
            return place
    return index


def _extends(character: str) -> bool:
    """Whether a character only changes the one before it."""
    return (
        character == _JOINER
        or unicodedata.category(character) in {"Mn", "Mc", "Me"}
        or ord(character) in _SKIN_TONES
        or ord(character) in _TAGS
    )


def _pulls(text: str, place: int) -> bool:
    """Whether the character before `place` wants the next one with it."""
    before = text[place - 1]
    if before == _JOINER or unicodedata.combining(before) == _VIRAMA:
        return True
    if ord(before) not in _FLAG_LETTERS or ord(text[place]) not in _FLAG_LETTERS:
        return False
    first = place
    while first and ord(text[first - 1]) in _FLAG_LETTERS:
        first -= 1
    return (place - first) % 2 == 1


def _good_end(text: str, earliest: int, latest: int) -> int:
    ends = [found.end() for found in _SENTENCE_END.finditer(text, earliest, latest)]
    if ends:
        return ends[-1]
    space = max(text.rfind(" ", earliest, latest), text.rfind("\t", earliest, latest))
    if space >= 0:
        return space + 1
    return earliest + _boundary(text[earliest : latest + 1], latest - earliest)


def _word_start(text: str, earliest: int, latest: int) -> int:
    space = text.find(" ", earliest, latest)
    return earliest if space < 0 else space + 1
