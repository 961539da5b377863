"""No stretch of time has more than Telegram allows, and nobody waits for others."""

import asyncio
from itertools import pairwise

import pytest

from channels.shared.failures import Flood
from channels.telegram.pace import Pace
from tests.channels.hand_time import HandTime, settled

FOREVER = 1e9


@pytest.fixture
def time():
    return HandTime()


@pytest.fixture
def pace(time):
    return Pace(time, time.sleep)


async def entered(pace, time, chats, seconds):
    """Let one call a chat wait, move on, and give when each got in."""
    times = []

    async def one(chat):
        await pace.enter(chat, FOREVER)
        times.append((time.now, chat))

    tasks = [asyncio.ensure_future(one(chat)) for chat in chats]
    await time.move(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return times


def most_within(times, seconds):
    return max(sum(at <= one < at + seconds for one in times) for at in times)


async def test_thirty_a_second_in_all(pace, time):
    """However many chats want to be told something."""
    times = [at for at, _ in await entered(pace, time, range(1, 301), 60)]

    assert len(times) == 300
    assert most_within(times, 1.0) <= 30
    assert times[-1] - times[0] < 12


async def test_one_a_second_a_chat(pace, time):
    """On average; a reply of three pieces comes at once."""
    times = [at for at, _ in await entered(pace, time, [7] * 30, 60)]

    assert times[2] == times[0]
    assert len(times) == 30
    assert most_within(times, 3.0) <= 3


async def test_twenty_a_minute_a_group(pace, time):
    times = [at for at, _ in await entered(pace, time, [-7] * 50, 125)]

    assert 40 <= len(times) <= 50
    assert most_within(times, 60.0) <= 20


async def test_a_chat_with_much_to_say_holds_up_no_other(pace, time):
    """A hundred for one chat came first; another's single one goes at once."""
    times = await entered(pace, time, [7] * 100 + [8], 10)

    assert min(at for at, chat in times if chat == 8) == 1_000.0


async def test_chats_take_turns(pace, time):
    """Once there is a queue, none has a second message before others their first."""
    times = await entered(pace, time, [c for c in range(1, 41) for _ in range(5)], 1.5)

    later = [chat for at, chat in times if at > 1_000.0]
    assert len(later) > 20
    assert len(set(later)) == len(later)


async def test_who_comes_first_in_a_chat_goes_first(pace, time):
    order = []

    async def one(number):
        await pace.enter(7, FOREVER)
        order.append(number)

    async with asyncio.TaskGroup() as group:
        for number in range(8):
            group.create_task(one(number))
        await time.move(20)
    assert order == list(range(8))


async def test_a_flood_closes_one_chat_for_as_long_as_told(pace, time):
    pace.flood(7, 8)
    times = {chat: at for at, chat in await entered(pace, time, [8, 9], 20)}

    assert times == {9: 1_000.0, 8: 1_007.0}


async def test_a_flood_in_many_chats_means_the_bot(pace, time):
    """Then chats that were not told are silent too, but not for hours."""
    for chat in (1, 2, 3):
        pace.flood(3_600, chat)
    times = await entered(pace, time, [9], 120)

    assert times == [(1_060.0, 9)]


async def test_what_is_too_far_away_is_not_waited_for(pace):
    """Longer than a minute, or than who waits can."""
    pace.flood(61, 8)
    with pytest.raises(Flood) as raised:
        await pace.enter(8, FOREVER)
    assert raised.value.retry_after == 61

    pace.flood(30, 9)
    with pytest.raises(Flood):
        await pace.enter(9, 1_020.0)


async def test_who_is_cancelled_takes_nobodys_place(pace, time):
    """Neither the one who sleeps nor those in line behind."""
    pace.flood(10, 7)
    first, second, third = (
        asyncio.ensure_future(pace.enter(7, FOREVER)) for _ in range(3)
    )
    await settled()
    first.cancel()
    second.cancel()
    await time.move(10)

    assert third.done()
    assert first.cancelled()
    assert second.cancelled()
    assert time.now == 1_010.0


async def test_edits_leave_room_for_texts(pace, time):
    """However often one asks, a final text never waits for edits."""
    for chat in (7, -7):
        for _ in range(600):
            pace.room(chat)
            await time.move(0.1)
        begun = time.now
        await pace.enter(chat, FOREVER)
        assert time.now == begun


async def test_a_busy_group_keeps_its_last_messages_for_texts(pace, time):
    """Fifteen texts within a minute: edits wait, the sixteenth text does not."""
    for _ in range(15):
        await pace.enter(-7, FOREVER)
        time.now += 2
    time.now += 6
    assert not pace.room(-7)
    await asyncio.wait_for(pace.enter(-7, FOREVER), 20)


async def test_edits_keep_within_the_numbers(pace, time):
    """In a group they begin swiftly and then take their time."""
    times = []
    for _ in range(3_000):
        if pace.room(-7):
            times.append(time.now)
        await time.move(0.1)

    assert most_within(times, 60.0) <= 20
    assert max(b - a for a, b in pairwise(times)) < 12
    assert len(times) > 50


async def test_to_look_for_room_takes_none(pace):
    for _ in range(100):
        assert pace.has_room(7)
    assert [pace.room(7) for _ in range(3)] == [True, True, False]
    assert not pace.has_room(7)


async def test_nothing_is_edited_while_texts_wait(pace, time):
    """In this chat, or for their turn in all."""
    pace.flood(5, 7)
    waiting = asyncio.ensure_future(pace.enter(7, FOREVER))
    await settled()
    assert not pace.room(7)
    await time.move(5)
    assert waiting.done()

    crowd = [asyncio.ensure_future(pace.enter(chat, FOREVER)) for chat in range(60)]
    await settled()
    assert not pace.room(1_000)
    await time.move(5)
    await asyncio.gather(*crowd)
    assert pace.room(1_000)


def test_a_hundred_thousand_chats_are_not_remembered(pace, time):
    """Only those where something was said lately."""
    for chat in range(1, 100_001):
        pace.room(-chat)
        time.now += 0.04

    assert pace.size < 10_000
