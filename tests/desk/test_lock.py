"""One holder a home, whatever became of the one before."""

import json
import os
import subprocess
import sys

import pytest

from apx.desk import lock

HOLD = """
import sys
from pathlib import Path
from apx.desk import lock
with lock.held(Path(sys.argv[1]), "another") as mine:
    print(mine, flush=True)
    sys.stdin.read()
"""


def another(home):
    """Hold the lock in another process, until its stdin is closed or it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"True\n"
    return process


def test_the_second_learns_who_was_first(tmp_path):
    """It does not get the lock, and leaves the first one's name in it."""
    with lock.held(tmp_path, "first") as first, lock.held(tmp_path, "second") as second:
        assert (first, second) == (True, False)
        assert lock.holder(tmp_path) == f"first (process {os.getpid()})"


def test_whoever_comes_after_gets_it(tmp_path):
    """And is named alone, although its name is shorter."""
    with lock.held(tmp_path, "a command with a long name"):
        pass
    with lock.held(tmp_path, "b") as mine:
        assert mine
        assert json.loads((tmp_path / "apx.lock").read_text())["what"] == "b"


def test_a_killed_holder_holds_nothing(tmp_path):
    """No stale lock, whatever the file says."""
    process = another(tmp_path)
    with lock.held(tmp_path, "second") as mine:
        assert not mine
    assert lock.holder(tmp_path) == f"another (process {process.pid})"

    process.kill()
    process.communicate()

    with lock.held(tmp_path, "second") as mine:
        assert mine


def test_a_copied_home_is_another_home(tmp_path):
    """The lock is the kernel's, and does not travel with the file."""
    home, copy = tmp_path / "home", tmp_path / "copy"
    home.mkdir()
    copy.mkdir()
    with lock.held(home, "first"):
        (copy / "apx.lock").write_bytes((home / "apx.lock").read_bytes())
        with lock.held(copy, "second") as mine:
            assert mine


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', "5"])
def test_a_holder_without_a_name_is_another_apx(tmp_path, text):
    """It may be writing its name just now."""
    (tmp_path / "apx.lock").write_text(text)
    assert lock.holder(tmp_path) == "another apx"
