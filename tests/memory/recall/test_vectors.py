"""The nearest vectors are found, exactly among few, nearly all among many."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apx.memory.recall import vectors as neural
from apx.memory.recall.clusters import cluster
from apx.memory.recall.codes import Codes
from apx.memory.recall.vectors import VectorPart

DIMS = 32


def unit(vectors):
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def clustered(many, dims=DIMS, groups=40, seed=0):
    """Make vectors as texts have them: some subjects, and variety in each."""
    chance = np.random.default_rng(seed)
    centres = unit(chance.standard_normal((groups, dims)))
    noise = chance.standard_normal((many, dims)) * 0.6 / dims**0.5
    return unit(centres[chance.integers(0, groups, many)] + noise)


def part(vectors, base=0, step=1):
    docs = (base + step * np.arange(len(vectors))).astype(np.int32)
    return VectorPart.build(docs, Codes.of(vectors))


def truth(vectors, query, limit):
    return set(np.argsort(-(vectors @ query))[:limit].tolist())


def recall(found_by, vectors, queries, limit=10):
    """Say how many of the exact nearest are found."""
    hits = [
        len(truth(vectors, query, limit) & set(found_by(query)[0].tolist()))
        for query in queries
    ]
    return sum(hits) / (limit * len(queries))


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 60), st.integers(1, 12), st.integers(0, 99))
def test_among_few_the_nearest_are_the_exact_ones(many, limit, seed):
    """To the precision of eight bits; in whatever parts they lie."""
    vectors = clustered(many, seed=seed)
    query = clustered(1, seed=seed + 1)[0]
    cut = many // 3
    parts = [part(vectors[:cut]), part(vectors[cut:], cut)] if cut else [part(vectors)]

    docs, cosines = neural.nearest(parts, query, limit)

    best = np.sort(vectors @ query)[::-1][:limit]
    assert len(docs) == len(set(docs.tolist())) == min(limit, many)
    assert np.sort(cosines)[::-1] == pytest.approx(best, abs=0.01)
    assert vectors[docs] @ query == pytest.approx(cosines, abs=0.01)


def test_up_to_two_thousand_every_vector_is_scored():
    """There bits would lose more than they save."""
    vectors = clustered(2_000, groups=1)
    found = part(vectors)

    for query in clustered(40, seed=5):
        best = np.sort(vectors @ query)[-10:]
        assert np.sort(found.nearest(query, 10)[1]) == pytest.approx(best, abs=0.005)


def test_beyond_that_bits_find_nearly_all():
    """Of the nearest by one bit a number the best are scored anew."""
    vectors = clustered(12_000, dims=64)
    found = part(vectors)
    queries = clustered(40, dims=64, seed=0)

    assert recall(lambda q: found.nearest(q, 10), vectors, queries) >= 0.97


def test_lists_find_nearly_all():
    """As from a hundred and fifty thousand on; here with fewer, through a file."""
    vectors = clustered(12_000, dims=64)
    codes = Codes.of(vectors)
    clusters, order = cluster(codes)
    plain = VectorPart.build(order.astype(np.int32), codes.take(order))
    lists: dict[str, Any] = {"centres": clusters.centres, "lists": clusters.starts}
    found = VectorPart.from_arrays(plain.docs, {**plain.arrays(), **lists})

    assert recall(lambda q: found.nearest(q, 10), vectors, clustered(40, 64)) >= 0.97


def test_a_sixth_of_the_lists_holds_what_is_near():
    """The others need not be looked at."""
    vectors = clustered(12_000, dims=64)
    codes = Codes.of(vectors)
    clusters, order = cluster(codes)
    probes = len(clusters.centres) // 6

    def near(query):
        return (order[clusters.rows(query, probes)],)

    queries = clustered(40, dims=64)
    assert recall(near, vectors, queries) >= 0.97
    assert np.mean([len(near(query)[0]) for query in queries]) < 12_000 / 3


def test_every_vector_is_in_one_list():
    """Lists divide; they do not drop."""
    codes = Codes.of(clustered(3_000))
    clusters, order = cluster(codes)

    assert sorted(order.tolist()) == list(range(3_000))
    assert clusters.starts[0] == 0
    assert clusters.starts[-1] == 3_000
    assert len(clusters.rows(clustered(1)[0], 10**6)) == 3_000


def test_the_same_vectors_are_divided_the_same_way():
    """A bench or a fault can be run again."""
    codes = Codes.of(clustered(3_000))

    assert np.array_equal(cluster(codes)[1], cluster(codes)[1])


def test_equal_vectors_are_divided_too():
    """One text, said ever so often."""
    codes = Codes.of(np.repeat(clustered(1), 2_500, axis=0))
    clusters, order = cluster(codes)

    assert np.isfinite(clusters.centres).all()
    assert len(order) == 2_500


@pytest.mark.parametrize("many", [5, 3_000])
def test_a_vector_is_found_by_its_document(many):
    """Zeros stand for none; parts are searched one after the other."""
    vectors = clustered(many)
    parts = [part(vectors, step=2), part(clustered(3, seed=9), base=2 * many)]

    found = neural.lookup(parts, np.array([2, 3, 2 * many + 1], np.int32), DIMS)

    assert found[0] == pytest.approx(vectors[1], abs=0.01)
    assert not found[1].any()
    assert found[2] == pytest.approx(clustered(3, seed=9)[1], abs=0.01)


@pytest.mark.parametrize("has_lists", [False, True])
def test_without_some_the_others_are_found_as_before(has_lists):
    """What is forgotten leaves no vector."""
    vectors = clustered(3_000)
    codes = Codes.of(vectors)
    lists: dict[str, Any] = {}
    docs = np.arange(3_000, dtype=np.int32)
    if has_lists:
        clusters, order = cluster(codes)
        docs, codes = order.astype(np.int32), codes.take(order)
        lists = {"centres": clusters.centres, "lists": clusters.starts}
    whole = VectorPart.build(docs, codes)
    whole = VectorPart.from_arrays(docs, {**whole.arrays(), **lists})
    gone = np.zeros(3_000, np.bool_)
    gone[::3] = True

    left = whole.without(gone)

    assert left.size == 2_000
    assert not gone[left.docs].any()
    for query in clustered(10, seed=4):
        docs, cosines = left.nearest(query, 5)
        assert vectors[docs] @ query == pytest.approx(cosines, abs=0.01)
        masked = np.where(gone, -2, vectors @ query)
        assert cosines.max() == pytest.approx(masked.max(), abs=0.05)


def test_when_all_are_gone_nothing_is_found():
    """A part of which every document was forgotten does no harm."""
    left = part(clustered(3)).without(np.ones(3, np.bool_))
    query = clustered(1)[0]

    assert left.size == 0
    assert len(neural.nearest([left], query, 5)[0]) == 0
    assert not neural.lookup([left], np.array([1], np.int32), DIMS).any()
    assert neural.merged([left, part(clustered(2))]).size == 2


def test_a_file_gives_back_the_same_part():
    """Only the documents' numbers may have changed."""
    vectors = clustered(3_000)
    whole = part(vectors)

    back = VectorPart.from_arrays(whole.docs + 7, whole.arrays())

    for query in clustered(5, seed=2):
        docs, cosines = whole.nearest(query, 10)
        again, scores = back.nearest(query, 10)
        assert sorted(again.tolist()) == sorted((docs + 7).tolist())
        assert sorted(scores.tolist()) == sorted(cosines.tolist())


def test_parts_put_together_are_one():
    """As if all had come at once."""
    vectors = clustered(2_500)
    whole = neural.merged([part(vectors[:900]), part(vectors[900:], 900)])
    one = part(vectors)

    query = clustered(1, seed=3)[0]
    assert set(whole.nearest(query, 20)[0]) == set(one.nearest(query, 20)[0])


def test_a_sample_is_spread_over_all():
    """It stands for the rest when cosines are compared with the usual."""
    vectors = np.repeat(unit(np.eye(DIMS)[:2]), 1_000, axis=0)

    sample = part(vectors).sample

    assert 300 <= len(sample) <= 800
    assert sample.mean(axis=0)[:2] == pytest.approx([0.5, 0.5], abs=0.05)
