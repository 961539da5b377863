"""Screens come and go; one that shows a part is enough."""

import asyncio

import pytest

from apx.domain.errors import ChannelError, ConfigError, Unreachable
from apx.domain.thread import Thread
from apx.domain.turn import Part, PartState
from apx.testing import TickingClock, until
from channels.registry import load
from channels.terminal import signs
from channels.terminal.channel import TerminalChannel
from channels.terminal.signs import Arrived, Noticed, Shown

MAIN, OTHER = Thread("terminal", "main"), Thread("terminal", "other")
PART = Part(id=12001, turn=3, number=1, thread=MAIN, text="hello")


async def unused(ids):
    """A terminal shows a part in one piece."""
    raise AssertionError(ids)


@pytest.fixture
def channel():
    return TerminalChannel(TickingClock())


def drained(screen):
    return [screen.signs.get_nowait() for _ in range(screen.signs.qsize())]


async def test_every_screen_is_shown_a_part(channel):
    """All that watch the thread, and none that watches another."""
    with (
        channel.attached(MAIN) as first,
        channel.attached(MAIN) as second,
        channel.attached(OTHER) as other,
    ):
        async with asyncio.TaskGroup() as group:
            sending = group.create_task(channel.deliver(PART, unused))
            for screen in (first, second):
                assert await screen.signs.get() == Arrived(12001, 3, "hello")
                screen.has_shown(12001)

        assert sending.result() == "terminal-12001"
        assert other.signs.empty()


async def test_one_screen_that_shows_it_is_enough(channel):
    """The other one was closed meanwhile."""
    with channel.attached(MAIN) as stays:
        async with asyncio.TaskGroup() as group:
            with channel.attached(MAIN) as leaves:
                sending = group.create_task(channel.deliver(PART, unused))
                await leaves.signs.get()
            await stays.signs.get()
            stays.has_shown(12001)
        assert sending.result()


async def test_a_closed_screen_is_known_at_once(channel):
    """The part keeps waiting for the next one; nobody waits for this one."""
    async with asyncio.timeout(20):
        with channel.attached(MAIN) as screen:
            sending = asyncio.gather(
                channel.deliver(PART, unused), return_exceptions=True
            )
            await screen.signs.get()
        [result] = await sending
    assert isinstance(result, Unreachable)


async def test_without_a_screen_nothing_is_reached(channel):
    """Before one comes, and after the last has gone."""
    assert not channel.reaches(MAIN)
    with channel.attached(MAIN):
        with channel.attached(MAIN):
            pass
        assert channel.reaches(MAIN)
        assert not channel.reaches(OTHER)
    assert not channel.reaches(MAIN)
    with pytest.raises(Unreachable):
        await channel.deliver(PART, unused)


async def test_another_part_shown_is_not_this_one(channel):
    """Also one that was waited for before, or is told twice."""
    with channel.attached(MAIN) as screen:
        sending = asyncio.ensure_future(channel.deliver(PART, unused))
        await screen.signs.get()
        screen.has_shown(11001)
        await asyncio.sleep(0)
        assert not sending.done()
        screen.has_shown(12001)
        screen.has_shown(12001)
        await sending
        screen.has_shown(12001)


async def test_a_part_that_may_be_known_says_so(channel):
    """The process died while it was sending it."""
    part = Part(1001, 1, 1, MAIN, "hello", state=PartState.UNKNOWN)
    with channel.attached(MAIN) as screen:
        sending = asyncio.ensure_future(channel.deliver(part, unused))
        sign = await screen.signs.get()
        assert isinstance(sign, Arrived)
        assert sign.is_repeat
        screen.has_shown(1001)
        await sending


async def test_a_growing_reply_is_seen_by_whoever_watches(channel):
    """One who comes later sees the rest; another thread sees nothing."""
    live = channel.live(MAIN, 3, "")
    live.show("to nobody")
    with channel.attached(MAIN) as first, channel.attached(OTHER) as other:
        live.show("a")
        with channel.attached(MAIN) as second:
            live.notice("remember")
            assert drained(second) == [Noticed(3, "remember")]
        live.show("b")
        assert drained(first) == [Shown(3, "a"), Noticed(3, "remember"), Shown(3, "b")]
        assert drained(other) == []


async def test_it_lives_until_it_is_cancelled(channel):
    """Screens come by themselves."""
    running = asyncio.ensure_future(channel.run(NobodysDoor()))
    await asyncio.sleep(0)
    assert not running.done()
    running.cancel()
    await until(running.cancelled)


class NobodysDoor:
    async def hear(self, heard):
        raise AssertionError(heard)


@pytest.mark.parametrize(
    "sign", [Shown(1, "a\n"), Noticed(1, "é"), Arrived(1001, 1, "x", True)]
)
def test_a_sign_survives_the_way(sign):
    """Over the socket."""
    assert signs.from_json(signs.to_json(sign)) == sign


def test_channels_are_found_by_their_name():
    """A wrong name is told the right ones."""
    assert load("terminal") is TerminalChannel
    with pytest.raises(ConfigError, match="terminal"):
        load("fax")
    assert issubclass(Unreachable, ChannelError)
