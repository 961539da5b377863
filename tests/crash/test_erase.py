"""An erasure that is killed: what was acknowledged is gone, the rest is whole."""

import os
import random
import shutil
import signal
import subprocess
import sys

import pytest

from apx.store.verify import verify
from tests.crash.erase_child import AFTER, BEFORE, PASSAGE, WORD
from tests.memory.homes import holding

_KILLS = 40 if os.environ.get("APX_LONG") else 6


def child(home, what, point=""):
    return subprocess.Popen(
        [sys.executable, "-m", "tests.crash.erase_child", home, what, point],
        stdout=subprocess.PIPE,
    )


def ended(home, what, point=""):
    process = child(home, what, point)
    said, _ = process.communicate(timeout=50)
    return process.returncode, said


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """Make a home that says the passage everywhere, once."""
    home = tmp_path_factory.mktemp("said")
    assert ended(home, "make")[0] == 0
    return home


@pytest.fixture
def place(tmp_path, said):
    return shutil.copytree(said, tmp_path / "home")


@pytest.mark.parametrize("point", AFTER)
async def test_what_was_begun_is_brought_to_its_end(place, point):
    """Whichever place was next when the process died: the wish outlives it."""
    assert ended(place, "erase", point) == (-signal.SIGKILL, b"")

    assert ended(place, "start")[0] == 0

    assert holding(place, PASSAGE, WORD) == []
    assert await verify(place / "ledger.db") == []


@pytest.mark.parametrize("point", BEFORE)
async def test_what_was_not_begun_can_be_asked_again(place, point):
    """Nothing is half gone from the log; the second time all of it goes."""
    assert ended(place, "erase", point) == (-signal.SIGKILL, b"")
    assert await verify(place / "ledger.db") == []
    assert ended(place, "start")[0] == 0

    assert ended(place, "erase") == (0, b"erased")

    assert holding(place, PASSAGE, WORD) == []
    assert await verify(place / "ledger.db") == []


@pytest.mark.parametrize("seed", range(_KILLS))
async def test_a_kill_at_any_moment_is_survived(place, seed):
    """Then a start, and one more wish: nothing is left, and the log is whole."""
    process = child(place, "erase")
    try:
        process.wait(random.Random(seed).uniform(0.8, 3.0))  # noqa: S311 -- no secret
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate()

    assert ended(place, "start")[0] == 0
    assert await verify(place / "ledger.db") == []
    assert ended(place, "erase") == (0, b"erased")
    assert holding(place, PASSAGE, WORD) == []
