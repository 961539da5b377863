"""Owns which of several hits say the same, or what a newer one took back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from apx.domain.facts import asked_subjects, asks_for_past
from apx.domain.recall import Kind
from apx.domain.supersede import Statement, replacement, taken_back
from apx.domain.text import normal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from apx.domain.chunk import Chunk
    from apx.domain.recall import Query
    from apx.memory.recall.search import Scored

    Hit = tuple[Chunk, Scored]

# Texts that share this much of their words say the same.
_ALIKE: Final = 0.9
# A message of up to this many times a note's length says no more than the note.
_AROUND: Final = 2
# However many there are.
_ALL: Final = 10_000
_TWO: Final = 2


def fold(hits: Iterable[Hit], query: Query, enough: int) -> Sequence[Hit]:
    """Give the first hits, but what only asks the same, and of near equals only one.

    A note stays rather than a message, else the newer one. What newer hits took back
    is left out, unless history is wanted: the newer one has its place.
    """
    asked = normal(query.text)
    said = (_Said.of(chunk, hit) for chunk, hit in hits)
    every = (one for one in said if one.text != asked)
    kept = _distinct(every, enough + 1)
    if not query.history and any(one.statement.claims for one in kept[:enough]):
        kept = _current(_distinct(every, _ALL, kept), query.text)
    return [(one.chunk, one.hit) for one in kept[:enough]]


@dataclass(frozen=True, slots=True)
class _Said:
    chunk: Chunk
    hit: Scored
    text: str
    words: frozenset[str]
    statement: Statement

    @classmethod
    def of(cls, chunk: Chunk, hit: Scored) -> _Said:
        text = normal(chunk.text)
        statement = Statement(
            chunk.text, chunk.role, chunk.person, chunk.at, chunk.seq, chunk.speaker
        )
        return cls(chunk, hit, text, frozenset(text.split()), statement)

    @property
    def is_note(self) -> bool:
        return self.chunk.kind is Kind.NOTE


def _distinct(
    every: Iterator[_Said], enough: int, kept: Sequence[_Said] = ()
) -> list[_Said]:
    """Add hits until there are enough, of near equals only the better."""
    found = list(kept)
    for new in every:
        twin = next((n for n, one in enumerate(found) if _alike(new, one)), None)
        if twin is not None:
            found[twin] = _better(found[twin], new)
            continue
        found.append(new)
        if len(found) == enough:
            break
    return found


def _alike(one: _Said, other: _Said) -> bool:
    if len(one.words & other.words) >= _ALIKE * len(one.words | other.words):
        return True
    return _is_most_of(one, other) or _is_most_of(other, one)


def _is_most_of(note: _Said, said: _Said) -> bool:
    """Whether a message says a note and little else, as the one that asked for it."""
    inside = note.is_note and note.text in said.text
    return inside and len(said.text) <= _AROUND * len(note.text)


def _better(kept: _Said, new: _Said) -> _Said:
    """Give the better text the place and the score of the one that is kept."""
    if taken_back(kept.statement, [new.statement]):
        is_better = True
    elif taken_back(new.statement, [kept.statement]):
        is_better = False
    else:
        is_better = (new.is_note, new.chunk.at) > (kept.is_note, kept.chunk.at)
    return replace(new, hit=kept.hit) if is_better else kept


def _current(every: Sequence[_Said], question: str) -> list[_Said]:
    """Leave out what others took back; the newest of them takes the best place."""
    telling = {one.statement: one for one in every if one.statement.claims}
    if len(telling) < _TWO or asks_for_past(question):
        return list(every)
    asked = asked_subjects(question)
    statements = list(telling)
    places: dict[tuple[int, str], _Said] = {}
    for one in every:
        stays = one
        while newer := replacement(stays.statement, statements, asked):
            stays = telling[newer]
        score = max(one.hit.score, stays.hit.score)
        hit = replace(stays.hit, score=score)
        key = (stays.chunk.seq, stays.text)
        places.setdefault(key, replace(stays, hit=hit))
    return list(places.values())
