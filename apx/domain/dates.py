"""Which days a question names, as terms that the index keeps for each date."""
# ruff: noqa: RUF001 -- letters that look alike are of different scripts here

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Final

from apx.domain import date_words as say
from apx.domain.past_days import days_past, days_past_in_french
from apx.domain.text import normal

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    _Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], list[str]]]

_MARK: Final = "@"
_SURE: Final = 6  # letters: many shorter names of months mean something else, too
_LEAP_YEAR: Final = 2000
_READ: Final = 2_000  # characters of a question

_EDGE: Final = r"(?<![\d.,:/#-])"
_END: Final = r"(?![\d/-]|[.,:]\d)"
_YEAR: Final = r"(?P<y>(?:19|20)\d\d)(?![\d%/-]|[.,:]\d)"
_DAY: Final = rf"{_EDGE}(?P<d>[0-3]?\d)"
_OF: Final = r"(?:,? ?(?:of|de|del|di|d'|г|в) ?|,? )"
# "at 8 may I come", "march 5 miles", "2000 words"
_NO_ASKING: Final = r"(?! (?:i|we|you|he|she|they|it)\b)"
_NO_COUNT: Final = (
    r"(?=(?:st|nd|rd|th)\b|\W*$|[?!.,;)](?:\W|$)"
    r"| (?:19|20)\d\d\b| (?:at|in|on|and|or|to|was|were|did|we|i|with|for)\b)"
)


def date_terms(at: datetime) -> list[str]:
    """Give the terms of a date: its year, month of the year, month, two of the day."""
    return [
        f"{_MARK}{at:%Y}",
        f"{_MARK}{at:%Y-%m}",
        f"{_MARK}{at:%m}",
        f"{_MARK}{at:%m-%d}",
        f"{_MARK}{at:%Y-%m-%d}",
    ]


def asked_dates(text: str, now: datetime) -> list[str]:
    """Give the terms of the dates that a question names; most name none.

    Each is as narrow as the question: a day, a day of any year, a month, a year. A
    week is its seven days.
    """
    found: list[str] = []
    rest = normal(text[:_READ])
    for pattern, read in (*_numeric(), *_named()):
        rest = _take(pattern, read, rest, found)
    found += [_MARK + day for day in days_past(rest, now.date())]
    found += [
        _MARK + day for day in days_past_in_french(text[:_READ], rest, now.date())
    ]
    for pattern, read in _years():
        rest = _take(pattern, read, rest, found)
    return list(dict.fromkeys(found))


def _take(
    pattern: re.Pattern[str],
    read: Callable[[re.Match[str]], list[str]],
    text: str,
    found: list[str],
) -> str:
    """Move the dates of one kind from the text to what is found."""

    def moved(match: re.Match[str]) -> str:
        terms = read(match)
        found.extend(terms)
        return " ; " if terms else match[0]

    return pattern.sub(moved, text)


@cache
def _numeric() -> list[_Rule]:
    year = r"(?P<y>(?:19|20)\d\d)"
    east = r"(?P<m>1[0-2]|0?[1-9])[月월](?: ?(?P<d>[0-3]?\d)[日号號일])?"
    rules: list[tuple[str, Callable[[re.Match[str]], list[str]]]] = [
        (rf"{_EDGE}{year}([-/.])(?P<m>\d\d?)\2(?P<d>\d\d?)(?!\d|[.]\d)", _read),
        (rf"{_EDGE}(?P<d>\d\d?)\.(?P<m>\d\d?)\.{year}{_END}", _read),
        (rf"{_EDGE}(?P<d>\d\d?)([/-])(?P<m>\d\d?)\2{year}{_END}", _read_either),
        (rf"{_EDGE}{year}-(?P<m>0[1-9]|1[0-2]){_END}", _read),
        (rf"(?<!\d)(?:{year}[年년] ?)?{east}", _read),
        (rf"(?<!\d){year}[年년]", _read),
        (r"(?P<m>十[一二]?|[一二三四五六七八九])月(?:(?P<d>\d\d?)[日号])?", _read),
    ]
    return [(re.compile(pattern), read) for pattern, read in rules]


