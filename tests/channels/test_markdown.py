"""Nothing that a model writes vanishes on its way to the terminal."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from channels.terminal.markdown import rendered


def shown(text, width=60, *, is_plain=False):
    out = io.StringIO()
    Console(file=out, width=width).print(rendered(text, is_plain=is_plain))
    return [line.strip() for line in out.getvalue().splitlines() if line.strip()]


@pytest.mark.parametrize(
    "text",
    [
        "vector<int> and List<String>, <b>x</b>",
        "<p>paragraph</p>",
        "<!-- a remark -->",
        "std::vector<std::string> v;",
        "<https://example.com/a_b>",
        "[note]: http://example.com",
        "write &lt;b&gt; for <b>",
        "__init__ and a_b_c and _x_",
        "2*3*4 is 24, 2**3 and 4**5 too",
        "#hashtag",
        "a ** b and c",
        "C:\\dir\\file",
    ],
)
def test_what_only_looks_like_markup_is_shown(text):
    """Code, tags and names, outside of code blocks too."""
    assert shown(text) == [text]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("*some* **bold** `code` ~~old~~", ["some bold code old"]),
        ("这是**重要**的", ["这是重要的"]),
        ("[site](https://example.com/a)", ["site (https://example.com/a)"]),
        ("![pic](http://x.y/p.png)", ["!pic (http://x.y/p.png)"]),
        ("a\nb\n\nc", ["a", "b", "c"]),
        ("total\n---\nfive", ["total", "-" * 60, "five"]),
        ("- a\n- b\n  - c", ["• a", "• b", "• c"]),
        ("```\nx  = <1>\n__y__\n```", ["x  = <1>", "__y__"]),
        ("# Head\ntext", ["Head", "text"]),
    ],
)
def test_markdown_is_drawn(text, lines):
    """And each line's end stays one."""
    assert shown(text) == lines


def test_a_cell_is_never_cut():
    """What is too long for its column goes on below."""
    address = "https://example.com/" + "long/" * 30
    lines = shown(f"| a | b |\n|---|---|\n| {address} | x |")
    words = "".join(line.removesuffix("x").strip() for line in lines)
    assert address in words


def test_plain_text_is_no_markdown():
    """What apx says itself quotes people."""
    text = "* **a** [b](c) `d`"
    assert shown(text, is_plain=True) == [text]


def test_what_drives_a_terminal_is_taken_out():
    """Whoever wrote it."""
    assert shown("a\x1b[2Jb\x07") == ["a[2Jb"]


def test_what_is_too_deep_to_be_drawn_is_shown_as_written():
    """Each level takes columns; after some there are none left."""
    assert shown("> " * 18 + "deep") == ["> " * 18 + "deep"]


@given(
    st.text(alphabet="ab12 \n*_`<>&[]()!#|-~\\:日", max_size=80),
    st.integers(min_value=10, max_value=60),
)
def test_every_letter_is_there(text, width):
    """Whatever it is wrapped in."""
    found = "".join(shown(text, width))
    for letter in "a日":
        assert found.count(letter) >= text.count(letter)
