"""The streams that the imitators of OpenAI really send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apx.domain.message import (
    Finish,
    FinishReason,
    Image,
    Message,
    Role,
    TextDelta,
    ToolCall,
    Usage,
)
from apx.providers.openai import OpenAIModel
from apx.providers.openai_format import opened_once
from tests.servers import Call, OpenAIServer, saying
from tests.servers.asking import ask, text_of, user
from tests.servers.faults import events

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from apx.domain.message import Delta

DONE = "data: [DONE]\n\n"


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as server:
        yield server


@pytest.fixture
async def model(server: OpenAIServer) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel("tiny", api_key="k", base_url=server.base_url)
    yield model
    await model.aclose()


def chunk(delta: Any = None, finish: str | None = None, **more: Any) -> dict[str, Any]:
    """Give a chunk as an event's object."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "1", "model": "tiny", "created": 0, "choices": [choice], **more}


def piece(
    arguments: Any = None, name: str | None = None, **more: Any
) -> dict[str, Any]:
    """Give a chunk with a piece of a call."""
    function = {"arguments": arguments, **({"name": name} if name else {})}
    return chunk({"tool_calls": [{"function": function, **more}]})


def ended(reason: str = "tool_calls") -> tuple[Any, ...]:
    return chunk({}, reason), "\n", DONE


def calls_of(deltas: list[Delta]) -> list[tuple[str, str]]:
    return [(d.name, d.arguments) for d in deltas if isinstance(d, ToolCall)]


@pytest.mark.parametrize(
    "objects",
    [
        ({"choices": []}, {"choices": None}, {"id": "1"}),
        (chunk(None), chunk({"content": None}), chunk({"content": ""})),
        (": a comment\n\n", ": and more\n"),
        (chunk({"reasoning_content": "hm", "content": None}),),
        (chunk({"role": "assistant", "tool_calls": None}),),
        ({"choices": [None]},),
    ],
)
async def test_a_chunk_that_says_nothing_is_skipped(
    server: OpenAIServer, model: OpenAIModel, objects: tuple[Any, ...]
):
    """Azure, vLLM, DeepSeek and proxies send such chunks before and between."""
    spread = [part for each in objects for part in (each, "\n")]
    server.faults.append(
        events(*spread, chunk({"content": "hi"}), "\n", *spread, *ended("stop"))
    )

    deltas = await ask(model)

    assert deltas == [
        TextDelta("hi"),
        Usage(known=False),
        Finish(FinishReason.STOP),
    ]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        # as OpenAI does
        (
            [
                piece("", "a", index=0, id="x"),
                piece('{"n"', index=0),
                piece(":1}", index=0),
            ],
            [("a", '{"n":1}')],
        ),
        # without an index
        (
            [piece("{", "a", id="x"), piece("}"), piece("{}", "b", id="y")],
            [("a", "{}"), ("b", "{}")],
        ),
        # two calls that both say index 0
        (
            [piece("{}", "a", index=0, id="x"), piece("{}", "b", index=0, id="y")],
            [("a", "{}"), ("b", "{}")],
        ),
        # the same, without ids
        (
            [piece("{}", "a", index=0), piece("{}", "b", index=0)],
            [("a", "{}"), ("b", "{}")],
        ),
        # id and name with every piece
        (
            [piece("{", "a", index=0, id="x"), piece("}", "a", index=0, id="x")],
            [("a", "{}")],
        ),
        # two calls whose pieces alternate
        (
            [
                piece("{", "a", index=0, id="x"),
                piece("[", "b", index=1, id="y"),
                piece("}", index=0),
                piece("]", index=1),
            ],
            [("a", "{}"), ("b", "[]")],
        ),
        # no arguments, broken ones, an object in place of text
        ([piece(None, "a", index=0, id="x")], [("a", "")]),
        ([piece('{"n": ', "a", index=0, id="")], [("a", '{"n": ')]),
        ([piece({"n": 1}, "a", index=0, id="x")], [("a", '{"n": 1}')]),
    ],
)
async def test_calls_are_put_together_from_their_pieces(
    server: OpenAIServer,
    model: OpenAIModel,
    pieces: list[Any],
    expected: list[tuple[str, str]],
):
    """Every server splits calls in its own way; arguments stay as the model wrote."""
    spread = [part for each in pieces for part in (each, "\n")]
    server.faults.append(events(*spread, *ended()))

    deltas = await ask(model)

    assert calls_of(deltas) == expected
    assert deltas[-1] == Finish(FinishReason.TOOLS)


