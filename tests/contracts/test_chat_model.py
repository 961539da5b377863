"""What every ChatModel promises, asked of each over a real connection."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from apx.domain.message import (
    Finish,
    FinishReason,
    Image,
    Message,
    Options,
    Role,
    Served,
    TextDelta,
    ToolCall,
    Usage,
)
from apx.providers.windows import Measurable
from tests.servers import Call, OllamaServer, saying, stepping
from tests.servers.asking import ask, text_of, user
from tests.servers.bench import KINDS, Bench, bench_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.servers import Request

PICTURE = b"\x89PNG\r\n\x1a\n\xfb\xff\xfe"


@pytest.fixture(params=KINDS)
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    async with bench_of(request.param) as bench:
        yield bench


async def test_a_piece_arrives_before_the_next_one_is_thought_of(bench: Bench):
    """A person reads along; nothing collects the answer first."""
    go_on = asyncio.Event()

    async def brain(_request: Request) -> AsyncIterator[str]:
        yield "one"
        await go_on.wait()
        yield " two"

    bench.server.brain = brain
    heard = []
    async for delta in bench.model.stream([user("count")], [], Options(deadline=30)):
        heard.append(delta)
        go_on.set()

    assert [d for d in heard if isinstance(d, TextDelta)] == [
        TextDelta("one"),
        TextDelta(" two"),
    ]


async def test_an_answer_ends_with_its_usage_and_its_finish(bench: Bench):
    """The ledger books what a call cost, and knows that nothing is missing."""
    deltas = await ask(bench.model)

    cached = 0 if isinstance(bench.server, OllamaServer) else 3
    assert deltas[-2:] == [Usage(11, 7, cached), Finish(FinishReason.STOP)]
    assert text_of(deltas) == "Echo: hello there"


async def test_three_steps_of_tools_go_there_and_back(bench: Bench):
    """Each call and its result come back as the vendor wants them, ids all unique."""
    steps = [(Call("remember", {"text": f'"{n}" né'}),) for n in range(3)]
    bench.server.brain = stepping(*steps, ("All kept.",))
    messages, ids = [user("keep three")], []

    for step in range(3):
        deltas = await ask(bench.model, messages)
        assert deltas[-1] == Finish(FinishReason.TOOLS)
        [call] = [d for d in deltas if isinstance(d, ToolCall)]
        assert json.loads(call.arguments) == {"text": f'"{step}" né'}
        ids.append(call.id)
        messages += [
            Message(Role.ASSISTANT, "", calls=(call,)),
            Message(Role.TOOL, f"kept {step}", call_id=call.id),
        ]
    answer = await ask(bench.model, messages)

    assert text_of(answer) == "All kept."
    assert len(set(ids)) == 3
    request = bench.server.requests[-1]
    assert request.results() == ["kept 0", "kept 1", "kept 2"]
    assert [m.name for m in request.messages if m.role == "tool"] == ["remember"] * 3
    assert request.tools == ("remember",)


async def test_calls_made_at_once_are_answered_next_to_each_other(bench: Bench):
    """A result that came late, or never, does not make the whole prompt invalid."""
    calls = tuple(ToolCall(f"id{n}", f"tool{n}", "{}") for n in range(2))
    prompt = [
        user("do both"),
        Message(Role.ASSISTANT, "", calls=calls),
        Message(Role.SYSTEM, "in between"),
        Message(Role.TOOL, "first", call_id="id0"),
        Message(Role.TOOL, "of no call", call_id="other"),
        user("and now?"),
    ]

    await ask(bench.model, prompt)

    told = bench.server.requests[0].messages
    after = told[[bool(m.calls) for m in told].index(True) + 1 :]
    results = "\n".join(m.text for m in after if m.role == "tool")
    assert after[0].role == "tool"
    assert results.startswith("first\n(The result")
    assert "of no call" not in str(bench.server.requests[0].body)
    assert told[-1].text.endswith("and now?")


@pytest.mark.parametrize(
    "arguments", ["", '{"text": ', "[1]", '{"n": NaN}', '{"t": "\\ud83d"}', "[" * 9999]
)
async def test_arguments_that_a_model_broke_can_be_sent_back(
    bench: Bench, arguments: str
):
    """A thread with a broken call in it goes on."""
    call = ToolCall("id1", "remember", arguments)
    prompt = [
        user("keep it"),
        Message(Role.ASSISTANT, "", calls=(call,)),
        Message(Role.TOOL, "these arguments are broken", call_id="id1"),
    ]

    deltas = await ask(bench.model, prompt)

    assert deltas[-1] == Finish(FinishReason.STOP)


async def test_a_picture_arrives_whole(bench: Bench):
    """What a person sends to be seen is seen, byte by byte."""
    shown = Message(Role.USER, "what?", images=(Image("image/png", PICTURE),))

    await ask(bench.model, [shown])

    assert bench.server.requests[0].last.images == (PICTURE,)


async def test_what_a_prompt_begins_with_is_one_system_message(bench: Bench):
    """The templates of many local models raise an error for a second one."""
    prompt = [
        Message(Role.SYSTEM, "You are apx."),
        Message(Role.SYSTEM, "Ada lives in Rome."),
        user("hello"),
        Message(Role.ASSISTANT, "hi"),
        Message(Role.SYSTEM, "It is late."),
        user("and now?"),
    ]

    await ask(bench.model, prompt)

    told = bench.server.requests[0].messages
    joined = "You are apx.\n\nAda lives in Rome."
    assert [(m.role, m.text) for m in told[:2]] == [
        ("system", joined),
        ("user", "hello"),
    ]
    assert "It is late." in "".join(m.text for m in told[3:])
    assert told[-1].text.endswith("and now?")


async def test_a_model_can_be_asked_how_much_it_reads(bench: Bench):
    """It always has a window; what the server cannot tell changes nothing."""
    assert isinstance(bench.model, Measurable)
    assumed = bench.model.window

    await bench.model.measure()

    assert bench.model.window == assumed
    assert text_of(await ask(bench.model)) == "Echo: hello there"


async def test_blanks_before_a_call_are_no_reply(bench: Bench):
    """Many local models put line ends before a call; nobody should see them."""
    bench.server.brain = saying("\n\n", Call("remember", {"text": "x"}))

    deltas = await ask(bench.model)

    assert text_of(deltas) == ""
    assert deltas[-1] == Finish(FinishReason.TOOLS)


async def test_a_chain_says_who_answers_before_the_first_word():
    """The ledger writes down which model a reply came from."""
    async with bench_of("chain") as bench:
        deltas = await ask(bench.model)

    assert deltas[0] == Served("ollama:tiny")
    assert not any(isinstance(delta, Served) for delta in deltas[1:])
