"""The mark never passes a message that could still be lost."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from apx.testing import MemoryDrawer, until
from channels.discord.mark import Mark
from channels.discord.raw import first_at

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def mark(drawer=None, often=1.0):
    return Mark("main", drawer or MemoryDrawer(), lambda: NOW, often)


async def test_the_mark_is_behind_whatever_is_under_way():
    """Messages are done in any order."""
    one = mark()
    for number in (10, 11, 12):
        one.begin(number)

    one.end(12)
    assert one.number == 9
    one.end(10)
    assert one.number == 10
    one.end(11)
    assert one.number == 12


async def test_the_mark_is_written_once_a_second_and_at_the_end():
    """A busy guild must not make the disk busy."""
    drawer = MemoryDrawer()
    one = mark(drawer, often=0.0)
    for number in (10, 11):
        one.begin(number)
        one.end(number)
    assert drawer.values == {}
    await until(lambda: drawer.values)
    assert drawer.values == {"seen/main": "11 10 11"}

    one.begin(12)
    one.end(12)
    await one.keep()
    again = mark(drawer)
    await again.load()

    assert again.number == 12
    assert [number for number in range(20) if again.knows(number)] == [10, 11, 12]


async def test_a_mark_of_an_older_version_is_read():
    """It was a number alone; what cannot be there is none."""
    drawer = MemoryDrawer()
    drawer.values = {"seen/main": "17"}
    one = mark(drawer)
    await one.load()

    assert (one.number, one.knows(17)) == (17, False)


async def test_an_id_of_tomorrow_moves_the_mark_no_further_than_today():
    """Else nothing would be caught up with until then."""
    one = mark()
    one.begin(1 << 62)
    one.end(1 << 62)

    assert one.number <= first_at(NOW + timedelta(minutes=10))


async def test_a_first_start_leaves_the_past_alone():
    """Nobody asked the bot anything before it was there."""
    drawer = MemoryDrawer()
    one = mark(drawer)
    await one.load()
    assert one.number == 0

    await one.begin_now()

    assert drawer.values == {"seen/main": str(first_at(NOW))}


@given(st.lists(st.tuples(st.integers(1, 30), st.booleans())))
async def test_no_message_under_way_is_behind_the_mark(steps):
    """Whatever comes and ends, in any order."""
    one = mark()
    open_: list[int] = []
    for number, ends in steps:
        if ends and open_:
            one.end(open_.pop(number % len(open_)))
        else:
            one.begin(number)
            open_.append(number)
        assert all(number > one.number for number in open_)