@pytest.mark.parametrize("given", ["", "call_0"])
async def test_call_ids_are_unique_whatever_the_server_says(
    server: OpenAIServer, model: OpenAIModel, given: str
):
    """A result would else answer the wrong call, in this reply or an older one."""
    server.brain = saying(Call("a", {}, id=given), Call("b", {}, id=given))
    old = ToolCall("call_0", "a", "{}")
    prompt = [
        user("x"),
        Message(Role.ASSISTANT, "", calls=(old,)),
        Message(Role.TOOL, "done", call_id="call_0"),
    ]

    deltas = await ask(model, prompt)

    ids = [d.id for d in deltas if isinstance(d, ToolCall)]
    assert len({*ids, "call_0", ""}) == 4


@pytest.mark.parametrize("reason", ["tool_calls", "function_call", "stop"])
async def test_calls_make_the_finish(
    server: OpenAIServer, model: OpenAIModel, reason: str
):
    """Some servers end an answer with calls by `stop`."""
    server.faults.append(
        events(piece("{}", "a", index=0, id="x"), "\n", *ended(reason))
    )

    assert (await ask(model))[-1] == Finish(FinishReason.TOOLS)


async def test_a_reply_that_grew_too_long_says_so(
    server: OpenAIServer, model: OpenAIModel
):
    """The person is told that there was more."""
    server.faults.append(events(chunk({"content": "a"}), "\n", *ended("length")))

    assert (await ask(model))[-1] == Finish(FinishReason.LENGTH)


async def test_a_stream_without_done_is_whole_once_it_finished(
    server: OpenAIServer, model: OpenAIModel
):
    """Old llama.cpp and some proxies just close."""
    server.faults.append(
        events(chunk({"content": "hi"}), "\n", chunk({}, "stop"), "\n")
    )

    assert text_of(await ask(model)) == "hi"


async def test_half_an_emoji_waits_for_its_other_half(
    server: OpenAIServer, model: OpenAIModel
):
    """Some servers split between the escapes; half a character breaks a database."""
    halves = [chunk({"content": half}) for half in ("a\ud83d", "\ude00b", "c\ud83d")]
    server.faults.append(
        events(*[part for half in halves for part in (half, "\n")], *ended("stop"))
    )

    assert text_of(await ask(model)) == "a\U0001f600bc\ufffd"


async def test_arguments_go_back_as_the_model_wrote_them(
    server: OpenAIServer, model: OpenAIModel
):
    """The prompt's prefix stays the same, byte by byte, so it stays cached."""
    call = ToolCall("id1", "a", '{ "n":1.0 }')
    result = Message(Role.TOOL, "ok", call_id="id1")
    prompt = [user("x"), Message(Role.ASSISTANT, "t", calls=(call,)), result]

    await ask(model, prompt)

    told = server.requests[0].body["messages"][1]["tool_calls"][0]["function"]
    assert told["arguments"] == '{ "n":1.0 }'


PLAIN = (Role.SYSTEM, Role.USER, Role.ASSISTANT)


@given(st.lists(st.builds(Message, st.sampled_from(PLAIN), st.text())))
def test_a_prompt_begins_with_one_system_message_and_goes_on_as_it_was(
    prompt: list[Message],
):
    """Nothing is lost or moved, and doing it twice is doing it once."""
    joined = opened_once(prompt)

    many = len(prompt) - len(joined) + 1
    assert [message.role for message in joined[:2]] != [Role.SYSTEM, Role.SYSTEM]
    assert all(message.role is Role.SYSTEM for message in prompt[:many]) or many == 1
    assert joined[1:] == prompt[many:]
    assert all(message.text in joined[0].text for message in prompt[:many])
    assert opened_once(joined) == joined


def test_pictures_of_joined_messages_stay():
    """And an empty one leaves no gap."""
    picture = Image("image/png", b"x")
    prompt = [Message(Role.SYSTEM, ""), Message(Role.SYSTEM, "a", images=(picture,))]

    assert opened_once(prompt) == [Message(Role.SYSTEM, "a", images=(picture,))]
