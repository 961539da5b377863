"""What `scripts/bench recall` says is only worth something if it counts right."""

import json
from datetime import UTC, datetime

import numpy as np
import pytest

from scripts.benchmarks import recall_data, recall_fit, recall_metrics
from scripts.benchmarks.recall_engine import Ours, in_all, ours

CONVERSATION = {
    "session_1": [
        {"speaker": "Ana", "dia_id": "D1:1", "text": "We adopted a greyhound"},
        {"speaker": "Ivo", "dia_id": "D1:2", "text": "The tax office called me"},
    ],
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_10": [
        {"speaker": "Ivo", "dia_id": "D10:1", "text": "My violin lessons begin"},
    ],
    "session_10_date_time": "9:05 am on 1 June, 2023",
}
QUESTIONS = [
    {"question": "Who has a greyhound?", "evidence": ["D1:01"], "category": 4},
    {"question": "What does Ivo learn?", "evidence": ["D1:2; D10:1"], "category": 1},
    {"question": "Where is the violin?", "evidence": ["D10:1"], "category": 5},
    {"question": "Is there an answer?", "evidence": ["D"], "category": 4},
]


@pytest.fixture
def corpus(tmp_path):
    """Read one small conversation."""
    file = tmp_path / "data.json"
    told = [{"conversation": CONVERSATION, "qa": QUESTIONS}]
    file.write_text(json.dumps(told), "utf-8")
    return recall_data.corpus([file])


def item(evidence, number=0, conversation=0):
    """Make a question of which only the evidence matters."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return recall_data.Item(number, "?", conversation, evidence, 4, at)


@pytest.mark.parametrize(
    ("written", "places"),
    [
        (["D1:3"], [(1, 3)]),
        (["D8:6; D9:17"], [(8, 6), (9, 17)]),
        (["D30:05", "D2:1"], [(30, 5), (2, 1)]),
        (["D", "D:11:26", ""], []),
    ],
)
def test_evidence_is_read_however_it_is_written(written, places):
    """The data has several places in one string, leading zeros, and broken ones."""
    assert recall_data.evidence_places(written) == places


def test_a_question_knows_its_evidence_and_adversarial_ones_are_left_out(corpus):
    """Turns have ids in the order in which they were said, across sessions."""
    asked = [(one.text, one.evidence) for one in corpus.items]

    assert asked == [("Who has a greyhound?", (1,)), ("What does Ivo learn?", (2, 3))]
    assert [row.chunk.at.day for row in corpus.rows] == [8, 8, 1]


def test_the_measures_are_what_their_names_say():
    """By hand: evidence at ranks 2, 6 and 11."""
    found, evidence = [9, 1, 8, 7, 6, 2, 4, 5, 10, 11, 3], (1, 2, 3)

    five, ten, reciprocal, ndcg = recall_metrics.measures(found, evidence)

    assert (five, ten, reciprocal) == (1 / 3, 2 / 3, 1 / 2)
    best = 1 + 1 / np.log2(3) + 1 / 2
    assert ndcg == pytest.approx((1 / np.log2(3) + 1 / np.log2(7)) / best)


def test_what_is_found_is_what_turns_find(corpus):
    """The benchmark asks our own search, with the speaker's name among the words."""
    outcome = in_all(corpus, ours())

    assert outcome.found[0][0] == 1
    assert set(outcome.found[1][:2]) == {2, 3}
    assert len(outcome.ms) == len(corpus.items)


def test_tables_hold_the_features_of_the_ranker_and_its_order(corpus):
    """A fit on other numbers than those that turns rank by would be of no use."""
    weights = recall_fit.present(with_vectors=False)
    store = Ours.of(corpus.rows)

    some = recall_fit.cases(store, corpus.items, list(weights))

    numbers = np.array(list(weights.values()))
    assert [case.found(numbers) for case in some] == [
        store.find(case.item) for case in some
    ]


def planted(weights, many=300):
    """Draw evidence by the softmax of known weights."""
    chance = np.random.default_rng(7)
    cases = []
    for number in range(many):
        table = chance.normal(size=(30, len(weights))).astype(np.float32)
        shares = np.exp(table @ weights)
        right = chance.choice(30, p=shares / shares.sum())
        chunks = np.arange(1, 31)
        one = item((int(chunks[right]),), number)
        cases.append(recall_fit.Case(one, chunks, table, np.array([right])))
    return cases


def test_the_fit_finds_planted_weights():
    """With enough questions only the weights that made the evidence explain it."""
    weights = np.array([2.0, -1.0, 0.5])
    free = np.zeros(3, bool)

    found = recall_fit.fitted(planted(weights), np.zeros(3), free, ridge=0.0)

    assert found == pytest.approx(weights, abs=0.25)


def test_what_is_held_stays_and_a_strong_ridge_holds_everything():
    """Some weights come from other data, which this data must not overrule."""
    some, start = planted(np.array([2.0, -1.0, 0.5])), np.array([0.0, 3.0, 0.0])

    held = recall_fit.fitted(some, start, np.array([False, True, False]), 0.0)
    ridged = recall_fit.fitted(some, start, np.zeros(3, bool), 20.0)

    assert held[1] == start[1]
    assert held[0] > 1
    assert ridged == pytest.approx(start, abs=0.2)
