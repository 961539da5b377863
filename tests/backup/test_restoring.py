"""Restoring a backup: as it was, or not at all."""

import asyncio
import json
import os
import random
import sqlite3
import stat

import pytest

from apx.backup import restoring, swap
from apx.backup.form import About
from apx.backup.making import make
from apx.backup.packing import Pack
from apx.domain.errors import ApxError, HomeError, InputError, StoreError
from apx.store.backup import NEWEST
from apx.store.database import Database
from apx.store.schema import LEDGER
from apx.store.verify import verify
from tests.backup.conftest import AT, own, tree

FLIPS = 200 if os.environ.get("APX_LONG") else 40
WORD = "a passphrase"


def restore(home, source, word=WORD):
    with restoring.proven(home, source, lambda: word) as ready:
        return restoring.exchange(home, ready, AT)


def comparable(home):
    """Give what a home is made from, but for how SQLite lays out the ledger."""
    found: dict[str, object] = {**own(home)}
    for name in ("ledger.db", "ledger.db-wal"):
        found.pop(name, None)
    with sqlite3.connect(home / "ledger.db") as ledger:
        found["events"] = ledger.execute("select * from event").fetchall()
    ledger.close()
    return found


@pytest.mark.parametrize("word", [None, WORD])
def test_an_empty_home_becomes_the_one_of_the_backup(home, tmp_path, word):
    """Locked or not; all of it private."""
    new, source = tmp_path / "new", tmp_path / "b"
    new.mkdir()
    make(home, source, AT, word)

    restore(new, source)

    assert comparable(new) == comparable(home)
    assert asyncio.run(verify(new / "ledger.db")) == []
    tops = {path.name for path in new.iterdir()} - {"ledger.db-wal", "ledger.db-shm"}
    assert tops == {
        *("ledger.db", "memory.md", "config.json", "history"),
        *("notes", "mem", "files"),
    }
    for path in new.rglob("*"):
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) in {wanted, 0o644 & wanted}, path


def test_what_was_there_is_kept_aside_and_what_was_made_from_it_goes(
    home, other, tmp_path
):
    """What is not of apx stays where it is."""
    before = tree(home)
    make(other, tmp_path / "b", AT, None)

    old = restore(home, tmp_path / "b")

    assert comparable(home) == comparable(other)
    kept = tree(old)
    for name, what in before.items():
        top = name.split("/")[0]
        if top in {"memory.db", "memory.db-wal", "index"}:
            assert name not in kept
            assert not (home / name).exists()
        elif top in {"apx.log", "apx.lock", "mine.txt"}:
            assert (home / name).read_bytes() == what
        elif not top.startswith("ledger.db-"):
            assert kept[name] == what
    assert not (home / "log").exists()


def test_a_log_that_was_not_brought_in_yet_goes_with_its_ledger(home, other, tmp_path):
    """A killed owner leaves one; the new ledger must never meet it."""
    make(other, tmp_path / "b", AT, None)
    for end in ("wal", "shm"):
        (home / f"ledger.db-{end}").write_text(end)

    old = restore(home, tmp_path / "b")

    assert (old / "ledger.db-wal").read_text() == "wal"
    assert comparable(home) == comparable(other)


def test_what_is_not_in_the_backup_does_not_stay(home, tmp_path):
    """A home is restored, not mixed."""
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "memory.md").write_text("# Notes\n")
    make(tmp_path / "bare", tmp_path / "b", AT, None)

    restore(home, tmp_path / "b")

    assert own(home) == {"memory.md": b"# Notes\n"}


def test_restoring_twice_keeps_both(home, other, tmp_path):
    """Also within a second."""
    make(other, tmp_path / "b", AT, None)
    first = comparable(home)

    one, two = restore(home, tmp_path / "b"), restore(home, tmp_path / "b")

    assert one != two
    assert comparable(one) == first
    assert comparable(two) == comparable(other)


@pytest.mark.timeout(900)
def test_a_bit_that_flips_leaves_the_home_as_it_was(home, other, tmp_path):
    """To the byte, and with nothing beside."""
    make(other, tmp_path / "b", AT, None)
    content = (tmp_path / "b").read_bytes()
    before = tree(home)
    luck = random.Random(20261130)  # noqa: S311 -- a test that can be repeated
    for place in luck.sample(range(len(content)), FLIPS):
        changed = bytearray(content)
        changed[place] ^= 1 << luck.randrange(8)
        (tmp_path / "flipped").write_bytes(changed)

        with pytest.raises(ApxError, match="nothing was changed"):
            restore(home, tmp_path / "flipped")

        assert tree(home) == before


def test_a_wrong_passphrase_leaves_the_home_as_it_was(home, other, tmp_path):
    make(other, tmp_path / "b", AT, WORD)
    before = tree(home)

    with pytest.raises(StoreError, match="b: wrong passphrase"):
        restore(home, tmp_path / "b", "another one")

    assert tree(home) == before


