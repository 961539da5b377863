"""Texts to be rendered: any Unicode, and Markdown put together from pieces."""

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

LONG = bool(os.environ.get("APX_LONG"))
FAMILY = "👨\u200d👩\u200d👧\u200d👦"
ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
CHARACTERS = (
    *"aZ09 .,!?-_*#`~|[]()<>\\/&:;=+'\"\n\t",
    *"éüжщאבשלוםمرحبا日本語。한글กำदेवनागरी",
    *"\u0301\u0308\u030a\u200b\u200d\u200c\u200e\u200f\u202e\ufe0f\u2028\xa0\u3000",
    *"\ufeff\x00\x07\x1b\x85\r\ud800\udc00\U000e0041\u1100\u1161\u11a8\u0600\u0e33",
    *("😀", "👍🏽", "🇩🇪", "🇺🇸", FAMILY, ENGLAND, "क्षि", "𐍈", "각", "e\u0301\u0323"),
)
# Each Z is a word that must be there to be read, or where a link leads to.
PIECES = (
    *("Z", "Z Z", "word ", " ", "  ", "\n", "\n\n", ". ", "日本", "😀", FAMILY, "\x00"),
    *("*", "**", "***", "_", "__", "~~", "`", "``", "||", "|", "\\", "!", "&lt;"),
    *("**Z**", "*Z*", "`Z`", "~~Z~~", "||Z||", "__Z__", "snake_case_Z", "2 * 3 * Z"),
    *("[Z](https://ex.am/Z)", "[", "](", ")", "![Z](http://x.yz/p.png)", "[](tg://x)"),
    *("[Z](javascript:x)", "[Z](mailto:a@b.cd)", "[Z](http://host)", "[`Z`](tg://x)"),
    *(
        "\n# Z ",
        "\n## ",
        "\n- Z",
        "\n  - Z",
        "\n    - ",
        "\n1. Z",
        "\n7) ",
        "\n- [ ] Z",
    ),
    *("\n> Z", "\n> > ", "\n>", "> ", "- ", "\n---\n", "\n***\n", "\n===\n", "\n* "),
    *("\n```python\n", "\n```\n", "\n~~~\n", "```", "  indented\n", "\tZ\n", "\n\n\n"),
    *("\n| Z | b |\n|---|:-:|\n| c | Z |\n", "\n|a|\n|-|\n", "|Z|Z|\n", "| - |"),
    *("<!-- Z -->", "<p>Z</p>", "<https://x.yz>", "<b>", "\n    code Z", "\u200b"),
    *("مرحبا", "שלום", "e\u0301", "\u202e", "\u030a", "\u2028"),
)

unicode_texts = st.one_of(
    st.text(max_size=30),
    st.lists(st.sampled_from(CHARACTERS), max_size=30).map("".join),
)
markdown_texts = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


@st.composite
def long_texts(draw):
    """Give up to 20,000 characters: a few texts, each over and over."""
    parts = st.lists(unicode_texts | markdown_texts, min_size=1, max_size=3)
    text = "".join(part * draw(st.integers(1, 300)) for part in draw(parts))
    return text[:20_000]


def examples(usual, long):
    """Try as many examples as there is time for."""
    return settings(
        max_examples=long if LONG else usual,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
