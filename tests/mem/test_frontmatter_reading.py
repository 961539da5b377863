# ruff: noqa: RUF001 -- odd characters are what these tests are about
import pytest

from apx.mem import frontmatter
from apx.mem.faults import MemFault

ID = "d-2026-07-19-adopt-mem"
PEER = b"""---
id: d-2026-07-19-adopt-mem
type: decision
title: Adopt mem: the new system
scope: example-api
priority: 70
confidence: 0.9
created: 2026-07-19
tags: ["memory", "axi"]
abstract: "It is \\"small\\""
---

# Why

Because.
"""


def test_a_peers_file_is_read():
    """Also the title that is no valid YAML."""
    memory = frontmatter.parse(ID, PEER)

    assert memory.fields == {
        "id": ID,
        "type": "decision",
        "title": "Adopt mem: the new system",
        "scope": "example-api",
        "priority": 70,
        "confidence": 0.9,
        "created": "2026-07-19",
        "tags": ("memory", "axi"),
        "abstract": 'It is "small"',
    }
    assert memory.body == b"# Why\n\nBecause.\n"
    assert memory.version == 1


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("title: a: b", {"title": "a: b"}),
        ('title: "a: \\"b\\""', {"title": 'a: "b"'}),
        ("title: 'it''s: so'", {"title": "it's: so"}),
        ('title: "Foo" and bar', {"title": '"Foo" and bar'}),
        ('title: "open', {"title": '"open'}),
        ("title: 'tis so", {"title": "'tis so"}),
        ("title: Fix #3 and #4", {"title": "Fix #3 and #4"}),
        ("title: Fix it # later", {"title": "Fix it"}),
        ("title: Fix it #", {"title": "Fix it"}),
        ('title: "# no" # yes', {"title": "# no"}),
        ("title: 42", {"title": "42"}),
        ("title: yes", {"title": "yes"}),
        ('title: "\\u00e9\\ud83d\\ude80\\x41\\_\\q"', {"title": "é🚀A\xa0q"}),
        ('title: "a\\nb\\u2028\\u0000c"', {"title": "a b c"}),
        ("title: |\n  a\n  b # c\n\n  d", {"title": "a b # c d"}),
        ("title: >-\n  a\n  b", {"title": "a b"}),
        ("title: > and <", {"title": "> and <"}),
        ("title: a\n  b", {"title": "a b"}),
        ('title: "a\n  b"', {"title": "a b"}),
        ("title:\n  a", {"title": "a"}),
        ('"title" : a', {"title": "a"}),
        ("title: a\ntitle: b", {"title": "b"}),
        ("scope: a\nscope:", {}),
        ("title:a", {}),
        ("more:\n  title: a\n  tags: [b]", {}),
        ("scope: # none", {}),
        ("scope: null", {}),
        ('scope: ""', {"scope": ""}),
        ("scope: private:ada", {"scope": "private:ada"}),
        ("tags: [memory, axi]", {"tags": ("memory", "axi")}),
        (
            "tags: ['a', \"b, c\", ñandú, v10, a]",
            {"tags": ("a", "b, c", "ñandú", "v10")},
        ),
        ("tags:\n- a\n# b\n- 'c'", {"tags": ("a", "c")}),
        ('tags:\n  - a\n\n  - "b" # c', {"tags": ("a", "b")}),
        ("tags: [a,\n  b,\n]", {"tags": ("a", "b")}),
        ("tags: a, b # c", {"tags": ("a", "b")}),
        ("tags: []", {"tags": ()}),
        ("tags:", {"tags": ()}),
        ("tags: [a, b", {"tags": ("a", "b")}),
        ("supersedes: [d-1, d-2]", {"supersedes": "[d-1, d-2]"}),
        ("supersedes:\n- d-1\n- d-2", {"supersedes": "d-1, d-2"}),
        ("priority: '70'", {"priority": 70}),
        ("priority: 70.0 # high", {"priority": 70}),
        ("priority: 101", {"priority": 100}),
        ("priority: high", {}),
        ("priority: 1e400", {}),
        ("confidence: 2", {"confidence": 1.0}),
        ("confidence: nan", {}),
        ("confidence: -0.0", {"confidence": 0.0}),
        ("version: 0", {"version": 1}),
        ("version: 99999999999999999999", {}),
        ("status: Archived", {"status": "archived"}),
        ("status: draft", {"status": "draft"}),
        ("created: 2026-07-19T10:00:00Z", {"created": "2026-07-19"}),
        ('created: "2026-07-19"', {"created": "2026-07-19"}),
        ("verified: 2026-13-01", {}),
        ("verified: 2026-02-29", {}),
        ("verified: ２０２６-02-02", {}),
    ],
)
def test_a_line_means(line, expected):
    """However it is written; what is no value is not set."""
    for end in ("\n", "\r\n"):
        data = f"---\n{line}\n---\n".replace("\n", end).encode()

        memory = frontmatter.parse(ID, data)

        assert memory.fields == {"id": ID, "type": "decision", **expected}
        assert repr(memory.fields.get("confidence")) != "-0.0"


