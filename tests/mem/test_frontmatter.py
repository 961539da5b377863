import datetime as dt
from typing import Any

import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from apx.mem import frontmatter
from apx.mem.memory import KEYS, Memory

ID = "d-2026-07-19-adopt-mem"
TEXTS = ("title", "scope", "abstract", "source", "supersedes")

# Texts that YAML, or a careless reader of lines, would take for something else.
ODD = (
    *("", " ", "-", "- a", "?", "? a", ":", "a:", ": a", "a: b", "a :b", "a:b"),
    *("#", "# a", "a # b", "a #b", "a#", "'", '"', "'a'", '"a"', 'a"b', "it's"),
    *("yes", "No", "on", "y", "N", "true", "FALSE", "null", "~", "Null", "none"),
    *("1", "-1", "+1", "0x1f", "0o7", "1_000", "1e3", "1.0e+3", ".5", ".inf"),
    *(".nan", "-.INF", "12:30:45", "2026-01-01", "2026-01-01T10:00:00Z", "="),
    *("<<", "---", "...", "--- a", "!!str a", "&a", "*a", "%a", "@a", "`a`"),
    *("|", ">", "|-", "[a]", "[", "]", "{a: b}", "}", ",", "a, b", "\\", "\\n"),
    *("a\nb", "a\n---\nid: c", "a\r\n---\r\n", "a\rb", "a\tb", "\ta", "a\x0bb"),
    *("a\x0c", "a\x1cb", "a\x85b", "a\u2028b", "a\u2029---", "\0", "a\0b"),
    *("\ufeffa", "a\ufeff", "\ufffe", "\uffff", "\x7f", "\x80", "\xa0", "a\xa0"),
    *(" a", "a ", "  ", "\u3000a", "🚀", "👩‍💻", "ñandú", "東京", "n\u0303"),
    *("\ud83d", "a\udc00b", "\ud83d\ude80", "\U0001fffe", "\U0010ffff", "\x1b[1m"),
    "a" * 3000,
)
ANY = (
    st.sampled_from(ODD)
    | st.text(max_size=30)
    | st.text(" :#-'\"\\\n\r\t[],{}&*!|>%@`~?ab1\u2028\0")
)


def as_line(text):
    """Say what a field can hold: one line, no half of a character, no control."""
    halves = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    ends = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\u2028\u2029"
    flat = "".join(" " if one in ends else one for one in halves)
    controls = {*map(chr, range(32)), *map(chr, range(127, 160)), "\ufffe", "\uffff"}
    return "".join(one for one in flat if one not in controls)


def whole(text):
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def lines_of(data):
    """Read our own frontmatter with PyYAML."""
    head = data.removeprefix(b"---\n").partition(b"\n---\n")[0]
    return yaml.safe_load(head)


def test_odd_texts_are_written_for_any_reader():
    """Each of them, as a sentence and as a word of a list."""
    for text in ODD:
        fields: dict[str, Any] = {"id": ID, "type": "decision", "title": text}
        fields["tags"] = (text, "b")
        data = frontmatter.render(Memory(fields))

        told = lines_of(data)
        assert (told["title"], told["tags"]) == (whole(text), [whole(text), "b"])

        fields = {**fields, "title": as_line(text), "tags": (as_line(text) or "a", "b")}
        assert (
            frontmatter.parse(ID, frontmatter.render(Memory(fields))).fields == fields
        )
        if text != whole(text):
            continue
        assert frontmatter.parse(ID, data).title == as_line(text)


@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys(TEXTS, ANY)),
    st.lists(ANY, max_size=4, unique=True),
    st.floats(0, 1),
    st.integers(0, 100),
    st.dates(dt.date(1970, 1, 1), dt.date(2999, 12, 31)),
)
@settings(max_examples=150, deadline=None)
@example(
    {"title": "a\n---\nstatus: active"},
    ["]", "a, b", "yes"],
    1e-05,
    0,
    dt.date(2024, 2, 29),
)
@example({}, [], 5e-324, 0, dt.date(2000, 2, 29))
def test_what_is_written_pyyaml_reads_back(texts, tags, confidence, priority, day):
    """Any reader of YAML sees the same values, and one line a field."""
    fields = {"id": ID, "type": "decision", **texts, "tags": tuple(tags)}
    fields |= {"confidence": confidence, "priority": priority, "created": str(day)}

    data = frontmatter.render(Memory(fields, b"---\nid: other\n---\n"))

    expected = {key: whole(text) for key, text in fields.items() if key in TEXTS}
    assert lines_of(data) == {
        **fields,
        **expected,
        "created": day,
        "tags": [whole(tag) for tag in tags],
    }
    assert len(data.split(b"\n---\n")[0].decode().splitlines()) == len(fields) + 1


