"""Which line of the daily log an event gives, and what a torn file tells."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apx.domain.daily import Cursor, entry, seq_of, tail, zone_name
from apx.domain.event import Event, EventKind

MADRID = ZoneInfo("Europe/Madrid")
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def event(kind: EventKind, seq: int = 7, at: datetime = NOON, **body: Any) -> Event:
    return Event(
        kind, f"op/{seq}", at, body, "terminal:main", 3, "anna", "private:anna", seq
    )


def told(happened: Event) -> dict[str, Any] | None:
    """Give the fields of a line that are not the same for every kind."""
    found = entry(happened, UTC)
    if found is None:
        return None
    line = json.loads(found.line)
    same = ("seq", "at", "thread", "turn", "person", "audience")
    return {name: value for name, value in line.items() if name not in same}


USED = {"input": 5, "output": 6}
SHOWN: list[tuple[EventKind, dict[str, Any], dict[str, Any]]] = [
    (
        EventKind.BEGIN,
        {"keys": ["k"], "text": "tea?", "model": "m:m"},
        {"type": "message", "role": "user", "text": "tea?"},
    ),
    (
        EventKind.BEGIN,
        {"keys": ["k"], "text": "tea?", "retry_of": 2},
        {"type": "message", "role": "user", "text": "tea?", "retry_of": 2},
    ),
    (
        EventKind.JOIN,
        {"keys": ["k"], "added": "now", "text": "tea?\nnow"},
        {"type": "message", "role": "user", "text": "now"},
    ),
    (
        EventKind.END,
        {
            "state": "completed",
            "final": "Green.",
            "error": "",
            "model": "m:m",
            "usage": USED,
            "parts": ["Green."],
            "plain": False,
        },
        {
            "type": "message",
            "role": "assistant",
            "text": "Green.",
            "state": "completed",
            "model": "m:m",
            "usage": USED,
        },
    ),
    (
        EventKind.END,
        {"state": "failed", "final": "Gr", "error": "cut off", "model": "m:m"},
        {
            "type": "message",
            "role": "assistant",
            "text": "Gr",
            "state": "failed",
            "model": "m:m",
            "error": "cut off",
        },
    ),
    (
        EventKind.END,
        {"state": "failed", "final": None, "error": "no model", "usage": USED},
        {"type": "error", "error": "no model", "state": "failed", "usage": USED},
    ),
    (
        EventKind.END,
        {"state": "interrupted", "final": None, "error": ""},
        {"type": "error", "error": "", "state": "interrupted"},
    ),
    (
        EventKind.STEP,
        {
            "text": "let me see",
            "calls": [{"id": "c", "name": "t", "arguments": "{}", "signature": "x"}],
            "bounded": False,
        },
        {
            "type": "tool_call",
            "text": "let me see",
            "calls": [{"id": "c", "name": "t", "arguments": "{}"}],
        },
    ),
    (
        EventKind.TOOL_RESULT,
        {"call": "c", "name": "t", "ok": True, "text": "hot", "is_news": True},
        {"type": "tool_result", "call": "c", "name": "t", "ok": True, "text": "hot"},
    ),
    (
        EventKind.NOTE,
        {"text": "tea", "channel": "telegram", "origin": "tool"},
        {
            "type": "note",
            "action": "add",
            "note": 7,
            "text": "tea",
            "channel": "telegram",
            "origin": "tool",
        },
    ),
    (
        EventKind.NOTE_FORGET,
        {"note": 5, "text": "tea"},
        {"type": "note", "action": "forget", "note": 5, "text": "tea"},
    ),
    (
        EventKind.NOTE_RESTORE,
        {"note": 5, "text": "tea"},
        {"type": "note", "action": "restore", "note": 5, "text": "tea"},
    ),
    (
        EventKind.COMPACT,
        {
            "condenser": "v2",
            "prev_compact_ts": None,
            "sections": {"PENDING": "tea"},
            "tokens": {"before": 61_000, "after": 9_000},
        },
        {
            "type": "compact",
            "condenser": "v2",
            "prev_compact_ts": None,
            "sections": {"PENDING": "tea"},
            "tokens": {"before": 61_000, "after": 9_000},
        },
    ),
    (EventKind.COMPACT_UNDO, {"compact": 4}, {"type": "compact_undo", "compact": 4}),
    (EventKind.REWIND, {"to": 2}, {"type": "rewind", "to": 2}),
    (EventKind.FRESH, {}, {"type": "fresh"}),
]


@pytest.mark.parametrize(("kind", "body", "line"), SHOWN)
def test_what_a_person_would_look_for_has_a_line(kind, body, line):
    """With what the event says, and nothing that only a machine reads."""
    assert told(event(kind, **body)) == line


@pytest.mark.parametrize(
    "kind", sorted(set(EventKind) - {kind for kind, _, _ in SHOWN})
)
def test_other_kinds_have_no_line(kind):
    """What they say is in another event too, or is about delivery only."""
    assert told(event(kind, text="x", state="sent", final="x")) is None


@pytest.mark.parametrize("state", ["completed", "stopped"])
def test_an_end_without_words_that_went_well_has_no_line(state):
    """There is nothing to tell."""
    assert told(event(EventKind.END, state=state, final=None, error="")) is None


def test_every_line_says_who_and_where():
    """In the same fields, in front, whatever the body of the event has."""
    found = entry(event(EventKind.COMPACT, seq=9, thread="x", type="y", new=1), UTC)

    assert found is not None
    line = json.loads(found.line)
    assert list(line.items()) == [
        ("seq", 9),
        ("at", "2026-11-30T12:00:00+00:00"),
        ("type", "compact"),
        ("thread", "terminal:main"),
        ("turn", 3),
        ("person", "anna"),
        ("audience", "private:anna"),
        ("new", 1),
    ]


@pytest.mark.parametrize(
    ("at", "day", "local"),
    [
        ("2026-11-30T22:59:59", "2026-11-30", "2026-11-30T23:59:59+01:00"),
        ("2026-11-30T23:00:00", "2026-12-01", "2026-12-01T00:00:00+01:00"),
        ("2026-07-01T21:59:59", "2026-07-01", "2026-07-01T23:59:59+02:00"),
        ("2026-07-01T22:00:00", "2026-07-02", "2026-07-02T00:00:00+02:00"),
        # The hour that comes twice: its offset tells the two apart.
        ("2026-10-25T00:30:00", "2026-10-25", "2026-10-25T02:30:00+02:00"),
        ("2026-10-25T01:30:00", "2026-10-25", "2026-10-25T02:30:00+01:00"),
    ],
)
def test_a_day_is_the_person_s_day(at, day, local):
    """Over midnight, in summer and in winter, and where the clock is changed."""
    found = entry(
        event(EventKind.FRESH, at=datetime.fromisoformat(f"{at}+00:00")), MADRID
    )

    assert found is not None
    assert found.day == day
    assert json.loads(found.line)["at"] == local


@given(st.text(), st.integers(1, 2**40))
@example("\ud83d", 1)
@example("\0\r\n\x85\u2028\u2029\ufeff", 1)
@example("x" * 100_000, 1)
def test_a_line_is_one_line_and_gives_back_the_text(text, seq):
    """Whatever somebody wrote, half surrogate pairs and all separators included."""
    found = entry(event(EventKind.BEGIN, seq=seq, text=text), UTC)

    assert found is not None
    assert found.line.count(b"\n") == 1
    assert found.line.endswith(b"}\n")
    assert json.loads(found.line)["text"] == text
    assert seq_of(found.line) == found.seq == seq


def test_text_is_written_as_it_is():
    """A person reads this file: no escapes where there need be none."""
    found = entry(event(EventKind.BEGIN, text="ñandú\u2028東京"), UTC)

    assert found is not None
    assert "ñandú\u2028東京".encode() in found.line


def lines(*seqs: int) -> list[bytes]:
    made = [entry(event(EventKind.BEGIN, seq=seq, text=f"é{seq}"), UTC) for seq in seqs]
    return [one.line for one in made if one]


@given(
    st.lists(st.integers(1, 50), unique=True).map(sorted),
    st.integers(0, 50),
    st.data(),
)
def test_a_torn_file_ends_where_its_last_whole_line_does(seqs, after, data):
    """Wherever the write was broken off."""
    whole = lines(*seqs)
    content = b"".join(whole)
    torn = data.draw(st.integers(0, len(content)))

    found = tail(content[:torn], after)

    left, size = 0, 0
    while left < len(whole) and size + len(whole[left]) <= torn:
        size += len(whole[left])
        left += 1
    assert found.end == size
    assert found.seqs == tuple(seq for seq in seqs[:left] if seq > after)
    assert found.last == max(seqs[:left], default=0)
    assert found.is_whole is any(seq <= after for seq in seqs[:left])


def test_what_a_power_cut_left_ends_at_the_first_damage():
    """Lines after a hole are written again with those in the hole."""
    a, b, c, d = lines(1, 2, 3, 4)
    found = tail(a + b + b"\0" * len(c) + d, after=1)
    assert (found.seqs, found.end) == ((2,), len(a + b))
    damaged = tail(a + b + b"\0\0\n" + c + d, after=1)
    assert (damaged.seqs, damaged.end) == ((2,), len(a + b))


def test_damage_before_the_cursor_is_left_alone():
    """It was whole once; what a person does to it is theirs, and the rest stays."""
    a, b, c = lines(1, 2, 3)
    content = a + b"what is this?\n" + b + c

    found = tail(content, after=2)

    assert (found.seqs, found.last, found.end) == ((3,), 3, len(content))


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"[1]",
        b"7",
        b'{"seq":"7"}',
        b'{"seq":true}',
        b'{"seq":7',
        b"\xff",
        b"\0" * 100_000,
        b"[" * 100_000,
        b"9" * 100_000,
        b'{"seq":' * 20_000,
    ],
)
def test_what_is_no_line_of_ours_has_no_seq(line):
    """And is read in no time, however odd."""
    assert seq_of(line) is None


def test_a_cursor_comes_back_as_it_was():
    """With every field."""
    cursor = Cursor("abc", "Europe/Madrid", 12, "end/9", "2026-11-30", 4711)

    assert Cursor.read(cursor.written()) == cursor


@given(st.binary() | st.integers(0, 100).map(lambda n: Cursor("a").written()[:n]))
def test_a_damaged_cursor_is_unknown(data):
    """And never an error."""
    assert Cursor.read(data) in {Cursor(), Cursor("a")}
    assert not Cursor.read(data[:-1]).ledger


@pytest.mark.parametrize(
    "change", [{"seq": "3"}, {"seq": 2**63}, {"seq": -1}, {"more": 1}, {"op": None}]
)
def test_a_cursor_of_another_form_is_unknown(change):
    """Such as one that a later version wrote."""
    fields = json.loads(Cursor("a", seq=3).written())

    assert Cursor.read(json.dumps(fields | change).encode()) == Cursor()


def test_zones_that_are_all_called_local_have_names_of_their_own():
    """A machine that moved has other days, if only in summer."""
    near, far = (timezone(timedelta(hours=hours), "local") for hours in (1, 9))
    lagos = ZoneInfo("Africa/Lagos")

    assert zone_name(near) != zone_name(far)
    assert zone_name(lagos).split()[1:] != zone_name(MADRID).split()[1:]
    assert zone_name(MADRID) == "Europe/Madrid +0100 +0200"
