"""Long replies are cut where a reader would cut them, and stay whole for themselves."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.discord.markdown import render
from channels.discord.splitting import split
from channels.discord.splitting_fences import mended
from tests.channels.discord.texts import (
    FAMILY,
    LONG,
    examples,
    faults,
    long_texts,
    markdown_texts,
    stretches,
    unicode_texts,
    units,
)

# Hours, where they were asked for.
pytestmark = pytest.mark.timeout(86_400 if LONG else 300)

LIMITS = st.sampled_from([200, 500, 2000])
W = "word " * 30


def cut(text, limit=200):
    parts = split(text, limit)
    assert faults(parts, limit) == []
    assert stretches(mended(text)) == stretches(*parts)
    return parts


# -- single things


def test_a_short_text_is_one_part():
    assert split("short") == ("short",)
    assert split(" \n") == ()
    assert split("x" * 2000) == ("x" * 2000,)
    assert split("x" * 2001) == ("x" * 2000, "x")
    assert split("😀" * 1001) == ("😀" * 1000, "😀")


@pytest.mark.parametrize(
    ("text", "second"),
    [
        (f"{W}\n\n{W}", W.strip()),
        (f"{W}x.\n{W}", W.strip()),
        (f"{W}x. {W}", W.strip()),
        ("x" * 199 + FAMILY + " y", f"{FAMILY} y"),
        (f"{W}\n\n# Head\n\n{W}", f"# Head\n\n{W}".strip()),
        (f"{W}- and {W}", None),
    ],
)
def test_the_best_place_is_taken(text, second):
    """A paragraph's end, else a line's, a sentence's; nothing begins a list by it."""
    parts = cut(text)
    assert second is None or parts[1] == second
    assert not parts[1].startswith("- ")


@pytest.mark.parametrize(
    "whole",
    [
        "[a label of some words](https://a.example/path)",
        "https://a.example/path_with_marks?x=1",
        "<@123456789012345678>",
        "<:custom:123456789>",
        "<t:1700000000:R>",
        "`code with spaces in it`",
        "**bold words in a row**",
        "||a secret of some words||",
    ],
)
def test_what_is_one_thing_is_not_cut(whole):
    for length in range(150, 200, 3):
        parts = cut("x" * 100 + " " + "y" * (length - 101) + " " + whole + " " + W)
        assert any(whole in part for part in parts)


def test_a_part_is_rather_short_than_one_thing_torn():
    secret = f"||{'some words ' * 14}x||"
    first, second, *_ = cut(f"{'x' * 60} {secret} {W}")
    assert first == "x" * 60
    assert second.startswith(secret)


@pytest.mark.parametrize("mark", ["**", "||", "`", "~~", "__", "*"])
def test_what_is_longer_than_a_part_is_closed_and_opened(mark):
    """Half a spoiler would tell the secret."""
    parts = cut(f"{mark}{(W * 3).strip()}{mark}")
    assert len(parts) > 2
    assert all(part.startswith(mark) and part.endswith(mark) for part in parts)


def test_a_spoiler_over_code_hides_all_of_it():
    text = "||secret\n```py\n" + "code = 1\n" * 40 + "```\nmore||"
    assert all(part.count("||") == 2 for part in cut(text))


def test_code_is_cut_between_lines_and_opened_with_its_language():
    code = "\n".join("    " * (n % 4) + f"line {n}" for n in range(100))
    parts = cut(f"Look:\n```python\n{code}\n```\nDone.")

    bodies = [part.split("```python\n")[1].split("\n```")[0] for part in parts]
    assert "\n".join(bodies) == code


@pytest.mark.parametrize(
    "text",
    [
        "```" + "x" * 300 + "\n" + "code\n" * 100 + "```",
        "```python title=" + "x" * 300 + "\n" + "code\n" * 100 + "```",
        "````md\n" + "```py\nx\n```\n" * 40 + "````",
        "~~~py\n" + "x ``` y\n" * 60 + "~~~",
        "> ```py\n" + "> code\n" * 60 + "> ```\nend",
        "- a\n  - ```py\n" + "    code\n" * 60 + "    ```",
        "```py\n" + "x" * 900 + "\n```",
        "> " + W * 3,
        "```py\n" + "code\n" * 100,
        f"`` ``` `` {W * 2} `` ``` ``",
        f"{'x ' * 90} ```not code {W}",
        "```py\n" + "a\n" * 90 + "\n" * 300 + "```",
    ],
)
def test_fences_of_every_kind_are_closed_in_each_part(text):
    """Nested, in quotes and lists, with words beside them, or never closed."""
    assert len(cut(text)) > 1
    cut(render(text, is_plain=False))


def test_a_quote_goes_on_as_a_quote():
    assert all(part.startswith("> ") for part in cut("> " + W * 3))


@pytest.mark.parametrize(
    "text",
    [
        "Some words here. " * 6_000,
        "x" * 100_000,
        "```py\n" + "a = 1\n" * 16_000 + "```",
        "> " * 50_000,
        "- " * 50_000 + "```",
        "[a](" * 25_000,
        "`" * 100_000,
        "||**a** " * 12_000,
        "> ```\nx\n" * 12_000,
    ],
)
def test_the_time_it_takes_grows_with_the_text_alone(text):
    """A thousand times as much as usual, and a second is far from a square of that."""
    begun = time.process_time()
    split(render(text, is_plain=False))
    assert time.process_time() - begun < 2


# -- anything


def check(text, limit):
    assert faults(split(text, limit), limit) == []
    assert stretches(mended(text)) == stretches(*split(text, limit))


@examples(700, 300_000)
@given(unicode_texts | markdown_texts | long_texts(), LIMITS)
def test_any_text(text, limit):
    """Whatever it is, what is read in the parts is what stood in it, once, in order."""
    check(text, limit)


@examples(1_500, 400_000)
@given(markdown_texts, st.booleans(), LIMITS)
def test_any_markdown(text, is_plain, limit):
    written = render(text, is_plain=is_plain)

    assert written.count("Z") >= text.count("Z")
    check(written, limit)


@examples(250, 100_000)
@given(long_texts(), st.booleans(), LIMITS)
def test_any_long_text(text, is_plain, limit):
    written = render(text, is_plain=is_plain)

    assert written.count("Z") >= text.count("Z")
    check(written, limit)


TOKENS = st.sampled_from(
    [
        *("word", "Words.", "\n", "\n\n", "<@123456789>", "<:Z:12>", "<t:12:R>", "😀"),
        *("https://ex.am/ple?Z=1", "[Z z](https://ex.am/Z)", "||Z z||", "**Z z**", "-"),
    ]
)


@examples(250, 200_000)
@given(st.lists(TOKENS, min_size=30, max_size=150), LIMITS)
def test_any_row_of_things_is_cut_between_them(tokens, limit):
    text = " ".join(tokens)
    parts = split(text, limit)

    assert all(units(part) <= limit for part in parts)
    for token in {token for token in tokens if len(token) > 2}:
        assert sum(part.count(token) for part in parts) == text.count(token)
