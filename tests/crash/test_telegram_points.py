"""kill -9 in every state of hearing and answering on Telegram.

Each message is answered once, or once and once more with the mark of a repeat; never
not at all. Nothing that can be stopped is left on a screen where nothing is under way.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Final

import pytest

from apx.agent.newcomers import WELCOME
from channels.telegram.pressing import EXPIRED
from tests.crash.points import printed
from tests.crash.telegram_child import POINTS
from tests.crash.telegram_stage import (
    OWNER,
    REPEAT,
    ROOM,
    STRANGER,
    Lives,
    Stage,
    staged,
)
from tests.servers.telegram import Hang

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from pathlib import Path

WORD: Final = "zq1x"
OTHER: Final = "zq2x"
CALL: Final = "@loop_bot"

# Where it dies after something may have been shown, once more and marked is fine.
DOUBTFUL: Final = {
    "before it is sent": (0, 1),
    "one of three pieces was sent": (1, 1),
    "one of three pieces was noted": (1, 0),
    "all is sent, that is not written": (1, 1),
    "a command is answered, not marked": (1, 1),
}


@pytest.fixture(scope="module")
def lives() -> Iterator[Lives]:
    lives = Lives()
    yield lives
    lives.close()


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[list[tuple[str, int, int]]]:
    """What became of the messages, printed at the end."""
    yield from printed(request)


@pytest.fixture
async def stage(tmp_path: Path, lives: Lives) -> AsyncIterator[Stage]:
    async with staged(tmp_path / "home", lives) as stage:
        yield stage


async def said(stage: Stage) -> None:
    stage.telegram.say(f"what is {WORD}?")


async def said_slowly(stage: Stage) -> None:
    stage.mind.holds.add(WORD)
    stage.telegram.say(f"what is {WORD}?")


async def said_in_a_room(stage: Stage) -> None:
    stage.mind.holds.add(WORD)
    stage.telegram.say(f"{CALL} what is {WORD}?", ROOM)


async def said_at_length(stage: Stage) -> None:
    stage.mind.is_long = True
    stage.telegram.say(f"what is {WORD}?")


async def a_file(stage: Stage) -> None:
    stage.telegram.document(b"the cups are blue" * 9, caption=f"look at {WORD}")


async def an_album(stage: Stage) -> None:
    stage.telegram.album([PNG, PNG + b"2"], caption=f"look at {WORD}")


async def a_command(stage: Stage) -> None:
    stage.telegram.say(f"/remember the cup is {WORD}")


async def a_press(stage: Stage) -> None:
    stage.telegram.say(f"hello {OTHER}")
    await stage.answered(OTHER)
    stage.telegram.say("let me in", STRANGER, STRANGER)
    asked = await stage.telegram.until(
        lambda: [one for one in stage.telegram.sent(OWNER) if "Approve" in one.buttons]
    )
    stage.telegram.press(asked[0], "Approve")


async def an_edit(stage: Stage) -> None:
    stage.mind.holds.add(OTHER)
    stage.telegram.say(f"what is {OTHER}?")
    await stage.telegram.until(
        lambda: stage.telegram.draft_now(OWNER) and not stage.mind.holds
    )
    waits = stage.telegram.say("what is zq3x?")
    stage.telegram.edit(waits, f"what is {WORD}?")


ACTS: Final[dict[str, Callable[[Stage], Awaitable[None]]]] = {
    "a draft shows the beginning": said_slowly,
    "a placeholder was sent, not noted": said_in_a_room,
    "a placeholder shows the beginning": said_in_a_room,
    "one of three pieces was sent": said_at_length,
    "one of three pieces was noted": said_at_length,
    "a file is on its way": a_file,
    "one photo of two is accepted": an_album,
    "before what came is written": a_file,
    "a command is done, not answered": a_command,
    "a command is answered, not marked": a_command,
    "a press is done, not answered": a_press,
    "an edit is written": an_edit,
}
PNG: Final = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("point", POINTS)
async def test_a_message_is_answered_once(stage: Stage, point: str, table):
    """It dies by itself; the next life takes up what it left."""
    act = ACTS.get(point, said)
    chat = ROOM if act is said_in_a_room else OWNER
    await stage.live(point, chat)
    await act(stage)
    assert await stage.lives.ended() == -signal.SIGKILL
    # On a slow machine it may have died before the model was asked.
    stage.mind.holds.clear()

    await stage.live()
    if act is a_press:
        await stage.telegram.until(lambda: WELCOME in stage.telegram.texts(STRANGER))
        chat = STRANGER
        stage.telegram.say(f"what is {WORD}?", chat, chat)
    wanted = DOUBTFUL.get(point, (1, 0))
    await stage.answered(WORD, chat, wanted)
    if point == "a placeholder was sent, not noted":
        await press_what_is_left(stage)
    await stage.ends_well()

    table.append((point, *stage.seen(WORD, chat)))
    assert stage.seen(WORD, chat) == wanted
    assert stage.stoppable() == []
    assert (stage.home / "memory.md").read_text().count(WORD) == (act is a_command)
    assert sum(text == WELCOME for text in stage.telegram.texts(STRANGER)) < 2


async def press_what_is_left(stage: Stage) -> None:
    """Nobody knows the number of such a message; whoever presses it is told so."""
    for left in stage.stoppable():
        query = stage.telegram.press(left, "Stop")
        await stage.telegram.until(lambda: not stage.stoppable())
        assert (query.answered, query.text) == (True, EXPIRED)


async def test_a_reply_waits_no_longer_than_telegram_does(stage: Stage):
    """It was ready before the bot was known again: nothing else has to happen."""
    stage.configure(index_interval_s=3600)
    await stage.live("the end is written, nothing sent")
    await said(stage)
    await stage.lives.ended()
    stage.telegram.fail("getMe", Hang())
    await stage.live()
    await stage.says("looked at what is due")

    stage.telegram.heal()

    await stage.answered(WORD)


async def test_pieces_that_arrived_are_not_sent_again(stage: Stage):
    """What was noted of them is skipped; where it goes on says that it may repeat."""
    await stage.live("one of three pieces was noted")
    await said_at_length(stage)
    await stage.lives.ended()

    await stage.live()
    await stage.answered(WORD)
    await stage.ends_well()

    assert stage.lines == sorted(set(stage.lines))
    assert len(stage.telegram.texts(OWNER)) == 3
    assert [REPEAT in text for text in stage.telegram.texts(OWNER)] == [
        False,
        True,
        False,
    ]


async def growing(stage: Stage) -> None:
    """Have a placeholder grow, and the edit of it go out and never come back."""
    stage.telegram.say(f"{CALL} what is {WORD}?", ROOM)
    await stage.telegram.until(lambda: stage.stoppable() and not stage.mind.holds)
    stage.telegram.fail("editMessageText", Hang(), done=True, chat=ROOM)
    stage.mind.free()
    await stage.telegram.until(lambda: any(stage.seen(WORD, ROOM)))


async def sent(stage: Stage) -> None:
    """Have a reply go out and the answer to that never come back."""
    stage.telegram.fail("sendMessage", Hang(), done=True, chat=OWNER)
    stage.telegram.say(f"what is {WORD}?")
    await stage.telegram.until(lambda: any(stage.seen(WORD)))


async def half_an_album(stage: Stage) -> None:
    """Have one photo of two taken and confirmed; the other comes in the next life."""
    [first, second] = stage.telegram.album([PNG, PNG + b"2"], caption=f"see {WORD}")
    late = stage.telegram.bot().pending.pop()
    await stage.telegram.until(lambda: not stage.telegram.pending())
    stage.telegram.bot().pending.append(late)
    assert first["media_group_id"] == second["media_group_id"]


OUTSIDE: Final = {
    "a reply went out, no answer came": (sent, OWNER, (1, 1)),
    "an edit went out, no answer came": (growing, ROOM, (1, 0)),
    "one photo of two is confirmed": (half_an_album, OWNER, (1, 0)),
}


@pytest.mark.parametrize("name", OUTSIDE)
async def test_what_went_out_is_not_lost(stage: Stage, name: str, table):
    """It is killed while it waits for what comes back."""
    act, chat, wanted = OUTSIDE[name]
    if chat == ROOM:
        stage.mind.holds.add(WORD)
    await stage.live()
    await act(stage)
    await stage.lives.kill()
    stage.telegram.heal()

    await stage.live()
    await stage.answered(WORD, chat, wanted)
    await stage.ends_well()

    table.append((name, *stage.seen(WORD, chat)))
    assert stage.stoppable() == []
    if act is half_an_album:
        assert len(stage.model.requests) == 1