@pytest.mark.parametrize(
    ("data", "body"),
    [
        (b"---\n---", b""),
        (b"---\n---\n", b""),
        (b"---\n---\n\n", b""),
        (b"---\n---\nbody", b"body"),
        (b"---\n---\n\nbody", b"body"),
        (b"---\n---\n\n\nbody", b"\nbody"),
        (b"\xef\xbb\xbf---\r\n---\r\n\r\nbody\r\n", b"body\r\n"),
        (b"---  \n--- \t\n---\nid: x\n---\n", b"---\nid: x\n---\n"),
        (b"---\nx: |\n  ---\n---\nbody", b"body"),
        (b"---\n---\n\xff\0\r", b"\xff\0\r"),
    ],
)
def test_the_body_begins_behind_the_mark(data, body):
    """An empty line between is not part of it; a new body takes its place."""
    memory = frontmatter.parse(ID, data)

    assert memory.body == body
    for new in (b"", b"\n", b"\r\nx", b"---\n", b"x"):
        again = frontmatter.parse(ID, frontmatter.render(memory.saying(new)))
        assert again.body == new


@pytest.mark.parametrize(
    ("stem", "data", "why"),
    [
        (ID, b"", "line 1: no frontmatter"),
        (ID, b"# Just text\n", "line 1: no frontmatter"),
        (ID, b"---", "line 1: no frontmatter"),
        (ID, b"----\n---\n", "line 1: no frontmatter"),
        (ID, b"---\ntitle: a\n--- b\n ---\n", "line 5: the frontmatter has no end"),
        (ID, b"---\ntitle: a\nscope: \xff\n---\n", "line 3: not UTF-8"),
        (ID, "---\ntitle: a\n---\n".encode("utf-16"), "line 1: no frontmatter"),
        ("README", PEER, "no id"),
        ("x-2026-01-01-a", PEER, "no id"),
        ("d-a\udcff", PEER, "no id"),
    ],
)
def test_what_is_no_memory_says_why(stem, data, why):
    """A doctor tells the person where to look."""
    with pytest.raises(MemFault, match=why) as caught:
        frontmatter.parse(stem, data)

    assert caught.value.code == "unreadable"


def test_the_name_of_the_file_is_the_id():
    """What the file itself says is for the doctor, and put right by a write."""
    data = PEER.replace(b"id: d-", b"id: c-").replace(b"decision", b"constraint")
    memory = frontmatter.parse(ID, data)

    assert (memory.id, memory.type.name) == (ID, "decision")
    assert frontmatter.claimed(memory.raw)["id"] == "c-2026-07-19-adopt-mem"
    assert frontmatter.render(memory) == PEER


def test_new_keys_come_in_their_order():
    """And with the file's own line ends."""
    memory = frontmatter.parse(ID, PEER.replace(b"\n", b"\r\n"))

    data = frontmatter.render(
        memory.changed(status="archived", version=2, updated="2026-08-01", priority=71)
    )

    keys = [line.partition(b":")[0].decode() for line in data.split(b"\r\n")[1:14]]
    assert keys == [
        *("id", "type", "title", "scope", "status", "priority", "confidence"),
        *("version", "created", "updated", "tags", "abstract", "---"),
    ]
    assert data.count(b"\n") == data.count(b"\r\n")


def test_foreign_lines_stay_where_they_stood():
    """Nested ones, comments, and the lines that a changed key had."""
    data = b"""---
# first
title: |
  one
  two
# of the title
team:
  lead: ada # she
  title: not this
priority:   70   # why
tags:
  - a
  - b
source: [a,
  b
]
last: [1,
  2]
---
body"""
    memory = frontmatter.parse(ID, data)

    changed = memory.changed(title="three", tags=("c",), scope="global", source="d")

    assert (
        frontmatter.render(changed)
        == b"""---
# first
title: three
scope: global
# of the title
team:
  lead: ada # she
  title: not this
priority:   70   # why
tags: [c]
source: d
last: [1,
  2]
---
body"""
    )
