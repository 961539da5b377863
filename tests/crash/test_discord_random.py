"""kill -9 at random moments of a house on Discord: nobody waits for nothing."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import Counter
from typing import TYPE_CHECKING, Final

import pytest

from tests.crash.discord_stage import ALSO, CALL, GENERAL, Lives, staged
from tests.servers.discord.furnished import ANA

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crash.discord_stage import Stage

KILLS: Final = 200 if os.environ.get("APX_LONG") else 10
# A life of two answers takes about this long where nothing else is done.
LIFE: Final = 0.9
USERS: Final = (ANA, *ALSO)
FINE: Final = {"once", "once and repeats", "a repeat", "told"}


@pytest.mark.timeout(900)
async def test_nothing_is_lost(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Each message is answered; whoever is not is told how to have it answered."""
    luck = random.Random(20261202)  # noqa: S311 -- a test that can be repeated
    lives = Lives()
    try:
        async with staged(tmp_path / "home", lives) as stage:
            asked = await lived(stage, luck)
            await stage.live()
            await stage.rest()
            became = {word: stage.became(word, chat) for word, chat in asked.items()}
            counts = Counter(became.values())
            with capsys.disabled():
                print(f"\n{KILLS} kills, {len(asked)} messages: {dict(counts)}")  # noqa: T201 -- it is to be read
            lost = {
                word: (how, stage.traces(word))
                for word, how in became.items()
                if how not in FINE
            }
            assert lost == {}
            # On a busy machine many are killed twice; not most of them.
            assert counts["once"] > len(asked) // 4
            assert stage.unexplained() == []
            await stage.ends_well()
    finally:
        lives.close()


async def whole_life(stage: Stage) -> float:
    """Live until two messages are answered; say how long later lives may last."""
    began = time.monotonic()
    await stage.live()
    await stage.heard()
    for word in ("zq1x", "zq2x"):
        stage.discord.say(stage.dm, ANA, f"what is {word}?")
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
            user = luck.choice(USERS)
            is_room = luck.random() < 0.3
            asked[word] = chat = GENERAL if is_room else stage.discord.dm(user)
            call = f"{CALL} " if is_room else ""
            text = f"{call}{luck.choice(('what is', 'tell of', '/remember'))} {word}"
            if luck.random() < 0.2:
                file = ("cups.txt", b"cups", "text/plain")
                text = f"{call}{word}"
                stage.discord.say(chat, user, text, files=[file])
            else:
                stage.discord.say(chat, user, text)
            await asyncio.sleep(luck.uniform(0, 0.2))
        await asyncio.sleep(luck.uniform(0, whole))
        await stage.lives.kill()
    return asked
