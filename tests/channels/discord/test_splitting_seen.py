"""What Discord makes of each part: the same code and the same signs as of the whole."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.discord.markdown import render
from channels.discord.splitting import split
from tests.channels.discord.texts import LONG, examples, units

# Hours, where they were asked for.
pytestmark = pytest.mark.timeout(86_400 if LONG else 120)

# As Discord's own clients read them: three backticks are code wherever they stand.
_READ = re.compile(
    r"(?P<escape>\\[^0-9A-Za-z\s])"
    r"|```(?:(?P<language>[\w+\-.#]+?)\n)?\n*(?P<code>[^\n][\s\S]*?)\n*```"
    r"|(?P<ticks>`+)(?:[\s\S]*?[^`])(?P=ticks)(?!`)"
)
_SPACE = re.compile(r"[\s>]+")

FAMILY, SCOTLAND = (
    "👩‍👩‍👧‍👦",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
)
SEEN = (FAMILY, SCOTLAND, "🇪🇸", "e\u0301\u0323", "3️⃣", "👍🏽", "क्षि")
SIGNS = (
    *("<a:name:123456789012345678>", "<:x:1>", "<@!1>", "<@&22>", "<#33>", "<t:1:R>"),
    *("</cmd:123>", "[lab (el)](https://e.am/a_(b)_c)", "[x](<https://e.am/q>)"),
    *("https://e.am/wiki/A_(b)", '[l](https://e.am "ti tle")', "||a b||"),
)


def code(text):
    """Give the code that Discord shows, without space, and its languages."""
    found = [one for one in _READ.finditer(text) if one["code"]]
    shown = _SPACE.sub("", "".join(one["code"] for one in found))
    return shown, {one["language"] or "" for one in found}


def outside(text):
    """Give what is no code."""
    return _READ.sub(lambda one: "\0" if one["code"] or one["ticks"] else one[0], text)


def check(source, limit=2000):
    text = render(source, is_plain=False)
    parts = split(text, limit)

    assert max(map(units, parts), default=0) <= limit
    told = [code(part) for part in parts]
    shown, languages = (
        "".join(one[0] for one in told),
        {x for one in told for x in one[1]},
    )
    assert (shown, languages) == code(text)
    for sign in (*SIGNS, *SEEN):
        there = [outside(one).count(sign) for one in parts]
        assert sum(there) == outside(text).count(sign), sign
    return parts


@pytest.mark.parametrize("lead", ["", "- ", "> ", "> - "])
@pytest.mark.parametrize("before", ['"a": 1,\n', "", "\n\n", "a\n" * 450])
def test_no_part_is_code_of_space_alone(lead, before):
    """Of such a one Discord shows the language as if it were the code."""
    inner = " " * lead.count("-") * 2
    quote = "> " if ">" in lead else ""
    lines = ["```json", *f"{{\n{before}".split("\n"), " " * 8 + "z" * 2_500, "}", "```"]
    body = "\n".join(f"{quote}{inner}{line}" for line in lines)
    parts = check(f"Look:\n\n{lead}{body[len(quote) + len(inner) :]}")

    assert len(parts) > 2
    assert all(code(part)[0] for part in parts if "```" in part)


@pytest.mark.parametrize(
    "inline", ["`` a ``` b ```` a ``` b ``", "`` a ``` b ````` c ``` d ``"]
)
def test_a_mark_that_is_closed_is_no_other_mark(inline):
    """A backtick behind two others would begin code in which there is none."""
    for length in range(0, 40, 7):
        parts = check(f"{'word ' * 50}{'y' * length} {inline}{'x' * 2_500}")
        assert not any(code(part)[0] for part in parts)


_LINES = st.sampled_from(
    [*("x = 1", "    y", "", "a```b", "~~~", "``", "> q", "- z", "<@!1>", "*****", "#")]
) | st.integers(1, 2_100).map(lambda many: f"    {'z' * many}")
_INFOS = st.sampled_from(["", "py", "c++", "Z" * 300, 'python title="a b"', "{.py #x}"])
_FENCES = st.sampled_from(["```", "~~~", "````", "~~~~"])
_LEADS = st.sampled_from([("", ""), ("> ", "> "), ("- ", "  "), ("1. ", "   ")])
_ENDS = st.sampled_from(["\n", "\r\n"])
_WORDS = st.lists(
    st.sampled_from(
        [*SIGNS, *SEEN, "word", "Ende.", "a_b", "2*3*4", "x < y", "\n", "- i"]
    ),
    max_size=80,
).map(" ".join)


@st.composite
def blocks(draw):
    """Write code as models do: in lists and quotes, with words beside the fence."""
    mark, (first, then) = draw(_FENCES), draw(_LEADS)
    lines = [mark + draw(_INFOS), *draw(st.lists(_LINES, max_size=30)), mark]
    return draw(_ENDS).join(
        ["", first + lines[0], *(then + one for one in lines[1:]), ""]
    )


PIECES = st.one_of(
    blocks(),
    _WORDS,
    st.sampled_from(SEEN).flatmap(
        lambda one: st.integers(1, 500).map(lambda many: one * many)
    ),
    _WORDS.map(lambda words: f"||{words}||"),
    _WORDS.map(lambda words: f"\n> {words}\n"),
    st.sampled_from(
        ["```", "~~~", "||", "**", "[", "](", "x" * 5_000, "`` a ``` b ``"]
    ),
)


@examples(150, 100_000)
@given(st.lists(PIECES, max_size=8).map("".join), st.sampled_from([2000, 500]))
def test_the_parts_show_what_the_whole_shows(text, limit):
    """Nothing is code in them that was none, and no sign is torn."""
    check(text, limit)
