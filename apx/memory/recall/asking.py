"""Owns how a question in words becomes one that arrays are asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.dates import asked_dates
from apx.domain.facts import asked_subject_terms
from apx.domain.text import content_terms
from apx.memory.recall.document import WEAK
from apx.memory.recall.search import Asked

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from apx.memory.recall.keys import Keys

# Of a very long message its two ends are looked up, and this many words of them.
_END: Final = 1_500
_MOST: Final = 48


@dataclass(frozen=True, slots=True)
class Question:
    """A question's terms, and their numbers in the same order."""

    words: Sequence[str]
    asked: Asked


def question(text: str, at: datetime, keys: Keys) -> Question | None:
    """Make the question of a message; small talk asks nothing."""
    text = both_ends(text)
    found = list(dict.fromkeys(content_terms(text)))
    strong = [word for word in found if not word.startswith(WEAK)][:_MOST]
    strong += asked_subject_terms(text)
    weak = [word for word in found if word.startswith(WEAK)][:_MOST]
    dates = asked_dates(text, at)[:_MOST]
    if not strong and not weak and not dates:
        return None
    asked = Asked(
        strong=[keys.of(word) for word in strong],
        weak=[keys.of(word) for word in weak],
        dates=[keys.of(word) for word in dates],
    )
    return Question([*strong, *weak, *dates], asked)


def both_ends(text: str) -> str:
    """Cut the middle out of a very long text."""
    if len(text) <= 2 * _END:
        return text
    return f"{text[:_END]} {text[-_END:]}"
