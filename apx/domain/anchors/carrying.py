"""Whether a text still says what an anchor says, in whatever form."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from apx.domain.anchors.anchor import Anchor, AnchorKind
from apx.domain.anchors.dates import Day, agree, day_spans, days_of
from apx.domain.anchors.quantities import quantities
from apx.domain.text import normal

if TYPE_CHECKING:
    from decimal import Decimal

_SCHEME: Final = re.compile(r"^(?:[a-z][a-z0-9+.-]{1,15}://)?(?:www\.)?")
_NUMBERS: Final = re.compile(r"[+(\d][\d ()./+-]{5,}")
_ACCOUNT: Final = re.compile(r"[a-z]{2}\d{2}[a-z0-9 ]{10,40}")
_VERSION: Final = re.compile(
    r"v?\d{1,5}(?:\.\d{1,6}){1,3}(?:[-+.]?[a-z]{1,8}[.-]?\d{0,4})?"
)
_ID_EDGE: Final = r"(?<![a-z0-9_])(?<![a-z0-9][-_])"
_ID_END: Final = r"(?![a-z0-9_])(?![-.:/][a-z0-9_])"
_NAME_WORD: Final = 5  # letters; the ends of longer words change with the case
_ENDING: Final = 2


def is_said(text: str, anchor: Anchor) -> bool:
    """Whether a text says what an anchor says, if in another usual form."""
    if anchor.kind is AnchorKind.NUMBER:
        return _amounts(anchor.text) <= _amounts(text)
    if anchor.kind is AnchorKind.DATE:
        return _has_day(text, anchor.text)
    plain, wanted = _plain(text), normal(anchor.text)
    if anchor.kind is AnchorKind.NAME:
        return all(_has_word(plain, word) for word in wanted.split())
    return re.search(_shape(anchor.kind, wanted), plain) is not None


def _shape(kind: AnchorKind, wanted: str) -> str:
    """Write the pattern that finds an id or an address in a plain text."""
    if kind is AnchorKind.URL:
        bare = _SCHEME.sub("", wanted).rstrip("/")
        edge, end = r"(?<![\w.@-])(?<!\w/)", r"(?![\w%-])(?!/?[.?#=&:]?[\w%])"
        return rf"{edge}(?:www\.)?{re.escape(bare)}{end}"
    if kind is AnchorKind.PATH:
        bare = wanted.removeprefix("./").rstrip("/\\").replace("\\", "/")
        return rf"(?<![\w.~-]){re.escape(bare)}(?![\w-])(?!\.\w)"
    bare = wanted.lstrip("#").removesuffix("()")
    if _VERSION.fullmatch(bare):
        return rf"(?<![a-z0-9_])(?<!\d\.)v?{re.escape(bare.removeprefix('v'))}{_ID_END}"
    if _NUMBERS.fullmatch(bare) or _ACCOUNT.fullmatch(bare):
        characters = [character for character in bare if character.isalnum()]
        return rf"(?<![a-z0-9_]){r'[ ()./-]{0,3}'.join(characters)}(?![a-z0-9_])"
    return _ID_EDGE + re.escape(bare) + _ID_END


def _has_word(plain: str, word: str) -> bool:
    """Whether a name stands in a text, if with another ending."""
    is_long = len(word) >= _NAME_WORD
    stem = word[:-_ENDING] if is_long else word
    end = rf"\w{{0,{_ENDING + 3}}}(?!\w)" if is_long else r"(?![a-z])"
    return re.search(rf"(?<![a-z]){re.escape(stem)}{end}", plain) is not None


def _has_day(text: str, wanted: str) -> bool:
    said = _days(text)
    return any(agree(day, other) for day in days_of(wanted) for other in said)


@lru_cache(maxsize=8)
def _plain(text: str) -> str:
    return normal(text).replace("\\", "/")


@lru_cache(maxsize=64)
def _amounts(text: str) -> frozenset[tuple[Decimal, str]]:
    return frozenset((one.value, one.unit) for one in quantities(text))


@lru_cache(maxsize=8)
def _days(text: str) -> frozenset[Day]:
    return frozenset(
        day for start, end in day_spans(text) for day in days_of(text[start:end])
    )
