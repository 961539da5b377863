"""Recall within a budget, whatever the sources do."""

import asyncio
from datetime import UTC, datetime

from apx.domain.errors import StoreError
from apx.domain.recall import Findings, Kind, Memory, Query
from apx.domain.thread import Thread
from apx.memory.broker import Broker
from apx.testing import FixedSource

AT = datetime(2030, 1, 1, tzinfo=UTC)
QUERY = Query("where is staging?", Thread("terminal", "main"), ("private:owner",), AT)
NOTE = Memory(Kind.NOTE, "staging is at 10.0.1.5", AT, "telegram", "note 1")
HIT = Memory(Kind.MESSAGE, "we moved on Friday", AT, "telegram", "turn 2", score=0.9)


class Broken:
    name = "broken"

    async def fetch(self, _query):
        raise StoreError("no")


class Patient:
    """A source that answers once all the others were asked, too."""

    def __init__(self, name, all_asked):
        self.name = name
        self._all_asked = all_asked

    async def fetch(self, _query):
        await self._all_asked.wait()
        return Findings()


class Hanging:
    name = "hanging"

    def __init__(self):
        self.was_cancelled = False

    async def fetch(self, _query):
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise


async def test_a_hanging_source_costs_no_more_than_the_budget():
    """Notes come back, the miss is named, and the call is cancelled for real."""
    hanging = Hanging()
    broker = Broker([FixedSource("notes", [NOTE]), hanging], budget=0.05)

    async with asyncio.timeout(20):
        recall = await broker.recall(QUERY)

    assert recall.memories == (NOTE,)
    assert recall.missed == ("hanging",)
    assert hanging.was_cancelled
    assert recall.spent_ms >= 50


async def test_a_broken_source_is_a_miss_too():
    """One failing piece is visible, and takes nothing with it."""
    recall = await Broker([Broken(), FixedSource("hits", [HIT])]).recall(QUERY)

    assert recall.memories == (HIT,)
    assert recall.missed == ("broken",)


async def test_sources_are_asked_side_by_side():
    """Their times do not add up."""
    all_asked = asyncio.Barrier(10)
    sources = [Patient(f"s{n}", all_asked) for n in range(10)]

    recall = await Broker(sources, budget=20).recall(QUERY)

    assert recall.missed == ()
