"""What is answered at once is done once, and what was lost is told, whatever fails."""

import asyncio
from datetime import UTC, datetime

import pytest

from apx.domain.errors import StoreError
from apx.domain.heard import Caller, Heard
from apx.domain.person import Account
from apx.domain.thread import Thread
from apx.testing import MemoryDrawer, until
from channels.shared.answering import Answers
from channels.shared.journal import Journal
from channels.shared.waiting import Waits
from tests.channels.telegram.hearers import RecordingDoor

SWIFT = Waits(first=0.01, longest=0.05, hold=0.01)
HERE = Thread("discord", "main:5")


def clock():
    return datetime(2030, 1, 1, tzinfo=UTC)


def said(text):
    caller = Caller(Account("discord", "main", "7"), HERE)
    return Heard(caller, text, clock(), "1.5.9")


class SlowDoor(RecordingDoor):
    """Counts what was begun."""

    begun = 0

    async def hear(self, heard):
        self.begun += 1
        return await super().hear(heard)


@pytest.mark.parametrize("ends_first", [True, False])
async def test_a_slow_command_is_done_once_while_the_disk_fails(ends_first):
    """That it goes on is written down as soon as can be, or need not be any more."""
    door, drawer, told = SlowDoor(), MemoryDrawer(), []
    door.answers["/slow"] = "done"
    journal = Journal("main", drawer, clock)

    async def tell(thread, notice):
        told.append((thread, notice.text))

    async def late(error):
        told.append(error)

    drawer.failures = [StoreError("locked")] * 3
    async with asyncio.timeout(20), asyncio.TaskGroup() as group:
        answers = Answers(door, tell, journal, group, SWIFT)
        hearing = group.create_task(answers.hear(9, said("/slow"), late))
        await until(lambda: len(drawer.failures) < 3)
        if ends_first:
            drawer.failures = []
            door.gate.set()
        await hearing
        door.gate.set()

    assert (door.begun, told) == (1, [(HERE, "done")])
    assert drawer.values == {"answered/main/9": "done"}


async def test_what_was_lost_is_told_also_if_the_disk_fails_meanwhile():
    """Each answer, once; not those that came after all."""
    drawer = MemoryDrawer()
    for number in range(1, 5):
        drawer.values[f"answered/main/{number}"] = f"late discord:main:{number}"
    journal = Journal("main", drawer, clock)
    await journal.load()
    await journal.end(2)
    await journal.put_aside(3, "message", "InputError")

    drawer.failures = [StoreError("locked")]
    with pytest.raises(StoreError):
        await journal.lost()
    found = [str(thread) for thread in await journal.lost()]

    assert found == ["discord:main:1", "discord:main:4"]
    assert list(await journal.lost()) == []
    assert (
        drawer.values["answered/main/1"] == drawer.values["answered/main/4"] == "done"
    )
