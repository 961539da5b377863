"""What a plain message wants, as far as a few rules can tell."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from apx.domain.small_words import SMALL_WORDS
from apx.domain.text import normal
from apx.domain.wording import LATIN
from apx.domain.wording_east import EASTERN


class Wish(StrEnum):
    """What a message asks of the memory."""

    REMEMBER = "remember"
    FORGET = "forget"
    LIST_NOTES = "list_notes"
    ASK = "ask"
    OTHER = "other"


_Found = tuple[Wish, str]


@dataclass(frozen=True, slots=True)
class Intent:
    """A wish, what it is about, and the language it was made in ("" when unsure)."""

    kind: Wish
    subject: str
    language: str = ""


_WORDINGS: Final = LATIN | EASTERN
_NUMBER: Final = r"(?:n[º°.o]*\s*)?#?[0-9]"
_PAUSE: Final = r"[\s,:.!\u3001\u3002\uff01\uff0c\uff1a]*"
_OPENING: Final = rf"[\s\u00a1\u00bf]*(?:@\S+{_PAUSE})?"
_WORD_END: Final = r"(?![a-z\u00e0-\u00ff])"
_END: Final = r"[\s.!?\u3002\uff01\uff1f]{0,9}$"
_ASKS: Final = re.compile(r"[?\uff1f](?=\s|$)|^\s*\u00bf|[吗嗎][\s.\u3002]*$")
_CLOSING: Final = ("?", "\uff1f", "吗", "嗎")
# Courtesy after the wish. Thanks need a comma before them, or "remember to say
# thanks" would lose its point.
_COURTESY: Final = re.compile(
    r"(?:[\s,]{1,5}(?:please|pls|por favor|porfa|bitte|per favore"
    r"|s['\u2019]il (?:te|vous) pla[iî]t|stp|svp)"
    r"|[,.!\u3002\uff0c]\s{0,5}(?:thanks?(?: you)?|gracias|obrigad[oa]"
    r"|merci|danke|grazie|谢谢|ありがとう|(?:よろしく)?お願いします|ok|okay|vale))"
    r"(?P<end>[\s.!?\u3002\uff01\uff1f]{0,9})$",
    re.IGNORECASE,
)
_NUMBERED: Final = re.compile(
    r"(?:the|my|la|mi|a|minha|ma|die|meine|mia)?\s*"
    r"(?:(?:note|nota|notiz|notizen|笔记|备忘|ノート|メモ)\s*(?:number|número|numéro|"
    r"numero|nummer|nr|no|n)?[\s.#°º:第]*(?P<last>\d{1,12})\s*[号番条]?"
    r"|第?\s*(?P<first>\d{1,12})\s*[号条番]?の?\s*(?:笔记|备忘|ノート|メモ))",
    re.IGNORECASE,
)
_KANA: Final = re.compile("[\u3041-\u30fa]")
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_TELLING: Final = {
    "es": re.compile("[ñ¿¡]"),
    "pt": re.compile("[ãõ]"),
    "fr": re.compile(r"[êœ]|\b(?:qu|[dljnsc])['\u2019]"),
    "de": re.compile("[ßäöü]"),
    "it": re.compile("[ìò]"),
}
_COLON: Final = re.compile(r":(?=\s|$)|\uff1a")
_DIGIT: Final = re.compile(r"\d")
_READ: Final = 2_000  # characters that settle the language of a message


def read(text: str) -> Intent:
    """Tell what a person's own words ask for; quoted words must be gone already."""
    text = unicodedata.normalize("NFC", text).strip()
    guess = language_of(text)
    plain = _COURTESY.sub(lambda found: found["end"], text)
    for find in (_wish, _question):
        for language in _candidates(guess):
            if found := find(_Plea.of(plain, language)):
                return Intent(*found, language)
    return Intent(Wish.ASK if _ASKS.search(text) else Wish.OTHER, text, guess)


def is_courtesy(text: str) -> bool:
    """Whether a line only thanks, or says please."""
    return bool(text.strip()) and not _COURTESY.sub("", f",{text.strip()}")


def language_of(text: str) -> str:
    """Guess the language from its letters and small words; "" when it is unclear."""
    head = text[:_READ]
    if _KANA.search(head):
        return "ja"
    if _HAN.search(head):
        return "zh"
    words = re.findall(r"[^\W\d_]+", normal(head))
    score = {
        language: sum(_weights().get(word, {}).get(language, 0.0) for word in words)
        + bool(language in _TELLING and _TELLING[language].search(head.lower()))
        for language in _WORDINGS
    }
    best, second = sorted(score.values(), reverse=True)[:2]
    return "" if best == second else max(score, key=lambda language: score[language])


