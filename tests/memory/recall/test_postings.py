"""Postings say what counting by hand says, however they came to be."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from apx.memory.recall import postings
from apx.memory.recall.postings import Postings

# Few terms, so that they meet; the highest number there is among them.
TERMS = st.sampled_from([0, 1, 2, 7, 1 << 40, (1 << 64) - 1])
DOCUMENTS = st.lists(st.lists(TERMS, max_size=8), max_size=12)
EVERY = [0, 1, 2, 7, 1 << 40, (1 << 64) - 1]


def built(documents):
    flat = np.array([term for terms in documents for term in terms], np.uint64)
    return Postings.build(flat, [len(terms) for terms in documents])


def told(found):
    """Say which documents hold each term, and how often."""
    slices = zip(EVERY, found.find(np.array(EVERY, np.uint64)), strict=True)
    return {
        term: dict(zip(one.docs.tolist(), one.counts.tolist(), strict=True))
        for term, one in slices
        if one is not None
    }


def counted(documents):
    """Say the same by counting."""
    counts = [Counter(terms) for terms in documents]
    return {
        term: {doc: min(c[term], 255) for doc, c in enumerate(counts) if c[term]}
        for term in EVERY
        if any(c[term] for c in counts)
    }


@given(DOCUMENTS)
def test_every_term_names_its_documents(documents):
    """Also empty documents, and terms at both ends of the numbers."""
    found = built(documents)

    assert told(found) == counted(documents)
    assert found.size == len(documents)


@given(DOCUMENTS)
def test_the_documents_of_a_term_ascend(documents):
    """Everything that searches in them relies on it."""
    found = built(documents)

    for one in found.find(np.array(EVERY, np.uint64)):
        assert one is None or (np.diff(one.docs) > 0).all()


@given(st.lists(DOCUMENTS, min_size=1, max_size=5))
def test_parts_put_together_are_the_whole(parts):
    """Merging is an economy; nothing of it may be seen."""
    whole = [terms for part in parts for terms in part]

    found = postings.merged([built(part) for part in parts])

    same(found, built(whole))


@given(DOCUMENTS, st.data())
def test_without_some_it_is_as_if_they_had_never_been(documents, data):
    """What is gone leaves no term behind that only it held."""
    gone = data.draw(
        st.lists(st.booleans(), min_size=len(documents), max_size=len(documents))
    )

    found = built(documents).without(np.array(gone, np.bool_))

    same(
        found,
        built([d for d, is_gone in zip(documents, gone, strict=True) if not is_gone]),
    )


def test_a_term_said_very_often_is_counted_up_to_the_most():
    """One byte holds the count."""
    assert told(built([[7] * 1000])) == {7: {0: 255}}


def test_terms_longer_than_a_step_are_moved_whole():
    """Merging moves two million postings at a time; here are more, in four terms."""
    many = 700_000
    large = Postings(
        size=many,
        keys=np.arange(4, dtype=np.uint64),
        starts=np.arange(5, dtype=np.int64) * many,
        docs=np.tile(np.arange(many, dtype=np.int32), 4),
        counts=np.repeat(np.arange(1, 5, dtype=np.uint8), many),
    )
    small = built([[2], [7]])

    whole = postings.merged([small, large])

    slices = whole.find(np.arange(8, dtype=np.uint64))
    for term, one in enumerate(slices[:4]):
        assert one is not None
        extra = [0] if term == 2 else []
        assert one.docs.tolist() == extra + list(range(2, many + 2))
        assert set(one.counts[len(extra) :].tolist()) == {term + 1}
    assert slices[7] is not None
    assert slices[7].docs.tolist() == [1]


def same(one, other):
    """Two postings are the same to the last number."""
    assert one.size == other.size
    for name, array in one.arrays().items():
        assert np.array_equal(array, other.arrays()[name]), name


@given(DOCUMENTS)
def test_what_a_file_holds_makes_the_same(documents):
    """Arrays are all there is."""
    found = built(documents)

    same(Postings.from_arrays(found.size, found.arrays()), found)
