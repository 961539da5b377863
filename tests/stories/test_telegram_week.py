"""A week on Telegram: each answer is somebody's, nobody waits in vain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from apx.store.verify import verify
from tests.crash.telegram_stage import OWNER, ROOM, STRANGER, Lives
from tests.stories.telegram_week import TelegramWeek

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.cli.conftest import Command


@pytest.fixture
async def week(apx: Command) -> AsyncIterator[TelegramWeek]:
    lives = Lives()
    apx.home.mkdir(mode=0o700)
    week = TelegramWeek(apx, lives)
    try:
        async with week.telegram, week.stage.model:
            week.telegram.user(OWNER, "Ana")
            week.telegram.user(STRANGER, "Bob")
            week.telegram.forum(ROOM, "Home")
            week.stage.configure(enabled=True)
            yield week
            if lives.pid:
                await lives.kill()
    finally:
        lives.close()


@pytest.mark.timeout(300)
async def test_a_week(
    week: TelegramWeek, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two people, a room, and all that goes wrong in a week."""
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
    assert set(counts) <= {"once", "once and repeated", "never", "unwanted"}
    assert week.telegram.complaints == []
    assert week.telegram.pending() == []
    assert week.stage.left == []
    assert await verify(week.apx.home / "ledger.db") == []
