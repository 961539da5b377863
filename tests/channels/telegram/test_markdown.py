"""Markdown as Telegram shows it."""

import time

import pytest

from channels.shared.units import units
from channels.telegram.markdown import render
from channels.telegram.rendered import Entity, Rendered, is_blank
from tests.channels.telegram.entity_judge import faults, part
from tests.channels.telegram.texts import FAMILY


def shown(source):
    """Give the text, and each entity as `kind: words`."""
    rendered = render(source, is_plain=False)
    assert faults(rendered.text, rendered.entities, 10**6) == []
    looks = [f"{e.kind}: {part(rendered.text, e)}" for e in rendered.entities]
    return rendered.text, looks


@pytest.mark.parametrize(
    "text",
    [
        "vector<int> and List<String>, <b>x</b>",
        "<!-- a remark -->",
        "std::vector<std::string> v;",
        "<https://example.com/a_b>",
        "[note]: http://example.com",
        "write &lt;b&gt; for <b>",
        "__init__ and a_b_c and _x_",
        "snake_case_names and a_b*c[",
        "2 * 3 * 4 and 2*3*4 is 24, 2**3 and 4**5 too",
        "if (a||b||c) x || y",
        "Chad <chad@x>",
        "#hashtag",
        "**never closed",
        "C:\\dir\\file",
        "C:\\Users\\_me\\.ssh\\#x",
        "C:\\_me and D:\\*",
        "\\\\nas\\share\\_x",
        "^\\.+\\[a\\]$ and \\d+\\*\\w",
        "\\[ E=mc^2 \\] and \\( a \\) and a \\\\ b",
        "\\$5, 10\\.5",
        'f[0](a), dict["k"](v), list[int](1)',
        "handlers[0]() and f[0](a.b) and [i](j)",
        "[x](a)",
        "[x](javascript:alert(1))",
        "100% & more",
    ],
)
def test_what_only_looks_like_markup_is_shown(text):
    """Code, tags and names, outside of code blocks too."""
    assert shown(text) == (text, [])


@pytest.mark.parametrize(
    ("source", "text", "looks"),
    [
        ("*some* **bold**", "some bold", ["italic: some", "bold: bold"]),
        ("~~old~~ `co_de`", "old co_de", ["strikethrough: old", "code: co_de"]),
        ("||who did it||", "who did it", ["spoiler: who did it"]),
        ("这是**重要**的", "这是重要的", ["bold: 重要"]),
        ("**「重要」**です", "「重要」です", ["bold: 「重要」"]),
        ("**a *b***", "a b", ["bold: a b", "italic: b"]),
        ("**a `b` c**", "a b c", ["bold: a", "code: b", "bold: c"]),
        ("||a `b` c||", "a b c", ["spoiler: a b c"]),
        ("😀 **b**", "😀 b", ["bold: b"]),
        ("# Head\ntext", "Head\ntext", ["bold: Head"]),
        ("## A **b**\n\ntext", "A b\n\ntext", ["bold: A b"]),
        ("a\nb\n\n\n\nc", "a\nb\n\nc", []),
        ("- a\n- b\n  - c\n    d", "• a\n• b\n  • c\n    d", []),
        ("3. lock\n7. retry\n12. log", "3. lock\n7. retry\n12. log", []),
        ("1. a\n   1. b\n   1. c\n1. d", "1. a\n   1. b\n   2. c\n2. d", []),
        ("\\*not bold\\* \\_x\\_", "*not bold* _x_", []),
        ("snake\\_case\\_name, 2 \\* 3", "snake_case_name, 2 * 3", []),
        ("\\# a\n\\- b\n\\> c\n1\\. d", "# a\n- b\n> c\n1. d", []),
        ("\\[x\\](http://a.b)", "[x](http://a.b)", []),
        ("\\`a\\` \\||b\\|| \\~~c~~", "`a` ||b|| ~~c~~", []),
        ("1. a\n1. b\n   - c", "1. a\n2. b\n   • c", []),
        ("0. a\n1. b", "0. a\n1. b", []),
        ("3) a\n\n4) b", "3) a\n\n4) b", []),
        ("- [ ] a\n- [x] b", "☐ a\n☑ b", []),
        ("a\n\n---\n\nb", "a\n\n────────────\n\nb", []),
        ("> a\n> b\n\nc", "a\nb\n\nc", ["blockquote: a\nb"]),
        ("> a\n> > b", "a\n> b", ["blockquote: a\n> b"]),
        ("> `c` **d**", "c d", ["blockquote: c d", "code: c", "bold: d"]),
        (">`\n> a` b", "a b", ["blockquote: a b", "code: a"]),
        (">     c", "c", ["blockquote: c", "pre: c"]),
        (">      c\n> \n> d", " c\n\nd", ["blockquote:  c\n\nd", "pre:  c"]),
        ("- a\n  > q\n- b", "• a\nq\n• b", ["blockquote: q"]),
        ("- a\n\n  ```\n  x\n  ```", "• a\n\nx", ["pre: x"]),
        (
            "```\n\n  x = <1>\n__y__\n\n```",
            "  x = <1>\n__y__",
            ["pre:   x = <1>\n__y__"],
        ),
        ("a\n```\nnever closed", "a\nnever closed", ["pre: never closed"]),
        ("```go\n\tx\n```", "    x", ["pre:     x"]),
        ("``` not a language\nx\n```", "not a language\nx", ["pre: x"]),
        ("```\n```", "```", []),
        ("&amp; \\*a\\*", "&amp; *a*", []),
        ("***", "────────────", []),
        ("#", "#", []),
        ("a\u030angstrom", "ångstrom", []),
    ],
)
def test_markdown_is_drawn(source, text, looks):
    """And each line's end stays one."""
    assert shown(source) == (text, looks)