@cache
def _named() -> list[_Rule]:
    months = _months()
    names = sorted(months, key=len, reverse=True)
    sure = [name for name in names if _is_sure(name)]
    unsure = [name for name in names if name not in sure]
    short = [name for name in _short_months() if name not in months]
    every, weak = _choice([*names, *short]), _choice([*unsure, *short])
    strong = _choice(sure)
    before = _choice(_listed(say.BEFORE_MONTH))
    ordinal = r"(?:st|nd|rd|th|er|eme|o|a|e|\.|°|-го)?"
    rules = [
        rf"{_DAY}{ordinal} (?:of |de |di |d'|the )?(?P<m>{every})\b\.?"
        rf"(?:{_OF}{_YEAR})?{_NO_ASKING}",
        rf"\b(?P<m>{every})\b\.?{_OF}{_YEAR}",
        rf"\b(?P<m>{strong})\b (?:the )?{_DAY}(?:st|nd|rd|th)?{_END}(?:,? {_YEAR})?",
        rf"\b(?P<m>{weak})\b\.? (?:the )?{_DAY}{_NO_COUNT}{_END}(?:st|nd|rd|th)?"
        rf"(?:,? {_YEAR})?",
        rf"\b(?!i (?:may|march)\b)(?:{before}) (?P<m>{_choice(unsure)})\b(?! \d)",
        rf"\b(?P<m>{strong})\b",
    ]
    return [(re.compile(rule), _read) for rule in rules]


@cache
def _years() -> list[_Rule]:
    before = _choice(_listed(say.BEFORE_YEAR))
    end = r"(?!\s?(?:[a-z]{2,}s|people|km|kg|euro|usd)\b|\s?[€$£])"
    return [(re.compile(rf"\b(?:{before}) {_YEAR}{end}"), _read)]


def _read(match: re.Match[str]) -> list[str]:
    """Write what the groups `y`, `m` and `d` of a match hold as one term."""
    parts = match.groupdict()
    year, month, day = (parts.get(name) for name in "ymd")
    if month is None:
        return [f"{_MARK}{year}"] if year else []
    return _term(year, _month_number(month), int(day) if day else None)


def _read_either(match: re.Match[str]) -> list[str]:
    """Read 08/05/2023 as two days: nobody can tell which is the month."""
    day, month = int(match["d"]), int(match["m"])
    return _term(match["y"], month, day) + _term(match["y"], day, month)


def _term(year: str | None, month: int, day: int | None) -> list[str]:
    """Write a date as its term, none if there is no such day."""
    try:
        date(int(year or _LEAP_YEAR), month, 1 if day is None else day)
    except ValueError:
        return []
    parts = [year, f"{month:02}", None if day is None else f"{day:02}"]
    return [_MARK + "-".join(part for part in parts if part)]


def _month_number(month: str) -> int:
    if month.isascii() and month.isdecimal():
        return int(month)
    return (_months() | _short_months() | _CHINESE)[month]


_CHINESE: Final[dict[str, int]] = {
    name: number
    for number, name in enumerate([*"一二三四五六七八九十", "十一", "十二"], 1)
}


@cache
def _months() -> dict[str, int]:
    return {
        normal(form): number
        for names in say.MONTHS.values()
        for number, forms in enumerate(names.split(), 1)
        for form in forms.split("|")
    }


@cache
def _short_months() -> dict[str, int]:
    return {
        normal(form): number
        for number, forms in enumerate(say.SHORT_MONTHS.split(), 1)
        for form in forms.split("|")
    }


def _is_sure(month: str) -> bool:
    return len(month) >= _SURE and month not in say.UNSURE_MONTHS


def _listed(words: str) -> list[str]:
    return [normal(word) for word in words.split("|")]


def _choice(words: list[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
