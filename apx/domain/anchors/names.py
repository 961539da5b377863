"""Names of people, places and things, where capital letters show them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from apx.domain import date_words as say
from apx.domain.anchors.shapes import months
from apx.domain.language import language_of
from apx.domain.language_words import NAMES as LANGUAGES
from apx.domain.small_words import NAMES, STOP_WORDS
from apx.domain.text import normal, sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
# Behind these a new sentence begins, as far as capitals go.
_OPENS: Final = re.compile(
    r"(?:^|[:*#>\"\u201c\u201e\u00ab\u2018(\[\u2013\u2014|]|\s['-])\s*$"
)
_LONGEST: Final = 40
_HEADING: Final = 4  # words, of which most are capitalised in a heading
_MOST_OF: Final = 4
_ALL_NOUNS: Final = "de"  # writes every noun with a capital


def proper_names(text: str) -> list[str]:
    """Give the capitalised words that do not begin a sentence, neighbours together.

    German, where each noun is such a word, has only those of two words and more.
    """
    if text.islower():
        return []
    least = 2 if language_of(text) == _ALL_NOUNS else 1
    return [
        " ".join(run)
        for sentence in sentences(text)
        for run in _runs(sentence)
        if len(run) >= least
    ]


def _runs(sentence: str) -> Iterator[Sequence[str]]:
    words = list(_WORD.finditer(sentence))
    capitals = sum(_is_capital(word[0]) for word in words[1:])
    if len(words) > _HEADING and capitals * _MOST_OF > (len(words) - 1) * (
        _MOST_OF - 1
    ):
        return
    run: list[str] = []
    end = -1
    for word in words:
        if not _is_name(sentence, word):
            continue
        if run and sentence[end : word.start()] != " ":
            yield run
            run = []
        run.append(word[0])
        end = word.end()
    if run:
        yield run


def _is_name(sentence: str, word: re.Match[str]) -> bool:
    text = word[0]
    if not _is_capital(text) or len(text) > _LONGEST or text[1] in "'\u2019":
        return False
    plain = normal(text)
    is_small = plain in STOP_WORDS and plain not in NAMES
    if is_small or plain in months() or plain in _no_names():
        return False
    return not _OPENS.search(sentence[max(0, word.start() - 8) : word.start()])


def _is_capital(word: str) -> bool:
    """Whether only some letters are capitals: `Mia`, `PostgreSQL`, not `NEVER`."""
    return len(word) > 1 and word[0].isupper() and not word.isupper()


@cache
def _no_names() -> frozenset[str]:
    """Give the capitalised words that every language has its own word for."""
    days = " ".join(say.WEEKDAYS).replace("|", " ").split()
    return frozenset(map(normal, [*days, *LANGUAGES.values()]))
