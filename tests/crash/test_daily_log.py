"""kill -9 while the daily log is written: each event is in it once."""

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
from typing import TYPE_CHECKING

import pytest

from apx.domain.daily import entry
from apx.store.database import Database
from apx.store.history import History
from apx.store.schema import LEDGER
from tests.crash.daily_child import ZONE, happen, opened

if TYPE_CHECKING:
    from apx.memory.daily_log import DailyLog

ROOT = Path(__file__).parents[2]
LONG = bool(os.environ.get("APX_LONG"))
KILLS = 200 if LONG else 12
CALLS = ("write", "half", "fsync", "rename", "mkdir", "truncate")


def start(home: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.crash.daily_child", str(home), *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lived(home: Path, call: str, number: int) -> dict[str, int] | None:
    """Run one life; give its calls, or nothing if it was killed."""
    process = start(home, call, str(number))
    out, err = process.communicate(timeout=50)
    assert process.returncode in {0, -signal.SIGKILL}, err
    return None if process.returncode else dict(json.loads(out))


def lines(home: Path) -> dict[str, list[bytes]]:
    """Read the lines of each day, whole ones or not."""
    return {
        path.stem: path.read_bytes().splitlines(keepends=True)
        for path in sorted((home / "log" / "main").glob("*.jsonl"))
    }


async def wanted(home: Path) -> dict[str, list[bytes]]:
    """Say from the log alone what the files have to hold, to the byte."""
    found: dict[str, list[bytes]] = {}
    async with Database.open(home / "ledger.db", LEDGER) as database:
        for event in await History(database).events(0, 10_000_000):
            if line := entry(event, ZONE):
                found.setdefault(line.day, []).append(line.line)
    return dict(sorted(found.items()))


async def check_goes_on(home: Path, luck: random.Random) -> None:
    """Have more happen and write it down: then everything is there once."""
    async with opened(home) as (database, days):
        await happen(database, 3, luck)
        await days.catch_up()
        assert days.trouble == ""
    assert lines(home) == await wanted(home)


@pytest.fixture
def luck() -> random.Random:
    return random.Random(20261130)  # noqa: S311 -- a test that can be repeated


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.timeout(900)
async def test_a_kill_at_any_call_doubles_and_loses_nothing(tmp_path, luck, call):
    """Before it is made, or in the midst of a write; and again in the next life."""
    start_of_all = tmp_path / "start"
    start_of_all.mkdir()
    async with opened(start_of_all) as (database, _):
        await happen(database, 540, luck)
    async with opened(start_of_all) as (database, days):
        if call == "truncate":
            await torn(start_of_all, database, days, luck)

    whole = tmp_path / "whole"
    shutil.copytree(start_of_all, whole)
    calls = lived(whole, "none", 0)
    assert calls is not None
    for number in filter(None, chosen(calls[call])):
        home = tmp_path / f"{number}"
        shutil.copytree(start_of_all, home)
        assert lived(home, call, number) is None
        lived(home, call, number)
        await check_goes_on(home, luck)


def chosen(many: int) -> list[int]:
    """Choose among the calls of a life: all of them, or a few from first to last."""
    return list(range(1, many + 1) if LONG else {1, (many + 1) // 2, many - 1, many})


async def torn(
    home: Path, database: Database, days: DailyLog, luck: random.Random
) -> None:
    """Leave half a line of what happens next."""
    await days.catch_up()
    cursor = (home / "log" / "main" / ".cursor").read_bytes()
    before = lines(home)
    await happen(database, 20, luck)
    await days.catch_up()
    (home / "log" / "main" / ".cursor").write_bytes(cursor)
    for day, found in lines(home).items():
        if new := len(found) - len(before.get(day, ())):
            path = home / "log" / "main" / f"{day}.jsonl"
            path.write_bytes(b"".join(found[: 1 - new or None])[:-30])


@pytest.mark.timeout(900)
async def test_random_kills_double_and_lose_nothing(tmp_path, luck):
    """Whatever was under way; the file that was torn is mended by the next life."""
    for life in range(KILLS):
        killed(tmp_path, life, luck.uniform(0, 0.25))
        if LONG and life % 20 == 0:
            await check_goes_on(tmp_path, luck)

    await check_goes_on(tmp_path, luck)


def killed(home: Path, life: int, seconds: float) -> None:
    """Run a life, and end it a while after it began; that is some twenty batches."""
    process = start(home, "random", str(life))
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
    process.kill()
    _, err = process.communicate()
    assert process.returncode == -signal.SIGKILL, err
