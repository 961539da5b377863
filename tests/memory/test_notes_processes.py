import asyncio
import multiprocessing
import pickle
from collections import Counter

import pytest

from tests.memory.note_log import MINE, MemoryLog, book_of, lines, new

SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.md"


def add_and_die(path, log):
    asyncio.run(book_of(path, log).add(new("alpha")))


@pytest.mark.parametrize("call", ["add_note", "before see_file", "see_file"])
def test_a_note_survives_a_kill_between_log_and_file(path, tmp_path, call):
    """What the log has, the file gets at the next start, and only once."""
    kept_in = tmp_path / "log"
    path.write_text("# Notes\n")
    log = MemoryLog(seen={MINE: "# Notes\n"}, kept_in=kept_in, dies_at=call)

    writer = SPAWN.Process(target=add_and_die, args=(path, log))
    writer.start()
    writer.join()

    assert writer.exitcode == -9
    log = pickle.loads(kept_in.read_bytes())  # noqa: S301 -- our own file
    assert [n.text for n in asyncio.run(book_of(path, log).sync())] == ["alpha"]
    assert lines(path) == ["alpha"]
    assert not log.notes[1].restored


def edit(path, turns):
    """Rewrite the file in place or by renaming, each time when told to."""
    for number in iter(turns.recv, None):
        text = path.read_text().replace("# Notes\n", f"# Notes\n- typed {number}\n", 1)
        target = path.with_name("new") if number % 2 else path
        target.write_text(text)
        target.replace(path)
        turns.send(number)


async def test_a_person_edits_while_notes_arrive(path):
    """Two processes write one file: every line of both is there, once."""
    book = book_of(path, MemoryLog())
    await book.sync()
    ours, theirs = SPAWN.Pipe()
    editor = SPAWN.Process(target=edit, args=(path, theirs), daemon=True)
    editor.start()
    with ours, theirs:
        for number in range(15):
            ours.send(number)
            await book.add(new(f"note {number}"))
            await asyncio.to_thread(ours.recv)
            await book.sync()
        ours.send(None)
        await asyncio.to_thread(editor.join)

    noted = {f"note {n}" for n in range(15)} | {f"typed {n}" for n in range(15)}
    assert Counter(lines(path)) == Counter(noted)
    assert {note.text for note in await book.sync()} == noted
