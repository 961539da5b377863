"""kill -9 at random moments of a house on Telegram: nobody waits for nothing."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import Counter
from typing import TYPE_CHECKING, Final

import pytest

from tests.crash import staging
from tests.crash.telegram_stage import ALSO, CHATS, OWNER, ROOM, Lives, staged

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crash.telegram_stage import Stage

KILLS: Final = 200 if os.environ.get("APX_LONG") else 10
# A life of two answers takes about this long where nothing else is done.
LIFE: Final = 0.9


@pytest.mark.timeout(900)
async def test_nothing_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Each message is answered; whoever is not is told how to have it answered."""
    luck = random.Random(20261201)  # noqa: S311 -- a test that can be repeated
    lives = Lives()
    try:
        async with staged(tmp_path / "home", lives) as stage:
            asked = await lived(stage, luck)
            await stage.live()
            await stage.rest()
            counts = Counter(became(stage, word, chat) for word, chat in asked.items())
            with capsys.disabled():
                print(f"\n{KILLS} kills, {len(asked)} messages: {dict(counts)}")  # noqa: T201 -- it is to be read
            lost = {
                word: stage.traces(word)
                for word, chat in asked.items()
                if became(stage, word, chat) in {"lost", "doubled"}
            }
            assert lost == {}
            assert set(counts) <= {
                "once",
                "once and repeats",
                "a repeat",
                "repeats",
                "told",
            }
            assert counts["once"] > len(asked) // 2
            assert stage.unexplained() == []
            await stage.ends_well()
    finally:
        lives.close()


async def whole_life(stage: Stage) -> float:
    """Live until two messages are answered; say how long later lives may last."""
    began = time.monotonic()
    await stage.live()
    for word in ("zq1x", "zq2x"):
        stage.telegram.say(f"what is {word}?")
    await stage.answered("zq2x")
    seconds = time.monotonic() - began
    await stage.lives.kill()
    # The first of all has much more to do than those after it.
    return max(LIFE, seconds / 3)


async def lived(stage: Stage, luck: random.Random) -> dict[str, int]:
    """Live and die many times; give what was said, and where."""
    asked: dict[str, int] = {}
    whole = await whole_life(stage)
    for life in range(KILLS):
        await stage.live()
        for number in range(2):
            word = f"zq{life}0{number}x"
            asked[word] = chat = luck.choice((OWNER, *ALSO, ROOM))
            call = "@loop_bot " if chat == ROOM else ""
            user = OWNER if chat == ROOM else chat
            text = f"{call}{luck.choice(('what is', 'tell of', '/remember'))} {word}"
            if chat != ROOM and luck.random() < 0.2:
                stage.telegram.document(b"cups", caption=word, chat=chat, user=user)
            else:
                stage.telegram.say(text, chat, user)
            await asyncio.sleep(luck.uniform(0, 0.2))
        await asyncio.sleep(luck.uniform(0, whole))
        await stage.lives.kill()
    return asked


def became(stage: Stage, word: str, chat: int) -> str:
    """Say how a message ended."""
    assert chat in CHATS
    return staging.became(*stage.seen(word, chat), is_told=stage.is_told(word))
