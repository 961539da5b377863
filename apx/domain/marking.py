"""Tells in a record what the person said from what other people wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apx.domain.text import content_terms, terms
from apx.domain.untrusted import BY_OTHERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from apx.domain.summary import Section

_BULLET: Final = "- "
# A line is others' if so many of ten of its words are theirs and not the person's.
_MANY: Final = 4
_OF: Final = 10
_FEW: Final = 2


def marked(
    sections: Mapping[Section, str], others: Iterable[str], own: Iterable[str]
) -> dict[Section, str]:
    """Mark the lines of a record that say what others wrote and the person did not.

    A model that was talked into it would hand these on as the person's wishes.
    """
    theirs, mine = _words(others), _words(own)
    if not theirs:
        return dict(sections)
    return {
        section: "\n".join(_marked(line, theirs, mine) for line in text.splitlines())
        for section, text in sections.items()
    }


def parted(sections: Mapping[Section, str]) -> tuple[dict[Section, str], str]:
    """Part what holds of the person from the lines that tell what others wrote."""
    own: dict[Section, str] = {}
    others: list[str] = []
    for section, text in sections.items():
        lines = text.splitlines()
        others += [line for line in lines if BY_OTHERS in line]
        if kept := "\n".join(line for line in lines if BY_OTHERS not in line).strip():
            own[section] = kept
    return own, "\n".join(line.replace(f"{BY_OTHERS} ", "") for line in others)


def _marked(line: str, theirs: frozenset[str], mine: frozenset[str]) -> str:
    words = {term for term in content_terms(line) if not term.startswith("~")}
    if BY_OTHERS in line or not words:
        return line
    alone = (words & theirs) - mine
    if len(alone) < min(_FEW, len(words)) or len(alone) * _OF < len(words) * _MANY:
        return line
    text = line.strip()
    return f"{_BULLET}{BY_OTHERS} {text.removeprefix(_BULLET)}"


def _words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(term for text in texts for term in terms(text))
