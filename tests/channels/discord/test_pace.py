"""Edits of replies that grow leave room: no final text waits for them."""

import pytest

from channels.discord.pace import Pace
from tests.channels.hand_time import HandTime

FOREVER = 1e9


@pytest.fixture
def time():
    return HandTime()


@pytest.fixture
def pace(time):
    return Pace(time, time.sleep)


def most_within(times, seconds):
    return max(sum(at <= one < at + seconds for one in times) for at in times)


async def test_edits_keep_within_the_numbers_of_a_channel(pace, time):
    """And two more would have been taken at any moment."""
    times = []
    for _ in range(600):
        if pace.room(7):
            times.append(time.now)
        time.now += 0.1
    assert most_within(times, 5.0) <= 3
    assert len(times) > 25


async def test_a_final_text_never_waits_for_edits(pace, time):
    for _ in range(600):
        pace.room(7)
        time.now += 0.1
    begun = time.now
    await pace.enter(7, FOREVER)
    await pace.enter(7, FOREVER)
    assert time.now == begun


async def test_what_did_not_wait_is_counted(pace):
    """A final text goes when it likes; edits give way to it."""
    for _ in range(3):
        pace.count(7)
    assert not pace.room(7)
    assert pace.room(8)


async def test_many_channels_leave_room_in_all(pace, time):
    """A hundred replies that grow at once: half of what a bot may is left."""
    times = []
    for _ in range(50):
        times += [time.now for channel in range(100) if pace.room(channel)]
        time.now += 0.1
    assert most_within(times, 1.0) <= 25


async def test_a_channel_with_a_negative_number_is_no_group(pace):
    """That is how Telegram tells them."""
    assert [pace.room(-7) for _ in range(4)] == [True, True, True, False]


async def test_that_it_is_typed_is_said_a_few_times_a_second():
    """Two hundred who ask at once would take all calls that texts need."""
    time = HandTime()
    pace = Pace(time, time.sleep)

    assert [pace.may_type() for _ in range(7)] == [True] * 5 + [False] * 2
    await time.move(1)
    assert pace.may_type()
