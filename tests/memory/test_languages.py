"""Facts in 21 languages in one store: each question brings its own back.

`asked` shares stems with its fact, seldom forms. `reworded` shares next to nothing:
it is for embedders, as no index of words finds it.
"""

import json
import math
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from apx.domain.text import content_terms, terms

TOLD = json.loads(Path(__file__).with_name("languages.json").read_text("utf-8"))
# What a term that is marked as a weaker hint is worth.
WEAK = 0.3
FIRST = 3


class Store:
    """BM25 and nothing else, so that the terms alone are judged."""

    def __init__(self, texts):
        self._counts = [Counter(terms(text)) for text in texts]
        self._spread = Counter(term for counts in self._counts for term in counts)
        self._mean = sum(map(Counter.total, self._counts)) / len(texts)

    def first(self, query):
        scores = {
            place: score
            for place in range(len(self._counts))
            if (score := self._score(place, set(content_terms(query))))
        }
        return sorted(scores, key=lambda place: -scores[place])[:FIRST]

    def _score(self, place, asked):
        counts = self._counts[place]
        length = 0.25 + 0.75 * counts.total() / self._mean
        return sum(
            self._worth(term) * counts[term] * 2.2 / (counts[term] + 1.2 * length)
            for term in asked & counts.keys()
        )

    def _worth(self, term):
        there = self._spread[term]
        rare = math.log(1 + (len(self._counts) - there + 0.5) / (there + 0.5))
        return rare * (WEAK if term.startswith("~") else 1)


@pytest.fixture(scope="module")
def recall():
    """Measure how often the fact is among the first three, by language."""
    facts = [(language, item) for language in TOLD for item in TOLD[language]]
    store = Store([item["fact"] for _, item in facts])
    hits = defaultdict(list)
    for place, (language, item) in enumerate(facts):
        hits[language].append(place in store.first(item["asked"]))
    return {language: sum(found) / len(found) for language, found in hits.items()}


@pytest.mark.parametrize("language", TOLD)
def test_another_form_of_the_words_finds_the_fact(recall, language):
    """A question seldom has the very forms of the answer; floors as measured."""
    assert len(TOLD[language]) >= 12
    assert recall[language] >= 0.9


def test_hardly_a_question_misses_its_fact(recall):
    """All languages together."""
    assert sum(recall.values()) / len(recall) >= 0.98
