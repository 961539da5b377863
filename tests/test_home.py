import os
import stat
from contextlib import contextmanager

import pytest

from apx.domain.errors import HomeError
from apx.home import home, place, private_write


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@contextmanager
def umask(value):
    before = os.umask(value)
    try:
        yield
    finally:
        os.umask(before)


def test_the_home_is_where_the_environment_says(tmp_path):
    """Else in the person's own directory; an empty variable counts as none."""
    assert place({"APX_HOME": str(tmp_path / "x")}) == tmp_path / "x"
    assert place({}) == place({"APX_HOME": ""})
    assert place({}).name == ".apx"


@pytest.mark.parametrize("wanted", ["", "~", "~/x"])
def test_an_empty_home_of_the_person_is_refused(wanted):
    """A service that runs as root would write to the root of the machine."""
    with pytest.raises(HomeError, match="HOME is empty; set APX_HOME"):
        place({"HOME": "", "APX_HOME": wanted})


def test_a_home_may_be_relative(tmp_path, monkeypatch):
    """To where one stands; that needs no home of the person."""
    monkeypatch.chdir(tmp_path)

    assert place({"HOME": "", "APX_HOME": "x"}) == tmp_path / "x"


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o277])
def test_what_is_made_is_private_whatever_the_umask(tmp_path, mask):
    """Neither an open nor a closed umask decides who reads a conversation."""
    with umask(mask):
        where = home({"APX_HOME": str(tmp_path / "home")})
        private_write(where / "file", b"x")

    assert mode(where) == 0o700
    assert mode(where / "file") == 0o600


def test_an_empty_directory_is_tightened_and_a_full_one_is_not(tmp_path):
    """Somebody may point the home at a directory that others use too."""
    for name in ("empty", "full"):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(0o755)
    (tmp_path / "full" / "theirs").write_text("x")

    home({"APX_HOME": str(tmp_path / "empty")})
    home({"APX_HOME": str(tmp_path / "full")})

    assert mode(tmp_path / "empty") == 0o700
    assert mode(tmp_path / "full") == 0o755


@pytest.mark.parametrize("below", ["", "/deeper"])
def test_a_file_in_the_way_is_said_in_one_line(tmp_path, below):
    """With what to do about it."""
    (tmp_path / "file").write_text("x")

    with pytest.raises(HomeError, match="Not a directory; set APX_HOME") as caught:
        home({"APX_HOME": f"{tmp_path}/file{below}"})

    assert "\n" not in str(caught.value)


def test_a_read_only_home_is_refused(tmp_path):
    """Before anything was asked, not after."""
    where = tmp_path / "home"
    where.mkdir()
    (where / "file").write_text("x")
    where.chmod(0o500)
    if os.access(where, os.W_OK):
        pytest.skip("this user may write everywhere")

    with pytest.raises(HomeError, match="read-only"):
        home({"APX_HOME": str(where)})


def test_a_write_replaces_the_file_and_leaves_nothing_beside_it(tmp_path):
    """A reader sees the old file or the new one, and no third."""
    path = tmp_path / "file"
    path.write_bytes(b"old and longer")
    with path.open("rb") as reader:
        private_write(path, b"new")

        assert reader.read() == b"old and longer"
    assert path.read_bytes() == b"new"
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_a_write_goes_to_what_a_link_points_to(tmp_path):
    """People keep their settings in a directory of their own and link them."""
    (tmp_path / "real").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real" / "file")

    private_write(link, b"new")

    assert link.is_symlink()
    assert (tmp_path / "real" / "file").read_bytes() == b"new"


def test_a_write_that_fails_leaves_the_old_state(tmp_path):
    """And no temporary file: here the target is a directory."""
    (tmp_path / "taken").mkdir()

    with pytest.raises(HomeError, match="taken: cannot be written"):
        private_write(tmp_path / "taken", b"new")

    assert [found.name for found in tmp_path.iterdir()] == ["taken"]


