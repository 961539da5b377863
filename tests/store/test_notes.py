"""What the ledger keeps of memory.md."""

from datetime import UTC

from apx.domain.note import NewNote, Origin
from apx.memory.notes import NoteBook
from apx.store.notes import Notes

MINE = "private:owner"
SECRET = "Casa!Verde88"  # noqa: S105 -- made up


async def test_what_was_seen_of_a_file_has_no_passwords(database):
    """The lines are what they are, for they are compared."""
    notes = Notes(database)
    text = f"# Notes\n\n- tea\r\n- the wifi password is {SECRET}\n- milk\n"

    await notes.see_file(MINE, text)

    seen = await notes.seen_file(MINE)
    assert seen == text.replace(SECRET, "[secret: password]")


async def test_a_file_with_a_password_is_in_step(tmp_path, database, clock):
    """It is noted once, masked; removing its line or another forgets that note."""
    notes, path = Notes(database), tmp_path / "memory.md"
    book = NoteBook(path, notes, clock, UTC, MINE)
    path.write_text(f"# Notes\n\n- tea\n- the wifi password is {SECRET}\n- milk\n")

    noted = [note.text for note in await book.sync()]
    again = [note.text for note in await book.sync()]
    path.write_text(f"# Notes\n\n- tea\n- the wifi password is {SECRET}\n")
    without_milk = [note.text for note in await book.sync()]
    path.write_text("# Notes\n\n- tea\n")
    without_password = [note.text for note in await book.sync()]

    assert noted == again == ["tea", "the wifi password is [secret: password]", "milk"]
    assert without_milk == noted[:2]
    assert without_password == ["tea"]
    assert path.read_text() == "# Notes\n\n- tea\n"


async def test_a_line_that_a_person_removed_stays_away_beside_a_password(
    tmp_path, database, clock
):
    """An old editor would have brought something of its own."""
    notes, path = Notes(database), tmp_path / "memory.md"
    book = NoteBook(path, notes, clock, UTC, MINE)
    path.write_text(f"# Notes\n\n- the wifi password is {SECRET}\n")
    await book.sync()
    new = NewNote("note/1", "tea at five", clock(), "terminal", origin=Origin.COMMAND)
    note = await book.add(new)
    [line] = [line for line in path.read_text().splitlines() if "tea" in line]

    path.write_text(path.read_text().replace(f"{line}\n", ""))

    assert note.id not in [one.id for one in await book.sync()]
    assert "tea" not in path.read_text()
