"""What is read back: for a model, for a person."""

from datetime import timedelta

import pytest

from apx.domain.ending import Ending
from apx.domain.event import Event, EventKind
from apx.domain.history import UNANSWERED
from apx.domain.message import Role
from apx.domain.thread import Thread
from apx.domain.turn import TurnState

MAIN = Thread("terminal", "main")


async def ended(ledger, clock, heard, state=TurnState.COMPLETED, final="fine"):
    await ledger.accept(heard)
    turn = await ledger.begin(heard.thread, clock())
    assert turn is not None
    await ledger.end(turn, Ending(state, final=final), clock())
    return turn


def texts(view):
    return [m.text for past in view.past for m in past.messages()]


async def record(ledger, clock, turn, kind, op, **body):
    await ledger.record(Event(kind, f"{op}/{turn.id}", clock(), body, turn=turn.id))


async def test_a_view_holds_requests_and_answers(ledger, history, clock, hear):
    """Each turn is what was asked and what was said."""
    await ended(ledger, clock, hear("a"), final="A")
    await ended(ledger, clock, hear("b", thread="terminal:other"), final="B")

    assert texts(await history.view(MAIN)) == ["a", "A"]


async def test_new_starts_afresh(ledger, history, clock, hear):
    """Nothing from before `/new` comes back by itself."""
    await ended(ledger, clock, hear("a"))
    fresh = Event(EventKind.FRESH, "fresh/1", clock(), thread=str(MAIN))
    await ledger.record(fresh)
    await ended(ledger, clock, hear("b"), final="B")

    assert texts(await history.view(MAIN)) == ["b", "B"]


@pytest.mark.parametrize(
    ("state", "shown"),
    [
        (TurnState.STOPPED, []),
        (TurnState.FAILED, ["a", UNANSWERED]),
        (TurnState.INTERRUPTED, ["a", UNANSWERED]),
    ],
)
async def test_a_turn_without_an_answer(ledger, history, clock, hear, state, shown):
    """A stopped one was not wanted; of the others the request still counts."""
    await ended(ledger, clock, hear("a"), state=state, final=None)

    assert texts(await history.view(MAIN)) == shown


async def test_a_repeated_turn_is_shown_once(ledger, history, clock, hear):
    """The retry stands for what it repeats."""
    await ledger.accept(hear("a"))
    turn = await ledger.begin(MAIN, clock())
    assert turn is not None
    await ledger.interrupt(turn, Ending(TurnState.INTERRUPTED), clock())
    retry = await ledger.begin(MAIN, clock())
    assert retry is not None
    await ledger.end(retry, Ending(TurnState.COMPLETED, final="A"), clock())

    assert texts(await history.view(MAIN)) == ["a", "A"]


CALLS = [
    {"id": "c1", "name": "x", "arguments": "{}", "signature": "s"},
    {"id": "c2", "name": "y", "arguments": "{}", "signature": ""},
]


STEP = {"text": "hm", "calls": CALLS, "bounded": False}


@pytest.mark.parametrize(
    ("results", "is_there"),
    [
        ({"c1": False, "c2": False}, True),
        ({"c1": False}, False),
        ({"c1": False, "c2": True}, False),
        ({}, False),
    ],
)
async def test_a_group_of_calls_is_whole_or_left_out(
    ledger, history, clock, hear, results, is_there
):
    """Vendors refuse a call without its result; a cut result says too little."""
    await ledger.accept(hear("a"))
    turn = await ledger.begin(MAIN, clock())
    assert turn is not None
    await record(ledger, clock, turn, EventKind.STEP, "s", **STEP)
    for call, is_cut in results.items():
        body = {"call": call, "name": "x", "ok": True, "text": call, "bounded": is_cut}
        await record(ledger, clock, turn, EventKind.TOOL_RESULT, call, **body)
    await ledger.end(turn, Ending(TurnState.COMPLETED, final="A"), clock())

    [past] = (await history.view(MAIN)).past
    roles = [message.role for message in past.messages()]

    if is_there:
        tools = [Role.ASSISTANT, Role.TOOL, Role.TOOL]
        assert roles == [Role.USER, *tools, Role.ASSISTANT]
        assert past.messages()[1].calls[0].signature == "s"
        assert [m.call_id for m in past.messages()[2:4]] == ["c1", "c2"]
    else:
        assert roles == [Role.USER, Role.ASSISTANT]
        assert len(past.steps) == 1


async def test_active_threads_are_the_others_of_late(ledger, history, clock, hear):
    """Newest first, never the thread itself, never somebody else's."""
    start = clock()
    await ended(ledger, clock, hear("mine"))
    await ended(ledger, clock, hear("b1", thread="telegram:1:2"))
    await ended(ledger, clock, hear("b2", thread="telegram:1:2"))
    await ended(ledger, clock, hear("c", thread="discord:1:2"))

    found = await history.active(MAIN, ["private:owner"], start, 5)
    late = await history.active(MAIN, ["private:owner"], clock() + timedelta(1), 5)
    others = await history.active(MAIN, ["private:eve"], start, 5)

    assert [turn.request for turn in found] == ["c", "b2"]
    assert late == others == []
