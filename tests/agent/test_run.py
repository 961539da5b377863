"""What may still join a running turn, and how it is cut off."""

import asyncio
from dataclasses import replace

import pytest

from apx.agent.run import Cut, Run
from apx.domain.person import Audience, Role
from apx.domain.quoted import Provenance, Quoted
from apx.domain.thread import Thread
from apx.domain.turn import Inbound, Turn, TurnState
from apx.testing import TickingClock

MAIN = Thread("terminal", "main")
TWO = Inbound(MAIN, "two", TickingClock()(), "2")


@pytest.fixture
def run():
    return Run(
        Turn(1, Thread("terminal", "main"), TurnState.RUNNING, "one", TickingClock()())
    )


async def cut_while(run, act):
    """Do something while the run waits for ever; say whether that cut it off."""
    asyncio.get_running_loop().call_soon(act)
    with pytest.raises(Cut):
        async with run.cuttable():
            await asyncio.Event().wait()


async def test_what_joins_cuts_off_the_work(run):
    """It is done again for all of it."""
    await cut_while(run, lambda: run.join(TWO))
    assert run.request == "one\ntwo"
    async with run.cuttable():
        run.close()


async def test_what_joins_while_nothing_can_be_cut_is_noticed(run):
    """Between two waits, just before something is shown."""
    async with run.cuttable():
        assert run.join(TWO)
        with pytest.raises(Cut):
            run.close()


def test_nothing_joins_after_something_was_shown(run):
    """Nor after the end, nor what is being stopped."""
    run.close()
    assert not run.join(TWO)
    assert run.request == "one"


@pytest.mark.parametrize(
    "other",
    [
        replace(TWO, person="eve"),
        replace(TWO, audience=Audience("room:x")),
        replace(TWO, model="openai:x"),
    ],
)
def test_nothing_of_others_joins(run, other):
    """Another person's words would be answered from the first one's memory."""
    assert not run.join(other)
    assert run.request == "one"


def test_nothing_joins_what_is_being_stopped(run):
    """It would be stopped with it."""
    run.stop()
    assert not run.join(TWO)


async def test_stopping_cuts_off_the_work(run):
    """And nothing of it begins again."""
    await cut_while(run, run.stop)
    with pytest.raises(Cut):
        async with run.cuttable():
            raise AssertionError
    with pytest.raises(Cut):
        run.close()


async def test_what_acts_outside_is_finished_first(run):
    """Then the turn stops."""
    done = []

    async def act():
        with run.held():
            run.stop()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            done.append("acted")
        done.append("went on")

    with pytest.raises(Cut):
        async with run.cuttable():
            await act()
    assert done == ["acted"]


async def test_a_timeout_of_the_work_itself_is_not_a_cut(run):
    """Some source's deadline, say."""
    with pytest.raises(TimeoutError):
        async with run.cuttable():
            raise TimeoutError


async def test_stopping_ends_a_wait_for_a_person(run):
    """Also in the middle of what is held: nobody waits a minute for nothing."""
    answered = asyncio.Event()

    async def wait():
        with run.held(), run.waiting(answered.set):
            asyncio.get_running_loop().call_soon(run.stop)
            await answered.wait()

    with pytest.raises(Cut):
        async with run.cuttable():
            await wait()
    assert run._waits == []


def test_what_joins_brings_its_quotes(run):
    """And nothing joins in another role."""
    quoted = (Quoted(Provenance.FORWARDED, "Bob", "x"),)

    assert run.join(replace(TWO, quoted=quoted))
    assert not run.join(replace(TWO, role=Role.GUEST))
    assert (run.turn.request, run.turn.quoted) == ("one\ntwo", quoted)
