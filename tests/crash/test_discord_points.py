"""kill -9 in every state of hearing and answering on Discord.

Each message is answered once; never not at all. What was answered at once is said once
more with the mark of a repeat, where nobody can know whether it arrived. Nothing that
can be stopped is left on a screen where nothing is under way.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Final

import pytest

from apx.agent.newcomers import WELCOME
from channels.shared.answering import LOST
from tests.crash.discord_child import POINTS, SLASH
from tests.crash.discord_stage import CALL, GENERAL, Lives, Stage, staged
from tests.crash.points import printed
from tests.servers.discord.faults import Hang
from tests.servers.discord.furnished import ANA, BEN

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
    from pathlib import Path

    from tests.crash.points import Rows

    Act = Callable[[Stage], Awaitable[None]]

WORD: Final = "zq1x"
OTHER: Final = "zq2x"
CODE: Final = "\n".join(f"print('a line of code, number {n}')" for n in range(120))
# What is answered at once has no nonce that another process would know.
DOUBTFUL: Final = {"a command is answered, not marked": (1, 1)}


@pytest.fixture(scope="module")
def lives() -> Iterator[Lives]:
    lives = Lives()
    yield lives
    lives.close()


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[Rows]:
    """What became of the messages, printed at the end."""
    yield from printed(request)


@pytest.fixture
async def stage(tmp_path: Path, lives: Lives) -> AsyncIterator[Stage]:
    async with staged(tmp_path / "home", lives) as stage:
        yield stage


async def said(stage: Stage) -> None:
    stage.discord.say(stage.dm, ANA, f"what is {WORD}?")


async def said_slowly(stage: Stage) -> None:
    stage.mind.holds.add(WORD)
    await said(stage)


async def said_in_a_room(stage: Stage) -> None:
    stage.discord.say(GENERAL, ANA, f"{CALL} what is {WORD}?")


async def said_at_length(stage: Stage) -> None:
    stage.mind.is_long = True
    await said(stage)


async def asked_for_code(stage: Stage) -> None:
    stage.mind.code = CODE
    await said(stage)


async def a_file(stage: Stage) -> None:
    file = ("cups.txt", b"the cups are blue" * 9, "text/plain")
    stage.discord.say(stage.dm, ANA, f"look at {WORD}", files=[file])


async def a_command(stage: Stage) -> None:
    stage.discord.say(stage.dm, ANA, f"/remember the cup is {WORD}")


async def a_press(stage: Stage) -> None:
    stage.discord.say(stage.dm, ANA, f"hello {OTHER}")
    await stage.answered(OTHER)
    stage.discord.say(stage.others[-1], BEN, "let me in")
    asked = await stage.discord.until(
        lambda: [
            one for one in stage.discord.sent(stage.dm) if "Approve" in one.buttons
        ]
    )
    stage.discord.press(asked[0].id, "Approve", ANA)


async def an_edit(stage: Stage) -> None:
    """Change what waits behind another question."""
    waits = await what_waits(stage, "what is zq3x?")
    stage.discord.edit(stage.dm, waits, f"what is {WORD}?")


async def a_deletion(stage: Stage) -> None:
    """Delete what waits behind another question."""
    waits = await what_waits(stage, f"what is {OTHER}?")
    stage.discord.delete(stage.dm, waits)


async def what_waits(stage: Stage, text: str) -> int:
    stage.mind.holds.add("zq4x")
    stage.discord.say(stage.dm, ANA, "what is zq4x?")
    await stage.discord.until(lambda: stage.stoppable() and not stage.mind.holds)
    waits = stage.discord.say(stage.dm, ANA, text)
    await stage.accepted(text)
    return waits


ACTS: Final[dict[str, Act]] = {
    "a thread of ours was made, not noted": said_in_a_room,
    "a placeholder was sent, not noted": said_slowly,
    "a placeholder shows the beginning": said_slowly,
    "one of three pieces was sent": said_at_length,
    "one of three pieces was noted": said_at_length,
    "a file of ours is on its way": asked_for_code,
    "a file of ours was sent": asked_for_code,
    "a file is on its way": a_file,
    "before what came is written": a_file,
    "a command is done, not answered": a_command,
    "a command is answered, not marked": a_command,
    "a press is done, not answered": a_press,
    "an edit is written": an_edit,
    "a deletion is taken": a_deletion,
}


@pytest.mark.parametrize("point", POINTS)
async def test_a_message_is_answered_once(stage: Stage, point: str, table: Rows):
    """It dies by itself; the next life takes up what it left."""
    act = ACTS.get(point, said)
    chat = GENERAL if act is said_in_a_room else stage.dm
    await died(stage, point, chat, act)
    # On a slow machine it may have died before the model was asked.
    stage.mind.holds.clear()
    await stage.live()
    if act is a_press:
        chat = stage.others[-1]
        await stage.discord.until(lambda: WELCOME in stage.discord.texts(chat))
        stage.discord.say(chat, BEN, f"what is {WORD}?")
    if act is a_deletion:
        await stage.answered("zq4x")
        stage.discord.say(chat, ANA, f"what is {WORD}?")
    wanted = DOUBTFUL.get(point, (1, 0))
    await stage.answered(WORD, chat, wanted)
    if point == "a placeholder was sent, not noted":
        await press_what_is_left(stage)
    await stage.ends_well()

    table.append((point, *stage.seen(WORD, chat)))
    assert stage.seen(WORD, chat) == wanted
    assert stage.stoppable() == []
    assert_said_in_threads(stage)
    assert stage.lines == sorted(set(stage.lines))
    assert stage.seen(OTHER) == (act is a_press or "missed" in point, 0)
    assert (stage.home / "memory.md").read_text().count(WORD) == (act is a_command)
    assert sum(text == WELCOME for text in stage.texts(stage.others[-1])) < 2


async def died(stage: Stage, point: str, chat: int, act: Act) -> None:
    """Live until the point."""
    if "missed" in point:
        await missed(stage)
        await stage.live(point, chat)
    else:
        await stage.live(point, chat)
        await stage.heard()
        await act(stage)
    assert await stage.lives.ended() == -signal.SIGKILL


def assert_said_in_threads(stage: Stage) -> None:
    """A thread that was made is where the answer is."""
    threads = stage.discord.threads(GENERAL)
    assert [stage.seen(WORD, one) for one in threads] == [(1, 0)] * len(threads)


async def press_what_is_left(stage: Stage) -> None:
    """Nobody knows the number of such a message; whoever presses it is told so."""
    for left in stage.stoppable():
        number = stage.discord.press(left.id, "Stop", ANA)
        await stage.discord.until(lambda: not stage.stoppable())
        outcome = stage.discord.answer(number)
        assert outcome.acked_ms is not None
        assert not outcome.failed


async def missed(stage: Stage) -> None:
    """Say three things while nobody listens."""
    await stage.live()
    await stage.heard()
    await stage.lives.leave()
    for word in (WORD, OTHER, "zq3x"):
        stage.discord.say(stage.dm, ANA, f"what is {word}?")


@pytest.mark.parametrize("point", SLASH)
async def test_a_slash_command_is_done_once_and_its_person_knows(
    stage: Stage, point: str
):
    """It is answered, or its person is told that its answer may not have arrived."""
    await stage.live(point)
    await stage.heard()
    await stage.discord.until(stage.discord.commands)
    number = stage.discord.slash(
        "remember", f"the cup is {WORD}", user=ANA, channel=stage.dm
    )
    assert await stage.lives.ended() == -signal.SIGKILL

    await stage.live()
    is_answered = "answered, not marked" in point
    if "nothing is written" in point:
        # Discord itself says some time later that the bot did not respond.
        assert stage.discord.answer(number).thinking
    else:
        await stage.discord.until(lambda: LOST in stage.texts(stage.dm))
    assert bool(stage.discord.answer(number).texts) == is_answered
    await stage.ends_well()

    is_done = " done, not" in point or is_answered
    assert (stage.home / "memory.md").read_text().count(WORD) == is_done
    assert stage.texts(stage.dm).count(LOST) == ("nothing is written" not in point)


async def sent(stage: Stage) -> None:
    """Have a reply go out and the answer to that never come back."""
    stage.discord.fail("POST", f"/channels/{stage.dm}/messages", Hang(), done=True)
    await said(stage)
    await stage.discord.until(lambda: any(stage.seen(WORD)))


async def growing(stage: Stage) -> None:
    """Have a placeholder grow, and the edit of it go out and never come back."""
    await said_slowly(stage)
    await stage.discord.until(lambda: stage.stoppable() and not stage.mind.holds)
    stage.discord.fail("PATCH", "/channels/*/messages/*", Hang(), done=True)
    stage.mind.free()
    await stage.discord.until(lambda: any(stage.seen(WORD)))


async def thread_made(stage: Stage) -> None:
    """Have a thread be made, and the answer to that never come back."""
    path = f"/channels/{GENERAL}/messages/*/threads"
    stage.discord.fail("POST", path, Hang(), done=True)
    await said_in_a_room(stage)
    await stage.discord.until(lambda: stage.discord.threads(GENERAL))


OUTSIDE: Final = {
    "a reply went out, no answer came": sent,
    "an edit went out, no answer came": growing,
    "a thread was made, no answer came": thread_made,
}


@pytest.mark.parametrize("name", OUTSIDE)
async def test_what_went_out_is_not_lost(stage: Stage, name: str, table: Rows):
    """It is killed while it waits for what comes back."""
    act = OUTSIDE[name]
    chat = GENERAL if act is thread_made else stage.dm
    await stage.live()
    await stage.heard()
    await act(stage)
    await stage.lives.kill()
    stage.discord.heal()

    await stage.live()
    await stage.answered(WORD, chat)
    await stage.ends_well()

    table.append((name, *stage.seen(WORD, chat)))
    assert stage.stoppable() == []
    assert_said_in_threads(stage)
