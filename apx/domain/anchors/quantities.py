"""Numbers with a unit or a currency, and which of them are the same amount."""
# ruff: noqa: RUF001 -- signs that look alike are of different scripts

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Final

from apx.domain.anchors.words import MANY, dense_words, meaning

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount where it stands in a text; equal amounts have one value and unit."""

    start: int
    end: int
    value: Decimal
    unit: str


_CURRENCY: Final = (
    r"US\$|R\$|[$€£¥₩₹₽₺₪₫฿₴₿]|(?:USD|EUR|GBP|JPY"
    r"|CNY|CHF|KRW|INR|BRL|RUB|PLN|MXN|CAD|AUD)(?= ?\d)"
)
_NUMBER: Final = re.compile(
    rf"(?<![A-Za-z0-9_.,#/:])(?:(?P<sign>{_CURRENCY})[ \u00a0]?)?"
    r"(?P<number>\d{1,3}(?:[ \u00a0\u202f'’]\d{3}){1,5}(?!\d)(?:[.,]\d{1,2}(?!\d))?"
    r"|\d{1,24}(?:[.,٫٬]\d{1,9}){0,5})(?!\d)"
)
# "200-word", "3 Mio. Euro": a point stands only behind a shortened word.
_GAP: Final = re.compile("(?:(?<=[^\\W\\d])\\.)?[- \u00a0\u202f]?")
_WORD: Final = re.compile(
    r"(?:[°µ]?[^\W\d_]{1,20}|[°%‰٪$€£¥₩₹₽₺₪₫฿₴₿℃℉])(?:/[hч]|[²2](?!\d))?(?![\w/²])"
)
_SEPARATORS: Final = re.compile(r"[ \u00a0\u202f'’٬]")
_POINT: Final = re.compile(r"[.,٫]")
_GROUP: Final = 3  # digits between separators of thousands


def quantities(text: str) -> Iterator[Quantity]:
    """Find the amounts of a text, in order."""
    for found in _NUMBER.finditer(text):
        end, times, unit = _measured(text, found.end())
        if found["sign"]:
            unit = meaning(found["sign"]) or unit
        if unit or times != 1:
            value = (_value(found["number"]) * times).normalize()
            yield Quantity(found.start(), end, value, unit)


def _measured(text: str, end: int) -> tuple[int, Decimal, str]:
    """Read what stands behind a number: where it ends, how many times, of what."""
    times = Decimal(1)
    for _ in ("million", "dollars"):
        found = _word_at(text, _GAP.match(text, end))
        means = meaning(found[0]) if found else None
        if found is None or means is None:
            break
        end = found.end()
        if not means.startswith(MANY):
            return end, times, means
        times *= Decimal(means.removeprefix(MANY))
    return end, times, ""


def _word_at(text: str, gap: re.Match[str] | None) -> re.Match[str] | None:
    place = gap.end() if gap else 0
    return _dense().match(text, place) or _WORD.match(text, place)


def _value(number: str) -> Decimal:
    """Read a number: a single point before three digits parts thousands."""
    plain = _SEPARATORS.sub("", number)
    *whole, last = _POINT.split(plain)
    if not whole:
        return Decimal(last)
    marks = set(_POINT.findall(plain))
    is_grouped = len(last) == _GROUP and whole[0].strip("0")
    if is_grouped and (len(marks) == 1 or len(whole) == 1):
        return Decimal("".join((*whole, last)))
    return Decimal(f"{''.join(whole)}.{last}")


@cache
def _dense() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, dense_words())))
