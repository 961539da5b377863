"""The daily log on the disk: every event once, in the file of its day."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import shutil
import signal
import sqlite3
import stat
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from structlog.testing import capture_logs

from apx.domain.daily import entry
from apx.domain.ending import Ending
from apx.domain.event import Event, EventKind
from apx.domain.turn import TurnState
from apx.memory.daily_log import DailyLog
from apx.store.database import Database
from apx.store.history import History
from apx.store.log import append
from apx.store.schema import LEDGER

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MADRID = ZoneInfo("Europe/Madrid")
EVENING = datetime(2026, 11, 30, 22, 0, tzinfo=UTC)
READ_ONLY = "root may write to a read-only directory"


@pytest.fixture
def place(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def days(place, history):
    return DailyLog(place, history, MADRID)


def fresh(number: int, at: datetime = EVENING, pad: str = "") -> Event:
    return Event(EventKind.FRESH, f"fresh/{number}", at, {"pad": pad})


async def record(database: Database, events: Iterable[Event]) -> None:
    """Write events in one transaction."""
    made = list(events)
    await database.write(lambda tx: [append(tx, event) for event in made])


async def happen(database: Database, *numbers: int, hours: float = 0.25) -> None:
    """Have something happen, a quarter of an hour after the other: eight a day."""
    step = timedelta(hours=hours)
    await record(database, (fresh(n, EVENING + n * step) for n in numbers))


def read(place: Path, agent: str = "main") -> dict[str, list[dict[str, Any]]]:
    """Read the lines of each day; a torn or a strange one is an error."""
    found = {}
    for path in sorted((place / agent).glob("*.jsonl")):
        *lines, rest = path.read_bytes().split(b"\n")
        assert rest == b""
        found[path.stem] = [json.loads(line) for line in lines]
    return found


def seqs(place: Path) -> dict[str, list[int]]:
    return {day: [line["seq"] for line in lines] for day, lines in read(place).items()}


async def expected(history: History, zone: Any = MADRID) -> dict[str, list[int]]:
    """Say from the log alone what the files have to hold."""
    found: dict[str, list[int]] = {}
    for event in await history.events(0, 1_000_000):
        if line := entry(event, zone):
            found.setdefault(line.day, []).append(line.seq)
    return dict(sorted(found.items()))


async def once(history: History, place: Path) -> bool:
    """Whether each line that there should be is there once, in whatever file."""
    there = Counter(seq for found in seqs(place).values() for seq in found)
    wanted = {seq for found in (await expected(history)).values() for seq in found}
    return there == Counter(wanted)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_a_conversation_is_in_the_file_of_its_day(
    ledger, days, place, clock, hear
):
    """As one can read it: who said what, when, in order."""
    await ledger.accept(hear("tea?"))
    turn = await ledger.begin(hear("").thread, clock())
    await ledger.end(
        turn, Ending(TurnState.COMPLETED, final="Green.", model="m:m"), clock()
    )

    assert await days.catch_up() == 2

    found = read(place)["2030-01-01"]
    assert [(line["seq"], line["role"], line["text"]) for line in found] == [
        (2, "user", "tea?"),
        (3, "assistant", "Green."),
    ]
    assert {line["thread"] for line in found} == {"terminal:main"}


async def test_each_event_goes_to_its_local_day(database, history, days, place):
    """Also one that is older than those before it in the log."""
    await happen(database, 1, 3, 4, 5, 2, 6)

    assert await days.catch_up() == 6

    assert seqs(place) == {"2026-11-30": [1, 2, 5], "2026-12-01": [3, 4, 6]}
    assert await expected(history) == seqs(place)


async def test_what_is_new_is_added(database, days, place):
    """By the same process, which need not look again at what it wrote."""
    await happen(database, 1)
    assert await days.catch_up() == 1
    await happen(database, 2, 3)

    assert await days.catch_up() == 2
    assert await days.catch_up() == 0
    assert seqs(place)["2026-11-30"] == [1, 2, 3]


async def test_another_process_goes_on(database, history, days, place):
    """Where the first one stopped."""
    await happen(database, *range(12))
    await days.catch_up()
    await happen(database, *range(12, 20))

    assert await DailyLog(place, history, MADRID).catch_up() == 8

    assert seqs(place) == await expected(history)


async def test_events_without_a_line_cost_no_write(database, history, days, place):
    """Each piece of a streamed answer is one; a file synced for each is too much."""
    await happen(database, 1)
    await days.catch_up()
    before = (place / "main" / ".cursor").stat().st_mtime_ns
    await record(
        database, (Event(EventKind.RECALL, f"r/{n}", EVENING) for n in range(30))
    )

    assert await days.catch_up() == 0

    assert (place / "main" / ".cursor").stat().st_mtime_ns == before
    await record(
        database, (Event(EventKind.RECALL, f"q/{n}", EVENING) for n in range(600))
    )
    await DailyLog(place, history, MADRID).catch_up()
    assert (place / "main" / ".cursor").stat() != before


async def test_every_agent_has_a_directory(database, history, place):
    """With a cursor of its own."""
    await happen(database, 1)

    for agent in ("main", "coder"):
        assert await DailyLog(place, history, MADRID, agent).catch_up() == 1

    assert read(place, "coder") == read(place, "main")


async def test_ten_thousand_events(database, history, days, place):
    """In many batches, over a year, with long texts."""
    pads = ("", "é" * 300, "東京\u2028\x85\r" * 40)
    await record(
        database,
        (
            fresh(n, EVENING + timedelta(hours=n * 0.9), pads[n % 3])
            for n in range(10_000)
        ),
    )

    assert await days.catch_up() == 10_000

    assert seqs(place) == await expected(history)


@pytest.mark.parametrize("umask", [0, 0o777])
async def test_files_are_private_whatever_the_umask(database, days, place, umask):
    """It is all that was said."""
    await happen(database, 1, 4)
    before = os.umask(umask)
    try:
        await days.catch_up()
    finally:
        os.umask(before)

    assert not days.trouble
    assert mode(place) == mode(place / "main") == 0o700
    files = sorted((place / "main").iterdir())
    assert [path.name for path in files] == [
        ".cursor",
        "2026-11-30.jsonl",
        "2026-12-01.jsonl",
    ]
    assert {mode(path) for path in files} == {0o600}


@pytest.mark.parametrize("torn", [1, 40, 100_000])
async def test_a_torn_line_is_cut_off(database, history, days, place, torn):
    """Long or short; then the event comes whole."""
    await happen(database, 1)
    await days.catch_up()
    await record(database, [fresh(2, pad="x" * 200_000)])
    [event] = await history.events(1, 1)
    line = entry(event, MADRID)
    assert line is not None
    with (place / "main" / "2026-11-30.jsonl").open("ab") as file:
        file.write(line.line[:torn])

    assert await DailyLog(place, history, MADRID).catch_up() == 1

    assert seqs(place) == {"2026-11-30": [1, 2]}


async def test_lines_that_the_cursor_does_not_know_are_not_doubled(
    database, history, days, place
):
    """They were written just before a kill."""
    await happen(database, 1)
    await days.catch_up()
    cursor = (place / "main" / ".cursor").read_bytes()
    await happen(database, *range(2, 9))
    await days.catch_up()
    (place / "main" / ".cursor").write_bytes(cursor)
    # The kill came between the first day's lines and the second's.
    (place / "main" / "2026-12-01.jsonl").unlink()
    await happen(database, 9)

    assert await DailyLog(place, history, MADRID).catch_up() == 6

    assert seqs(place) == await expected(history)


@pytest.mark.parametrize("size", [0, 1, 9, 30, 200])
async def test_a_file_that_lost_its_end_gets_it_back(
    database, history, days, place, size
):
    """Wherever it was cut: the cursor says how long it was."""
    await happen(database, 1, 2, 3, 4, 5, 6)
    await days.catch_up()
    path = place / "main" / "2026-12-01.jsonl"
    assert path.stat().st_size > 390
    first = len(path.read_bytes().splitlines()[0]) + 1
    os.truncate(path, first + size)
    await happen(database, 7)

    await DailyLog(place, history, MADRID).catch_up()

    assert seqs(place) == await expected(history)


@pytest.mark.parametrize("how", ["lost", "empty", "junk", "half", "list"])
async def test_a_damaged_cursor_doubles_nothing(database, history, days, place, how):
    """The files are looked through, and what they hold is not written again."""
    await happen(database, *range(30))
    await days.catch_up()
    cursor = place / "main" / ".cursor"
    data = cursor.read_bytes()
    if how == "lost":
        cursor.unlink()
    else:
        broken = {"junk": b"\xff\0", "half": data[:20], "list": b"[]"}
        cursor.write_bytes(broken.get(how, b""))
    await happen(database, 30)

    assert await DailyLog(place, history, MADRID).catch_up() == 1

    assert seqs(place) == await expected(history)
    assert json.loads(cursor.read_bytes())["seq"] == 31


async def test_without_a_cursor_a_damaged_file_is_mended(
    database, history, days, place
):
    """All is read again from the beginning anyway."""
    await happen(database, *range(30))
    await days.catch_up()
    (place / "main" / ".cursor").unlink()
    path = place / "main" / "2026-12-01.jsonl"
    path.write_bytes(path.read_bytes().replace(b'{"seq":9,', b'\0"seq":9,'))

    await DailyLog(place, history, MADRID).catch_up()

    assert seqs(place) == await expected(history)


@pytest.mark.parametrize("gone", ["log", "log/main"])
@pytest.mark.parametrize("is_running", [True, False])
async def test_a_deleted_directory_is_written_anew(
    database, history, days, place, gone, is_running
):
    """From the beginning; also under a process that is running."""
    await happen(database, *range(20))
    await days.catch_up()
    shutil.rmtree(place.parent / gone)

    again = days if is_running else DailyLog(place, history, MADRID)

    assert await again.catch_up() == 20
    assert seqs(place) == await expected(history)


async def test_a_deleted_day_stays_away(database, history, days, place):
    """Until the directory is deleted; what comes later goes where it belongs."""
    await happen(database, *range(20))
    await days.catch_up()
    (place / "main" / "2026-12-01.jsonl").unlink()
    await happen(database, 20)

    await DailyLog(place, history, MADRID).catch_up()

    wanted = await expected(history)
    assert seqs(place) == wanted | {"2026-12-01": [21]}


async def test_files_of_another_ledger_are_put_aside(database, days, place, tmp_path):
    """Whole, as they were; those of this one begin at the beginning."""
    await happen(database, 1, 2)
    await days.catch_up()
    before = read(place)
    for number in (1, 2):
        path = tmp_path / f"other{number}.db"
        async with Database.open(path, LEDGER) as other:
            await happen(other, 5, 6)
            assert await DailyLog(place, History(other), MADRID).catch_up() == 2

        assert seqs(place) == {"2026-12-01": [1, 2]}
    assert read(place, "main.replaced-1") == before
    assert read(place, "main.replaced-2") == read(place)


@pytest.mark.parametrize("more", [0, 1, 4])
async def test_an_older_copy_of_the_ledger_begins_anew(
    database, days, place, tmp_path, more
):
    """It has the same name, and soon other events under the same numbers."""
    await happen(database, 1, 2)
    copy = tmp_path / "copy.db"
    await asyncio.to_thread(_copied, database.path, copy)
    await happen(database, 3, 4)
    await days.catch_up()

    async with Database.open(copy, LEDGER) as older:
        await happen(older, *range(11, 11 + more))
        history = History(older)
        await DailyLog(place, history, MADRID).catch_up()

        assert seqs(place) == await expected(history)


def _copied(path: Path, copy: Path) -> None:
    with sqlite3.connect(path) as source, sqlite3.connect(copy) as target:
        source.backup(target)
    source.close()
    target.close()


@pytest.mark.parametrize("hours", [9, -11])
@pytest.mark.parametrize("cursor", ["there", "lost", "old"])
async def test_another_zone_doubles_and_loses_nothing(
    database, history, place, hours, cursor
):
    """What was written stays where it is, also what the cursor does not know."""
    days = DailyLog(place, history, MADRID)
    await happen(database, *range(10))
    await days.catch_up()
    path = place / "main" / ".cursor"
    known = path.read_bytes()
    await happen(database, *range(10, 140))
    await days.catch_up()
    if cursor == "lost":
        path.unlink()
    if cursor == "old":
        # As a kill leaves it: the last day is not there yet, the one before is torn.
        path.write_bytes(known)
        (place / "main" / "2026-12-02.jsonl").unlink()
        torn = place / "main" / "2026-12-01.jsonl"
        torn.write_bytes(torn.read_bytes()[:-1500])
    await happen(database, *range(140, 150))
    zone = timezone(timedelta(hours=hours))

    moved = DailyLog(place, history, zone)
    await moved.catch_up()
    await happen(database, 50)
    await moved.catch_up()

    assert await once(history, place)


async def test_lines_of_before_are_found_in_another_day_s_file(
    database, history, days, place
):
    """Also where none of what is written now belongs into that file."""
    await happen(database, 1)
    await days.catch_up()
    cursor = (place / "main" / ".cursor").read_bytes()
    await happen(database, 2, 3)
    await days.catch_up()
    (place / "main" / ".cursor").write_bytes(cursor)
    await happen(database, 4)

    await DailyLog(place, history, ZoneInfo("Asia/Tokyo")).catch_up()

    assert seqs(place) == {"2026-11-30": [1, 2, 3], "2026-12-01": [4]}


async def test_two_calls_at_once_write_each_line_once(database, history, days, place):
    """One waits for the other."""
    await happen(database, *range(1200), hours=0.01)

    lines = await asyncio.gather(days.catch_up(), days.catch_up())

    assert sum(lines) == 1200
    assert seqs(place) == await expected(history)


async def test_a_wait_that_is_given_up_tears_nothing(database, history, days, place):
    """Whenever it is; the batch goes to its end."""
    await happen(database, *range(3000), hours=0.01)
    for turns in range(40):
        task = asyncio.ensure_future(days.catch_up())
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
    await days.freshen(0)

    await days.aclose()
    await days.catch_up()

    assert seqs(place) == await expected(history)


async def test_freshen_gives_up_in_time(database, days, place):
    """A short command waits for a moment only."""
    await happen(database, 1)

    await days.freshen(0)
    await days.freshen()

    assert seqs(place) == {"2026-11-30": [1]}


@pytest.mark.skipif(os.geteuid() == 0, reason=READ_ONLY)
async def test_a_read_only_directory_is_named(database, history, days, place):
    """Nobody's turn fails for it; what is missing is written when it can be."""
    await happen(database, 1)
    await days.catch_up()
    await happen(database, 2, 3, 4)
    (place / "main").chmod(0o500)
    try:
        assert await days.catch_up() == 0
        assert "log/main: cannot be written (Permission denied)" in days.trouble
    finally:
        (place / "main").chmod(0o700)

    await days.catch_up()

    assert days.trouble == ""
    assert seqs(place) == await expected(history)


