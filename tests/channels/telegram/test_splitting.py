"""Long replies are cut where a reader would cut them."""

import pytest

from channels.telegram.markdown import render
from channels.telegram.rendered import Entity, Rendered
from channels.telegram.splitting import split
from tests.channels.telegram.entity_judge import faults, part
from tests.channels.telegram.texts import FAMILY


def texts(source, limit):
    chunks = split(render(source, is_plain=False), limit)
    for chunk in chunks:
        assert faults(chunk.text, chunk.entities, limit) == []
    return [chunk.text for chunk in chunks]


@pytest.mark.parametrize(
    ("source", "chunks"),
    [
        ("short", ["short"]),
        ("", []),
        ("one two four.\n\nb\nc d e f", ["one two four.", "b\nc d e f"]),
        ("one two three.\nb c. d e f", ["one two three.", "b c. d e f"]),
        ("one two three. four five", ["one two three.", "four five"]),
        ("one two three four five", ["one two three four", "five"]),
        (
            "一二三四五六七八九十。一二三四五六七八九十",
            ["一二三四五六七八九十。", "一二三四五六七八九十"],
        ),
        ("x" * 45, ["x" * 20, "x" * 20, "x" * 5]),
        ("a " + "x" * 20, ["a", "x" * 20]),
        ("😀" * 11, ["😀" * 10, "😀"]),
        (FAMILY * 2, [FAMILY, FAMILY]),
        ("🇩🇪" * 6, ["🇩🇪" * 5, "🇩🇪"]),
        ("e\u0301" * 11, ["e\u0301" * 10, "e\u0301"]),
        ("क्षि" * 6, ["क्षि" * 5, "क्षि"]),
        ("\u1112\u1161\u11ab" * 7, ["\u1112\u1161\u11ab" * 6, "\u1112\u1161\u11ab"]),
        ("x" + "\u0301" * 24, ["x" + "\u0301" * 19, "\u0301" * 5]),
        ("x" + " " * 50 + "y", ["x", "y"]),
        # A mark sits on its space.
        ("x" * 12 + " \u0301" + "y" * 8, ["x" * 12 + " \u0301" + "y" * 6, "yy"]),
    ],
)
def test_the_best_place_is_taken(source, chunks):
    """A paragraph's end, else a line's, a sentence's, a word's, a character's."""
    assert texts(source, 20) == chunks


def test_a_message_is_as_long_as_telegram_takes():
    """After rendering: marks and addresses do not count."""
    source = "[" + "x" * 4096 + "](https://example.com/address)"
    assert texts(source, 4096) == ["x" * 4096]
    assert texts("x" * 4097, 4096) == ["x" * 4096, "x"]


def test_what_goes_on_is_opened_again():
    """With its language, and its address."""
    source = "```python\n" + "line\n" * 5 + "```\n[" + "word " * 5 + "](http://a.b)"
    chunks = split(render(source, is_plain=False), 16)

    assert [(c.text, c.entities) for c in chunks] == [
        ("line\nline\nline", (Entity("pre", 0, 14, language="python"),)),
        ("line\nline", (Entity("pre", 0, 9, language="python"),)),
        ("word word word", (Entity("text_link", 0, 14, url="http://a.b"),)),
        ("word word", (Entity("text_link", 0, 9, url="http://a.b"),)),
    ]


def test_code_is_cut_between_lines_and_stays_indented():
    """Python without its indentation is another program."""
    code = "\n".join("    " * (number % 4) + f"line {number}" for number in range(200))
    chunks = texts(f"```\n{code}\n```", 300)

    assert len(chunks) > 4
    assert "\n".join(chunks) == code


def test_code_that_fits_is_not_cut():
    """A reader wants to copy it whole."""
    code = "\n".join(["code"] * 10)
    source = "word " * 30 + f"\n```\n{code}\n```"

    assert texts(source, 180)[-1] == code


def test_a_heading_stays_with_its_text():
    """Alone at the end of a message it heads nothing."""
    source = "word " * 12 + "\n\n# Head\n\n" + "word " * 12

    assert texts(source, 80)[1].startswith("Head\n\nword")


def test_a_quote_is_a_quote_in_each_message():
    """And what is in it stays in it."""
    chunks = split(render("> **a** " + "word " * 10 + "`c`", is_plain=False), 30)

    assert [[part(c.text, e) for e in c.entities] for c in chunks] == [
        ["a word word word word word", "a"],
        ["word word word word word c", "c"],
    ]


def test_a_crowded_message_is_shorter():
    """Telegram shows a hundred entities; what is behind them would look plain."""
    rendered = render("`a` some words here and there, " * 150, is_plain=False)
    chunks = split(rendered, 4096)

    assert [len(chunk.entities) for chunk in chunks] == [100, 50]


def test_links_outlast_looks():
    """Where even half a message has too many."""
    source = "[l](http://a.b) **b** *i* " * 60
    (chunk,) = split(render(source, is_plain=False), 4096)

    kinds = [entity.kind for entity in chunk.entities]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "text_link": 60,
        "bold": 40,
    }


def test_what_nobody_sees_is_no_message():
    """Telegram would refuse it, and the rest of the reply would wait."""
    source = "x" + "\u200b" * 50 + "y"
    assert texts(source, 20) == ["x" + "\u200b" * 19, "\u200b" * 11 + "y"]
    assert split(Rendered("\u200b")) == ()
