"""What `scripts/bench mem` says is only worth something if it counts right."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from apx.mem.store import Store
from scripts.benchmarks import mem, mem_cases, mem_measure, mem_place


def case(name: str, *milliseconds: float) -> mem_measure.Case:
    cpu = [one / 1e3 for one in milliseconds]
    return mem_measure.Case(name, lambda _: (), Path(), cpu, cpu)


@pytest.fixture
def every():
    """Give what was measured, of which the medians count."""
    found = (
        case(mem_cases.SQLITE, 10, 10, 90),
        case(mem_cases.LIST, 30, 30, 99),
        case(mem_cases.SEARCH, 31, 31, 1),
        case(mem_cases.GIT_ADD, 20, 20, 20),
        case(mem_cases.GIT_COMMIT, 15, 15, 15),
        case(mem_cases.ADD, 40, 39, 41),
        case(mem_cases.DEDUP, 5001, 5001, 1),
    )
    return {one.name: one for one in found}


def test_a_bound_holds_by_the_median_and_against_either_commit(every):
    answers = [line.rsplit(": ", 1)[1] for line in mem.bounds(every)]
    assert answers == ["yes", "NO", "yes", "NO", "NO"]


def test_the_worst_is_told_beside_the_median(every):
    told = next(line for line in mem.table(every) if line.startswith("list "))
    assert told.split() == ["list", "30.0", "99.0", "30.0", "3.00", "1.50"]


def test_what_a_process_starts_is_counted(tmp_path):
    """Git's time is ours, if we wait for it."""
    spin = "import time\nwhile time.process_time() < 0.2: pass"
    start = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {spin!r}])"
    environ = mem_measure.surroundings({})
    command = (sys.executable, "-c", start)
    cpu, clock = mem_measure.measured(command, environ, tmp_path)
    assert cpu > 0.2
    assert clock > 0.1


def test_a_command_that_fails_ends_it(tmp_path):
    with pytest.raises(SystemExit, match="broken"):
        mem_measure.measured(
            (sys.executable, "-c", "print('broken'); exit(1)"), {}, tmp_path
        )


def test_children_may_keep_what_they_compiled(monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert "PYTHONDONTWRITEBYTECODE" not in mem_measure.surroundings({})


def test_a_store_is_what_it_is_said_to_be(tmp_path, monkeypatch):
    for name, value in mem_place.environ(tmp_path).items():
        monkeypatch.setenv(name, value)
    names = mem_place.made(tmp_path / "store", 12)
    store = Store(str(tmp_path / "store"))
    assert len({store.read(name).title for name in names}) == 12
    told = subprocess.run(
        ["git", "-C", store.root, "rev-list", "--count", "HEAD"],  # noqa: S607 -- whichever git there is
        capture_output=True,
        check=True,
        env=dict(os.environ),
    )
    assert int(told.stdout) == 13


def test_memories_are_in_several_scripts():
    luck, taken = Random(1), set[str]()  # noqa: S311 -- the same each time
    titles = [mem_place.memory(luck, number, taken).title for number in range(200)]
    assert len(taken) == 200
    for letter in "äéшに网":
        assert any(letter in title for title in titles), letter