@pytest.mark.parametrize("what", ["log", "log/main", "log/main/2026-11-30.jsonl"])
async def test_what_is_in_the_way_is_named(database, history, days, place, what):
    """And once it is gone, all is written."""
    await happen(database, 1, 4)
    path = place.parent / what
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix:
        path.mkdir()
    else:
        path.touch()

    assert await days.catch_up() == 0
    assert days.trouble.startswith("log/main: cannot be written (")
    assert await days.catch_up() == 0

    path.rmdir() if path.suffix else path.unlink()
    assert await days.catch_up() == 2
    assert days.trouble == ""
    assert seqs(place) == await expected(history)


async def test_a_full_disk_leaves_no_half_a_line(database, history, days, place):
    """Whoever reads the files meanwhile finds lines; what did fit is not doubled."""
    await happen(database, 1)
    await days.catch_up()
    later = EVENING + timedelta(days=1)
    await record(database, [fresh(9)])
    await record(database, (fresh(n, later, "x" * 500) for n in range(10, 20)))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, limits[1]))
    try:
        assert await days.catch_up() == 0
        assert "File too large" in days.trouble
        assert seqs(place) == {"2026-11-30": [1, 2], "2026-12-01": []}
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, ignored)

    assert await days.catch_up() == 10
    assert days.trouble == ""
    assert seqs(place) == await expected(history)


async def test_trouble_is_logged_once(database, days, place):
    """Each message that is written would repeat it."""
    await happen(database, 1)
    place.touch()
    with capture_logs() as said:
        for _ in range(3):
            await days.catch_up()
        place.unlink()
        await days.catch_up()

    assert [line["log_level"] for line in said] == ["warning", "info"]


async def test_a_strange_file_beside_the_days_is_left_alone(
    database, history, days, place
):
    """Even where all files are looked at."""
    await happen(database, 1)
    await days.catch_up()
    other = place / "main" / "mine.jsonl"
    other.write_text("no newline, no line")
    (place / "main" / ".cursor").unlink()

    await DailyLog(place, history, MADRID).catch_up()

    assert other.read_text() == "no newline, no line"