def test_somebody_who_says_no_leaves_the_home_as_it_was(home, other, tmp_path):
    """It lay ready by then."""
    make(other, tmp_path / "b", AT, None)
    before = tree(home)

    with restoring.proven(home, tmp_path / "b", lambda: WORD) as ready:
        assert ready.about.turns == 1
        assert tree(home) != before

    assert tree(home) == before


def with_ledger(home, tmp_path, ledger, **said):
    """Write a backup by hand that holds this ledger, and says this of it."""
    about = About(AT, **{"schema": NEWEST, "turns": 0, "notes": 0, **said})
    target = tmp_path / "by-hand"
    target.write_bytes(b"".join(Pack(home, ledger, about).stream()))
    return target


def at_version(path, version):
    with sqlite3.connect(path) as connection:
        for script in LEDGER[:version]:
            connection.executescript(script)
        connection.execute(f"pragma user_version = {version}")
    connection.close()
    return path


def test_a_newer_ledger_is_refused_whatever_is_said_of_it(home, tmp_path):
    ledger = at_version(tmp_path / "newer.db", NEWEST)
    with sqlite3.connect(ledger) as connection:
        connection.execute(f"pragma user_version = {NEWEST + 1}")
    connection.close()
    before = tree(home)

    with pytest.raises(StoreError, match="newer apx"):
        restore(home, with_ledger(home, tmp_path, ledger))

    assert tree(home) == before


@pytest.mark.parametrize("version", range(1, NEWEST))
async def test_an_older_one_is_restored_and_brought_up_to_date(home, tmp_path, version):
    """When it is opened, as any older ledger is."""
    ledger = at_version(tmp_path / "older.db", version)
    source = with_ledger(home, tmp_path, ledger, schema=version)

    await asyncio.to_thread(restore, home, source)

    async with Database.open(home / "ledger.db", LEDGER):
        pass
    assert await verify(home / "ledger.db") == []


@pytest.mark.parametrize("content", [b"", b"no ledger", b"SQLite format 3\0" * 400])
def test_what_is_no_ledger_is_refused(home, tmp_path, content):
    """Although all its sums are right."""
    (tmp_path / "odd.db").write_bytes(content)
    before = tree(home)

    with pytest.raises(StoreError):
        restore(home, with_ledger(home, tmp_path, tmp_path / "odd.db"))

    assert tree(home) == before


def test_a_ledger_whose_tables_are_not_what_its_log_says_is_refused(home, tmp_path):
    """Somebody wrote into it."""
    ledger = at_version(tmp_path / "odd.db", NEWEST)
    with sqlite3.connect(ledger) as connection:
        connection.execute("insert into thread (name, person, audience) values (1,1,1)")
    connection.close()

    with pytest.raises(StoreError, match="thread differs"):
        restore(home, with_ledger(home, tmp_path, ledger))


@pytest.mark.parametrize("name", ["missing", "."])
def test_a_source_that_is_no_file_is_a_mistake_of_who_asks(home, tmp_path, name):
    with pytest.raises(InputError):
        restore(home, tmp_path / name)


def test_a_mark_that_is_damaged_is_said_with_what_to_do(home):
    """Nothing is guessed."""
    (home / ".restore").write_text("{")

    with pytest.raises(HomeError, match=r"\.restore is damaged"):
        swap.finish(home)


@pytest.mark.parametrize("had_one", [True, False])
def test_a_log_that_a_reader_made_meanwhile_is_not_put_beside_the_old_ledger(
    home, other, tmp_path, had_one
):
    """A killed restore was half way; then somebody looked at the new ledger."""
    make(other, tmp_path / "b", AT, None)
    old = home / "backups" / "old"
    old.mkdir(parents=True)
    (home / "ledger.db-wal").unlink(missing_ok=True)
    if had_one:
        (old / "ledger.db-wal").write_text("the old one's")
    with restoring.proven(home, tmp_path / "b", lambda: WORD) as ready:
        (home / "ledger.db").rename(old / "ledger.db")
        (ready.staged / "ledger.db").rename(home / "ledger.db")
        (home / "ledger.db-wal").write_text("")
        mark: dict[str, object] = {"staged": ready.staged.name, "old": "old"}
        mark["names"] = ["ledger.db", "memory.md"]
        (home / ".restore").write_text(json.dumps(mark))
        swap.finish(home)

    kept = {path.name: path.read_bytes() for path in old.glob("*-wal")}
    assert kept == ({"ledger.db-wal": b"the old one's"} if had_one else {})
    assert (home / "ledger.db-wal").read_text() == ""
    assert not (home / ".restore").exists()


def test_what_cannot_be_finished_now_is_finished_later(home, other, tmp_path):
    """Nothing of the new home is thrown away meanwhile."""
    make(other, tmp_path / "b", AT, None)
    (home / "backups").write_text("in the way")

    with pytest.raises(HomeError, match=r"cannot be finished: .*backups"):
        restore(home, tmp_path / "b")

    (home / "backups").unlink()
    swap.finish(home)
    assert comparable(home) == comparable(other)
    assert not list(home.glob(".restore*"))