# What apx makes in a home, and may not be a link there.
OURS = (
    *("ledger.db", "ledger.db-wal", "memory.db", "apx.sock", "apx.lock", "apx.log"),
    *("history", "log", "index", "notes", "files", "mem", "backups"),
    *(".restore", ".restore-abc", ".backup"),
)


@pytest.fixture
def lived_in(tmp_path):
    where = tmp_path / "home"
    where.mkdir(0o700)
    (where / "ledger.db").write_text("x")
    return where


def opened(where):
    return home({"APX_HOME": str(where)})


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("there", [True, False])
def test_a_link_in_the_home_is_refused(lived_in, tmp_path, name, there):
    """Whether there is something at its end or not: we would write there."""
    (lived_in / name).unlink(missing_ok=True)
    (lived_in / name).symlink_to(tmp_path if there else tmp_path / "nowhere")

    with pytest.raises(HomeError, match=r"is a link to .* put what it points to"):
        opened(lived_in)


@pytest.mark.parametrize("name", ["config.json", "memory.md"])
def test_files_that_people_link_are_followed(lived_in, tmp_path, name):
    """To a file of theirs, or to one that is yet to be written."""
    (lived_in / name).symlink_to(tmp_path / name)
    assert opened(lived_in) == lived_in
    (tmp_path / name).write_text("x")
    assert opened(lived_in) == lived_in

    (tmp_path / name).unlink()
    (tmp_path / name).mkdir()
    with pytest.raises(HomeError, match="a link to what is no file"):
        opened(lived_in)


def test_a_link_of_the_person_s_own_is_their_affair(lived_in, tmp_path):
    """apx does not touch what it does not make."""
    (lived_in / "photos").symlink_to(tmp_path)

    assert opened(lived_in) == lived_in


def test_the_home_may_be_a_link(lived_in, tmp_path):
    """Many keep it on another disk."""
    (tmp_path / "link").symlink_to(lived_in)

    assert opened(tmp_path / "link") == tmp_path / "link"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("name", ["", "ledger.db", "config.json", "memory.md", "log"])
def test_what_belongs_to_somebody_else_is_refused(lived_in, tmp_path, name):
    """A home of theirs, or a file; also at the end of a link."""
    path = lived_in / name
    if name == "log":
        path.mkdir()
    elif name in {"config.json", "memory.md"}:
        path.symlink_to(tmp_path / name)
        path = tmp_path / name
        path.write_text("x")
    os.chown(path, 4711, -1)

    with pytest.raises(HomeError, match=r"belongs to another user \(uid 4711\)"):
        opened(lived_in)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_link_of_somebody_else_to_the_home_is_refused(lived_in, tmp_path):
    """They can point it elsewhere at any time."""
    link = tmp_path / "link"
    link.symlink_to(lived_in)
    os.chown(link, 4711, -1, follow_symlinks=False)

    with pytest.raises(HomeError, match="belongs to another user"):
        opened(link)


@pytest.mark.parametrize(
    ("before", "after"), [(0o777, 0o755), (0o775, 0o755), (0o770, 0o750)]
)
def test_a_home_that_others_may_write_to_is_closed_to_their_writing(
    lived_in, before, after
):
    """Made with an open umask; who may look into it is the person's affair."""
    lived_in.chmod(before)

    opened(lived_in)

    assert mode(lived_in) == after


def test_everybody_s_directory_is_no_home(lived_in):
    """Such as /tmp: it is not ours to close."""
    lived_in.chmod(0o1777)

    with pytest.raises(HomeError, match="set APX_HOME to one of your own"):
        opened(lived_in)

    assert mode(lived_in) == 0o1777


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_directory_in_which_others_keep_things_is_no_home(lived_in):
    """Closing it would lock them out of what is theirs."""
    lived_in.chmod(0o777)
    (lived_in / "theirs").write_text("x")
    os.chown(lived_in / "theirs", 4711, -1)

    with pytest.raises(HomeError, match="others may write to it"):
        opened(lived_in)


def test_a_long_name_can_be_written(tmp_path):
    """Although the temporary one is longer."""
    name = "x" * 250
    private_write(tmp_path / name, b"new")

    assert [found.name for found in tmp_path.iterdir()] == [name]
