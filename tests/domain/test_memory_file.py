from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.memory_file import (
    Entry,
    decode,
    is_blank,
    key_of,
    parse,
    render_day,
    to_append,
)
from apx.domain.note import Note
from apx.domain.text import clean, flatten

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
MADRID = timezone(timedelta(hours=1))
DAY = date(2026, 11, 30)

PIECES = [
    "- ", "* ", "+ ", "  - ", "\t", " ", "# Notes", "## 2026-11-30", "## 2026-12-01",
    "### work", "```", "~~~", "[09:41]", "[telegram]", "[99:99]", "[2026-11-30 09:41]",
    "\n", "\n", "\n\n", "\r\n", "\r", "\ufeff", "\0", "\u2028", "\ufffd", "***",
    "a", "ñ",
]  # fmt: skip
FILES = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=40).map(
    "".join
)
NOTES = st.builds(
    Note,
    id=st.integers(1, 99),
    text=FILES.filter(key_of),
    at=st.integers(0, 4_000_000_000).map(lambda s: datetime.fromtimestamp(s, UTC)),
    channel=st.sampled_from(["", "telegram", "a]b\nc"]) | st.text(max_size=3),
)


def texts(file):
    return [entry.text for entry in parse(file).entries]


@given(FILES | st.binary(max_size=80).map(decode))
def test_every_text_can_be_read(file):
    """Entries stand in order, apart from each other, each with a text."""
    read = parse(file)

    spans = [line for entry in read.entries for line in (entry.first, entry.end)]
    assert spans == sorted(spans)
    assert all(entry.key and entry.first < entry.end for entry in read.entries)
    assert all(entry.moment(NOON, MADRID).tzinfo is UTC for entry in read.entries)


@given(FILES, st.lists(NOTES, min_size=1, max_size=3))
def test_what_is_appended_is_read_back(file, notes):
    """Whatever stands above, and nothing above is read in another way."""
    longer = file + to_append(file, notes, MADRID)

    before, after = parse(file).entries, parse(longer).entries
    assert after[: len(before)] == before
    new = after[len(before) :]
    assert [entry.key for entry in new] == [key_of(note.text) for note in notes]
    assert [(entry.text, entry.day) for entry in new] == [
        (flatten(clean(note.text)), note.at.astimezone(MADRID).date()) for note in notes
    ]


def test_a_file_grows_as_the_manual_shows():
    """Header, one heading a day, one bullet a note, in the local time."""
    late = datetime(2026, 11, 29, 23, 30, tzinfo=UTC)
    first = Note(1, "the staging server\nmoved", late, "telegram")
    second = Note(2, "by hand", NOON)
    third = Note(3, "tomorrow", NOON + timedelta(days=1), "terminal")

    file = ""
    for notes in ((), [first], [second], [third]):
        file += to_append(file, notes, MADRID)

    assert file == (
        "# Notes\n"
        "\n## 2026-11-30\n"
        "- [00:30][telegram] the staging server moved\n"
        "- [13:00] by hand\n"
        "\n## 2026-12-01\n"
        "- [13:00][terminal] tomorrow\n"
    )
    assert render_day(first, MADRID) == "2026-11-30"


