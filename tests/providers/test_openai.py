"""The errors and the habits of OpenAI and its imitators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from apx.domain.errors import (
    ContextOverflow,
    ProviderMisconfigured,
    ProviderRefused,
    ProviderUnavailable,
)
from apx.domain.message import Options
from apx.providers.openai import OpenAIModel
from tests.servers import OpenAIServer
from tests.servers.asking import ask, text_of
from tests.servers.faults import Answer, Drop, events, failing

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

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


def ended(reason: str = "tool_calls") -> tuple[Any, ...]:
    return chunk({}, reason), "\n", DONE


async def test_a_reply_that_was_all_thought_is_not_asked_for_again(
    server: OpenAIServer, model: OpenAIModel
):
    """It would cost its full length each time; the chain goes on at once."""
    server.faults.append(events(*ended("length")))

    with pytest.raises(ProviderMisconfigured, match="before the first word"):
        await ask(model)


async def test_a_drop_after_the_finish_loses_nothing(
    server: OpenAIServer, model: OpenAIModel
):
    """All was said; only the goodbye is missing."""
    said = events(chunk({"content": "ab"}), "\n", chunk({}, "stop"), "\n")
    server.faults.append(Drop(4, said.pieces))

    assert text_of(await ask(model)) == "ab"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"message": "boom"}, ProviderUnavailable),
        ({"message": "boom", "code": "server_error"}, ProviderUnavailable),
        ({"message": "slow down", "code": 429}, ProviderUnavailable),
        ({"message": "no", "code": 401}, ProviderMisconfigured),
        ({"message": "no", "code": "context_length_exceeded"}, ContextOverflow),
        ("boom", ProviderUnavailable),
    ],
)
async def test_an_error_inside_a_good_stream_is_an_error(
    server: OpenAIServer,
    model: OpenAIModel,
    error: Any,
    kind: type[Exception],
):
    """OpenRouter, vLLM and llama.cpp find out after the 200."""
    server.faults.append(events({"error": error}, "\n"))

    with pytest.raises(kind):
        await ask(model)


@pytest.mark.parametrize(
    "last", [chunk({}, "content_filter"), chunk({"refusal": "I cannot"})]
)
async def test_a_filter_is_a_refusal(
    server: OpenAIServer, model: OpenAIModel, last: Any
):
    """Also when half of the answer is there: the rest was stopped on purpose."""
    server.faults.append(events(chunk({"content": "a"}), "\n", last, "\n", DONE))

    with pytest.raises(ProviderRefused):
        await ask(model)


async def test_an_empty_account_is_not_a_busy_server(
    server: OpenAIServer, model: OpenAIModel
):
    """OpenAI says 429 for both; only one of them passes by waiting."""
    body = {"error": {"message": "x", "code": "insufficient_quota"}}
    server.faults.append(failing(429, body))

    with pytest.raises(ProviderMisconfigured, match="credit") as caught:
        await ask(model)

    assert caught.value.key == "engines.openai.api_key"


async def test_a_server_that_does_not_stream_is_another_server(
    server: OpenAIServer, model: OpenAIModel
):
    """JSON in place of events: the address leads to something else."""
    server.faults.append(Answer(200, '{"ok": true}'))

    with pytest.raises(ProviderMisconfigured) as caught:
        await ask(model)

    assert caught.value.key == "engines.openai.base_url"


@pytest.mark.parametrize("key", ["", "sk-\u2026", "sk 1", "sk\n"])
async def test_a_key_that_no_header_can_carry_is_named_without_a_call(key: str):
    """A key pasted with its dots or its line end is a common slip."""
    model = OpenAIModel("tiny", api_key=key, base_url="")

    with pytest.raises(ProviderMisconfigured) as caught:
        await ask(model)

    assert caught.value.key == "engines.openai.api_key"
    assert key == "" or key not in str(caught.value)


async def test_a_server_at_home_needs_no_key(server: OpenAIServer):
    """llama.cpp and LM Studio have none."""
    model = OpenAIModel("tiny", api_key="", base_url=server.base_url)

    assert text_of(await ask(model, "x")) == "Echo: x"
    await model.aclose()


async def test_a_limit_is_said_in_the_word_that_servers_know(
    server: OpenAIServer, model: OpenAIModel
):
    """Only OpenAI itself wants `max_completion_tokens`."""
    await ask(model, options=Options(deadline=30, max_tokens=50))

    assert server.requests[0].body["max_tokens"] == 50
