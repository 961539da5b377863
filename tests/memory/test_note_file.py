import os
import resource
import signal
import stat

import pytest

from apx.domain.errors import HomeError
from apx.memory.note_file import Found, NoteFile


@pytest.fixture
def path(tmp_path):
    return tmp_path / "memory.md"


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_is_private_whatever_the_umask(tmp_path):
    """Notes are nobody else's, nor are the directories on the way."""
    path = tmp_path / "notes" / "key" / "memory.md"
    before = os.umask(0)
    try:
        assert NoteFile(path).append(Found(), "# Notes\n")
    finally:
        os.umask(before)

    assert mode(path) == 0o600
    assert mode(path.parent) == mode(path.parent.parent) == 0o700


def test_a_file_that_an_editor_left_open_to_all_is_closed(path):
    """Editors that write a new file give it the mode of the umask."""
    path.write_text("x\n")
    path.chmod(0o644)
    file = NoteFile(path)

    file.append(file.read(), "- a\n")

    assert mode(path) == 0o600
    assert path.read_text() == "x\n- a\n"


@pytest.mark.parametrize("change", ["appended", "replaced", "made"])
def test_nothing_is_done_to_another_file_than_was_read(path, change):
    """Whoever was faster must be read first."""
    file = NoteFile(path)
    if change != "made":
        path.write_text("old\n")
    found = file.read()
    path.with_name("new").write_text("old\nmore\n")
    path.with_name("new").replace(path)

    done = file.replace(found, b"") if change == "replaced" else file.append(found, "x")

    assert not done
    assert path.read_text() == "old\nmore\n"
    assert list(path.parent.iterdir()) == [path]


def test_a_link_stays_a_link(path):
    """Some people keep their notes elsewhere."""
    path.with_name("elsewhere.md").write_text("old\n")
    path.symlink_to("elsewhere.md")
    file = NoteFile(path)

    assert file.append(file.read(), "more\n")
    assert file.replace(file.read(), b"new\n")

    assert path.is_symlink()
    assert path.read_text() == "new\n"


@pytest.mark.parametrize(
    "kind", ["directory", "pipe", "loop", "utf-16", "junk", "huge"]
)
def test_what_cannot_be_read_is_named(path, kind):
    """The person learns which file it is, and apx does not hang."""
    if kind == "directory":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "utf-16":
        path.write_text("- a", encoding="utf-16")
    elif kind == "junk":
        path.write_bytes(bytes(range(128, 256)) * 3)
    else:
        path.touch()
        os.truncate(path, 1 << 40)

    with pytest.raises(HomeError, match=r"memory\.md: .*; "):
        NoteFile(path).read()


def test_a_full_disk_leaves_no_half_a_line(path):
    """Half a line would be read as a note of its own."""
    path.write_text("# Notes\n")
    file = NoteFile(path)
    found = file.read()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (12, limits[1]))
    try:
        with pytest.raises(HomeError, match="disk is full"):
            file.append(found, "- a long line\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)

    assert path.read_text() == "# Notes\n"
