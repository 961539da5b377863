"""Each audience has its notes, in a file of its own."""

from __future__ import annotations

from datetime import UTC

import pytest

from apx.domain.note import NewNote
from apx.memory.books import NoteBooks, path_of
from apx.store.notes import Notes

OWNERS, ANNAS, SHARED = "private:owner", "private:p-1", "shared"
ROOM = "room:telegram:7:-100"


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def books(home, database, clock):
    home.mkdir()
    return NoteBooks(home, Notes(database), clock, UTC)


def new(text, audience, clock, person="owner"):
    return NewNote(f"op {text}", text, clock(), audience=audience, person=person)


async def test_nobody_gets_the_notes_of_another(books, home, clock):
    """In the log and in the files."""
    for text, audience in [("tea", OWNERS), ("gin", ANNAS), ("ale", ROOM)]:
        await books.add(new(text, audience, clock))

    assert [note.text for note in await books.every([OWNERS])] == ["tea"]
    assert [note.text for note in await books.every([ANNAS, SHARED])] == ["gin"]
    assert [note.text for note in await books.latest([OWNERS, ROOM], 9)] == [
        "tea",
        "ale",
    ]
    assert "gin" in (home / "notes/p-1/memory.md").read_text()
    assert "gin" not in (home / "memory.md").read_text()
    assert (home / path_of(ROOM)).read_text().count("- ") == 1
    for path in [home / "notes", *home.glob("notes/*")]:
        assert path.stat().st_mode & 0o777 == 0o700
    assert (home / "notes/p-1/memory.md").stat().st_mode & 0o777 == 0o600


async def test_what_a_person_writes_into_a_file_is_theirs(books, home, clock):
    """A line in Anna's file is Anna's note, whoever owns the machine."""
    await books.add(new("gin", ANNAS, clock, "p-1"))
    path = home / "notes/p-1/memory.md"
    path.write_text(path.read_text() + "- rum\n")

    notes = await books.every([ANNAS])

    assert [(n.text, n.person, n.audience) for n in notes][-1] == ("rum", "p-1", ANNAS)


async def test_a_note_moves_to_everybody(books, home, clock):
    """One note: it leaves the one file and comes into the other."""
    note = await books.add(new("the wifi is at home", OWNERS, clock))

    moved = await books.move(note, SHARED)

    assert moved is not None
    assert await books.every([OWNERS]) == []
    [shared] = await books.every([ANNAS, SHARED])
    assert (shared.id, shared.text, shared.at) == (note.id, note.text, note.at)
    assert "wifi" not in (home / "memory.md").read_text()
    assert "wifi" in (home / "notes/shared/memory.md").read_text()
    assert await books.move(note, SHARED) is None


async def test_a_new_home_has_only_the_owners_file(books, home):
    """Others get theirs with their first note."""
    assert await books.sync() == 0

    assert (home / "memory.md").exists()
    assert not (home / "notes").exists()


async def test_sharing_twice_keeps_the_note(books, clock):
    """What is everybody's already stays where it is."""
    note = await books.add(new("the wifi is at home", OWNERS, clock))
    await books.move(note, SHARED)
    [shared] = await books.every([SHARED])

    await books.move(shared, SHARED)

    assert [one.text for one in await books.every([SHARED])] == ["the wifi is at home"]
