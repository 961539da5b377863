# ruff: noqa: RUF001 -- digits of other scripts are what is refused
import math
import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apx.mem import check, frontmatter
from apx.mem.faults import MemFault
from apx.mem.memory import KEYS, Memory

FIELDS = [key for key in KEYS if key != "id"]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("type", "decision", "decision"),
        ("type", " HowTo\n", "howto"),
        ("title", 'a, b: "c" | #d - 42', 'a, b: "c" | #d - 42'),
        (
            "title",
            " a\r\n---\nid: x\u2028b\x85c\x0bd\x1ee\0f\x1b[1m ",
            "a --- id: x b c d ef[1m",
        ),
        ("title", "a" * 200, "a" * 200),
        ("title", "\ud83d\ude80 \ud83d!", "🚀 !"),
        ("abstract", "é" * 120, "é" * 120),
        ("abstract", f" {'a' * 60}\n\n{'b' * 59} ", f"{'a' * 60} {'b' * 59}"),
        ("abstract", "", ""),
        ("scope", "room:telegram/-100", "room:telegram/-100"),
        ("status", "Archived", "archived"),
        ("priority", "0", 0),
        ("priority", " 100 ", 100),
        ("version", "12", 12),
        ("confidence", "0.9", 0.9),
        ("confidence", "1", 1.0),
        ("confidence", "-0", 0.0),
        ("confidence", "1e-1", 0.1),
        ("verified", "2024-02-29", "2024-02-29"),
        ("created", "1970-01-01", "1970-01-01"),
        ("updated", "2999-12-31", "2999-12-31"),
        ("tags", "http401,v10,ñandú", ("http401", "v10", "ñandú")),
        (
            "tags",
            " a , ,b,a,A,東京,machine  learning,",
            ("a", "b", "東京", "machine learning"),
        ),
        ("tags", "a\nb\r\n---,c", ("a b ---", "c")),
        ("tags", "", ()),
        ("source", "note:0123", "note:0123"),
        ("supersedes", "d-2026-12-01-a", "d-2026-12-01-a"),
    ],
)
def test_what_is_right_is_taken(name, text, value):
    """On one line, and of the kind that the field has."""
    found: Any = check.field(name, text)

    assert found == value
    assert type(found) is type(value)
    assert name != "confidence" or math.copysign(1, found) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("type", "decisions"),
        ("type", ""),
        ("title", ""),
        ("title", " \n\0\u2028"),
        ("title", "a" * 201),
        ("abstract", "a" * 121),
        ("scope", "a" * 201),
        ("status", "done"),
        ("priority", "101"),
        ("priority", "-1"),
        ("priority", "-0"),
        ("priority", "7.5"),
        ("priority", "1_0"),
        ("priority", "٧"),
        ("priority", ""),
        ("priority", "9" * 5000),
        ("version", "0"),
        ("confidence", "banana"),
        ("confidence", "nan"),
        ("confidence", "inf"),
        ("confidence", "-inf"),
        ("confidence", "1e400"),
        ("confidence", "-1e-9"),
        ("confidence", "1.01"),
        ("confidence", "0_1"),
        ("confidence", "٠.٥"),
        ("confidence", ""),
        ("confidence", "90%"),
        ("verified", "2026-13-01"),
        ("verified", "2026-02-29"),
        ("verified", "2100-02-29"),
        ("verified", "2026-00-10"),
        ("verified", "2026-10-00"),
        ("verified", "2026-04-31"),
        ("verified", "1969-12-31"),
        ("verified", "3000-01-01"),
        ("verified", "2026-1-1"),
        ("verified", "2026-12-01T10"),
        ("verified", "2026/12/01"),
        ("verified", "２０２６-12-01"),
        ("verified", "today"),
        ("verified", ""),
        ("tags", '["a","b"]'),
        ("tags", "{a}"),
        ("tags", "a" * 61),
        ("tags", ",".join(map(str, range(41)))),
        ("id", "d-2026-12-01-a"),
        ("colour", "red"),
    ],
)
def test_what_is_wrong_is_refused(name, text):
    """In one line, as a fault of the one who asks."""
    with pytest.raises(MemFault) as caught:
        check.field(name, text)

    assert (caught.value.code, caught.value.status) == ("usage", 2)
    assert name in str(caught.value) or name in {"verified", "tags"}
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 150


@given(
    st.sampled_from(FIELDS),
    st.text(max_size=40) | st.text("a ,\n\r-:\u2028\0\x85\ud800"),
)
@settings(max_examples=300, deadline=None)
def test_what_is_taken_is_a_line_of_a_file(name, text):
    """No field can hold a line of another, or be read as something else."""
    try:
        value = check.field(name, text)
    except MemFault:
        return
    memory = Memory({"id": "d-2026-12-01-a", "type": "decision", name: value})
    for one in value if isinstance(value, tuple) else (str(value),):
        assert not any(
            unicodedata.category(letter) in {"Cc", "Cs", "Zl"} for letter in one
        )

    data = frontmatter.render(memory)

    assert len(data.decode().splitlines()) == len(memory.fields) + 3
    if name != "type":
        assert frontmatter.parse(memory.id, data) == memory
        assert (
            check.field(
                name, ",".join(value) if isinstance(value, tuple) else str(value)
            )
            == value
        )


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", b""),
        ("a\r\n\tb \x0c\u2028\ufeff\n\n", b"a\r\n\tb \x0c\xe2\x80\xa8\xef\xbb\xbf\n\n"),
        ("a\0b\ud800c\udcffd", b"abcd"),
        ("\ud83d\ude80", "🚀".encode()),
    ],
)
def test_a_body_is_kept_to_the_byte(text, data):
    """But for what no file of text can hold."""
    assert check.body(text) == data
