"""Whatever becomes of memory.db and of its files, recall answers as before."""

import shutil
import sqlite3

import pytest
from structlog.testing import capture_logs

from apx.domain.ending import Ending
from apx.domain.turn import TurnState
from apx.store import arrays
from apx.testing import WordEmbedder
from tests.memory.recall.story import MANY, answers, assert_alike, story
from tests.memory.rooms import Embedders, rooms, said


def files(path):
    return sorted(one for one in path.rglob("*") if one.is_file())


def cut_short(path):
    for one in files(path):
        one.write_bytes(one.read_bytes()[: one.stat().st_size // 2])


def emptied(path):
    for one in files(path):
        one.write_bytes(b"")


def garbled(path):
    for one in files(path):
        one.write_bytes(b"garbage" * 1_000)


def misnamed(path):
    """A file stands where another is expected, as after a botched copy."""
    for one in files(path):
        one.rename(one.with_name(one.name.replace("text-1-", "text-2-")))


def with_strangers(path):
    for directory in {one.parent for one in files(path)}:
        (directory / "text-1-5-5").write_bytes(b"stranger")
        (directory / "text-9999-x").mkdir()
        (directory / ".new-abc").write_bytes(b"half written")
    (path / "README").write_text("hello")


def a_file_itself(path):
    shutil.rmtree(path)
    path.write_text("not a directory")


def removed(path):
    shutil.rmtree(path)


HARMS = [
    cut_short,
    emptied,
    garbled,
    misnamed,
    with_strangers,
    a_file_itself,
    removed,
]


@pytest.mark.parametrize("harm", HARMS)
async def test_harmed_files_are_made_again_from_the_rows(tmp_path, history, harm):
    """They are caches: the answers are the same, and the next save removes them."""
    who = Embedders(words=WordEmbedder())
    index = tmp_path / "index"
    async with rooms(tmp_path, history, who) as memory:
        await memory.engine.ready.wait()
        await memory.put(*story())
        await memory.spaces.fill()
        await memory.engine.save()
        before = await answers(memory)
    assert {one.name.partition("-")[0] for one in files(index)} == {"text", "space1"}

    harm(index)
    async with rooms(tmp_path, history, who) as memory:
        assert_alike(await answers(memory), before)
        await memory.engine.save()

    left = [one for one in files(index) if one.parent != index]
    assert all(arrays.load(one) for one in left)


async def test_files_of_another_index_are_not_used(tmp_path, history):
    """A memory.db made anew numbers its chunks anew, as many as there were."""
    async with rooms(tmp_path, history) as memory:
        await memory.engine.ready.wait()
        await memory.put(*story())
        await memory.engine.save()
    [file] = files(tmp_path / "index")
    old = file.read_bytes()
    (tmp_path / "memory.db").unlink()

    async with rooms(tmp_path, history) as memory:
        await memory.engine.ready.wait()
        assert memory.engine.size == 0
        await memory.put(*(said(f"quite different {n}", n) for n in range(MANY)))
        await memory.engine.save()
    assert files(tmp_path / "index") == [file]
    file.write_bytes(old)

    async with rooms(tmp_path, history) as memory:
        await memory.engine.ready.wait()
        assert await memory.found("boat and iron") == []
        assert await memory.found("different 77") == ["quite different 77"]
        await memory.engine.save()
    assert file.read_bytes() != old


@pytest.fixture
def talking(ledger, clock, hear):
    """Fill the log with three turns."""
    return lambda: talked(ledger, clock, hear)


async def talked(ledger, clock, hear):
    for text in ("my dentist is Dr. Brandt", "the boat is in Kiel", "moss grows"):
        heard = hear(text)
        await ledger.accept(heard)
        turn = await ledger.begin(heard.thread, clock())
        assert turn is not None
        ending = Ending(TurnState.COMPLETED, final="I see.", model="m:m")
        await ledger.end(turn, ending, clock())


def deleted(path):
    path.unlink()


def deleted_but_for_its_log(path):
    """The -wal of the old one lies about."""
    path.with_name("memory.db-wal").write_bytes(b"stale" * 5_000)
    path.unlink()


def halved(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def newer(path):
    connection = sqlite3.connect(path)
    connection.execute("pragma user_version = 99")
    connection.close()


def older(path):
    connection = sqlite3.connect(path)
    connection.execute("pragma user_version = 1")
    connection.close()


def of_another_ledger(path):
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("update meta set value = 'other' where key = 'ledger'")
    connection.close()


def of_another_form(path):
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("update meta set value = '0' where key = 'form'")
    connection.close()


@pytest.mark.parametrize(
    "harm",
    [
        deleted,
        deleted_but_for_its_log,
        halved,
        newer,
        older,
        of_another_ledger,
        of_another_form,
    ],
)
async def test_a_lost_index_is_made_again_from_the_log(
    tmp_path, history, talking, harm
):
    """Nothing is lost with it; a line says so unless it was simply not there."""
    await talking()
    who = Embedders(words=WordEmbedder())
    async with rooms(tmp_path, history, who) as memory:
        await memory.indexer.catch_up()
        await memory.spaces.fill()
        assert await memory.found("dentist") == ["my dentist is Dr. Brandt"]
    harm(tmp_path / "memory.db")

    with capture_logs() as lines:
        async with rooms(tmp_path, history, who) as memory:
            assert await memory.found("dentist") == ["my dentist is Dr. Brandt"]
            assert await memory.spaces.fill() == 6
            assert await memory.found("where is the boat?") == ["the boat is in Kiel"]
    says = "index_made_anew" in {line["event"] for line in lines}
    assert says == (not harm.__name__.startswith("deleted"))


async def test_memory_db_cut_anywhere_is_made_again(tmp_path, history):
    """No place is so unlucky that the start fails, or half of it is believed."""
    async with rooms(tmp_path, history) as memory:
        await memory.engine.ready.wait()
        await memory.put(*story(60))
    path = tmp_path / "memory.db"
    whole = path.read_bytes()

    for eighth in range(8):
        place = len(whole) * eighth // 8 + 100 * (eighth % 2)
        path.write_bytes(whole[:place])
        async with rooms(tmp_path, history) as memory:
            await memory.engine.ready.wait()
            assert await memory.chunks.size() == 0, place
            await memory.put(said("again"))
            assert await memory.found("again?") == ["again"]
