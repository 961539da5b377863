"""Where a text names a day, and which days are the same."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from apx.domain.anchors import shapes
from apx.domain.dates import asked_dates
from apx.domain.text import normal

if TYPE_CHECKING:
    from collections.abc import Iterator

Day = tuple[int, int, int]  # year, month, day; 0 for what is not said

# Nothing relative is asked for, so any moment does.
_ANY: Final = datetime(2000, 1, 1, tzinfo=UTC)
_TERM: Final = re.compile(r"@(?P<y>\d{4})?-?(?P<m>\d\d)?(?:-(?P<d>\d\d))?")
_NUMBERS: Final = re.compile(r"(\d{1,4})[-/.](\d{1,2})(?:[-/.](\d{1,4}))?\.?")
_MONTHS: Final = 12
_DAYS: Final = 31
_CENTURY: Final = 2000
_SHORT_YEAR: Final = 100


def day_spans(text: str) -> Iterator[tuple[int, int]]:
    """Find the dates of a text: where each begins and ends."""
    for found in shapes.MONTHS.finditer(text):
        if _is_month(found["named"]):
            yield found.span()
    for found in shapes.DATES.finditer(text):
        named = found["named"]
        is_date = _is_month(named) if named else found[0] not in shapes.FRACTIONS
        if is_date and days_of(found[0]):
            yield found.span()


@lru_cache(maxsize=1_024)
def days_of(written: str) -> frozenset[Day]:
    """Read a date: the days that it can mean, two for 5/8."""
    if numbers := _NUMBERS.fullmatch(written):
        return frozenset(_days_in(*(int(part or 0) for part in numbers.groups())))
    found: set[Day] = set()
    for term in asked_dates(written, _ANY):
        if read := _TERM.fullmatch(term):
            year, month, day = (int(part or 0) for part in read.groups())
            found.add((year, month, day))
    return frozenset(found)


def agree(one: Day, other: Day) -> bool:
    """Whether two dates can be the same; a year need not be said again."""
    if one[0] and other[0] and one[0] != other[0]:
        return False
    return one[1:] == other[1:] or (not one[2] and one[1] == other[1])


def _days_in(first: int, second: int, third: int) -> Iterator[Day]:
    if first > _DAYS:
        yield from _day(first, second, third)
        return
    year = third + _CENTURY if 0 < third < _SHORT_YEAR else third
    yield from _day(year, second, first)
    yield from _day(year, first, second)


def _day(year: int, month: int, day: int) -> Iterator[Day]:
    if 0 < month <= _MONTHS and 0 < day <= _DAYS:
        yield year, month, day


def _is_month(word: str) -> bool:
    """Tell the month from the verb: "8 may be wrong", "march 5 miles"."""
    plain = normal(word)
    return plain in shapes.months() and (plain not in shapes.VERBS or word.istitle())
