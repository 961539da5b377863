"""A shelf finds the same however its documents and vectors came to it."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from apx.domain.chunk import Stored
from apx.domain.space import Usual
from apx.memory.recall.asking import question
from apx.memory.recall.codes import Codes
from apx.memory.recall.keys import Keys
from apx.memory.recall.lsm import SMALL
from apx.memory.recall.search import Meaning, search
from apx.memory.recall.shelf import NewVectors, Shelf
from apx.providers.hashing import hashed, hashed_query
from tests.memory.rooms import NOW, said

WORDS = ["boat", "ferry", "harbour", "sailor", "anchor"]
TEXTS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.integers(0, 2)
    ),
    min_size=1,
    max_size=25,
)
KEYS = Keys()
SPACE, DIMS = 3, 32


def stored(texts):
    return [
        Stored(n, said(f"{' '.join(words)} number{n}", n, thread=f"terminal:{thread}"))
        for n, (words, thread) in enumerate(texts, 1)
    ]


def vectors(chunks):
    texts = [one.chunk.text for one in chunks]
    ids = [one.id for one in chunks]
    return NewVectors(ids, ids, Codes.of(hashed(texts, DIMS)))


def asked(shelf, text):
    asking = question(text, NOW, KEYS)
    assert asking is not None
    meaning = Meaning(SPACE, hashed_query(text, DIMS), Usual(0.0, 0.1))
    hits = search([shelf], replace(asking.asked, limit=99, meaning=meaning)).hits
    return {hit.chunk: (round(hit.score, 3), round(hit.cosine, 3)) for hit in hits}


@settings(max_examples=60, deadline=None)
@given(TEXTS, st.lists(st.integers(0, 25), max_size=4), st.sets(st.integers(1, 25)))
def test_passes_and_the_order_of_events_make_no_difference(texts, cuts, gone):
    """All at once, or bit by bit with chunks, vectors and losses in between."""
    chunks = stored(texts)
    whole = Shelf()
    whole.take(chunks, KEYS)
    whole.take_vectors(SPACE, vectors(chunks))
    whole.kill(sorted(gone))

    bits, ends = Shelf(), sorted({0, len(chunks), *(min(c, len(chunks)) for c in cuts)})
    for first, last in pairwise(ends):
        bits.take(chunks[first:last], KEYS)
        bits.take(chunks[max(0, first - 2) : last], KEYS)  # some come again
        bits.take_vectors(SPACE, vectors(chunks[max(0, first - 2) : last]))
        bits.kill([n for n in gone if first < n <= last])

    for text in ("boat harbour", "ferry sailor anchor"):
        assert asked(bits, text) == asked(whole, text)
        assert gone.isdisjoint(asked(bits, text))


@settings(max_examples=30, deadline=None)
@given(TEXTS, st.sets(st.integers(1, 25)))
def test_the_living_are_found_as_if_the_dead_had_never_been(texts, gone):
    """The same ones; scores may differ by what is rare."""
    chunks = stored(texts)
    shelf, other = Shelf(), Shelf()
    shelf.take(chunks, KEYS)
    shelf.kill(sorted(gone))
    other.take([one for one in chunks if one.id not in gone], KEYS)

    for text in ("boat harbour", "ferry sailor anchor"):
        assert asked(shelf, text).keys() == asked(other, text).keys()


def test_parts_stay_few():
    """A question looks into each of them."""
    shelf = Shelf()
    chunks = stored([(["boat"], 0)] * (SMALL + 700))
    for first in range(0, len(chunks), 100):
        shelf.take(chunks[first : first + 100], KEYS)
        assert len(shelf.parts) <= 3
    assert sum(part.postings.size for part in shelf.parts) == len(chunks)


def test_other_spaces_can_be_let_go():
    """After a swap the old one is dead weight."""
    chunks, shelf = stored([(["boat"], 0)]), Shelf()
    shelf.take(chunks, KEYS)
    for space in (1, 2, 3):
        shelf.take_vectors(space, vectors(chunks))

    shelf.keep_spaces({2})

    assert set(shelf.spaces) == {2}
    assert shelf.newest_vector(2) == 1
    assert shelf.newest_vector(1) == 0


def test_a_vector_waits_for_its_chunk():
    """And those after it too: what is older than the newest is not asked for again."""
    chunks, shelf = stored([(["boat"], 0)] * 4), Shelf()
    shelf.take(chunks[:3], KEYS)
    out_of_order = vectors([chunks[0], chunks[3], chunks[1]])
    shelf.take_vectors(SPACE, replace(out_of_order, ids=[1, 2, 3]))
    assert shelf.newest_vector(SPACE) == 1

    shelf.take(chunks, KEYS)
    shelf.take_vectors(SPACE, replace(out_of_order, ids=[1, 2, 3]))
    assert shelf.newest_vector(SPACE) == 3
    [part] = shelf.spaces[SPACE]
    assert sorted(part.vectors.docs.tolist()) == [0, 1, 3]
    assert np.array_equal(part.vectors.sorted_docs, [0, 1, 3])
