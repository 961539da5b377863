"""Near-duplicates are found as if all titles were compared with all."""

from __future__ import annotations

import random
import time
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.mem.dedup import pairs, tokens
from apx.mem.faults import MemFault

WORDS = st.lists(st.sampled_from("abcdefghij"), max_size=8).map(" ".join)
ITEMS = st.lists(st.tuples(st.sampled_from(["decision", "howto"]), WORDS), max_size=12)


def compared(items, threshold):
    """Compare all with all."""
    found = set()
    for (one, kind, title), (other, also, theirs) in combinations(items, 2):
        words, others = set(title.split()), set(theirs.split())
        both = len(words & others)
        if kind == also and both and both / len(words | others) >= threshold:
            found.add((*sorted((one, other)), both / len(words | others)))
    return found


@given(ITEMS, st.sampled_from([0.1, 0.25, 1 / 3, 0.5, 0.6, 2 / 3, 0.7, 0.75, 0.9, 1.0]))
def test_the_pairs_are_those_of_comparing_all_with_all(titles, threshold):
    """None is missed, also where the likeness is the threshold itself."""
    items = [(f"d-{at:02}", kind, title) for at, (kind, title) in enumerate(titles)]

    found = pairs(items, threshold)

    assert len(found) == len(set(found))
    assert set(found) == compared(items, threshold)
    assert found == sorted(found, key=lambda pair: -pair[2])


@given(st.integers(1, 40), st.integers(1, 40))
def test_a_likeness_that_is_the_threshold_is_enough(shared, more):
    """Whatever floating point makes of it."""
    both = " ".join(f"w{at}" for at in range(shared))
    rest = " ".join(f"r{at}" for at in range(more))
    items = [("a", "howto", both), ("b", "howto", f"{both} {rest}")]

    likeness = shared / (shared + more)

    assert pairs(items, likeness) == [("a", "b", likeness)]
    assert pairs(items, min(likeness + 1e-6, 1.0)) == []


def test_a_threshold_that_was_summed_is_what_it_should_be():
    """0.1 + 0.2 is a hair more than three tenths."""
    items = [("a", "howto", "a b c"), ("b", "howto", "a b c d e f g h i j")]

    assert [pair[:2] for pair in pairs(items, 0.1 + 0.2)] == [("a", "b")]


@pytest.mark.parametrize(
    ("one", "other", "likeness"),
    [
        ("Never deploy on a Friday", "Don't deploy on a Friday", 4 / 7),
        ("Always use tabs in Go", "Please use tabs in Go", 4 / 6),
        ("USE  Tabs, in `go`!", "use tabs in Go", 1.0),
        ("Año nuevo", "ano nuevo", 1.0),
        ("東京に引っ越す", "東京に引っ越した", 5 / 8),
        ("ย้ายไปกรุงเทพ", "ย้ายไปกรุงเทพ", 1.0),
        ("🚀", "🚀", 1.0),
        ("c++ or c", "c# or c", 1.0),
        ("猫", "猫 犬", 1 / 2),
        ("Привет мир", "привет, МИР", 1.0),
    ],
)
def test_titles_are_alike_in_any_script(one, other, likeness):
    """By words, and where nothing parts them by neighbours; case and marks aside."""
    items = [("d-2", "decision", one), ("d-1", "decision", other)]

    assert pairs(items, 0.5) == [("d-1", "d-2", likeness)]


@pytest.mark.parametrize(("one", "other"), [("", ""), (" ", "\u200b"), ("🚀", "🌍")])
def test_titles_of_nothing_are_not_alike(one, other):
    """There is nothing that they share."""
    assert pairs([("a", "howto", one), ("b", "howto", other)], 0.1) == []


def test_types_are_not_compared():
    """A decision and how to carry it out may share a title."""
    assert pairs([("a", "howto", "x"), ("b", "decision", "x")]) == []


@pytest.mark.parametrize("threshold", [0, -1, 1.1, float("nan"), float("inf")])
def test_a_threshold_is_a_part(threshold):
    """Nothing at all would be enough for every pair."""
    with pytest.raises(MemFault, match="threshold"):
        pairs([("a", "howto", "x")], threshold)


def test_five_thousand_titles_take_no_time():
    """As large stores have them: words that are in every fifth title, and rare ones."""
    chosen = random.Random(8)  # noqa: S311 -- no secret
    words = [f"w{at}" for at in range(3000)]
    often = ["the", "use", "for", "not", "in"]
    items = []
    for at in range(5000):
        title = chosen.sample(often, 2) + chosen.sample(words, 5)
        items.append((f"d-{at}", "decision", " ".join(title)))
    items.append(("d-near", "decision", items[77][2].replace("w", "W") + " again"))
    began = time.process_time()

    found = pairs(items)

    assert time.process_time() - began < 1
    assert ("d-77", "d-near", 7 / 8) in found


def test_a_word_in_mixed_scripts_is_cut_where_they_meet():
    """So that a name is found beside what is said of it."""
    assert tokens("git仓库很大") == {"git", "仓库", "库很", "很大"}
