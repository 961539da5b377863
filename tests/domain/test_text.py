"""The rules about text, as examples and as laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.text import (
    bounded,
    chunks,
    clean,
    cut_bytes,
    estimate_tokens,
    excerpt,
    flatten,
    sentences,
    terms,
)

# Any code point, halves of characters included.
ANY = st.text(st.characters(exclude_categories=()))
MARKED = st.text(st.sampled_from("ae \u0301\u0327\u0e34ส👍👩\u200d🏽🇪🇸\ufe0fक\u094d"))


def size(text):
    return len(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    ("dirty", "expected"),
    [
        ("a\x00b", "ab"),
        ("a\ud800b", "a\ufffdb"),
        ("\ud83d\ude00", "😀"),
        ("one\r\ntwo\rthree\ttab", "one\ntwo\nthree\ttab"),
        ("\x1b[31mred", "[31mred"),
        ("naïve 漢字 👩‍👧", "naïve 漢字 👩‍👧"),
    ],
)
def test_text_is_made_safe_and_otherwise_kept(dirty, expected):
    """A store must be able to write it, and a terminal to show it."""
    assert clean(dirty) == expected


@given(ANY)
def test_clean_text_is_clean_for_ever(text):
    """Cleaning twice changes nothing, and the result is valid UTF-8."""
    once = clean(text)

    assert clean(once) == once
    assert "\x00" not in once.encode().decode()


@given(ANY)
def test_flat_text_has_one_line(text):
    """A note is one line of a file."""
    assert len(flatten(text).splitlines()) <= 1
    assert "  " not in flatten(text)


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("short", 5, "short"),
        ("a  long\ntext", 7, "a long…"),
        ("one two", 5, "one…"),
        ("cafe\u0301s", 5, "caf…"),
        ("ab👩‍👩‍👧cd", 5, "ab…"),
        ("a🇪🇸🇫🇷b", 5, "a🇪🇸…"),
        ("ab👍🏽c", 4, "ab…"),
        ("नमस्ते दुनिया", 5, "नम…"),
        ("text", 1, "…"),
        ("text", 0, ""),
    ],
)
def test_an_excerpt_ends_before_a_visible_character(text, limit, expected):
    """An accent, a joined emoji or a flag is never cut in two."""
    assert excerpt(text, limit) == expected


@given(st.one_of(ANY, MARKED), st.integers(0, 60))
def test_an_excerpt_keeps_its_limit(text, limit):
    """A short text is whole; a long one ends with the sign of the cut."""
    shown = excerpt(text, limit)

    assert len(shown) <= limit
    assert shown == flatten(text) or not limit or shown.endswith("…")


@given(ANY, st.integers(-1, 40))
def test_a_cut_by_bytes_is_the_longest_beginning(text, limit):
    """One character more would not fit."""
    kept = cut_bytes(text, limit)

    assert text.startswith(kept)
    assert size(kept) <= max(limit, 0)
    assert kept == text or size(text[: len(kept) + 1]) > limit


@given(ANY, st.integers(0, 80))
def test_bounded_text_stays_within_its_limit(text, limit):
    """The remark counts too."""
    shown = bounded(text, limit)

    assert size(shown) <= limit
    assert (shown == text) == (size(text) <= limit)


def test_bounded_text_says_how_much_is_shown():
    """A model must know that it does not see the end."""
    assert bounded("é" * 100, 60) == "é" * 15 + "\n[cut: 30 of 200 bytes shown]"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("hello world!", 4), ("漢字", 2), ("a", 1), ("Привет", 4)],
)
def test_tokens_are_rather_over_than_underestimated(text, tokens):
    """A prompt that is a little short is better than one that overflows."""
    assert estimate_tokens(text) == tokens


@given(ANY, st.integers(4, 60))
def test_chunks_without_overlap_are_the_text(text, length):
    """Nothing is lost and nothing is said twice."""
    cut = chunks(text, length, 0)

    assert "".join(cut) == (text if text.strip() else "")
    assert all(len(chunk) <= length for chunk in cut)


@given(st.lists(st.integers(0, 10**6), min_size=1), st.integers(40, 90))
def test_every_word_is_whole_in_some_chunk(numbers, length):
    """A word that is cut in every chunk could not be found."""
    words = [f"w{number}" for number in numbers]

    cut = chunks(" ".join(words), length, 15)

    assert set(words) <= {word for chunk in cut for word in chunk.split()}
    assert all(len(chunk) <= length for chunk in cut)


def test_a_chunk_ends_with_a_sentence_and_the_next_one_reaches_back():
    """Both halves of a thought should be found by either."""
    text = "One two three four five six seven. Eight nine ten eleven twelve."

    first, second = chunks(text, 50, 10)

    assert first == "One two three four five six seven. "
    assert second == "seven. Eight nine ten eleven twelve."


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "unit",
    [
        "a.",
        "\u0301\u0323",
        "\uff9e\u0334",
        "\u05b0\u05bf\u0591",
        "漢",
        "🇦",
        "-",
        "👩\u200d",
    ],
)
def test_no_text_takes_the_square_of_its_length(unit):
    """Sorting one pile of 300,000 marks took minutes; the timeout is the claim."""
    text = (unit * 300_000)[:300_000]

    terms(text)
    chunks(text)
    excerpt(text, 160)


def test_a_row_of_stops_is_read_once():
    """Its cost is its length, not the square of it; the test's time ends else."""
    assert sentences("?" * 300_000) == ["?" * 300_000]
    assert sentences("why?! Because... so.") == ["why?!", "Because...", "so."]
