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
