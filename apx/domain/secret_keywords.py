"""The rule that a credential is what its name announces: `my password is ...`."""
# ruff: noqa: RUF001 -- punctuation of other scripts looks like that of Latin

from __future__ import annotations

from itertools import pairwise

from apx.domain.secret_links import BETWEEN, LINKS, POLISH_LINKS
from apx.domain.secret_pattern import pattern
from apx.domain.secret_reading import Tie, said_at, value_at
from apx.domain.secret_values import Link, is_value
from apx.domain.secret_words import Named, lowered, names_in

# Not typing's: `apx mem` is to start in a blink.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from typing import Final

_CLOSERS: Final = r"[\"'`´’”»\])*_\\|]{1,4}(?=\s*[:=：＝>–-]|\s+\S)"
_SYMBOL: Final = r"[:=]?=>?|->|:=?|[：＝→⇒]|\|(?=\s)|>(?=[^\s<>]{1,200}</)"
_DASH: Final = r"[-–—](?=\s)"
_BLANKS: Final = r"[^\S\n]{0,40}"
_LINES: Final = r"\s{0,40}"
_BOLD: Final = r"(?:[*_]{1,3}\s{1,40})?"  # `**Password:** Abc123`
_COMMA: Final = r"[\"'`]?(?:[,;]\s{0,3}|\s{1,3}(?:and |/ )?)"
_QUERY: Final = r"[?&][\w-]{0,30}$"
_STEPS: Final = 10
_FILLERS: Final = 5

# `Abc123 is my password`
_IS: Final = frozenset(("is", "was", "es", "é", "est", "è", "ist", "jest", "это", "це"))
_CLOSED: Final = r"\s*(?:$|[.!?,)\n])"
_WRITTEN: Final = r"\S+"
_LOOK_BACK: Final = 120
_MINE: Final = 4  # words that may stand between `is` and the name


def announced(text: str) -> Iterator[tuple[int, int, str]]:
    """Find the values that their names announce: start, end, kind."""
    low = lowered(text)
    for kind, name in names_in(low):
        end = 0
        for word in pattern(name).finditer(low):
            if word.start() < end or _goes_on(low, word.end()):
                continue
            span = _following(text, low, kind, word) or _preceding(text, kind, word)
            while span:
                end = span[1]
                yield *span, str(kind)
                span = _another(text, end, kind, word.group())


def _goes_on(low: str, at: int) -> bool:
    """`tokens`, `token.py`: the word is only the beginning of another one."""
    following = low[at : at + 2]
    # Chinese, Japanese, Korean and Thai are written without blanks.
    if not following or any(map(_is_unspaced, low[at - 1 : at + 1])):
        return False
    return (
        following[0].isalpha()
        or following[0] in ",;!?"
        or (following[0] in "_-./@&" and following[1:2].isalnum())
    )


def _is_unspaced(c: str) -> bool:
    return "\u2e80" <= c <= "\ud7af" or "\u0e00" <= c <= "\u0e7f"


def _following(
    text: str, low: str, kind: Named, word: re.Match[str]
) -> tuple[int, int] | None:
    """Walk from the name over its link to the value, as far as a sentence goes."""
    at = word.end()
    if closer := pattern(_CLOSERS).match(text, at):
        at = closer.end()
    query = bool(pattern(_QUERY).search(text, max(0, word.start() - 32), word.start()))
    # `--password Abc123`
    link = Link.IS if text.startswith("--", max(0, word.start() - 2)) else Link.NONE
    tie: Tie | None = Tie(kind, word.group(), word.end(), link, 0, query=query)
    steps = 0
    while tie and steps < _STEPS:
        at, tied = _linked(text, at, tie)
        if found := value_at(text, at, tied):
            return found
        at, tie = _passed(low, at, tied)
        steps += 1
    return None


def _another(text: str, at: int, kind: Named, name: str) -> tuple[int, int] | None:
    """`backup codes: 4821-9034, 7712-3390`."""
    comma = pattern(_COMMA).match(text, at) if name.endswith("s") else None
    if comma is None:
        return None
    return value_at(text, comma.end(), Tie(kind, name, at, Link.EQUALS, 1))


def _linked(text: str, at: int, tie: Tie) -> tuple[int, Tie]:
    """Go over blanks and symbols; a value may stand on the line below `password:`."""
    start, link = at, tie.link
    own_line = at <= tie.start + 1
    at = _end(_LINES if own_line or link is Link.EQUALS else _BLANKS, text, at)
    if own_line and "\n" in text[start:at]:
        link = max(link, Link.IS)
    while symbol := pattern(_SYMBOL).match(text, at):
        at, link = _end(_LINES, text, symbol.end()), Link.EQUALS
        at = _end(_BOLD, text, at)
    if dash := pattern(_DASH).match(text, at):
        at, link = _end(_BLANKS, text, dash.end()), max(link, Link.IS)
    return at, tie.tied(link)


def _end(blanks: str, text: str, at: int) -> int:
    found = pattern(blanks).match(text, at)
    return found.end() if found else at


def _passed(low: str, at: int, tie: Tie) -> tuple[int, Tie | None]:
    """Go over one word that is no value, if a value may still come."""
    said = said_at(low, at)
    if said is None:
        return at, None
    if (
        said.links
        or said.word in LINKS
        or (tie.is_polish and said.word in POLISH_LINKS)
    ):
        return said.end, tie.tied(max(tie.link, Link.IS))
    if tie.link and said.word in BETWEEN and not said.stops:
        return said.end, tie
    # The same name again: what follows is announced by that one.
    again = said.word.startswith(tie.name)
    if tie.link or said.stops or again or tie.fillers == _FILLERS:
        return at, None
    return said.end, tie.filled(said.word)


def _preceding(text: str, kind: Named, word: re.Match[str]) -> tuple[int, int] | None:
    """Find the value in `... is my password`, where that ends a sentence."""
    if kind is Named.PHRASE or not pattern(_CLOSED).match(text, word.end()):
        return None
    start = max(0, word.start() - _LOOK_BACK)
    words = list(pattern(_WRITTEN).finditer(text, start, word.start()))[-_MINE - 2 :]
    for value, link in pairwise(words):
        token = value.group().strip("\"'`*“”()")
        if link.group().lower() not in _IS or not is_value(token, kind, Link.IS):
            continue
        if kind is Named.CODE or not token.isdigit():
            at = text.index(token, value.start())
            return at, at + len(token)
    return None
