"""Owns what a chunk is found by: its terms, its date, and what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apx.domain.dates import date_terms
from apx.domain.facts import subject_terms
from apx.domain.message import Role
from apx.domain.recall import Kind
from apx.domain.text import content_terms, normal, terms
from apx.memory.recall.columns import Mark, NewDocument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.chunk import Chunk, Stored
    from apx.memory.recall.keys import Keys

# Terms that begin with this are weak: the beginning of a word, a single character.
WEAK: Final = "~"
# Terms that begin with this are of the date, not of the text.
DATED: Final = "@"
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
        text=keys.of(normal(chunk.text)),
        turn=chunk.turn,
        at=int(chunk.at.timestamp()),
        length=sum(not term.startswith(WEAK) for term in said),
        content=sum(not t.startswith(WEAK) for t in content_terms(chunk.text)),
        marks=_marks(chunk),
    )
    about = subject_terms(chunk.text) if chunk.role is Role.USER else []
    return Prepared(document, [*spoken, *said, *about, *date_terms(chunk.at)])


def _marks(chunk: Chunk) -> int:
    marks = Mark(0)
    if chunk.kind is Kind.NOTE:
        marks |= Mark.NOTE
    if chunk.role is Role.USER:
        marks |= Mark.PERSON
    if chunk.text.rstrip().endswith(_QUESTION_MARKS):
        marks |= Mark.QUESTION
    if any(mark in chunk.text for mark in _QUESTION_MARKS):
        marks |= Mark.ASKS
    return int(marks)
