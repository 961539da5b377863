"""The stretch of a long text that answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.text import terms
from apx.memory.focus import focus

LONG = "It rained all day and nothing much happened. " * 9


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (LONG + "The code word is marzipan.", "marzipan"),
        ("Marzipan! " + LONG, "marzipan"),
        ("今日は雨でした。" * 40 + "合言葉は杏仁です。", "杏仁"),
        ("é" * 400 + " marzipan", "marzipan"),
    ],
)
def test_the_word_that_was_looked_for_is_shown(text, word):
    """A memory whose fact is cut away is worse than none."""
    shown = focus(text, dict.fromkeys(terms(word), 1.0))

    assert word in shown.lower()
    assert len(shown) <= 160


def test_the_stretch_with_most_of_the_query_wins():
    """And the beginning if it holds as much."""
    text = f"tea is green. {LONG} tea is at five. {LONG}"

    assert focus(text, {"tea": 1.0, "five": 2.0}).endswith("…")
    assert "five" in focus(text, {"tea": 1.0, "five": 2.0})
    assert focus(text, {"tea": 1.0}).startswith("tea is green.")


@given(st.text(max_size=700), st.sampled_from(["a", "b", "tea"]), st.integers(60, 200))
def test_it_never_exceeds_its_limit(text, word, limit):
    """Whatever the text is."""
    shown = focus(text, {word: 1.0}, limit)

    assert len(shown) <= limit
    assert "\n" not in shown
