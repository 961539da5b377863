import asyncio
import os
import time
from collections import Counter

import pytest

from apx.domain.errors import InputError
from apx.domain.note import Origin
from tests.memory.note_log import MINE, MemoryLog, book_of, lines, new


def save(path, text):
    """Write what a person has long finished."""
    path.write_text(text, newline="")
    os.utime(path, (1e9, 1e9))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.md"


@pytest.fixture
def log():
    return MemoryLog()


@pytest.fixture
def book(path, log):
    return book_of(path, log)


async def test_the_first_start_makes_the_file(path, book):
    """The person finds where to write before there is anything to read."""
    assert await book.sync() == []

    assert path.read_text() == "# Notes\n"


async def test_a_note_is_in_the_log_and_in_the_file(path, log, book):
    """One line, in its day, with its newlines flattened."""
    note = await book.add(new("the staging server\n moved"))

    assert note.text == "the staging server moved"
    assert path.read_text() == (
        "# Notes\n\n## 2026-11-30\n- [09:41][telegram] the staging server moved\n"
    )
    assert log.seen[MINE] == path.read_text()
    assert book.trouble == ""


async def test_a_note_is_not_doubled(path, log, book):
    """Neither the same call again nor the same words, whoever wrote them."""
    first = await book.add(new("buy milk"))
    save(path, path.read_text() + "- Water the plants\n")

    again = await book.add(new("Buy  MILK", op="other"))
    by_hand = await book.add(new("water the plants"))

    assert again == first
    assert log.news[by_hand.id].origin is Origin.HAND
    assert lines(path) == ["buy milk", "Water the plants"]


async def test_a_note_without_words_is_refused(book, log):
    """A line without text could never be read back."""
    with pytest.raises(InputError, match="no text"):
        await book.add(new(" \n\0"))

    assert log.notes == {}


async def test_what_a_person_edits_reaches_the_log(path, log, book):
    """A line added, one removed, one reworded; the file stays as it was saved."""
    for text in ("alpha", "beta", "gamma"):
        await book.add(new(text))
    text = path.read_text().replace("- [09:41][telegram] alpha\n", "")
    text = text.replace("beta", "delta") + "\nprose\n* epsilon\n"
    save(path, text)

    notes = await book.sync()

    assert [note.text for note in notes] == ["gamma", "delta", "epsilon"]
    assert log.forgotten == {1, 2}
    assert path.read_text() == text


async def test_notes_by_hand_are_taken_over_in_the_order_of_their_dates(path, book):
    """Some people write the newest day first."""
    save(path, "- undated\n## 2026-11-29\n- late\n## 2020-01-01\n- early\n")

    assert [note.text for note in await book.latest(2)] == ["late", "undated"]
    assert await book.latest(0) == []


async def test_an_overwritten_note_is_appended_again(path, log, book):
    """An editor that had not seen it saved a line of its own."""
    await book.add(new("alpha"))
    buffer = path.read_text()
    await book.add(new("beta"))
    save(path, buffer + "- by hand\n")

    await book.sync()

    assert lines(path) == ["alpha", "by hand", "beta"]
    assert log.notes[2].restored


async def test_an_unchanged_file_is_not_read(path, log, book):
    """A look at its size and times is all that a turn costs."""
    save(path, "- alpha\n")
    await book.sync()
    await book.sync()
    reads = log.reads

    await book.sync()

    assert log.reads == reads


@pytest.mark.parametrize("text", ["", "\n", None])
async def test_a_lost_file_is_written_anew(path, log, book, text):
    """Nobody forgets everything by `rm`."""
    await book.add(new("alpha"))
    await book.add(new("beta"))
    path.unlink() if text is None else save(path, text)

    await book.sync()

    assert lines(path) == ["alpha", "beta"]
    assert log.forgotten == set()


async def test_a_file_that_cannot_be_used_costs_no_note(path, book):
    """Notes are served all the same, and appended as soon as there is a file."""
    path.mkdir()

    await book.add(new("alpha"))

    assert [note.text for note in await book.latest(10)] == ["alpha"]
    assert book.trouble == f"{path}: is no file; move it away"
    path.rmdir()
    await book.sync()
    assert lines(path) == ["alpha"]
    assert book.trouble == ""


async def test_a_file_that_is_no_utf8_is_read_and_kept(path, book):
    """Bytes that mean nothing to us may mean something to the person."""
    path.write_bytes(b"\xef\xbb\xbf- caf\xe9\r\n")

    await book.add(new("alpha"))

    assert path.read_bytes().startswith(
        b"\xef\xbb\xbf- caf\xe9\r\n\r\n## 2026-11-30\r\n"
    )
    assert [note.text for note in await book.sync()] == ["caf\ufffd", "alpha"]


async def test_a_forgotten_note_leaves_the_file(path, log, book):
    """Its line goes, all else stays, and an old editor does not bring it back."""
    await book.add(new("alpha"))
    await book.add(new("beta"))
    buffer = path.read_text()

    gone = await book.forget(1)

    assert gone == log.notes[1]
    assert lines(path) == ["beta"]
    assert await book.forget(1) is None
    save(path, buffer + "- by hand\n")
    assert [note.text for note in await book.sync()] == ["beta", "by hand"]


async def test_a_line_that_cannot_be_taken_out_is_no_note(path, log, book):
    """The log's word holds, also after a restart, and the file is left alone."""
    await book.add(new("alpha"))
    text = path.read_text()
    log.forgotten.add(1)

    assert await book_of(path, log).sync() == []
    assert path.read_text() == text


async def test_adding_again_what_was_forgotten_is_a_note(path, book):
    """People change their minds."""
    await book.add(new("alpha"))
    await book.forget(1)

    note = await book.add(new("alpha", op="other"))

    assert note.id == 2
    assert lines(path) == ["alpha"]


@pytest.mark.parametrize("begun", ["", "# Notes\n"])
async def test_a_file_that_is_being_written_is_waited_for(path, begun):
    """Editors empty a file before they fill it: nothing is to be read from that."""

    class Filling(MemoryLog):
        async def seen_file(self, audience):
            if editing and path.read_text() == begun:
                asyncio.get_running_loop().call_later(0.01, fill)
            return await super().seen_file(audience)

    def fill():
        with path.open("r+") as file:
            file.write(editing)

    editing = ""
    book = book_of(path, Filling())
    await book.add(new("alpha"))
    saved = path.read_text() + "- hand\n"
    await book.add(new("beta"))
    path.write_text(begun)
    os.utime(path, (0, time.time() + 30))  # young, however slow this machine is
    editing = saved

    notes = await book.sync()

    assert [note.text for note in notes] == ["alpha", "beta", "hand"]
    assert path.read_text() == saved + "- [09:41][telegram] beta\n"


async def test_many_at_once_are_all_noted(path, book):
    """Turns of several channels share one book."""
    await asyncio.gather(*(book.add(new(f"note {n % 20}", f"{n}")) for n in range(40)))

    assert Counter(lines(path)) == Counter(f"note {n}" for n in range(20))


async def test_a_cancelled_add_is_neither_lost_nor_doubled(path, book):
    """A turn may be stopped anywhere; the thread that writes goes on."""
    for number in range(30):
        adding = asyncio.ensure_future(book.add(new(f"note {number}")))
        for _ in range(number):
            await asyncio.sleep(0)
        adding.cancel()
        await asyncio.gather(adding, return_exceptions=True)

    notes = await book.sync()

    assert sorted(lines(path)) == sorted(note.text for note in notes)
