"""How people word what holds on, in each language: standing_words.txt, read once."""
# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from apx.domain.text import normal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

# Languages that join words, or join to a word what others write apart.
_JOINED: Final = frozenset({"zh", "ja", "ko", "ar"})
# Every repetition is bounded, so that no text costs more than its length.
_GAP: Final = r"(?:[^\s.!?]{1,30} ){0,6}?"
_JOINED_GAP: Final = r"[^.!?。\n]{0,30}?"
_NUMBER_WORDS: Final = (
    "two|three|four|five|six|seven|eight|nine|ten|twenty|dos|tres|cuatro|cinco|seis|diez"
    "|dois|duas|quatro|dez|deux|trois|quatre|cinq|dix|cent|mil|zwei|drei|vier|funf|zehn"
    "|due|tre|quattro|cinque|dieci|cento|mille|twee|vijf|tien|dwa|dwie|dwoch|trzy|trzech"
    "|два|две|двух|три|трех|пять|пяти|десять|десяти|iki|dort"
)
_NUMBER: Final = (
    rf"(?:(?:[^\w\s]|[a-z]{{1,3}} )?\d[\d.,]{{0,12}} ?|(?:{_NUMBER_WORDS})(?!\w) ?"
    "|[一二两三四五六七八九十百千万半])"
)
_BREAK: Final = "(?: ?[,:.])? "
_JOINED_BREAK: Final = " ?[,:、]? ?"
_END: Final = r"[^\w]{0,9}\Z"

