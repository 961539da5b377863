"""Making a backup of a home, and what is refused or said then."""

import os
import resource
import signal
import sqlite3
import stat
import tarfile

import pytest

from apx.backup.making import check_target, make
from apx.backup.room import working
from apx.domain.errors import HomeError, InputError, StoreError
from apx.store.backup import NEWEST
from tests.backup.conftest import AT, own, tree


def names(path):
    with tarfile.open(path) as tar:
        return {found.name for found in tar if found.isfile()}


def test_a_backup_holds_what_the_home_is_made_from(home, tmp_path):
    """Not what is made from that, nor what is of the moment."""
    before = tree(home)

    made = make(home, tmp_path / "b.tar", AT, None)

    wanted = {name for name, what in own(home).items() if what is not None}
    wanted.discard("ledger.db-wal")
    assert names(tmp_path / "b.tar") == wanted | {"about.json", "sums"}
    assert (made.about.turns, made.about.notes, made.about.schema) == (2, 0, NEWEST)
    assert made.files == len(wanted)
    assert made.size == (tmp_path / "b.tar").stat().st_size
    assert made.left_out == ()
    # SQLite leaves an empty log behind who only reads.
    assert set(tree(home)) - set(before) <= {"ledger.db-wal", "ledger.db-shm"}
    assert {name: tree(home)[name] for name in before} == before


def test_nobody_else_can_read_it(home, tmp_path):
    """Whatever the umask, and whatever stood there before."""
    target = tmp_path / "b.tar"
    target.write_text("old")
    target.chmod(0o644)
    before = os.umask(0)
    try:
        make(home, target, AT, None)
    finally:
        os.umask(before)

    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with tarfile.open(target) as tar:
        assert {found.mode for found in tar} == {0o600, 0o700}


def test_a_home_without_a_ledger_has_a_backup_too(tmp_path):
    """Somebody wrote a config.json, and notes by hand."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "memory.md").write_text("# Notes\n")

    made = make(tmp_path / "home", tmp_path / "b.tar", AT, None)

    assert (made.about.schema, made.about.turns) == (0, 0)
    assert "memory.md" in names(tmp_path / "b.tar")


def test_links_and_sockets_are_left_out_and_named(home, tmp_path):
    """But for the files that people keep elsewhere and link."""
    (tmp_path / "elsewhere.md").write_text("# Notes\n- mine\n")
    (home / "memory.md").unlink()
    (home / "memory.md").symlink_to(tmp_path / "elsewhere.md")
    (home / "mem" / "link").symlink_to("/etc/passwd")
    os.mkfifo(home / "mem" / "pipe")

    made = make(home, tmp_path / "b.tar", AT, None)

    assert made.left_out == ("mem/link", "mem/pipe")
    with tarfile.open(tmp_path / "b.tar") as tar:
        found = tar.extractfile("memory.md")
        assert found
        assert found.read() == b"# Notes\n- mine\n"


@pytest.mark.parametrize("at", ["middle", "beginning"])
def test_a_damaged_ledger_is_no_backup(home, tmp_path, at):
    """A good one from before is worth more, and stays."""
    ledger, target = home / "ledger.db", tmp_path / "b.tar"
    target.write_text("an earlier one")
    content = bytearray(ledger.read_bytes())
    place = 0 if at == "beginning" else len(content) // 3
    content[place : place + 9000] = b"\xff" * 9000
    ledger.write_bytes(content)
    before = {path.name for path in tmp_path.iterdir()}

    with pytest.raises(StoreError):
        make(home, target, AT, None)

    assert target.read_text() == "an earlier one"
    assert {path.name for path in tmp_path.iterdir()} == before
    assert not (home / ".backup").exists()


def test_tables_that_are_not_what_the_log_says_are_no_backup(home, tmp_path):
    """SQLite finds nothing wrong with them."""
    with sqlite3.connect(home / "ledger.db") as connection:
        connection.execute("insert into thread (name, person, audience) values (1,1,1)")
    connection.close()

    with pytest.raises(StoreError, match="table thread differs"):
        make(home, tmp_path / "b.tar", AT, None)

    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_a_disk_that_is_full_leaves_nothing_behind(home, tmp_path):
    """The file gets larger than this process may write."""
    (home / "files" / "large").write_bytes(os.urandom(3_000_000))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, before[1]))
    try:
        with pytest.raises(StoreError, match=r"no backup was made: File too large"):
            make(home, tmp_path / "b.tar", AT, None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)

    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_one_at_a_time(home, tmp_path):
    """They would take each other's copies away."""
    with working(home), pytest.raises(HomeError, match="another `apx backup`"):
        make(home, tmp_path / "b.tar", AT, None)

    make(home, tmp_path / "b.tar", AT, None)


def test_what_a_killed_one_left_goes_away(home, tmp_path):
    """It is a copy of all that was said."""
    (home / ".backup" / "deep").mkdir(parents=True)
    (home / ".backup" / "ledger.db").write_text("half")

    make(home, tmp_path / "b.tar", AT, None)

    assert not (home / ".backup").exists()


def test_targets_that_are_refused(home, tmp_path):
    """Before anything is read, or a passphrase asked for."""
    there, link = tmp_path / "there", tmp_path / "link"
    there.write_text("x")
    link.symlink_to("there")
    for target, said in {
        tmp_path / "no" / "b": "is no directory",
        home / "b": "is in the home",
        home / "files" / "b": "is in the home",
        there: "say --force",
        tmp_path: "is no file",
        link: "is no file",
    }.items():
        with pytest.raises(InputError, match=said):
            check_target(target, home, force=False)
    for target in (tmp_path, link):
        with pytest.raises(InputError):
            check_target(target, home, force=True)

    check_target(there, home, force=True)
    check_target(tmp_path / "new", home, force=False)
    (home / "backups").mkdir()
    check_target(home / "backups" / "b", home, force=False)
