"""A reply looks as it was meant; whatever Discord lacks is written in what it has."""

import pytest

from channels.discord.markdown import render

TABLE = "| Name | No |\n|------|---:|\n| **Ana** | 7 |\n| B | `12` |"


def shown(text):
    return render(text, is_plain=False)


@pytest.mark.parametrize(
    "text",
    [
        "**bold** *italic* ***both*** ~~gone~~ ||hidden|| `code`",
        "# One\n## Two\n### Three\n-# small",
        "- a\n  - b\n1. c\n> quoted\n> more",
        "[label](https://a.example/x_y) <https://a.example> <@12> <:x:1> <t:1:R>",
        "```python\nx = 1\n```",
        "> ```js\n> x\n> ```",
        "$a_1 * b_2$ &lt; <br> [^1]\n\n[^1]: a note",
        "snake_case and a-b and 3.5",
    ],
)
def test_what_discord_knows_stays(text):
    assert shown(text) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("#### Deep\ntext", "**Deep**\ntext"),
        ("##### **Deep** and `**` #", "**Deep** and `**`"),
        ("###### 1. **Deep** down", "**1. Deep down**"),
        ("# Closed #", "# Closed"),
        ("Title\n=====\ntext", "# Title\ntext"),
        ("Title\n---", "## Title"),
        ("a\nb\n---", "a\nb\n────────────"),
        ("***", "────────────"),
        ("+ a\n- [ ] b\n* [x] c", "- a\n- ☐ b\n* ☑ c"),
        (">close\n> > deep", "> close\n> > deep"),
        ("![a cat](https://a.b/c.png)", "[a cat](https://a.b/c.png)"),
        ("![](https://a.b/c.png)", "https://a.b/c.png"),
        ("2*3*4 a||b||c x || y || z", "2\\*3\\*4 a\\|\\|b\\|\\|c x \\|\\| y \\|\\| z"),
        ("**bold**text", "**bold**text"),
        ("\\(x\\) \\[y\\] C:\\x\\!z", "\\\\(x\\\\) \\\\[y\\\\] C:\\x\\\\!z"),
        ("\\*no\\* \\<@1>", "\\*no\\* \\<@1>"),
        ("\\# no\n1\\. no", "\\# no\n1\\. no"),
        ("one \\\ntwo", "one \ntwo"),
        ("\u2028a\x00b\r\nc", "ab\nc"),
        (" \u200b\n", ""),
    ],
)
def test_what_it_lacks_is_written_otherwise(text, written):
    assert shown(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a ``` b ` c", "a \\`\\`\\` b \\` c"),
        ("```one line```", "`one line`"),
        ("`` ``` ``", "` ``` `"),
        ("`` a`b ``", "`` a`b ``"),
        ("one ` here\n\nand ` there", "one \\` here\n\nand \\` there"),
    ],
)
def test_backticks_that_begin_nothing_begin_nothing(text, written):
    """Discord takes three for a block wherever they stand, over paragraphs too."""
    assert shown(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("~~~py\nx\n~~~", "```py\nx\n```"),
        ("````md\n```py\nx\n```\n````", "```md\n``\u200b`py\nx\n``\u200b`\n```"),
        ("```py title=x\nx\n```", "title=x\n```py\nx\n```"),
        ("```some words\nx\n```", "some words\n```some\nx\n```"),
        ("1. a\n   ```py\n   x\n     y\n   ```", "1. a\n```py\nx\n  y\n```"),
        ("- ```py\n  x\n  ```", "- ```py\nx\n```"),
        ("```py\nx", "```py\nx\n```"),
        ("> ```py\n> x\noutside", "> ```py\n> x\n> ```\noutside"),
        ("```\n```", "\\`\\`\\`"),
        ("```" + "x" * 300 + "\ny\n```", "x" * 300 + "\n```\ny\n```"),
    ],
)
def test_every_fence_is_one_that_discord_knows(text, written):
    assert shown(text) == written


def test_a_table_is_aligned():
    assert shown(TABLE) == "```\nName  No\n────  ──\nAna    7\nB     12\n```"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (
            "|a|b|\n|-|-|\n|[x](https://a.b)|2|",
            "- a: [x](https://a.b)\n  b: 2",
        ),
        (
            f"|a|b|\n|-|-|\n|x|{'long ' * 20}|",
            f"- a: **x**\n  b: {'long ' * 20}".rstrip(),
        ),
        ("|a|b|\n|-|\n|x|", "|a|b|\n|-|\n|x|"),
        ("|a|\n|-|\n|x|y|", "|a|\n|-|\n|x|y|"),
        ("a | b\n-|-\n1 | 2", "```\na  b\n─  ─\n1  2\n```"),
        ("|a|\n|-|\n|x\\|y|", "```\na\n───\nx|y\n```"),
    ],
)
def test_a_table_without_room_is_a_list(text, written):
    """And what is no table for certain stays as it was written."""
    assert shown(text) == written
