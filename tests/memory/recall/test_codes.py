"""Small vectors say nearly what the large ones said."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from apx.memory.recall import codes as coding
from apx.memory.recall.codes import Codes

NUMBERS = st.floats(-1, 1, width=32, allow_subnormal=False)
TABLES = hnp.arrays(
    np.float32, hnp.array_shapes(min_dims=2, max_dims=2, max_side=80), elements=NUMBERS
)


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def random(many, dims, seed=0):
    chance = np.random.default_rng(seed)
    return unit(chance.standard_normal((many, dims))).astype(np.float32)


@given(TABLES)
def test_a_number_is_off_by_half_a_step_at_most(vectors):
    """A step is a 127th of the largest of its row; a row of zeros stays one."""
    back = Codes.of(vectors).vectors()

    step = np.abs(vectors).max(axis=1, keepdims=True) / 127
    assert (np.abs(back - vectors) <= step * 0.51 + 1e-7).all()


@given(st.integers(1, 70), st.integers(1, 99))
def test_a_cosine_is_off_by_a_hundredth_at_most(dims, seed):
    """Ranking and floors were fitted with exact ones."""
    vectors, query = random(50, dims, seed), random(1, dims, seed + 1)[0]

    found = Codes.of(vectors).scores(query)

    assert np.abs(found - vectors @ query).max() < 0.01


@given(TABLES)
def test_the_database_gives_back_what_it_was_given(vectors):
    """A scale, then a byte a number."""
    codes = Codes.of(vectors)

    back = coding.unpacked(coding.packed(codes))

    assert np.array_equal(back.rows, codes.rows)
    assert np.array_equal(back.scales, codes.scales)


@given(st.integers(1, 200), st.integers(0, 99))
def test_bits_tell_on_which_side_of_the_middle_a_number_is(dims, seed):
    """Of every number, also where the last word is not full."""
    vectors = random(20, dims, seed)
    centre = vectors.mean(axis=0)

    bits = coding.signs(vectors, centre)
    counts = coding.differing(bits, bits[0])

    by_hand = ((vectors > centre) != (vectors[0] > centre)).sum(axis=1)
    assert counts.tolist() == by_hand.tolist()


def test_bits_of_many_are_those_of_each():
    """They are made in pieces."""
    codes = Codes.of(random(40_000, 8))
    centre = coding.mean(codes)

    bits = coding.all_signs(codes, centre)

    assert np.array_equal(bits, coding.signs(codes.vectors(), centre))


def test_a_shared_direction_does_not_hide_differences():
    """Vectors of E5 all point the same way; against their middle they differ."""
    vectors = unit(random(500, 64) * 0.2 + 1).astype(np.float32)
    codes = Codes.of(vectors)

    bits = coding.all_signs(codes, coding.mean(codes))
    counts = coding.differing(bits, bits[0])

    assert counts[1:].mean() > 20


def test_codes_are_joined_in_order():
    """Documents are told by the row."""
    one, two = Codes.of(random(3, 9)), Codes.of(random(2, 9, 1))

    both = coding.joined([one, two])

    assert both.size == 5
    assert np.array_equal(both.vectors()[3:], two.vectors())
    assert np.array_equal(both.take(np.array([4, 0])).rows[1], one.rows[0])