@pytest.mark.parametrize(
    ("file", "appended"),
    [
        ("# Notes\n\n## 2026-11-30", "\n- [12:00] x\n"),
        ("## 2026-11-30\n\n# Later\n", "\n## 2026-11-30\n- [12:00] x\n"),
        ("## 2026-11-30\n### work\n", "\n## 2026-11-30\n- [12:00] x\n"),
        ("# Notes\n\n", "## 2026-11-30\n- [12:00] x\n"),
        ("# Notes\r\n", "\r\n## 2026-11-30\r\n- [12:00] x\r\n"),
        (" ", "\n# Notes\n\n## 2026-11-30\n- [12:00] x\n"),
    ],
)
def test_a_note_goes_below_what_a_person_wrote(file, appended):
    """Only a last heading that is the note's day is taken for it."""
    assert to_append(file, [Note(1, "x", NOON)], UTC) == appended


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("- [09:41][telegram] moved", Entry("moved", DAY, time(9, 41), "telegram")),
        ("* [9:41] moved", Entry("moved", DAY, time(9, 41))),
        ("+   moved\r", Entry("moved", DAY)),
        (
            "- [2025-01-02 09:41][tg]  x",
            Entry("x", date(2025, 1, 2), time(9, 41), "tg"),
        ),
        ("- [2025-01-02T09:41:30] x", Entry("x", date(2025, 1, 2), time(9, 41, 30))),
        ("- [2025-01-02] x", Entry("x", date(2025, 1, 2))),
        ("- [99:99] x", Entry("[99:99] x", DAY)),
        ("- [2025-02-31] x", Entry("[2025-02-31] x", DAY)),
        ("- [ ] buy milk", Entry("[ ] buy milk", DAY)),
        ("- [telegram] x", Entry("[telegram] x", DAY)),
        ("- one\n  two\n\n\tthree", Entry("one two three", DAY)),
        ("- hosts:\n  - a\n    - b", Entry("hosts: - a - b", DAY)),
        ("- run\n  ```\n- make\n  ```", Entry("run ``` - make ```", DAY)),
    ],
)
def test_a_bullet_is_read_as_a_person_means_it(line, entry):
    """Tags are optional, and indented lines belong to the bullet above."""
    assert parse(f"## 2026-11-30\n{line}\n").entries == (entry,)


@pytest.mark.parametrize(
    "line",
    ["prose", "-x", "- ", "-", "- [09:41][telegram]", "* * *", "- - -", "#- x", "1. x",
     "```\n- x\n```", "- \u200b"],
)  # fmt: skip
def test_the_rest_is_no_note(line):
    """Prose, rules, empty bullets and code are the person's own."""
    assert texts(f"# Notes\n{line}\n") == []


def test_a_bullet_askew_is_a_bullet():
    """One column more or less is a slip; two are a list within a list."""
    assert texts("- a\n - b\n   - c\nprose\n  - d") == ["a", "b - c", "d"]


@pytest.mark.parametrize(
    ("heading", "day"),
    [
        ("# 2026-11-30", DAY),
        ("###### Monday, 2026-11-30 (rain)", DAY),
        ("##2026-11-30", DAY),
        ("## 2026-11-30\n### work", DAY),
        ("## 2026-11-30\n## Ideas", None),
        ("## 2026-11-30\n# Ideas", None),
        ("## 2026-13-30", None),
        ("## 12026-11-301", None),
        ("##\t30 November", None),
    ],
)
def test_a_heading_dates_what_is_below(heading, day):
    """Until a heading of its own level or above ends its part."""
    assert [entry.day for entry in parse(f"{heading}\n\n- x").entries] == [day]


@pytest.mark.parametrize(
    ("line", "at"),
    [
        ("- x", NOON),
        ("## 2026-11-30\n- x", NOON),
        ("## 2026-11-29\n- x", datetime(2026, 11, 29, 11, tzinfo=UTC)),
        ("- [00:15] x", datetime(2026, 11, 29, 23, 15, tzinfo=UTC)),
        ("- [2020-02-29 10:00] x", datetime(2020, 2, 29, 9, tzinfo=UTC)),
    ],
)
def test_a_line_by_hand_is_dated(line, at):
    """By its tag, else by its heading, else now."""
    (entry,) = parse(line).entries

    assert entry.moment(NOON, MADRID) == at


@pytest.mark.parametrize("text", ["", "\ufeff", " \r\n\t", "\0\0\n"])
def test_a_file_without_ink_is_blank(text):
    """A crash leaves empty files, and files of zeros."""
    assert is_blank(text)
    assert not is_blank(text + "#")
