"""kill -9 while a home is restored: it is wholly the old one, or wholly the new one."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from apx.backup.making import make
from tests.backup.conftest import AT, furnish, own

ROOT = Path(__file__).parents[2]
LONG = bool(os.environ.get("APX_LONG"))
KILLS = 200 if LONG else 6
# A whole restore takes about this long, its start included.
LIFE = 0.6
CALLS = ("fsync", "rename", "mkdir", "unlink", "rmdir")


def started(home: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env={**os.environ, "APX_HOME": str(home), "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def restored(home: Path, source: Path, call: str, number: int) -> dict[str, int] | None:
    """Restore; give the calls that it took, or nothing if it was killed."""
    process = started(home, "tests.crash.restore_child", str(source), call, str(number))
    _, err = process.communicate(timeout=50)
    assert process.returncode in {0, -signal.SIGKILL}, err
    return None if process.returncode else dict(json.loads(err.splitlines()[-1]))


def apx(home: Path, *words: str) -> str:
    process = started(home, "apx", *words)
    out, err = process.communicate(timeout=50)
    assert process.returncode == 0, err
    return out


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """It has some things that the new one has not, and the other way round."""
    old = furnish(tmp_path / "old", "the old one")
    shutil.rmtree(old / "files")
    shutil.rmtree(old / "mem")
    return old


@pytest.fixture
def source(tmp_path: Path) -> Path:
    new = furnish(tmp_path / "new", "the new one", "and more")
    shutil.rmtree(new / "notes")
    (new / "history").unlink()
    make(new, tmp_path / "b", AT, None)
    return tmp_path / "b"


@pytest.fixture
def contents(
    tmp_path: Path, old: Path, source: Path
) -> dict[str, dict[str, bytes | None]]:
    """What the home is made from, before and after."""
    whole = tmp_path / "whole"
    shutil.copytree(old, whole)
    assert restored(whole, source, "none", 0)
    return {"old": own(old), "new": own(whole)}


def state(home: Path, contents: dict[str, dict[str, bytes | None]]) -> str:
    """Say which home this is, as any command finds it; and that nothing is lost."""
    was_due = (home / ".restore").exists()
    if not was_due:
        # Untouched, although the restore did not clean up behind it.
        assert own(home) in contents.values()
    out = home.with_name(f"{home.name}-backup")
    apx(home, "backup", str(out))
    assert not (home / ".restore").exists()
    found = [name for name, wanted in contents.items() if own(home) == wanted]
    assert len(found) == 1, own(home).keys()
    if found == ["new"]:
        [kept] = (home / "backups").glob("before-restore-*")
        assert own(kept) == contents["old"]
        assert not (home / "memory.db").exists()
        assert not (home / "index").exists()
    else:
        assert not was_due
        assert (home / "memory.db").exists()
    return found[0]


def chosen(call: str, many: int) -> set[int]:
    """Choose among the calls: every other one that moves something, few of the rest."""
    if LONG:
        return set(range(1, many + 1))
    if call in {"rename", "unlink", "rmdir"}:
        return {*range(1, many + 1, 2), many}
    return {1, many // 2, many - 1, many} - {0}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.timeout(900)
def test_a_kill_at_any_call_leaves_one_home_or_the_other(
    tmp_path, old, source, contents, call
):
    """And the next restore works, and takes away what the killed one left."""
    whole = tmp_path / "counted"
    shutil.copytree(old, whole)
    calls = restored(whole, source, "none", 0)
    assert calls is not None
    for number in chosen(call, calls[call]):
        home = tmp_path / f"{call}-{number}"
        shutil.copytree(old, home)
        assert restored(home, source, call, number) is None
        state(home, contents)

        restored(home, source, "none", 0)

        assert own(home) == contents["new"]
        assert not [*home.glob(".restore*"), *home.glob("..restore*")]
        assert not (home / ".backup").exists()
        shutil.rmtree(home)


@pytest.mark.timeout(900)
def test_a_kill_while_it_is_finished_is_finished_too(tmp_path, old, source, contents):
    """Killed again and again, each time one step further."""
    home = tmp_path / "home"
    shutil.copytree(old, home)
    assert restored(home, source, "rename", 2) is None
    assert (home / ".restore").exists()
    for _ in range(3):
        # The next command finishes it first; here that is the child itself.
        assert restored(home, source, "rename", 2) is None
        assert (home / ".restore").exists()

    assert state(home, contents) == "new"


@pytest.mark.timeout(900)
def test_random_kills_leave_one_home_or_the_other(tmp_path, old, source, contents):
    """Whatever was under way."""
    luck = random.Random(20261130)  # noqa: S311 -- a test that can be repeated
    for life in range(KILLS):
        home = tmp_path / f"life-{life}"
        shutil.copytree(old, home)
        process = started(home, "apx", "restore", str(source), "--yes")
        with suppress(subprocess.TimeoutExpired):
            process.wait(LIFE * luck.uniform(0.3, 1.1))
        process.kill()
        process.communicate()
        state(home, contents)
        shutil.rmtree(home)


@pytest.mark.parametrize("step", [2, 4, 7])
@pytest.mark.parametrize("words", [("threads", "list"), ("exec", "and now?")])
def test_any_command_finishes_it(old, source, words, step):
    """Nobody has to know that a restore was killed here."""
    assert restored(old, source, "rename", step) is None
    assert (old / ".restore").exists()

    apx(old, *words)

    assert not (old / ".restore").exists()
    assert "the new one" in apx(old, "threads", "search", "the new one")
