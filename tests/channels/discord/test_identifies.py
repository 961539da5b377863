"""Sessions are begun so that a day's allowance is never spent."""

import json
from bisect import bisect_right
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apx.domain.errors import StoreError
from apx.testing import MemoryDrawer
from channels.discord.identifies import Identifies, Limit, pause

DAY = 86_400.0
START = datetime(2030, 1, 1, tzinfo=UTC)


class Day:
    """A clock that is moved by hand."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return START + timedelta(seconds=self.seconds)


def test_the_first_one_waits_for_nothing():
    """A start is not delayed."""
    assert pause([], 1e9, Limit(), 5.0) == 0.0
    assert pause([1e9 - 6], 1e9, Limit(), 5.0) == 0.0
    assert pause([1e9 - 1], 1e9, Limit(), 5.0) == 4.0


def test_they_are_spaced_when_they_pile_up():
    """The more an hour, the longer."""
    gaps = []
    for count in (5, 35, 40, 80):
        times = [1e9 - 600 + at for at in range(count)]
        gaps.append(pause(times, times[-1], Limit(), 5.0))

    assert gaps == [5.0, 30.0, 55.0, 65.0]


def test_a_little_rest_is_made_to_last():
    """Discord's own number counts: another program may spend from it."""
    scarce = Limit(remaining=11, reset_after=1_000.0)

    assert pause([1e9], 1e9, scarce, 5.0) == 100.0
    assert pause([1e9], 1e9, Limit(1, 1_000.0), 5.0) == 1_000.0
    assert pause([], 1e9, Limit(0, 1_000.0), 5.0) == 1_000.0


@settings(max_examples=12, deadline=None)
@given(st.lists(st.floats(0.0, 400.0), min_size=1, max_size=5), st.booleans())
def test_however_often_it_dies_a_day_never_has_a_thousand(tries, is_told):
    """Discord's count may be wrong or unknown; ours is enough."""
    times: list[float] = []
    now, at = 1e9, 0
    while now < 1e9 + 2 * DAY:
        kept = times[bisect_right(times, now - DAY) :]
        limit = Limit(1000 - len(kept), DAY) if is_told else Limit()
        now += pause(kept, now, limit, 5.0)
        times.append(now)
        assert len(times) < 1_000 or now - times[-1_000] >= DAY
        now += tries[at % len(tries)]
        at += 1


async def test_another_process_goes_on_counting():
    """What was begun a day ago is over; the token's bot is who is counted."""
    drawer, day = MemoryDrawer(), Day()
    for _ in range(3):
        begun = Identifies(drawer, day)
        await begun.load(5)
        await begun.begun()
        day.seconds += 1
    again, other = Identifies(drawer, day), Identifies(drawer, day)
    await again.load(5)
    await other.load(6)
    assert again.pause(Limit(), 5.0) == 4.0
    assert other.pause(Limit(), 5.0) == 0.0
    assert len(json.loads(drawer.values["identifies/5"])) == 3

    day.seconds += DAY
    await again.begun()
    assert len(json.loads(drawer.values["identifies/5"])) == 1


async def test_a_clock_that_was_put_back_holds_nobody_up():
    """What lies ahead is taken as now."""
    drawer, day = MemoryDrawer(), Day()
    begun = Identifies(drawer, day)
    await begun.load(5)
    day.seconds = 9_000.0
    await begun.begun()
    day.seconds = 0.0
    assert begun.pause(Limit(), 5.0) == 5.0


@pytest.mark.parametrize("kept", ["x", "{", "5", '["x"]', "[null]", "{}"])
async def test_a_drawer_with_nonsense_is_an_empty_one(kept):
    """Somebody may have edited it."""
    drawer, day = MemoryDrawer(), Day()
    drawer.values["identifies/5"] = kept
    begun = Identifies(drawer, day)
    await begun.load(5)
    assert begun.pause(Limit(), 5.0) == 0.0


async def test_a_disk_that_is_full_is_outlived():
    """This process still knows."""
    drawer, day = MemoryDrawer(), Day()
    drawer.failures += [StoreError("full"), OSError("full")]
    begun = Identifies(drawer, day)
    await begun.load(5)
    await begun.begun()
    await begun.begun()
    assert begun.pause(Limit(), 5.0) == 5.0


async def test_what_could_not_be_read_is_not_written_over(monkeypatch):
    """A drawer that fails for a moment must not make anybody forget the day."""
    drawer, day = MemoryDrawer(), Day()
    kept = drawer.values["identifies/5"] = json.dumps([START.timestamp() - 60])

    async def spoilt(key):
        raise StoreError(f"{key} is locked")

    begun = Identifies(drawer, day)
    with monkeypatch.context() as now:
        now.setattr(drawer, "get", spoilt)
        await begun.load(5)
        await begun.begun()
        assert drawer.values == {"identifies/5": kept}
    day.seconds += 1
    await begun.begun()

    times = json.loads(drawer.values["identifies/5"])
    assert times == [int(START.timestamp()) + at for at in (-60, 0, 1)]


@pytest.mark.parametrize(
    "told", [None, 5, {}, {"total": "x"}, {"total": 1, "remaining": None}]
)
def test_a_limit_that_cannot_be_read_limits_nothing(told):
    """Ours is there still."""
    assert Limit.read(told) == Limit()


def test_a_limit_is_told_in_thousandths():
    """Of a second, by Discord."""
    told = {"total": 1000, "remaining": 7, "reset_after": 90_000}
    assert Limit.read(told) == Limit(7, 90.0)
