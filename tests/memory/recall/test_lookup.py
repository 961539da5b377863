"""The first stage finds the true best documents by their own words."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apx.memory.recall.columns import Columns, NewDocument
from apx.memory.recall.lookup import K1, USUAL, B, LexicalPart, Looked
from apx.memory.recall.postings import Postings

TERMS = st.lists(st.integers(0, 9), min_size=1, max_size=12)


def shelf(documents, cuts=(), texts=None):
    """Give the parts and the columns of documents, which are lists of terms."""
    ends = sorted({0, len(documents), *(cut % (len(documents) + 1) for cut in cuts)})
    parts = []
    for first, last in pairwise(ends):
        some = documents[first:last]
        flat = np.array([term for terms in some for term in terms], np.uint64)
        parts.append(LexicalPart(first, Postings.build(flat, list(map(len, some)))))
    columns = Columns()
    columns.append(
        NewDocument(n, 0, 0, texts[n] if texts else n, n, n, len(terms), 9, 0)
        for n, terms in enumerate(documents)
    )
    return parts, columns


def bm25(documents, asked, weights):
    """Score every document by the book."""
    scores = {}
    for doc, terms in enumerate(documents):
        norm = K1 * (1 - B + B * len(terms) / USUAL)
        often = [terms.count(term) for term in asked]
        if any(often):
            worth = [n * (K1 + 1) / (n + norm) for n in often]
            scores[doc] = sum(w * x for w, x in zip(weights, worth, strict=True))
    return scores


def best(parts, columns, asked, weights, limit):
    looked = Looked.up(parts, asked)
    docs, scores = looked.best(np.array(weights, np.float32), columns, limit)
    return dict(zip(docs.tolist(), scores.tolist(), strict=True))


@settings(max_examples=150)
@given(
    st.lists(TERMS, min_size=1, max_size=40),
    st.lists(st.integers(0, 11), min_size=1, max_size=6, unique=True),
    st.lists(st.integers(0, 100), max_size=3),
    st.integers(1, 12),
)
def test_the_best_are_those_of_scoring_everything(documents, asked, cuts, limit):
    """Whatever parts the documents lie in, and terms that nobody holds."""
    parts, columns = shelf(documents, cuts)
    weights = [1.0 + 0.37 * n for n in range(len(asked))]
    truth = bm25(documents, asked, weights)

    found = best(parts, columns, asked, weights, limit)

    top = sorted(truth.values(), reverse=True)[:limit]
    assert sorted(found.values(), reverse=True) == pytest.approx(top, rel=1e-4)
    for doc, score in found.items():
        assert score == pytest.approx(truth[doc], rel=1e-4)


@given(
    st.lists(TERMS, min_size=1, max_size=30),
    st.lists(st.integers(0, 11), min_size=1, max_size=6, unique=True),
    st.lists(st.integers(0, 100), max_size=3),
    st.data(),
)
def test_the_table_of_counts_is_that_of_counting(documents, asked, cuts, data):
    """Of any documents, also of those that hold nothing."""
    parts, _ = shelf(documents, cuts)
    chosen = data.draw(st.sets(st.integers(0, len(documents) - 1)))
    docs = np.array(sorted(chosen), np.int32)
    looked = Looked.up(parts, asked)

    table = looked.frequencies(docs, len(asked))

    by_hand = [[documents[doc].count(term) for doc in docs] for term in asked]
    assert table.tolist() == by_hand
    held = [sum(term in terms for terms in documents) for term in asked]
    assert looked.counts(len(asked)).tolist() == held


def test_one_text_repeated_does_not_crowd_out_the_others():
    """Two words said a thousand times are one hit, and the newest of them."""
    many = 5_000
    documents = [[1, 2]] * many + [[1, 3, 4, n + 10] for n in range(20)]
    texts = [7] * many + list(range(100, 120))
    parts, columns = shelf(documents, texts=texts)

    found = best(parts, columns, [1, 2], [1.0, 1.0], 20)

    assert many - 1 in found
    assert len(found.keys() - {many - 1}) == 19
    assert min(found) == many - 1


def test_a_long_question_brings_as_many_as_a_short_one():
    """A document that holds many of its terms counts once."""
    documents = [[*range(1, 41), *[50] * (n % 500)] for n in range(1_000)]
    parts, columns = shelf(documents)

    found = best(parts, columns, list(range(1, 41)), [1.0] * 40, 300)

    assert {doc % 500 for doc in found} == set(range(150))
    assert len(found) == 300


def test_the_dead_take_no_room():
    """Else a few forgotten ones would hide what is left."""
    documents = [[1, 1, 1]] * 400 + [[1, 5, 6, 7]] * 10
    parts, columns = shelf(documents)
    columns.kill(range(400))

    assert set(best(parts, columns, [1], [1.0], 10)) == set(range(400, 410))


def test_a_term_in_all_documents_scores_what_the_others_found():
    """A common word alone orders by length; beside a rare one it only adds."""
    documents = [[1] * 2 + [2] * (n == 70) for n in range(100)]
    parts, columns = shelf(documents)

    found = best(parts, columns, [1, 2], [0.01, 3.0], 5)

    assert max(found, key=lambda doc: found[doc]) == 70
    assert len(found) == 5


def test_nothing_asked_and_nothing_there_bring_nothing():
    """No term, no document, no error."""
    parts, columns = shelf([[1]])

    assert best(parts, columns, [99], [1.0], 5) == {}
    assert best([], Columns(), [1], [1.0], 5) == {}