@given(
    st.fixed_dictionaries({}, optional=dict.fromkeys(TEXTS, ANY.map(as_line))),
    st.lists(ANY.map(as_line).filter(bool), max_size=4, unique=True),
    st.binary()
    | st.sampled_from([b"\n", b"\r\n\r\n", b"---\n", b"\n---\n", b"\xef\xbb\xbf"]),
)
@settings(max_examples=150, deadline=None)
def test_what_is_written_is_read_back(texts, tags, body):
    """The body to the byte, whatever it begins with."""
    fields = {"id": ID, "type": "decision", **texts, "tags": tuple(tags)}
    memory = Memory(fields, body)

    data = frontmatter.render(memory)
    again = frontmatter.parse(ID, data)

    assert again == memory
    assert frontmatter.render(again) == data


LINES = st.sampled_from(
    [
        *("title: a: b", "title: 'it''s'", 'title: "a: \\"b\\""', "title: |", "  more"),
        *(
            "tags: [a, 'b', \"c\"]",
            "tags:",
            "- d",
            "  - e",
            "tags: [",
            "]",
            "priority: 7 # x",
        ),
        *("priority: high", "confidence: .nan", "verified: 2026-13-01", "version: 2"),
        *("# a comment", "", "   ", "team: {a: 1}", "notes:", "  title: not ours"),
        *(
            "no key at all",
            "<<<<<<< HEAD",
            "=======",
            "\tx",
            "a:b",
            '"scope": x',
            "status: ~",
        ),
        *(
            "abstract: >-",
            "  folded",
            "created: 2026-01-01T10:00:00Z",
            "été: 1",
            "---x",
        ),
        *('source: "open', "source: 'open", 'abstract: "a" is b', "tags: a, b"),
    ]
)
FILES = st.builds(
    lambda bom, lines, end, gap, body: (
        bom + end.join([b"---", *(line.encode() for line in lines), b"---", *gap, body])
    ),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    st.lists(LINES, max_size=12),
    st.sampled_from([b"\n", b"\r\n"]),
    st.sampled_from([(), (b"",), (b"", b"")]),
    st.sampled_from(
        [b"", b"body", b"---\ntitle: no\n---\n", b"a\r\nb\r\n", b"\xff\xfe"]
    ),
)


@given(FILES)
@settings(max_examples=200, deadline=None)
def test_a_file_that_is_only_read_is_written_as_it_was(data):
    """Whoever wrote it, and however."""
    assert frontmatter.render(frontmatter.parse(ID, data)) == data


@given(FILES, st.sampled_from([key for key in KEYS if key not in {"id", "type"}]))
@settings(max_examples=200, deadline=None)
def test_a_change_of_one_field_leaves_the_rest_as_it_was(data, key):
    """Lines of other keys, known or not, in their order, and the body."""
    memory = frontmatter.parse(ID, data)
    values: dict[str, Any] = {
        "priority": 33,
        "version": 44,
        "confidence": 0.55,
        "tags": ("new",),
        "created": "2026-02-02",
        "updated": "2026-02-02",
        "verified": "2026-02-02",
    }
    value: Any = values.get(key, "new: words")

    changed = frontmatter.render(memory.changed(**{key: value}))
    again = frontmatter.parse(ID, changed)

    assert again == memory.changed(**{key: value})
    before, after = memory.raw.splitlines(), again.raw.splitlines()
    new = [line for line in after if line.startswith(f"{key}: ".encode())]
    assert len(new) == 1
    after.remove(new[0])
    # What is left stood there before, in that order.
    rest = iter(before)
    assert all(line in rest for line in after)
    foreign = [line for line in before if line.startswith((b"team", b"<<<", b"\xc3"))]
    assert all(after.count(line) == before.count(line) for line in foreign)
    taken = frontmatter.parse(ID, frontmatter.render(again.changed(**{key: None})))
    assert taken == memory.changed(**{key: None})
