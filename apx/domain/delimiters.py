"""The marks around what a model is shown as data, and how they are found in a text."""
# ruff: noqa: RUF001 -- letters and marks that look alike are of different scripts

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final


class Mark(StrEnum):
    """What stands between brackets, as `[NAME]` and `[/NAME]`."""

    MEMORY = "MEMORIA RELEVANTE"
    RECORD = "RESUMEN COMPACTADO"
    DATA = "DATOS NO CONFIABLES"

    @property
    def opening(self) -> str:
        """How it begins; what a mark says more stands before its bracket."""
        return f"[{self.value}"

    @property
    def closing(self) -> str:
        """How what it surrounds ends."""
        return f"[/{self.value}]"


THREADS: Final = "# Hilos activos en otros canales"

_ENDLESS: Final = 1_000_000_000
# Brackets as such, full width, small, set upright, and those that are drawn like them.
OPENERS: Final = "[［﹇【〔﹝〖〘〚⟦⁅❲⦋⦍⦏"
CLOSERS: Final = "]］﹈】〕﹞〗〙〛⟧⁆❳⦌⦎⦐"
_HASHES: Final = "#＃﹟"
_SLASHES: Final = "/\\／＼∕⁄⧸"
# Where one of these stands between a bracket and a name, they do not belong together.
_STOPS: Final = frozenset(f"{OPENERS}{CLOSERS}{_HASHES}()（）")
_BEGINS: Final = re.compile(f"[{re.escape(OPENERS + _HASHES)}]")
# Letters of other scripts that are drawn as these, apart from what Unicode calls equal.
_DRAWN_ALIKE: Final = str.maketrans(
    "АВЕКМНОРСТУХІЅЈӀаеорсухіѕјԁӏԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαονρτικıłøɑɡ",
    "ABEKMHOPCTYXISJIaeopcyxisjdlqwABEZHIKMNOPTYXaovptikiloag",
)


@dataclass(frozen=True, slots=True)
class Found:
    """A mark in a text, `end` behind its name; `mark` is None for the list of threads.

    `is_partial` says that the text ends before it is clear whether it is one.
    """

    mark: Mark | None
    closes: bool
    end: int
    is_partial: bool = False


def begins(text: str) -> list[int]:
    """Give the places where a mark may begin."""
    return [found.start() for found in _BEGINS.finditer(text)]


def read(text: str, start: int, most: int = _ENDLESS) -> Found | None:
    """Read the mark that begins at `start`, in whatever case, width or spacing.

    What is neither letter nor digit nor bracket makes no difference. No more than
    `most` characters are looked at. Never reads past the next bracket.
    """
    names = _HEADINGS if text[start] in _HASHES else _NAMES
    letters, closes = "", False
    for place in range(start + 1, min(len(text), start + most)):
        character = text[place]
        if character in _STOPS:
            return None
        told = _letters(character)
        if not told:
            closes = closes or (not letters and character in _SLASHES)
            continue
        letters += told
        if letters in names:
            return Found(names[letters], closes, place + 1)
        if not any(name.startswith(letters) for name in names):
            return None
    is_whole = len(text) - start < most
    return Found(None, closes, len(text), is_partial=True) if is_whole else None


@lru_cache(maxsize=4096)
def _letters(character: str) -> str:
    plain = unicodedata.normalize("NFKD", character.translate(_DRAWN_ALIKE))
    alike = plain.translate(_DRAWN_ALIKE).casefold()
    return "".join(filter(str.isalnum, alike))


def _folded(name: str) -> str:
    return "".join(map(_letters, name))


_NAMES: Final[dict[str, Mark | None]] = {_folded(mark): mark for mark in Mark}
_HEADINGS: Final[dict[str, Mark | None]] = {_folded(THREADS): None}
