"""Fences: where code begins in a text, and where it ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

# Possessive throughout: a line of a thousand marks is looked at once.
_OPENING: Final = re.compile(
    r"(?P<lead>[ \t]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+)"
    # More of them are a line that somebody drew.
    r"(?P<mark>`{3,16}+(?!`)|~{3,16}+(?!~))(?P<info>[^\n]*)"
)
# What Discord takes for a language; it shows it nowhere.
_LANGUAGE: Final = re.compile(r"[A-Za-z0-9+#._-]{1,32}(?=[\s{]|$)")
_SETTINGS: Final = re.compile(r"\s*\S*[={]")
_THREE: Final = re.compile("``(?=`)")


@dataclass(frozen=True, slots=True)
class Opening:
    """A line that begins code; `lead` is what stands before its `mark`."""

    lead: str
    mark: str
    info: str

    @property
    def language(self) -> str:
        """The language alone, as far as it may be one."""
        named = _LANGUAGE.match(self.info)
        return named[0] if named else ""

    @property
    def beside(self) -> str:
        """What stands beside the fence and would not be shown, unless it is nothing.

        Words may be code in a wrong place, so that all of them are to be read.
        """
        rest = self.info.removeprefix(self.language)
        if not rest.strip():
            return ""
        return rest.strip() if _SETTINGS.match(rest) else self.info

    @property
    def shift(self) -> int:
        """How far the lines of the code may be indented for its sake."""
        return len(self.lead.expandtabs(4))

    @property
    def marker(self) -> str:
        """The bullet or number that stands before the mark, if there is one."""
        return self.lead if self.lead.strip() else ""


def opening(line: str) -> Opening | None:
    """Read a line that begins code; none if it does not."""
    found = _OPENING.fullmatch(line)
    if found is None or (found["mark"][0] == "`" and "`" in found["info"]):
        return None
    return Opening(found["lead"], found["mark"], found["info"].strip())


def closes(line: str, begun: Opening) -> bool:
    """Whether a line ends what was begun; far to the right it is code itself."""
    bare, mark = line.strip(), begun.mark
    if len(bare) < len(mark) or bare.strip(mark[0]):
        return False
    indented = len(line) - len(line.lstrip())
    return indented < begun.shift + 4


def disarmed(code: str) -> str:
    """Keep backticks inside code from ending it: Discord counts three, wherever."""
    return _THREE.sub("``\u200b", code)


def dedented(line: str, shift: int) -> str:
    """Take away so many columns of space from the beginning of a line."""
    if not shift:
        return line
    words = line.lstrip(" \t")
    return line[: len(line) - len(words)].expandtabs(4)[shift:] + words
