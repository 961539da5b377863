"""Owns what a chunk is found by: its terms, its date, and what it is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from apx.domain.dates import date_terms
from apx.domain.facts import subject_terms
from apx.domain.message import Role
from apx.domain.recall import Kind
from apx.domain.small_words import STOP_WORDS
from apx.domain.text import normal, terms
from apx.memory.recall.columns import Mark, NewDocument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.chunk import Chunk, Stored
    from apx.memory.recall.keys import Keys

# Terms that begin with this are weak: the beginning of a word, a single character.
WEAK: Final = "~"
_SHORT: Final = 8
_QUESTION_WORDS: Final = """
who what when where why which whose how quien que cuando donde cual cuanto como wer wann
wo warum wie welche welcher welches qui quand pourquoi comment quel quelle chi quando
dove perche quale quem onde qual wie waar wanneer waarom кто что когда где почему
"""
_ASKING: Final = frozenset(_QUESTION_WORDS.split())
_QUESTION_MARKS: Final = ("?", "\uff1f", "\u061f", "\u037e")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document as the columns take it, and all its terms."""

    document: NewDocument
    terms: Sequence[str]


def prepared(stored: Stored, keys: Keys) -> Prepared:
    """Prepare a chunk for the arrays."""
    chunk = stored.chunk
    said = terms(chunk.text)
    spoken = terms(chunk.speaker)
    # A note has no neighbours: it was made in a thread, not said there.
    is_said = chunk.kind is not Kind.NOTE
    document = NewDocument(
        chunk=stored.id,
        thread=keys.of(chunk.thread) if is_said and chunk.thread else 0,
        speaker=keys.of(spoken[0]) if spoken else 0,
        text=keys.once(normal(chunk.text)),
        turn=chunk.turn,
        at=int(chunk.at.timestamp()),
        length=sum(not term.startswith(WEAK) for term in said),
        content=sum(not t.startswith(WEAK) and t not in _stop_terms() for t in said),
        marks=_marks(chunk),
    )
    about = subject_terms(chunk.text) if chunk.role is Role.USER else []
    return Prepared(document, [*spoken, *said, *about, *_dated(chunk.at.date())])


def _begins_to_ask(text: str) -> bool:
    """Whether a short text is a question although it has no mark."""
    words = text.split(maxsplit=_SHORT)
    return 1 < len(words) <= _SHORT and normal(words[0]) in _ASKING


@cache
def _stop_terms() -> frozenset[str]:
    """Give the terms of small words, which say nothing by themselves."""
    return frozenset(term for word in STOP_WORDS for term in terms(word))


@lru_cache(maxsize=64)
def _dated(day: date) -> list[str]:
    """Give the terms of a day; many chunks are of the same."""
    return date_terms(datetime(day.year, day.month, day.day, tzinfo=UTC))


def _marks(chunk: Chunk) -> int:
    marks = Mark(0)
    if chunk.kind is Kind.NOTE:
        marks |= Mark.NOTE
    if chunk.role is Role.USER:
        marks |= Mark.PERSON
    if chunk.text.rstrip().endswith(_QUESTION_MARKS) or _begins_to_ask(chunk.text):
        marks |= Mark.QUESTION
    if any(mark in chunk.text for mark in _QUESTION_MARKS):
        marks |= Mark.ASKS
    return int(marks)
