"""A week on Discord: each answer is somebody's, nobody waits in vain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apx.store.verify import verify
from tests.crash.discord_stage import Lives
from tests.stories.discord_week import DiscordWeek

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.cli.conftest import Command


@pytest.fixture
async def week(apx: Command) -> AsyncIterator[DiscordWeek]:
    lives = Lives()
    apx.home.mkdir(mode=0o700)
    week = DiscordWeek(apx, lives)
    try:
        async with week.discord, week.stage.model:
            week.stage.furnish()
            week.configure()
            yield week
            if lives.pid:
                await lives.kill()
    finally:
        lives.close()


@pytest.mark.timeout(300)
async def test_a_week(
    week: DiscordWeek, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two people, two guilds, and all that goes wrong in a week."""
    await week.monday()
    await week.tuesday()
    await week.wednesday()
    await week.thursday()
    await week.friday()
    await week.saturday(tmp_path / "clock")
    await week.sunday()

    counts = week.counts()
    with capsys.disabled():
        print(f"\n{len(week.asked)} messages: {dict(counts)}")  # noqa: T201 -- it is to be read
    fine = {"once", "never", "stopped", "unwanted"}
    wrong = [one for one in week.asked if week.became(one) not in fine]
    told = [(one, week.stage.traces(one.word)) for one in wrong]
    assert wrong == [], (told, [week.stage.texts(one.chat) for one in wrong])
    assert week.discord.complaints == []
    assert week.stage.left == []
    assert week.stage.stoppable() == []
    assert await verify(week.apx.home / "ledger.db") == []
    assert "Traceback" not in (week.apx.home / "stderr").read_text()
