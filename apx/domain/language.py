"""Which language a text is written in."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from apx.domain.language_words import COMMON_WORDS, NAMES, OWN_LETTERS
from apx.domain.small_words import SMALL_WORDS
from apx.domain.text import normal

_READ: Final = 4_000  # characters at each end that settle the language
# Code, addresses and ids say nothing of the language around them.
_CODE: Final = re.compile(
    r"```[^`]{0,8000}```|`[^`\n]{1,200}`|\b\w{1,20}://\S+"
    r"|(?<!\S)\S*[_/\\@=<>{}\[\]()]\S*|(?<!\S)\S*\d\S*"
)
_LATIN: Final = "latin"
_CYRILLIC: Final = "cyrillic"
_ARABIC: Final = "arabic"
_HAN: Final = "zh"
_KANA: Final = "ja"
_SCRIPTS: Final = (
    (_LATIN, "A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff"),
    (_CYRILLIC, "\u0400-\u052f"),
    (_ARABIC, "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufeff"),
    (_KANA, "\u3041-\u30fa\u30fc\uff66-\uff9f"),
    (_HAN, "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"),
    ("ko", "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"),
    ("el", "\u0370-\u03ff\u1f00-\u1fff"),
    ("he", "\u0590-\u05ff"),
    ("hy", "\u0530-\u058f"),
    ("ka", "\u10a0-\u10ff"),
    ("am", "\u1200-\u137f"),
    ("hi", "\u0900-\u097f"),
    ("bn", "\u0980-\u09ff"),
    ("pa", "\u0a00-\u0a7f"),
    ("gu", "\u0a80-\u0aff"),
    ("ta", "\u0b80-\u0bff"),
    ("te", "\u0c00-\u0c7f"),
    ("kn", "\u0c80-\u0cff"),
    ("ml", "\u0d00-\u0d7f"),
    ("th", "\u0e00-\u0e7f"),
    ("lo", "\u0e80-\u0eff"),
    ("my", "\u1000-\u109f"),
    ("km", "\u1780-\u17ff"),
)
_WORD: Final = re.compile(r"[^\W\d_]+")
# A word of Latin letters weighs as much as this many characters of each script.
_CHARACTERS: Final = {_KANA: 2.5, _HAN: 1.7, "ko": 2.5, "th": 4.0, "lo": 4.0, "km": 4.0}
_USUAL: Final = 5.0
# Names of products and commands are Latin in every language; prose is not.
_CLEAR: Final = 0.5
_SOME: Final = 0.2
_PROSE: Final = 0.25  # share of small words
_KANA_SHARE: Final = 0.1
_LEAST: Final = 1.5  # points of a language
_LEAD: Final = 1.25
_CYRILLIC_LANGUAGES: Final = ("ru", "uk", "bg", "sr", "be")
_PERSIAN: Final = re.compile("[\u067e\u0686\u0698\u06af\u06cc]")
_URDU: Final = re.compile("[\u0679\u0688\u0691\u06ba\u06d2]")


def language_of(text: str) -> str:
    """Tell the language of a text by its code, such as `es`; "" when it is unsure."""
    sample = text if len(text) <= 2 * _READ else f"{text[:_READ]}\n{text[-_READ:]}"
    prose = _CODE.sub(" ", sample)
    weights = _weights_of(prose)
    total = sum(weights.values())
    if not total:
        return ""
    latin = weights.pop(_LATIN, 0.0)
    other = max(weights, key=lambda script: weights[script], default="")
    share = 1 - latin / total
    if share < _SOME:
        return _latin(prose)
    if share < _CLEAR and _is_prose(prose):
        return ""
    return _of_script(other, weights, prose)


def language_name(code: str) -> str:
    """Give the English name of a language, "" for a code that is unknown."""
    return NAMES.get(code, "")


def _weights_of(prose: str) -> dict[str, float]:
    """Weigh each script in words."""
    found: dict[str, float] = {}
    for script, pattern in _patterns():
        count = sum(map(len, pattern.findall(prose)))
        if count:
            found[script] = count / _CHARACTERS.get(script, _USUAL)
    return found


def _of_script(script: str, weights: dict[str, float], prose: str) -> str:
    if script == _CYRILLIC:
        return _best(prose, _CYRILLIC_LANGUAGES)
    if script == _ARABIC:
        if _URDU.search(prose):
            return "ur"
        return "fa" if len(_PERSIAN.findall(prose)) > 1 else "ar"
    if script in (_HAN, _KANA):
        east = weights.get(_HAN, 0.0) + weights.get(_KANA, 0.0)
        return _KANA if weights.get(_KANA, 0.0) > _KANA_SHARE * east else _HAN
    return script


def _is_prose(prose: str) -> bool:
    """Whether the Latin words are sentences, not names among another script."""
    words = [word for word in _WORD.findall(normal(prose)) if word.isascii()]
    small = sum(word in _points_of_words(_latins()) for word in words)
    return small > _PROSE * len(words)


def _latin(prose: str) -> str:
    return _best(prose, _latins())


@cache
def _latins() -> tuple[str, ...]:
    return tuple(
        language for language in COMMON_WORDS if language not in _CYRILLIC_LANGUAGES
    )


def _best(prose: str, languages: tuple[str, ...]) -> str:
    """Give the language that the small words and the letters are of, if one leads."""
    score = dict.fromkeys(languages, 0.0)
    points = _points_of_words(languages)
    for word in _WORD.findall(normal(prose)):
        for language, point in points.get(word, {}).items():
            score[language] += point
    for letter in prose.lower():
        if not letter.isascii():
            for language, point in (
                _points_of_letters(languages).get(letter, {}).items()
            ):
                score[language] += point
    best, second = sorted(score.values(), reverse=True)[:2]
    if best < _LEAST or best < second * _LEAD:
        return ""
    return max(score, key=lambda language: score[language])


@cache
def _points_of_words(languages: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """Weigh each small word: the fewer languages have it, the more it tells."""
    return _shared(
        {
            language: frozenset(
                f"{SMALL_WORDS.get(language, '')} {COMMON_WORDS[language]}".split()
            )
            for language in languages
        }
    )


@cache
def _points_of_letters(languages: tuple[str, ...]) -> dict[str, dict[str, float]]:
    return _shared(
        {language: frozenset(OWN_LETTERS.get(language, "")) for language in languages}
    )


def _shared(has: dict[str, frozenset[str]]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for language, pieces in has.items():
        for piece in pieces:
            found.setdefault(piece, {})[language] = 1.0
    return {
        piece: dict.fromkeys(languages, 1 / len(languages))
        for piece, languages in found.items()
    }


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((script, re.compile(f"[{chars}]+")) for script, chars in _SCRIPTS)
