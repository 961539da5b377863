"""People are told where not all was heard, for as long as it is so, or a day."""

import asyncio
from datetime import UTC, datetime

from channels.discord.missed import Missed
from channels.shared.troubles import Troubles

TOLD = "not all that was said while nobody listened could be read in"


async def test_what_is_read_at_last_is_told_no_more(monkeypatch):
    """What never will be is told for a day after the last of it."""
    monkeypatch.setattr("channels.discord.missed._DAY", 0.01)
    troubles = Troubles(lambda: datetime(2030, 1, 1, tzinfo=UTC))
    async with asyncio.TaskGroup() as group:
        missed = Missed(troubles, group)
        missed.read(1, is_whole=True)
        assert troubles.text == ""
        missed.unread(1)
        missed.unread(2)
        assert troubles.text == f"{TOLD} 2 channels"
        missed.read(1, is_whole=False)
        missed.read(2, is_whole=True)
        assert troubles.text == f"{TOLD} 1 channel"
    assert troubles.text == ""


async def test_one_task_remembers_all_of_it():
    """A bot may be in a thousand channels, and a session may be lost often."""
    troubles = Troubles(lambda: datetime(2030, 1, 1, tzinfo=UTC))
    async with asyncio.TaskGroup() as group:
        missed = Missed(troubles, group)
        for channel in range(300):
            missed.read(channel, is_whole=False)
        await asyncio.sleep(0)
        waiting = asyncio.all_tasks() - {asyncio.current_task()}
        assert len(waiting) == 1
        waiting.pop().cancel()
    assert troubles.text == f"{TOLD} 300 channels"