def test_code_keeps_its_language():
    """Telegram colours it."""
    rendered = render("😀\n```python title=a.py\nx\n```", is_plain=False)

    assert rendered.text == "😀\ntitle=a.py\nx"
    assert rendered.entities == (Entity("pre", 14, 1, language="python"),)


@pytest.mark.parametrize(
    ("source", "text", "links"),
    [
        ("[site](https://ex.am/a)", "site", ["https://ex.am/a"]),
        ("[`code`](http://ex.am)", "code", ["http://ex.am"]),
        ("[**b**](tg://user?id=7)", "b", ["tg://user?id=7"]),
        ("![alt *x*](https://ex.am/p.png)", "alt x", ["https://ex.am/p.png"]),
        ("![](https://ex.am/p.png)", "https://ex.am/p.png", ["https://ex.am/p.png"]),
        ("[![b](http://a.b/c)](http://d.e)", "b", ["http://d.e"]),
        ("[é](http://é.de/ü)", "é", ["http://xn--9ca.de/%C3%BC"]),
        ("[x](http://localhost:80)", "x (http://localhost:80)", []),
        ("[x](docs/a.md)", "x (docs/a.md)", []),
        ("[x](http://a.b:99999)", "x (http://a.b:99999)", []),
        ("[mail](mailto:a@b.cd)", "mail (a@b.cd)", []),
        ("[a@b.cd](mailto:a@b.cd)", "a@b.cd", []),
        ("[](docs/a.md)", "docs/a.md", []),
        ("[x]()", "x", []),
        ("[x](http://a.b/%0A%00)", "x", ["http://a.b/%0A%00"]),
    ],
)
def test_links_lead_somewhere_or_are_written_out(source, text, links):
    """An address that Telegram does not take would cost the whole message."""
    rendered = render(source, is_plain=False)

    found = [entity.url for entity in rendered.entities if entity.url]
    assert (rendered.text, found) == (text, links)
    assert faults(rendered.text, rendered.entities) == []


def test_a_narrow_table_has_columns():
    """As wide as they look, numbers to the right."""
    source = "| a | **b** |\n|---|--:|\n| 日本 | 1 |\n| c | 1000 |"
    lines = ["a        b", "────  ────", "日本     1", "c     1000"]

    assert shown(source) == ("\n".join(lines), ["pre: " + "\n".join(lines)])


