"""Texts to be rendered and cut, and a judge who reads the parts in a way of its own."""

import os
import re

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

LONG = bool(os.environ.get("APX_LONG"))
FAMILY = "👨\u200d👩\u200d👧\u200d👦"
CHARACTERS = (
    *"aZ09 .,!?-_*#`~|[]()<>\\/&:;=+'\"\n\t@",
    *"éüжщשלום本語。한글กำदेव\u0301\u200b\u200d\u202e\ufe0f\u2028\xa0\x00\r\ud800",
    *("😀", "👍🏽", "🇩🇪", FAMILY, "क्षि", "각"),
)
# Each Z is a word that must be there to be read.
PIECES = (
    *("Z", "Z Z", "word ", " ", "  ", "\n", "\n\n", ". ", "日本", "😀", FAMILY, "\x00"),
    *(
        "*",
        "**",
        "***",
        "_",
        "__",
        "~~",
        "`",
        "``",
        "```",
        "||",
        "|",
        "\\",
        "!",
        "$Z_1$",
    ),
    *(
        "**Z**",
        "*Z*",
        "`Z`",
        "~~Z~~",
        "||Z||",
        "__Z__",
        "snake_case_Z",
        "2*3*Z",
        "a||Z",
    ),
    *("[Z](https://ex.am/Z)", "[", "](", ")", "![Z](http://x.yz/p.png)", "![](u/Z)"),
    *(
        "<@12345>",
        "<#9>",
        "<:Z:12>",
        "<a:Z:1>",
        "<t:1:R>",
        "@everyone",
        "<https://x/Z>",
    ),
    *(
        "\n# Z ",
        "\n##### Z",
        "\n- Z",
        "\n  - Z",
        "\n+ ",
        "\n1. Z",
        "\n7) ",
        "\n- [ ] Z",
    ),
    *("\n> Z", "\n> > ", "\n>", "> ", "- ", "\n---\n", "\n***\n", "\n===\n", "\n>>> Z"),
    *("\n```python\n", "\n```\n", "\n~~~\n", "\n````md\n", "\n````\n", "  indented\n"),
    *("\n> ```js\n> Z\n> ```\n", "\n- ```c++\n  Z\n  ```\n", "\n   ```\n", "`` ``` ``"),
    *(
        "\n```" + "Z" * 300 + "\n",
        "\n```python title=" + "Z" * 300 + "\n",
        "\n```Z Z\n",
    ),
    *("\n| Z | b |\n|---|:-:|\n| c | Z |\n", "\n|a|\n|-|\n", "|Z|Z|\n", "| - |"),
    *("<!-- Z -->", "<p>Z</p>", "&lt;Z", "[^1]", "\n[^1]: Z", "\\(Z\\)", "\\[Z\\]"),
)

unicode_texts = st.one_of(
    st.text(max_size=30),
    st.lists(st.sampled_from(CHARACTERS), max_size=30).map("".join),
)
markdown_texts = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


@st.composite
def long_texts(draw):
    """Give up to 9,000 characters: a few texts, each over and over."""
    parts = st.lists(unicode_texts | markdown_texts, min_size=1, max_size=4)
    text = "".join(part * draw(st.integers(1, 100)) for part in draw(parts))
    return text[:9_000]


def examples(usual, long):
    """Try as many examples as there is time for."""
    return settings(
        max_examples=long if LONG else usual,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


# -- the judge

_QUOTE = re.compile(r"(?:[ \t]*>)+")
_FENCE = re.compile(
    r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:(`{3,16})([^`]*)|(~{3,16})(?!~)(.*))"
)
# What cutting may add or take away: marks, and space.
_MARKS = re.compile(r"[*_~|`>\s]+")


def units(text):
    """How long Discord says that a text is."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def read(text):
    """Give the stretches of a text, each as what it is and its bare words.

    Prose is None, code is its language; whether the last code was closed comes along.
    """
    found: list[tuple[str | None, str]] = []
    fence: tuple[str, str, int, int] | None = None
    for line in text.split("\n"):
        quote = _QUOTE.match(line)
        depth = quote[0].count(">") if quote else 0
        bare = line[quote.end() :] if quote else line
        if fence and fence[2] and not depth:
            fence = None
        if fence is None:
            opening = _FENCE.fullmatch(line[quote.end() :] if quote else line)
            if opening is None:
                found.append((None, line))
                continue
            mark = opening[1] or opening[3]
            language = (opening[2] or opening[4] or "").strip()
            before = len(bare) - len(bare.lstrip())
            before = len(opening[0][: opening.start(1 if opening[1] else 3)])
            fence = (mark, language, depth, before)
            found.append((None, bare[:before]))
            continue
        mark, language, inside, before = fence
        stripped = (bare if inside else line).strip()
        indented = len(bare) - len(bare.lstrip())
        if (
            len(stripped) >= len(mark)
            and set(stripped) == {mark[0]}
            and indented < before + 4
        ):
            fence = None
        else:
            found.append((f"code {language}", bare if inside else line))
    return found, fence is None


def stretches(*texts):
    """Give what stands in some texts, one behind the other, without marks and space."""
    merged: list[tuple[str | None, str]] = []
    for text in texts:
        for kind, line in read(text)[0]:
            bare = _MARKS.sub("", line)
            if merged and merged[-1][0] == kind:
                merged[-1] = (kind, merged[-1][1] + bare)
            elif bare:
                merged.append((kind, bare))
    return merged


def faults(parts, limit):
    """Say what Discord, or a reader, would have against some parts."""
    found = []
    for number, part in enumerate(parts):
        if units(part) > limit:
            found.append(f"{number}: {units(part)} units")
        if not part.strip():
            found.append(f"{number}: blank")
        if not read(part)[1]:
            found.append(f"{number}: code is not closed")
    return found
