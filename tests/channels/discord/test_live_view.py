"""What a reply looks like while it grows: never more than Discord takes."""

import pytest

from channels.discord.live_view import drawn, stopped
from channels.shared.units import units


def test_what_is_done_is_said_small_below_the_text():
    """Its name is no markup."""
    seen = drawn("**Well**", "__recall__", is_cut=False)
    text, below = seen.split("\n")
    assert text == "**Well**"
    assert below.startswith("-# … ")
    assert "__" not in below


def test_without_a_word_there_is_something_to_stop():
    """Discord refuses an empty message."""
    assert drawn("", "", is_cut=False) == "…"
    assert drawn(" \n", "", is_cut=False) == "…"
    assert drawn("", "recall", is_cut=False) == "-# … recall"
    assert drawn("", "\u200b", is_cut=False) == "…"


def test_what_stays_of_a_stopped_reply():
    assert stopped("Once upon", is_cut=False) == "Once upon\n\n(stopped)"
    assert stopped("", is_cut=False) == "(stopped)"


@pytest.mark.parametrize("letter", ["w", "*", "😀", "가"])
def test_of_a_long_reply_its_end_is_seen(letter):
    """Text and line together fit, however much of it has to be escaped."""
    seen = drawn(f"{letter} " * 3_000 + "last", letter * 300, is_cut=False)
    assert units(seen) <= 2_000
    assert seen.startswith("…\n")
    assert seen.split("\n-# ")[0].endswith("last")
    assert units(stopped(f"{letter} " * 3_000, is_cut=False)) <= 2_000


def test_what_was_left_out_before_is_marked_too():
    assert drawn("the end", "", is_cut=True) == "…\nthe end"


def test_code_that_is_not_complete_is_shown_as_code():
    """Else what is said below it would be code."""
    seen = drawn("Look:\n```python\nx = 1", "recall", is_cut=False)
    assert seen.count("```") == 2
    assert seen.endswith("\n```\n-# … recall")
