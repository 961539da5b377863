from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest

from apx.domain.memory_file import Entry, to_append
from apx.domain.note import Note
from apx.domain.reconcile import Changes, Versions, reconcile

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
A, B, C = (
    Note(number, text, NOW - timedelta(hours=4 - number), "telegram")
    for number, text in enumerate(("alpha", "beta", "gamma"), 1)
)
SEEN = to_append("", [A, B, C], UTC)
LINE_A, LINE_B, LINE_C = SEEN.splitlines(keepends=True)[-3:]
TODAY = date(2026, 11, 30)


def changes(current, seen=SEEN, live=(A, B, C), dropped=()):
    return reconcile(Versions(seen, current), live, dropped, NOW)


@pytest.mark.parametrize(
    "current",
    [
        SEEN,
        SEEN.replace("\n", "\r\n"),
        "\ufeff" + SEEN,
        f"# Notes\n{LINE_C}{LINE_A}\nprose\n* BETA\n",
        SEEN.replace("[telegram]", "").replace("alpha", " Alpha "),
        SEEN + LINE_A,
    ],
)
def test_moving_and_retagging_change_nothing(current):
    """A note is known by its words; case and spaces are not among them."""
    assert changes(current) == Changes()


@pytest.mark.parametrize(
    ("current", "forgotten"),
    [
        (SEEN.replace(LINE_A, ""), (A,)),
        (SEEN.replace(LINE_C, ""), (C,)),
        (SEEN.replace(LINE_B + LINE_C, ""), (B, C)),
        ("# Notes\n", (A, B, C)),
        (SEEN.replace(LINE_A, "```\n" + LINE_A + "```\n"), (A,)),
    ],
)
def test_a_removed_line_is_forgotten(current, forgotten):
    """Also the newest, and with the heading of its day, if only lines went."""
    assert changes(current) == Changes(forgotten=forgotten)


def test_an_added_line_is_a_note():
    """Once, however often it stands there, and with the date that it bears."""
    new = "- [2026-11-29 08:30] Delta\n* delta\n"

    (entry,) = changes(SEEN + new).added

    assert entry == Entry("Delta", date(2026, 11, 29), time(8, 30))


@pytest.mark.parametrize(
    ("line", "note"), [(LINE_A, A), (LINE_B, B), (LINE_C, C)], ids="ABC"
)
def test_an_edited_line_is_another_note(line, note):
    """The tags, which stay, tell it from what an old editor overwrote."""
    found = changes(SEEN.replace(line, line.replace(note.text, "delta")))

    assert [entry.text for entry in found.added] == ["delta"]
    assert replace(found, added=()) == Changes(forgotten=(note,))


@pytest.mark.parametrize(
    ("edit", "returned"),
    [
        (("# Notes\n", "# Notes\n- delta\n"), (B, C)),
        (("# Notes\n", "# Notes\nprose\n"), (B, C)),
        ((LINE_A, ""), (B, C)),
        ((LINE_A, LINE_A.replace("alpha", "delta")), (B, C)),
    ],
)
def test_an_overwritten_note_returns(edit, returned):
    """An editor opened before two notes were appended saves an edit of its own."""
    seen = SEEN.replace(LINE_A, LINE_A + "- zeta\n")
    old = seen.replace(LINE_B + LINE_C, "")

    found = changes(old.replace(*edit), seen)

    assert found.restored == found.missing == returned
    assert set(found.forgotten) <= {A}


def test_a_note_returns_once():
    """Who removes it a second time means it, whatever else was edited."""
    live = (A, B, replace(C, restored=True))

    found = changes(SEEN.replace(LINE_C, "- delta\n"), live=live)

    assert found.forgotten == live[2:]
    assert found.missing == ()


@pytest.mark.parametrize(
    ("note", "line"),
    [
        (replace(C, at=NOW - timedelta(days=1)), LINE_C),
        (replace(C, channel=""), "- gamma\n"),
        (replace(C, channel=""), "- [11:00] gamma\n"),
    ],
)
def test_an_old_note_and_one_by_hand_do_not_return(note, line):
    """No editor is open for a day, and a person's own lines are the person's."""
    seen = SEEN.replace(LINE_C, line)

    found = changes(seen.replace(line, "- delta\n"), seen, (A, B, note))

    assert found.forgotten == (note,)
    assert found.missing == ()


def test_a_note_that_was_never_seen_is_missing():
    """After a crash it is appended, and may still be overwritten once."""
    found = changes(LINE_A, LINE_A)

    assert found == Changes(missing=(B, C))


@pytest.mark.parametrize("current", ["", "\n", "\0\0\0"])
def test_a_lost_file_costs_no_note(current):
    """An `rm` by mistake, or an editor that died, is not a wish to forget."""
    assert changes(current) == Changes(missing=(A, B, C))


def test_the_line_of_a_forgotten_note_is_no_news():
    """It could not be taken out, or an old editor brought it back."""
    gone = Entry("beta", TODAY, time(10, 0), "telegram")

    still_there = changes(SEEN, live=(A, C))
    back_again = changes(SEEN, SEEN.replace(LINE_B, ""), (A, C), [gone])
    typed_anew = changes(
        SEEN, SEEN.replace(LINE_B, ""), (A, C), [replace(gone, hour=None)]
    )

    assert still_there == back_again == Changes()
    assert [entry.text for entry in typed_anew.added] == ["beta"]


def test_a_first_start_takes_over_what_is_there():
    """A file by hand becomes notes; notes of the log are appended to it."""
    found = changes("- delta\n- ALPHA\n", "", (A, B))

    assert [entry.text for entry in found.added] == ["delta"]
    assert found.missing == (B,)
