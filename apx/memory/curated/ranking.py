"""Owns which curated memories fit a question by its words."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Final

from apx.domain.stems import WEAK
from apx.domain.text import content_terms, terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from apx.domain.curated import Fact

# As if so many more were there, about other things: in a store of three every word
# stands in a large part of them.
_BACKGROUND: Final = 300
# What a word counts by where it stands.
_TITLE: Final = 4.0
_TAG: Final = 3.0
_ABSTRACT: Final = 2.0
_MOST_BODY: Final = 2.0
_LITTLE: Final = 1.0
# A weak hint beside a word.
_WEAK: Final = 0.3
_MOST: Final = 48
# What a memory must hold of what is asked, or of its own title what is said.
SHARE: Final = 0.22
_TITLE_SHARE: Final = 0.7
_FEWEST: Final = 2


@dataclass(frozen=True, slots=True)
class Scored:
    """A fact with its evidence, and whether the words alone are enough."""

    fact: Fact
    score: float
    is_good: bool


@dataclass(slots=True)
class _Shelf:
    """What one audience sees: its words are rare or common by themselves."""

    postings: dict[str, dict[str, float]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    size: int = 0


@dataclass(frozen=True, slots=True)
class _Entry:
    fact: Fact
    weights: Mapping[str, float]
    title: frozenset[str]
    body: frozenset[str]


class Ranking:
    """The terms of facts; its methods block, and may be called by any thread."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._shelves: dict[str, _Shelf] = defaultdict(_Shelf)
        self._lock = Lock()

    def found(
        self, facts: Mapping[str, Fact], question: str, audiences: Sequence[str]
    ) -> list[Scored]:
        """Give what an audience may see and a question has words of, best first."""
        words = _words(question)
        if not words:
            return []
        with self._lock:
            self._renewed(facts)
            shelves = [self._shelves[a] for a in audiences if a in self._shelves]
            found = self._scored(words, shelves)
        return sorted(found, key=lambda one: (-one.score, one.fact.id))

    def renew(self, facts: Mapping[str, Fact]) -> None:
        """Read the words of what is new, before anybody asks."""
        with self._lock:
            self._renewed(facts)

    def _renewed(self, facts: Mapping[str, Fact]) -> None:
        for name in [n for n, e in self._entries.items() if facts.get(n) is not e.fact]:
            self._drop(name)
        for name in facts.keys() - self._entries.keys():
            self._add(facts[name])

    def _add(self, fact: Fact) -> None:
        entry = _entry(fact)
        self._entries[fact.id] = entry
        shelf = self._shelves[fact.audience]
        shelf.size += 1
        for word, weight in entry.weights.items():
            shelf.postings[word][fact.id] = weight

    def _drop(self, name: str) -> None:
        entry = self._entries.pop(name)
        shelf = self._shelves[entry.fact.audience]
        shelf.size -= 1
        for word in entry.weights:
            del shelf.postings[word][name]
            if not shelf.postings[word]:
                del shelf.postings[word]

    def _scored(
        self, words: Mapping[str, float], shelves: Sequence[_Shelf]
    ) -> Iterable[Scored]:
        size = sum(shelf.size for shelf in shelves)
        weigh = _Weights(shelves, size)
        asked = sum(weigh.of(word) * worth for word, worth in words.items())
        sums: defaultdict[str, float] = defaultdict(float)
        held: dict[str, set[str]] = defaultdict(set)
        for word, worth in words.items():
            value = weigh.of(word) * worth
            for shelf in shelves:
                for name, weight in shelf.postings.get(word, {}).items():
                    sums[name] += value * weight
                    held[name].add(word)
        for name, total in sums.items():
            entry = self._entries[name]
            is_about = total >= SHARE * asked and _tells(entry, held[name])
            is_good = is_about or _says_title(entry, held[name], weigh)
            yield Scored(entry.fact, total, is_good)


class _Weights:
    def __init__(self, shelves: Sequence[_Shelf], size: int) -> None:
        self._shelves = shelves
        self._size = size + _BACKGROUND
        self._known: dict[str, float] = {}

    def of(self, word: str) -> float:
        """Say how rare a word is."""
        if word not in self._known:
            many = sum(len(shelf.postings.get(word, ())) for shelf in self._shelves)
            rare = 1 + (self._size - many + 0.5) / (many + 0.5)
            self._known[word] = math.log(rare)
        return self._known[word]


def _tells(entry: _Entry, held: set[str]) -> bool:
    """Whether more is held than one word somewhere in a text."""
    return len(_strong(held)) >= _FEWEST or not held <= entry.body


def _strong(words: Iterable[str]) -> set[str]:
    return {word for word in words if not word.startswith(WEAK)}


def _says_title(entry: _Entry, held: set[str], weigh: _Weights) -> bool:
    """Whether a question, however long, holds most of a title."""
    strong = _strong(entry.title)
    found = strong & held
    if len(found) < _FEWEST:
        return False
    whole = sum(map(weigh.of, strong))
    return sum(map(weigh.of, found)) >= _TITLE_SHARE * whole


def _words(text: str) -> dict[str, float]:
    """Give what a text may be asked by, and what each counts."""
    found = list(dict.fromkeys(content_terms(text)))
    strong = [word for word in found if not word.startswith(WEAK)][:_MOST]
    weak = [word for word in found if word.startswith(WEAK)][:_MOST]
    return dict.fromkeys(strong, 1.0) | dict.fromkeys(weak, _WEAK)


def _entry(fact: Fact) -> _Entry:
    """Weigh the words of a fact: between 0 and 1, more for where they stand."""
    sums: defaultdict[str, float] = defaultdict(float)
    for word, many in Counter(terms(fact.body)).items():
        sums[word] += min(many, _MOST_BODY)
    head: set[str] = set()
    for text, worth in (
        (fact.title, _TITLE),
        (" ".join(fact.tags), _TAG),
        (fact.abstract, _ABSTRACT),
    ):
        words = set(terms(text))
        head |= words
        for word in words:
            sums[word] += worth
    weights = {word: total / (total + _LITTLE) for word, total in sums.items()}
    title = frozenset(_words(fact.title))
    return _Entry(fact, weights, title, frozenset(sums.keys() - head))
