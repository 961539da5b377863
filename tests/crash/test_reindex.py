"""kill -9 at random points of `apx memory reindex`: it goes on where it was."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.cli.conftest import Command
from tests.stories.long_memory import (
    LONG,
    asked,
    fact,
    house,
    recalled,
    said,
    serving,
    settings,
)

if TYPE_CHECKING:
    from pathlib import Path

KILLS: Final = 50 if LONG else 6
MESSAGES: Final = 20_000 if LONG else 2_500
SAVED: Final = 12 if LONG else 3
OLD, NEW = "ollama:tiny@64", "openai:tiny@64"
_SWITCH: Final = ("memory", "reindex", "--provider", "openai")
_REQUESTS: Final = 40 if LONG else 30
# Four steps of four rounds of six batches of 128.
_UNDER_WAY: Final = 4 * 4 * 6 * 128
_LUCK: Final = random.Random(20261130)  # noqa: S311 -- a test that can be repeated


def read(home: Path, sql: str) -> list[tuple[Any, ...]]:
    """Read memory.db from outside."""
    with closing(sqlite3.connect(home / "memory.db")) as connection:
        return connection.execute(sql).fetchall()


def serving_now(home: Path) -> str:
    """Name the space that serves."""
    [[name]] = read(home, "select identity from space where state = 'serving'")
    return str(name)


@pytest.fixture
def apx(tmp_path: Path) -> Any:
    command = Command(tmp_path / "home")
    yield command
    command.end()


@pytest.mark.timeout(1800)
async def test_a_switch_that_is_killed_goes_on_where_it_was(apx: Command):
    """Nothing twice, the old vectors serve meanwhile; then there is no more to do."""
    await said(apx.home, [fact(number) for number in range(MESSAGES)])
    async with serving("ollama", "openai") as servers:
        told = settings(servers)
        async with house(apx.home, told, "a test") as found:
            await found.memory.recall.keep_up()
        assert serving_now(apx.home) == OLD
        apx.config(json.dumps(told))
        new = servers["openai"]
        new.delay = 0.02
        rounds = 1
        for number in range(KILLS):
            # Once all is done, it is done all anew.
            is_new = serving_now(apx.home) == NEW
            rounds += is_new
            await killed(apx, new, *(["--full"] if is_new else []))
            assert read(apx.home, "pragma integrity_check") == [("ok",)]
            if number % 2:
                await check_one_serves(apx.home, told)

        await asyncio.to_thread(apx, *_SWITCH)
        check_all_are_there(apx.home)
        # What was under way when it was killed is all that is sent again.
        sent = sum(len(one.texts) for one in new.embedded if len(one.texts) > 1)
        assert sent <= rounds * MESSAGES + KILLS * _UNDER_WAY
        new.embedded.clear()
        done = await asyncio.to_thread(apx, *_SWITCH)

        assert "nothing to do" in done
        assert not [one for one in new.embedded if one.texts != ["hello"]]


async def killed(apx: Command, server: Any, *words: str) -> None:
    """Begin to switch, and kill it within some requests and some milliseconds."""
    process = apx.start(*_SWITCH, *words)
    end = server.embeds + _LUCK.randint(1, _REQUESTS)
    while server.embeds < end and process.poll() is None:  # noqa: ASYNC110 -- it is another process
        await asyncio.sleep(0.001)
    await asyncio.sleep(_LUCK.uniform(0, 0.05))
    process.kill()
    await asyncio.to_thread(process.communicate)


async def check_one_serves(home: Path, told: dict[str, Any]) -> None:
    """Find facts by the vectors that serve, whatever else is there."""
    async with house(home, told, "apx exec") as found:
        await found.memory.recall.engine.ready.wait()
        for number in _LUCK.sample(range(MESSAGES), 3):
            turn = await recalled(found, asked(number))
            assert "vector" in turn.why(number)


def check_all_are_there(home: Path) -> None:
    """See one vector a chunk, one chunk a message, in the space that serves."""
    assert read(home, "pragma integrity_check") == [("ok",)]
    assert serving_now(home) == NEW
    assert read(home, "select count(*), count(distinct seq) from chunk") == [
        (MESSAGES, MESSAGES)
    ]
    counts = read(
        home,
        "select count(*), count(distinct v.chunk), count(distinct c.id) from vector v"
        " join space s on s.id = v.space and s.state = 'serving'"
        " left join chunk c on c.id = v.chunk",
    )
    assert counts == [(MESSAGES,) * 3]
    assert read(home, "select * from refused") == []


@pytest.mark.timeout(1800)
async def test_an_index_that_is_killed_while_it_is_made_finds_the_same(apx: Command):
    """From the log's first event to the last file of index/."""
    await said(apx.home, [fact(number) for number in range(MESSAGES)])
    told = settings(provider="tf")
    apx.config(json.dumps(told))
    whole = Command(apx.home.with_name("whole"))
    await asyncio.to_thread(shutil.copytree, apx.home, whole.home)
    began = time.perf_counter()
    await asyncio.to_thread(whole, "memory", "reindex")
    seconds = time.perf_counter() - began
    for _ in range(SAVED):
        await asyncio.to_thread(cut_short, apx, seconds)
        assert read(apx.home, "pragma integrity_check") == [("ok",)]
    await asyncio.to_thread(apx, "memory", "reindex")

    numbers = _LUCK.sample(range(MESSAGES), 10)
    assert await hits(apx.home, told, numbers) == await hits(whole.home, told, numbers)
    assert list((apx.home / "index").glob("*/*"))


def cut_short(apx: Command, seconds: float) -> None:
    """Reindex, and kill it at some moment of the time that it takes."""
    process = apx.start("memory", "reindex")
    time.sleep(_LUCK.uniform(0.3, 1.1) * seconds)
    process.kill()
    process.communicate()


async def hits(home: Path, told: dict[str, Any], numbers: list[int]) -> list[Any]:
    """Give what is found first for some questions, and how many hits there are.

    What comes after is near to equal, and how the parts lie moves it a little.
    """
    async with house(home, told, "apx exec") as found:
        await found.memory.recall.engine.ready.wait()
        turns = [await recalled(found, asked(number)) for number in numbers]
    return [(t.recall.memories[0].ref, len(t.recall.memories)) for t in turns]
