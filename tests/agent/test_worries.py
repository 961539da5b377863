"""What is wrong with a channel reaches the owner, once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from apx.agent.worries import Worries
from apx.testing import MemoryChannel


class Told:
    """Keeps what the owner is told, or cannot reach them."""

    def __init__(self):
        self.texts = []
        self.is_there = True

    async def to_person(self, person, notice):
        assert person == "owner"
        if self.is_there:
            self.texts.append(notice.text)
        return self.is_there


class Time:
    def __init__(self):
        self.now = datetime(2026, 11, 30, tzinfo=UTC)

    def __call__(self):
        return self.now

    def passes(self, **much):
        self.now += timedelta(**much)


@pytest.fixture
def told():
    return Told()


@pytest.fixture
def time():
    return Time()


@pytest.fixture
def channel():
    return MemoryChannel("telegram")


@pytest.fixture
def worries(channel, told, time):
    return Worries({"telegram": channel}, told, time)


async def test_what_stays_wrong_is_told_once(worries, channel, told, time):
    """Also while its count grows; a second trouble is told for itself."""
    channel.problems = {"main": "another program polls this bot"}
    for _ in range(4):
        await worries.look()
        time.passes(seconds=31)
    channel.problems["main"] += "; 2 updates set aside"
    await worries.look()
    time.passes(seconds=61)
    channel.problems["main"] = "another program polls this bot; 3 updates set aside"
    await worries.look()

    assert told.texts == [
        "\u26a0 telegram, main: another program polls this bot",
        "\u26a0 telegram, main: 3 updates set aside",
    ]


async def test_what_passes_is_nobodys_worry(worries, channel, told, time):
    """A network that is gone for a moment wakes nobody up."""
    for _ in range(5):
        channel.problems = {"main": "no answer"}
        await worries.look()
        time.passes(seconds=40)
        channel.problems = {}
        await worries.look()

    assert told.texts == []


async def test_an_owner_who_is_not_there_is_told_later(worries, channel, told, time):
    """And again when it comes back after hours."""
    channel.problems = {"main": "no answer"}
    told.is_there = False
    await worries.look()
    time.passes(seconds=90)
    await worries.look()
    told.is_there = True
    await worries.look()
    time.passes(hours=25)
    await worries.look()

    assert len(told.texts) == 2
