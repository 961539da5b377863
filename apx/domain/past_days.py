"""Which days "yesterday", "last week" and "last Tuesday" are."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING, Final

from apx.domain import date_words as say
from apx.domain.intent import language_of
from apx.domain.text import normal

if TYPE_CHECKING:
    from collections.abc import Iterable

_WEEK: Final = 7
_MONTHS: Final = 12
_AGO: Final = re.compile(
    r"\b(?P<n>\d{1,3}|an?|one|two|three|four|five|six)"
    r" (?P<unit>day|week|month|year)s? ago"
    r"|\b(?:hace|ha|il y a|vor|fa|geleden) (?P<n2>\d{1,3}) (?P<unit2>[^\W\d]+)"
    r"|(?P<n3>\d{1,3}) ?(?P<unit3>天|日|周|週間|个月|か月|ヶ月|年)前"
)
_COUNTED: Final = {
    word: number
    for number, words in enumerate(
        ["a an one", "two", "three", "four", "five", "six"], 1
    )
    for word in words.split()
}
_UNITS: Final = {
    "day": "day days dia dias jour jours tag tagen tage giorno giorni dag dagen 天 日",
    "week": "week weeks semana semanas semaine semaines woche wochen settimana"
    " settimane 周 週間",
    "month": "month months mes meses mois monat monaten mese mesi 个月 か月 ヶ月",
    "year": "year years ano anos an ans jahr jahren anno anni 年",
}


def days_past(plain: str, today: date) -> list[str]:
    """Name the days or months, as ISO dates, that a `normal` text counts from today.

    A week is seven days, a month or a year itself.
    """
    found: list[str] = []
    rest = plain
    for days, words in say.DAYS_BACK:
        rest, times = _words(words).subn(" ; ", rest)
        if times:
            found.append((today - timedelta(days=days)).isoformat())
    found += _weekdays(rest, today)
    if not found:
        found += _spans(rest, today)
    return [*found, *_ago(rest, today)]


def days_past_in_french(text: str, plain: str, today: date) -> list[str]:
    """Know `hier`, which is "here" in German."""
    if _words(say.FRENCH_YESTERDAY).search(plain) and language_of(text) == "fr":
        return [(today - timedelta(days=1)).isoformat()]
    return []


def _spans(plain: str, today: date) -> Iterable[str]:
    monday = today - timedelta(days=today.weekday())
    if _words(say.LAST_WEEK).search(plain):
        yield from _week(monday - timedelta(days=_WEEK))
    if _words(say.LAST_MONTH).search(plain):
        yield _month_back(today, 1)
    if _words(say.LAST_YEAR).search(plain):
        yield str(today.year - 1)


def _weekdays(plain: str, today: date) -> Iterable[str]:
    """Give the last Tuesday before today, or that of the week before."""
    for found in _weekday_pattern().finditer(plain):
        number = _weekday_numbers()[found["before"] or found["after"]]
        back = (today.weekday() - number - 1) % _WEEK + 1
        yield (today - timedelta(days=back)).isoformat()
    monday = today - timedelta(days=today.weekday() + _WEEK)
    for found in _eastern_weekday_pattern().finditer(plain):
        day = found[found.lastgroup or 0]
        for week in say.EASTERN_DAYS:
            if day in week:
                yield (monday + timedelta(days=week.index(day))).isoformat()
                break


def _ago(plain: str, today: date) -> Iterable[str]:
    for found in _AGO.finditer(plain):
        count = found["n"] or found["n2"] or found["n3"]
        unit = found["unit"] or found["unit2"] or found["unit3"]
        number = _COUNTED.get(count) or int(count)
        yield from _counted(number, unit, today)


def _counted(number: int, unit: str, today: date) -> list[str]:
    meant = {word: kind for kind, words in _UNITS.items() for word in words.split()}
    match meant.get(unit):
        case "day":
            return [(today - timedelta(days=number)).isoformat()]
        case "week":
            monday = today - timedelta(days=today.weekday() + _WEEK * number)
            return _week(monday)
        case "month":
            return [_month_back(today, number)]
        case "year":
            return [str(today.year - number)]
    return []


def _week(monday: date) -> list[str]:
    return [(monday + timedelta(days=day)).isoformat() for day in range(_WEEK)]


def _month_back(today: date, months: int) -> str:
    year, month = divmod(today.year * _MONTHS + today.month - 1 - months, _MONTHS)
    return f"{year:04}-{month + 1:02}"


@cache
def _words(words: str) -> re.Pattern[str]:
    """Find one of the words; where no spaces part words, anywhere."""
    forms = sorted(map(normal, words.split("|")), key=len, reverse=True)
    spaced = [form for form in forms if form < "\u0e00"]
    dense = [form for form in forms if form >= "\u0e00"]
    choice = [rf"\b(?:{'|'.join(map(re.escape, spaced))})\b"] if spaced else []
    return re.compile("|".join([*choice, *map(re.escape, dense)]))


@cache
def _weekday_numbers() -> dict[str, int]:
    return {
        normal(form): number
        for names in say.WEEKDAYS
        for number, forms in enumerate(names.split())
        for form in forms.split("|")
    }


@cache
def _weekday_pattern() -> re.Pattern[str]:
    days = "|".join(sorted(_weekday_numbers(), key=len, reverse=True))
    before, after = normal(say.LAST_BEFORE), normal(say.LAST_AFTER)
    return re.compile(
        rf"\b(?:{before}) (?P<before>{days})\b"
        rf"|\b(?P<after>{days})(?:-feira)? (?:{after})\b"
    )


@cache
def _eastern_weekday_pattern() -> re.Pattern[str]:
    return re.compile(say.EASTERN_WEEKDAYS)
