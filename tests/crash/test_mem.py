"""kill -9 while the curated store is written: each write is whole, or was not."""

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

from apx.mem.faults import MemFault
from apx.mem.store import Store
from tests.crash.mem_child import CALLS, GONE, NEW, OLD, memory

ROOT = Path(__file__).parents[2]
LONG = bool(os.environ.get("APX_LONG"))
KILLS = 400 if LONG else 10
# What the kill leaves a program of git to do by itself, for a moment.
LEFT = ("write", "half", "started", "waitpid")


@pytest.fixture(autouse=True)
def _alone(tmp_path, monkeypatch):
    """No settings of whoever runs the tests."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def begun(tmp_path):
    """A store with two memories."""
    store = Store(str(tmp_path / "begun"))
    store.init()
    with store.writing() as writing:
        writing.put(memory(OLD, b"1\n"))
        writing.put(memory(GONE, b"1\n"))
        writing.commit("mem: begin")
    return store


def start(store: Store, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.crash.mem_child", store.root, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def lived(store: Store, call: str, number: int) -> dict[str, int] | None:
    """Run one life; give its calls, or nothing if it was killed."""
    process = start(store, "batch", call, str(number))
    out, err = process.communicate(timeout=50)
    assert process.returncode in {0, -signal.SIGKILL}, err
    return None if process.returncode else dict(json.loads(out))


def git(store: Store, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", store.root, *words],  # noqa: S607 -- whichever git there is
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def check_whole(store: Store) -> None:
    """Nothing is left over, all is in HEAD, and all can be read."""
    files = {
        path.relative_to(store.root).as_posix()
        for path in Path(store.root).rglob("*")
        if path.is_file()
    }
    left = ("/.apx-", ".lock", "tmp_", ".keep", "/apx/", "fast_import_crash")
    assert [path for path in files if any(word in path for word in left)] == []
    assert git(store, "status", "--porcelain", "--untracked-files=all") == ""
    assert "missing" not in git(store, "fsck", "--no-dangling")
    ours = {path for path in files if not path.startswith(".git/")}
    assert set(git(store, "ls-tree", "-r", "--name-only", "HEAD").split()) == ours
    for path in ours - {".gitignore"}:
        assert store.read(Path(path).stem).title == Path(path).stem


def found(store: Store) -> list[int]:
    """Give the versions of the three memories, 0 for one that is not there."""
    return [version(store, name) for name in (OLD, NEW, GONE)]


def version(store: Store, name: str) -> int:
    try:
        return int(store.read(name).body)
    except MemFault:
        return 0


def test_a_kill_at_each_call_leaves_a_whole_write_or_none(begun, tmp_path):
    """The next command ends what was begun, also one that only reads."""
    whole = copied(begun, tmp_path / "whole")
    calls = lived(whole, "none", 0)
    assert calls is not None
    assert {*CALLS, *LEFT} - calls.keys() == {"mkdir"}
    seen = set()
    for call, many in calls.items():
        for number in chosen(call, many):
            store = copied(begun, tmp_path / f"{call}{number}")
            assert lived(store, call, number) is None
            told = f"before {call} {number}"

            next_command(store, call)
            assert found(store) in ([1, 0, 1], [2, 2, 0]), told
            seen.add((found(store)[0], call))
            check_whole(store)

            assert lived(store, "none", 0) is not None, told
            assert found(store)[0] == found(store)[1]
            check_whole(store)
    # Some died before it was committed, some after.
    assert {(1, "fsync"), (2, "fsync"), (1, "started"), (2, "rename")} <= seen


def chosen(call: str, many: int) -> list[int]:
    """Choose among the calls of a life; all of those by which files change."""
    if LONG or call in {"rename", "link", "started"}:
        return list(range(1, many + 1))
    return sorted({1, (many + 1) // 2, many - 1, many})


def copied(store: Store, place: Path) -> Store:
    shutil.copytree(store.root, place, symlinks=True)
    return Store(str(place))


def next_command(store: Store, call: str) -> None:
    """Read, as most commands do; or write, which waits for what git still does."""
    if call in LEFT:
        with store.writing():
            pass
    else:
        store.check()


@pytest.mark.timeout(900)
def test_random_kills_lose_and_double_nothing(begun):
    """Of the process alone, or of its git as well, at any moment."""
    luck = random.Random(20261201)  # noqa: S311 -- a test that can be repeated
    done = 0
    for _ in range(KILLS):
        process = start(begun, "update", OLD, "1000")
        assert process.stdout is not None
        told = process.stdout.readline()
        with suppress(subprocess.TimeoutExpired):
            process.wait(luck.uniform(0, 0.1))
        ended(process.pid, with_git=luck.random() < 0.7)
        rest, err = process.communicate(timeout=50)
        assert process.returncode == -signal.SIGKILL, err
        done += (told + rest).count("done")

        with begun.writing():
            pass
        check_whole(begun)
        now = begun.read(OLD).version - 1
        assert done <= now <= done + 1
        assert len(begun.read(OLD).body.split()) == now + 1
        done = now


def ended(leader: int, *, with_git: bool) -> None:
    """Kill a process, then all that it started, or let that go on."""
    os.kill(leader, signal.SIGKILL)
    for stat in Path("/proc").glob("[0-9]*/stat") if with_git else ():
        with suppress(OSError):
            number, rest = stat.read_text().split(" ", 1)
            if rest.rpartition(")")[2].split()[3] == str(leader):
                os.kill(int(number), signal.SIGKILL)


def test_twenty_processes_add_at_once(begun):
    """Each has its commit, and the store is clean."""
    before = int(git(begun, "rev-list", "--count", "HEAD"))
    processes = [start(begun, "add", f"n{number}", "1") for number in range(20)]
    assert [process.wait(50) for process in processes] == [0] * 20
    close(processes)

    assert int(git(begun, "rev-list", "--count", "HEAD")) == before + 20
    check_whole(begun)


def test_twenty_processes_update_one_memory(begun):
    """No edit of any is lost."""
    processes = [start(begun, "update", OLD, "1") for _ in range(20)]
    assert [process.wait(50) for process in processes] == [0] * 20
    close(processes)

    assert begun.read(OLD).version == 21
    wanted = [b"1", *(b"%d" % process.pid for process in processes)]
    assert sorted(begun.read(OLD).body.split()) == sorted(wanted)
    check_whole(begun)


def close(processes: list[subprocess.Popen[str]]) -> None:
    for process in processes:
        process.communicate()


def test_the_lock_is_held_while_a_git_of_a_killed_process_lives(begun):
    """Otherwise two would write at once."""
    # Nothing was fed to it but the half, and it has nobody to end it.
    assert lived(begun, "half", 4) is None
    with begun.writing():
        assert found(begun) == [1, 0, 1]
    check_whole(begun)