def test_a_wide_table_is_shown_row_by_row():
    """A telephone would break its lines anywhere."""
    wide = "long " * 10
    source = f"| a | b | c |\n|---|---|---|\n| 1 | {wide} | |\n| 2 | x | y |"
    text = f"• a: 1\n  b: {wide.strip()}\n• a: 2\n  b: x\n  c: y"

    assert shown(source) == (text, ["bold: 1", "bold: 2"])


def test_a_table_row_by_row_keeps_a_name_with_nothing_below_it():
    """The names are not said with each cell then, but once for all."""
    source = "|[docs](https://a.bc)|owner|\n|---|---|\n||Ana|\n"

    text, _ = shown(source)

    assert text == "• docs\n  owner\n• owner: Ana"


def test_a_table_keeps_its_links():
    """They cannot lead anywhere from a code block."""
    source = "| [a](http://b.c) | d |\n|---|---|\n| `e` | **f** |"

    text, looks = shown(source)

    assert text == "• a: e\n  d: f"
    assert looks == ["text_link: a", "code: e", "bold: f"]


@pytest.mark.parametrize(
    "source", ["| a |\n|---|\n| b | c |", "| a |\n|---|\n" + "b\n| c | d |"]
)
def test_a_row_that_is_too_long_loses_nothing(source):
    """GitHub would drop what has no column."""
    assert shown(source) == (source, [])


def test_plain_text_is_no_markdown():
    """What apx says itself quotes people."""
    text = "* **a** [b](c) `d`"
    assert render(f" {text}\n", is_plain=True) == Rendered(text)


@pytest.mark.parametrize("source", ["", " \n", "\u200b\x00", "\u202e", "\ufeff \u3000"])
def test_nothing_is_nothing(source):
    """Telegram refuses a message without anything to see."""
    assert is_blank(source.replace("\x00", ""))
    assert render(source, is_plain=False) == Rendered("")
    assert render(source, is_plain=True) == Rendered("")


def test_units_are_telegrams():
    """An emoji is two."""
    assert [units("a"), units("😀"), units(FAMILY)] == [1, 2, 11]
    assert Rendered("😀a").units == 3


DEEP = [
    "> " * 1000 + "x",
    ">" * 1000 + "x",
    "- " * 500 + "x",
    "> - " * 300 + "x",
    "*" * 1000 + "x" + "*" * 1000,
    "**x" * 3000 + "**" * 3000,
    "[" * 3000 + "x" + "](http://a.b)" * 1000,
    "![" * 10_000 + "x",
    "[" * 20_000 + "x",
    "||x" * 6_000,
    "[[](" * 5_000 + "x",
    "![" * 6_000 + "x](http://a.b)",
    "[" * 10_000 + "x](http://a.b)",
    "[x](" * 5_000,
    "a[" * 3_000 + "x](" * 3_000,
    "\\*" * 10_000 + "x",
    "\\[" * 6_000 + "x" + "\\](" * 2_000,
    "`x" * 10_000,
    "\n".join("  " * depth + "- x" for depth in range(140)),
    "|a" * 5000 + "\n" + "|-" * 5000,
    "|a" * 100 + "\n" + "|-" * 100 + "\nx" * 9_000,
    ("|a" * 20 + "\n" + "|-" * 20 + "\n") + ("|x" * 20 + "\n") * 400,
    "x" * 20_000,
    "😀" * 20_000,
    FAMILY * 2_800,
    "x" + "\u0301" * 20_000,
    "\u200d" * 20_000 + "x",
    " \n" * 10_000 + "x",
    "# x\n" * 5_000,
]


@pytest.mark.parametrize("source", DEEP, ids=range(len(DEEP)))
def test_no_text_takes_long(source):
    """Of 20,000 characters, usual ones take 60 ms, the worst 200; CI may be slow."""
    began = time.process_time()

    rendered = render(source, is_plain=False)

    assert time.process_time() - began < 1.5
    assert "x" in rendered.text or "x" not in source
    assert [
        f
        for f in faults(rendered.text, rendered.entities, 10**6)
        if "entities" not in f
    ] == []