_START: Final = re.compile(
    "(?<![\\w'])(?<!\\w-)\\w|(?<!\\d)\\d"
    "|(?:(?<!\\w)|(?<=\\b[وفبل]))[\u0600-\u06ff]|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
_LETTER: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_RUN: Final = re.compile(r"\w{1,40}")
_STEM: Final = 3  # letters by which words with any ending, or beginning, are looked up
_PAIR: Final = 2  # letters by which they are where words join
_CLAUSE: Final = re.compile(r"(?:\A|[,;:!?.()—–。、…]|(?<=\s)-(?=\s))[\W_]{0,6}")
_AFTER: Final = re.compile(r"[ ,:!、]{0,4}")
_QUESTION: Final = re.compile(r"\?\W{0,9}\Z")
_COLON: Final = re.compile(" ?: ?")
_NON_ASCII: Final = re.compile(r"[^\x00-\x7f]")

# What phrases are for, besides the kinds that they name.
_OPENS: Final = frozenset({"lead", "and", "request"})
_OTHER: Final = _OPENS | {"asks", "not"}
_LASTING: Final = frozenset({"goal", "instruction", "constraint"})
# A wish is told by one word, and so are exclamations: what is shorter says nothing.
_WISH_WORDS: Final = 3
_WISH_SIZE: Final = 16
_WISH_LETTERS: Final = 8  # of a script whose letters are syllables or words


@dataclass(frozen=True, slots=True)
class Phrase:
    """One way to say something; `use` is a kind, or what standing_words.txt lists.

    An `opening` one counts only where a clause begins, a `firm` one in questions too.
    """

    use: str
    pattern: str
    opening: bool
    firm: bool


def kinds_in(sentence: str) -> frozenset[str]:
    """Name the ways in which a sentence holds on."""
    plain = _COLON.sub(" : ", normal(sentence).replace("\u2019", "'"))
    found = _said(plain)
    uses = {phrase.use for phrase in found}
    if "asks" in uses and "request" not in uses and _QUESTION.search(plain):
        uses = {phrase.use for phrase in found if phrase.firm}
    if uses & _LASTING or not _is_told(plain):
        uses.discard("wish")
    return frozenset(uses - _OTHER)


def _is_told(plain: str) -> bool:
    """Whether a sentence is long enough to ask for something."""
    if len(plain) >= _WISH_SIZE and len(plain.split()) >= _WISH_WORDS:
        return True
    return len(_LETTER.findall(plain)) >= _WISH_LETTERS


def _said(plain: str) -> set[Phrase]:
    """Give the phrases that a sentence holds."""
    phrases = _phrases()
    openings = {clause.end() for clause in _CLAUSE.finditer(plain)}
    said: set[Phrase] = set()
    for start in _START.finditer(plain):
        place = start.start()
        near = [phrase for key in _looked_up(plain, place) for phrase in phrases[key]]
        found = dict(_at(plain, place, near, is_opening=place in openings))
        if any(phrase.use == "not" for phrase in found):
            continue
        said |= found.keys()
        for phrase, end in found.items():
            if phrase.use in _OPENS:
                after = _AFTER.match(plain, end)
                openings.add(after.end() if after else end)
    return said


def _at(
    plain: str, place: int, near: Iterable[Phrase], *, is_opening: bool
) -> Iterator[tuple[Phrase, int]]:
    """Give the phrases that begin at a place, and where they end."""
    for phrase in near:
        if is_opening or not phrase.opening:
            found = _compiled(phrase.pattern).match(plain, place)
            if found:
                yield phrase, found.end()


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when it is first needed: most never are."""
    return re.compile(pattern)


@cache
def _phrases() -> Mapping[str, Sequence[Phrase]]:
    """Read the phrases of all languages, by the letters that they begin with."""
    found: dict[str, list[Phrase]] = {}
    is_joined = False
    file = Path(__file__).with_name("standing_words.txt")
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("["):
            is_joined = line[1:-1] in _JOINED
        elif line and not line.startswith("#"):
            use, _, rest = line.partition(": ")
            for written in rest.split(" / "):
                phrase, keys = _phrase(use, _folded(written.strip()), is_joined)
                for key in keys:
                    found.setdefault(key, []).append(phrase)
    return found


def _phrase(use: str, written: str, is_joined: bool) -> tuple[Phrase, Iterator[str]]:
    body = written.lstrip("^!")
    flags = written[: len(written) - len(body)]
    words = body.split()
    pattern = "".join(_patterns(words, is_joined))
    return Phrase(use, pattern, "^" in flags, "!" in flags), _keys(words, is_joined)


def _patterns(words: Sequence[str], is_joined: bool) -> Iterator[str]:
    """Give the pattern of each word of a phrase, and of what parts it from the next."""
    for number, word in enumerate(words, 1):
        is_last = number == len(words)
        parted = _JOINED_BREAK if is_joined else _BREAK
        if not is_last and words[number] == "...":
            parted = parted.replace(",", "")
        edge = "" if is_joined else r"(?!\w)"
        if word == "...":
            yield _JOINED_GAP if is_joined else _GAP
        elif word == "$":
            yield _END
        elif word == "#":
            yield _NUMBER
        elif word.endswith("?"):
            yield f"(?:{_choice(word[:-1])}{parted})?"
        elif is_last or words[number] == "$":
            yield _choice(word) + edge
        else:
            yield _choice(word) + parted


def _choice(word: str) -> str:
    ways = (re.escape(way).replace("_", " ") for way in word.split("|"))
    return "(?:" + "|".join(way.replace(r"\*", r"\w{0,20}") for way in ways) + ")"


def _keys(words: Sequence[str], is_joined: bool) -> Iterator[str]:
    """Give what a phrase can begin with: a word, or letters where words join."""
    for word in words:
        for way in word.rstrip("?").split("|"):
            run = way.split("_")[0]
            if run.startswith("*"):
                yield "*" + run.strip("*")[-_STEM:]
            elif is_joined or run == "#":
                yield run[:_PAIR].rstrip("*")
            elif found := _RUN.match(run):
                stem = found[0][:_STEM] + "*"
                yield stem if run[found.end() :] == "*" else found[0]
        if not word.endswith("?"):
            return


def _looked_up(plain: str, place: int) -> Iterator[str]:
    """Give what a phrase that begins at a place may be kept under."""
    phrases = _phrases()
    first = "#" if plain[place].isdigit() else plain[place]
    keys = [first, plain[place : place + _PAIR]]
    found = None if _LETTER.match(plain, place) else _RUN.match(plain, place)
    if found:
        word = found[0]
        sizes = range(1, _STEM + 1)
        keys += [word, *(f"{word[:size]}*" for size in sizes)]
        keys += [f"*{word[-size:]}" for size in sizes]
    for key in dict.fromkeys(keys):
        if key in phrases:
            yield key


def _folded(written: str) -> str:
    """Write a phrase in the `normal` form of texts."""
    return _NON_ASCII.sub(lambda letter: normal(letter[0]) or letter[0], written)
