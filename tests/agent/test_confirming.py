"""A yes of the person that was asked, in time, or it is no."""

import asyncio
from dataclasses import replace

import pytest

from apx.agent.confirming import Confirmations, question
from apx.domain.message import ToolCall
from apx.domain.turn import Turn, TurnState
from apx.testing import RecordingLive, until
from tests.domain.talk import AT, MAIN

TURN = Turn(7, MAIN, TurnState.RUNNING, "send it", AT)


@pytest.fixture
def live():
    return RecordingLive()


async def asked(confirmations, live, turn=TURN):
    """Ask, and wait until the question is shown."""
    before = len(live.asked)
    task = asyncio.create_task(confirmations.ask(turn, "Send it?", live))
    await until(lambda: len(live.asked) > before)
    return task, live.asked[-1][1]


@pytest.mark.parametrize("yes", [True, False])
async def test_the_person_answers(live, yes):
    """Once; what comes later answers nothing."""
    confirmations = Confirmations()
    task, number = await asked(confirmations, live)

    assert confirmations.answer(number, "owner", yes)
    assert not confirmations.answer(number, "owner", not yes)
    assert await task is yes
    assert not confirmations.answer(number, "owner", True)


async def test_nobody_else_answers(live):
    """Also not for another question, or with a number that was never given."""
    confirmations = Confirmations()
    task, number = await asked(confirmations, live)
    other, theirs = await asked(confirmations, live, replace(TURN, id=8, person="eve"))

    assert number != theirs
    assert not confirmations.answer(number, "eve", True)
    assert not confirmations.answer("7.99", "owner", True)
    assert not task.done()
    assert confirmations.answer(theirs, "eve", True)
    assert await other
    confirmations.cancel(7)
    assert not await task


async def test_who_says_nothing_says_no(live):
    """In time, or never."""
    confirmations = Confirmations(seconds=0)

    assert not await confirmations.ask(TURN, "Send it?", live)
    [(_, number)] = live.asked
    assert not confirmations.answer(number, "owner", True)


async def test_a_turn_that_is_stopped_is_told_no_at_once(live):
    """All it asked; what other turns ask goes on."""
    confirmations = Confirmations()
    first, _ = await asked(confirmations, live)
    second, _ = await asked(confirmations, live)
    other, number = await asked(confirmations, live, replace(TURN, id=8))

    confirmations.cancel(7)

    assert [await first, await second] == [False, False]
    assert not other.done()
    confirmations.answer(number, "owner", True)
    assert await other


def test_the_question_names_what_would_be_done():
    """On one line of bounded length, however long the call is."""
    told = question(ToolCall("c", "send", '{"to":\n"evil.example"}' + "x" * 9_000))

    assert 'Run send with {"to": "evil.example"}' in told
    assert len(told) < 800
