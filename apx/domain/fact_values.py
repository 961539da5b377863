"""What kind of value a fact has: only values of one kind replace each other."""
# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from apx.domain import date_words as say
from apx.domain.text import content_terms, normal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Values = dict[str, frozenset[str]]

_NUMBER: Final = "number"
_NAME_WORDS: Final = 4
_MOST_WORDS: Final = 6  # of a value; more are a story
_DETERMINED: Final = re.compile(
    r"(?:the|a|an|my|our|his|her|their|this|that|some|un|una|uno|el|la|los|las|um|uma"
    r"|o|os|une|le|les|des|ein\w*|der|die|das|den|dem|il|lo|gli|een|de|het|mon|ma|mi"
    r"|meu|minha|mein\w*|mio|mia|mijn|another|no|not|one|all|every|both)\b"
)
_PLACED: Final = re.compile(
    r"(?:in|at|on|under|near|behind|en|em|no|na|dans|chez|sur|im|am|auf|bei|unter|nel"
    r"|nella|su|sul|op|onder|в|на|под|у|في|علي)\b|(?:room|raum|sala|salle|stanza|zaal"
    r"|office|building|floor|zimmer|kabinett|кабинет)\b"
)
_INDEFINITE: Final = re.compile(r"(?:an?|une?|uma?|una|uno|ein\w*|een)\b (?P<noun>\S+)")
_KINDS: Final[Mapping[str, str]] = {
    "mail": r"\S+@\S+\.\w+",
    "url": r"https?://\S+|\b(?:[a-z0-9-]+\.)+[a-z]{2,}\b",
    "time": r"\b\d{1,2}[:.h]\d\d(?![\d.])(?: ?[ap]\.?m)?|\b\d{1,2} ?(?:[ap]\.?m\b|uhr\b"
    r"|h\b|o'clock|点半?|點|時半?|시)|\bat \d{1,2}$|\b(?:noon|midnight)\b"
    r"|[一二三四五六七八九十]{1,2}[点點時]",
    "money": r"[$€£¥₽₩]\s?\d[\d.,]*k?|\d[\d.,]*k? ?(?:[$€£¥₽₩]|(?:eur|euros?|dollars?"
    r"|usd|gbp|pounds?|pesos|reais|francs?|franken|bucks|cents?|руб\w*)\b|[元块塊円원]"
    r"|يورو|دولار|ريال|درهم)",
    "address": r"(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?!\d)"
    r"|\b[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){3,}",
    "percent": r"\d[\d.,]* ?(?:%|percent|prozent|por ?cento|pour ?cent)",
}
# Values of these kinds exclude each other; of others, only a change tells.
STRONG: Final = frozenset({*_KINDS, "day", "place", "name", "thing", "habit"})
_DIGITS: Final = re.compile(
    r"(?<![\w.])(?P<n>[a-z]?\d[\d.,/ -]*\d|[a-z]?\d)(?: ?(?P<unit>[^\W\d]+))?"
)
# How somebody or something is at the moment says nothing of who or what it is.
_MOODS_SAID: Final = """
angry annoyed asleep away awful back bad better boring broken busy closed cold cool dead
dirty down empty excited expired fine free full funny gone good great happy hungry ill
late lost mad missing nice offline old online open out ready sad sick slow stolen tired
tiring ugly upset weird wrong worse krank müde sauer wütend böse kaputt weg traurig
langweilig abgelaufen falsch leer voll offen spät enfadado enfadada cansado cansada
enfermo enferma roto rota triste caducado caducada malade fatigué fatiguée fâché fâchée
cassé cassée triste expiré périmé stanco stanca malato malata arrabbiato rotto scaduto
cansado doente zangado zangada quebrado quebrada
"""
NEGATED: Final = re.compile(
    r"(?:not|no|never|nicht|kein\w*|nie|pas|non|nao|niet|geen|не|нет)\b|不|没|ليس"
)
MOODS: Final = frozenset(normal(word) for word in _MOODS_SAID.split())


def values_of(value: str, names: frozenset[str]) -> Values:
    """Give the data in a value by their kinds; `names` are words with a capital."""
    if len(value.split()) > _MOST_WORDS:
        return {}
    found: Values = {}
    rest = value
    for kind, pattern in _patterns():
        texts = [one[0].strip(" .,") for one in pattern.finditer(rest)]
        if texts:
            found[kind] = frozenset(texts)
            rest = pattern.sub(" ", rest)
    number = _DIGITS.search(rest)
    is_named = number is not None and number.start() > 0 and _first(value) in names
    if number and not is_named and not found.keys() & {"day", "mail", "url"}:
        kind = "place" if _PLACED.match(value) else _NUMBER
        unit = number["unit"] or ""
        found[f"{kind} {unit}".strip()] = frozenset({number["n"]})
    return found or _worded(value, names)


def is_number(kind: str) -> bool:
    """Whether values of this kind are plain numbers, whatever they count."""
    return kind.partition(" ")[0] == _NUMBER


def words(text: str) -> frozenset[str]:
    """Give the stems of a value or a subject."""
    return frozenset(_strong(content_terms(text))) or frozenset(text.split())


def is_name(value: str, names: frozenset[str], is_cased: bool) -> bool:
    """Whether a value can be a name: in a text that has capitals it has one."""
    bare = value.removeprefix("the ").split()
    if (
        not bare
        or len(bare) > _NAME_WORDS
        or (_DETERMINED.match(value) and bare[0] not in names)
    ):
        return False
    return not is_cased or bare[0] in names


def differ(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two values are not the same, nor one a part of the other."""
    if one <= other or other <= one:
        return False
    a, b = "".join(sorted(one)), "".join(sorted(other))
    return not (a.isascii() and b.isascii()) or a.replace(" ", "") != b.replace(" ", "")


def _first(value: str) -> str:
    return value.partition(" ")[0]


def _worded(value: str, names: frozenset[str]) -> Values:
    if _first(value) in names:
        return {"name": words(value)}
    if found := _INDEFINITE.match(value):
        return {"thing": words(value.removeprefix(found[0][: -len(found["noun"])]))}
    if _PLACED.match(value) and " " in value:
        return {"place": words(value)}
    return {"word": words(value)} if value else {}


def _strong(terms: Iterable[str]) -> list[str]:
    return [term for term in terms if not term.startswith("~")]


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    months = "|".join(
        normal(form)
        for names in say.MONTHS.values()
        for form in names.replace("|", " ").split()
    )
    days = "|".join(
        normal(form)
        for names in say.WEEKDAYS
        for form in names.replace("|", " ").split()
    )
    stems = "понедельник\\w*|вторник\\w*|сред[уыае]|четверг\\w*|пятниц\\w|суббот\\w"
    day = (
        rf"\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b|\b\d{{1,2}}/\d{{1,2}}\b"
        rf"|\b(?:\d{{1,2}}(?:st|nd|rd|th|\.)?(?: of| de| di)? )?(?:{months})\b"
        r"(?: \d{1,2}\b)?"
        rf"|\b(?:{days}|{stems})\b|[周週]{{1}}[一二三四五六日天]|(?:星期|礼拜|禮拜)[一二三四五六日天]"
        r"|[月火水木金土日]曜日?|[월화수목금토일]요일|\d{1,2}[月월] ?\d{1,2}[日号號일]"
        r"|\b(?:tomorrow|manana|amanha|demain|morgen|domani|завтра)\b|明天|明日|내일"
    )
    return [
        *((kind, re.compile(pattern)) for kind, pattern in _KINDS.items()),
        ("day", re.compile(day)),
    ]