@dataclass(frozen=True, slots=True)
class _Plea:
    """A message looked at in one language; `start` is where its courtesies end."""

    text: str
    language: str
    start: int

    @classmethod
    def of(cls, text: str, language: str) -> _Plea:
        found = _pattern(language, "please").match(text)
        return cls(text, language, found.end() if found else 0)

    @property
    def is_polite(self) -> bool:
        return bool(self.text[: self.start].strip())

    def match(self, shape: str) -> re.Match[str] | None:
        return _pattern(self.language, shape).match(self.text, self.start)


def _candidates(guess: str) -> list[str]:
    """List the languages worth a look, the likely one first."""
    return list(dict.fromkeys([guess, *LATIN] if guess else LATIN))


def _wish(plea: _Plea) -> _Found | None:
    """Find a wish that is worded outright."""
    if plea.match("never"):
        return Wish.OTHER, plea.text
    if plea.match("notes"):
        return Wish.LIST_NOTES, ""
    if about := plea.match("about"):
        return Wish.ASK, _subject(about["subject"])
    return _remember(plea) or _forget(plea)


def _remember(plea: _Plea) -> _Found | None:
    if around := plea.match("remember_around"):
        return Wish.REMEMBER, _subject(around["subject"])
    found = plea.match("remember")
    if not found or not _subject(found["subject"]):
        return None
    if _only_asks(plea, found):
        return Wish.ASK, plea.text
    return Wish.REMEMBER, _subject(found["subject"])


def _only_asks(plea: _Plea, found: re.Match[str]) -> bool:
    """Tell "remember when we met?" from a wish: nothing in it is worth a note."""
    subject = found["subject"]
    explains = _COLON.search(found["pause"] + subject) is not None
    is_question = _ASKS.search(plea.text) is not None
    names = _pattern(plea.language, "which").match(subject) is not None
    if names and not (found["that"] or "").strip():
        return is_question or not explains
    # "Can you remember that ...?" is polite; "can you remember my birthday?" asks.
    tells = found["that"] is not None or explains or _DIGIT.search(subject)
    return is_question and not (plea.is_polite and tells)


def _forget(plea: _Plea) -> _Found | None:
    found = plea.match("forget_around") or plea.match("forget")
    if not found or not _subject(found["subject"]):
        return None
    if _ASKS.search(plea.text) and not plea.is_polite:
        return None
    return Wish.FORGET, _numbered(_subject(found["subject"]))


def _question(plea: _Plea) -> _Found | None:
    """Find a question that may lack its mark."""
    return (Wish.ASK, plea.text) if plea.match("asks") else None


def _subject(text: str) -> str:
    """Strip what ends the sentence, save the last stop of a longer text."""
    bare = text.strip()
    if bare.endswith(_CLOSING):
        bare = bare.rstrip("".join(_CLOSING)).rstrip()
    if "\n" in bare or bare.endswith(".."):
        return bare
    return bare.rstrip(".\u3002 ")


def _numbered(subject: str) -> str:
    """Write `la nota 12` and its like as `note 12`, which tools understand."""
    found = _NUMBERED.fullmatch(subject)
    return f"note {found['last'] or found['first']}" if found else subject


@cache
def _pattern(language: str, shape: str) -> re.Pattern[str]:
    """Compile one pattern of a language, once."""
    wording = _WORDINGS[language]
    words = f"(?:{getattr(wording, shape)})"
    rest = (
        rf"{_WORD_END}(?P<that>[\s,]*(?:{wording.that}))?"
        rf"(?P<pause>{_PAUSE})(?P<subject>.*)$"
    )
    whole = {
        "please": rf"{_OPENING}(?:{words}{_WORD_END}{_PAUSE})*+",
        "remember": words + rest,
        "forget": words + rest,
        "asks": words,
        "which": words,
    }.get(shape, words + _END)
    spaced = whole.replace(" ", r"\s+").replace("'", "['\u2019]")
    spaced = spaced.replace("<number>", _NUMBER)
    return re.compile(spaced, re.IGNORECASE | re.DOTALL)


@cache
def _weights() -> dict[str, dict[str, float]]:
    """Weigh each small word: the fewer languages have it, the more it tells."""
    spoken: dict[str, list[str]] = {}
    for language in _WORDINGS:
        for word in SMALL_WORDS[language].split():
            spoken.setdefault(word, []).append(language)
    return {
        word: dict.fromkeys(languages, 1 / len(languages))
        for word, languages in spoken.items()
    }
