import json
import math
from pathlib import Path

import pytest
import toon_format
from hypothesis import example, given, settings
from hypothesis import strategies as st

from apx.mem import toon

# The public specification's own examples (MIT, their licence is beside them).
FIXTURES = [
    (path.stem, test)
    for path in sorted((Path(__file__).parent / "toon").glob("*.json"))
    for test in json.loads(path.read_text(encoding="utf-8"))["tests"]
]

TEXTS = st.one_of(
    st.text(),
    st.text("0123456789+-.eE", max_size=6),
    st.text(',:"|#-[]{} \t\\a', max_size=6),
    st.sampled_from(["true", "null", "42", "05", "+1", "1e5", "- a", "#", "\ufeffa"]),
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
)
# Objects with the same few keys, as only these become tables.
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(TEXTS, inner, max_size=4),
        st.dictionaries(st.sampled_from(["a", "b c"]), inner, max_size=2),
    ),
    max_leaves=12,
)


def decoded(text, indent=2):
    return toon_format.decode(text, strict=True, indent_size=indent)


@pytest.mark.parametrize(
    "test",
    [test for _, test in FIXTURES],
    ids=[f"{n}: {t['name']}" for n, t in FIXTURES],
)
def test_every_example_of_the_specification_comes_out_as_printed(test):
    """Another program's decoder is written against these, too."""
    options = test.get("options", {})

    text = toon.encode(
        test["input"], options.get("delimiter", ","), options.get("indentSize", 2)
    )

    assert text == test["expected"]
    assert decoded(text, options.get("indentSize", 2)) == test["input"]


def test_all_examples_are_there():
    """A directory that is not found would pass the test above."""
    assert len(FIXTURES) > 140


@given(VALUES, st.sampled_from(",|\t"), st.sampled_from([2, 4]))
@example({"a": {}, "b": [[], {}, [[]], [{"a": 1}, {"a": {}}]]}, ",", 2)
@example([{"a": {"b": 1}}, {"a": {"b": "|"}}], "|", 4)
@settings(max_examples=300, deadline=None)
def test_what_goes_in_comes_out(value, delimiter, indent):
    """A strict decoder gives back any value; and the other encoder writes the same."""
    text = toon.encode(value, delimiter, indent)

    assert decoded(text, indent) == value
    assert text == toon_format.encode(value, delimiter=delimiter, indent_size=indent)


@given(st.lists(TEXTS), st.sampled_from(",|\t"))
@settings(max_examples=100, deadline=None)
def test_a_list_of_lines_is_the_same_list(texts, delimiter):
    """A line each is for people and models; it decodes as if it were one line."""
    text = toon.listed("mem", texts, delimiter)

    assert decoded(text) == {"mem": texts}
    assert text.count("\n") == len(texts)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (math.nan, "null"),
        (math.inf, "null"),
        (-0.0, "0"),
        (1e-7, "1e-7"),
        (-1.25e-6, "-0.00000125"),
        (5e-324, "5e-324"),
        (1.5e300, "1.5e+300"),
        (1e21, "1e+21"),
        (2.0**60, "1152921504606846976"),
        ("a\ud800b", '"a\ufffdb"'),
        ("\udcff", '"\ufffd"'),
        (("a", 1), "[2]: a,1"),
    ],
)
def test_the_edges_of_numbers_and_texts(value, text):
    """What JSON cannot say is said as near as it can be, and never fails."""
    assert toon.encode(value) == text
    decoded(text)
