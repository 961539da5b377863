"""Small parts become large ones: few at any time, and moved seldom."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from apx.memory.recall.lsm import SMALL, to_merge


def grown(batches):
    """Give the parts at the end, the most there were, and how much was moved."""
    sizes, most, moved = [], 0, 0
    for batch in batches:
        sizes.append(batch)
        count = to_merge(sizes)
        if count > 1:
            moved += sum(sizes[-count:]) if sum(sizes[-count:]) > SMALL else 0
            sizes[-count:] = [sum(sizes[-count:])]
        most = max(most, len(sizes))
    return sizes, most, moved


@settings(max_examples=50)
@given(st.lists(st.integers(1, 3 * SMALL), max_size=400))
def test_parts_stay_few_and_are_moved_a_logarithmic_number_of_times(batches):
    """Asking costs a little for each part, and merging for each document in it."""
    sizes, most, moved = grown(batches)
    total = sum(batches)
    levels = 2 + math.log(1 + total / SMALL, 4)

    assert sum(sizes) == total
    assert most <= levels + 2
    assert moved <= 4 * levels * total


def test_a_million_in_small_batches_is_moved_a_few_times():
    """As the indexer brings them."""
    sizes, most, moved = grown([500] * 2_000)

    assert most <= 8
    assert moved / sum(sizes) <= 20


@given(st.lists(st.integers(1, 10 * SMALL), min_size=1, max_size=9))
def test_the_newest_part_is_always_counted(sizes):
    """It says how many of the newest become one: from one to all."""
    assert 1 <= to_merge(sizes) <= len(sizes)


def test_nothing_is_not_merged():
    """A shelf begins without parts."""
    assert to_merge([]) == 0
