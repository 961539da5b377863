"""The answers that Gemini gives, and those that it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from apx.domain.errors import (
    ProviderMisconfigured,
    ProviderRefused,
    ProviderUnavailable,
)
from apx.domain.message import Finish, FinishReason, TextDelta, ToolCall, Usage
from apx.providers.gemini import GeminiModel
from tests.servers import Call, GeminiServer, saying
from tests.servers.asking import ask
from tests.servers.faults import Raw, events, failing
from tests.servers.gemini import event

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def server() -> AsyncIterator[GeminiServer]:
    async with GeminiServer() as server:
        yield server


@pytest.fixture
async def model(server: GeminiServer) -> AsyncIterator[GeminiModel]:
    model = GeminiModel("gemini-3-flash", api_key="k", base_url=server.base_url)
    yield model
    await model.aclose()


def chunk(*parts: Any, finish: str = "", **more: Any) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}}
    if finish:
        candidate["finishReason"] = finish
    return {"candidates": [candidate], **more}


@pytest.mark.parametrize(
    "last",
    [
        {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}},
        {"promptFeedback": {"blockReason": "SAFETY"}, "candidates": []},
        chunk(finish="SAFETY"),
        chunk({"text": "half"}, finish="RECITATION"),
        {"candidates": [{"finishReason": "PROHIBITED_CONTENT"}]},
    ],
)
async def test_a_block_is_a_refusal_in_plain_words(
    server: GeminiServer, model: GeminiModel, last: Any
):
    """A person reads what happened, never an empty message."""
    server.faults.append(events(last, "\n"))

    with pytest.raises(ProviderRefused, match="would not answer"):
        await ask(model)


@pytest.mark.parametrize(
    "last",
    [
        {"candidates": []},
        {"usageMetadata": {"promptTokenCount": 3}},
        chunk(finish="MALFORMED_FUNCTION_CALL"),
        chunk(finish="OTHER"),
        chunk({"text": ""}, finish="STOP"),
        chunk({"text": "hm", "thought": True}, finish="STOP"),
    ],
)
async def test_an_answer_of_nothing_may_pass(
    server: GeminiServer, model: GeminiModel, last: Any
):
    """Gemini does this now and then; asking again often helps."""
    server.faults.append(events(last, "\n"))

    with pytest.raises(ProviderUnavailable):
        await ask(model)


async def test_a_reply_that_was_all_thought_is_not_asked_for_again(
    server: GeminiServer, model: GeminiModel
):
    """The thoughts were paid for; a second time they would be again."""
    server.faults.append(events(chunk(finish="MAX_TOKENS"), "\n"))

    with pytest.raises(ProviderMisconfigured, match="before the first word"):
        await ask(model)


async def test_thoughts_are_counted_and_not_shown(
    server: GeminiServer, model: GeminiModel
):
    """They are paid as a reply is, and the last count is the whole."""
    usage = {"promptTokenCount": 9, "candidatesTokenCount": 2, "thoughtsTokenCount": 5}
    server.faults.append(
        events(
            chunk({"text": "hm", "thought": True}, usageMetadata=usage),
            "\n",
            chunk({"text": "hi"}, finish="STOP", usageMetadata=usage),
            "\n",
        )
    )

    assert await ask(model) == [
        TextDelta("hi"),
        Usage(9, 7),
        Finish(FinishReason.STOP),
    ]


async def test_the_wait_is_read_from_where_google_puts_it(
    server: GeminiServer, model: GeminiModel
):
    """Not in a header, but in the details of the body."""
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "32.5s"}
    error = {
        "code": 429,
        "status": "RESOURCE_EXHAUSTED",
        "message": "",
        "details": [info],
    }
    server.faults.append(failing(429, {"error": error}))

    with pytest.raises(ProviderUnavailable) as caught:
        await ask(model)

    assert caught.value.retry_after == 32.5


async def test_a_bad_key_is_known_although_it_is_a_bad_request(
    server: GeminiServer, model: GeminiModel
):
    """Google says 400 for it."""
    error = {"code": 400, "status": "INVALID_ARGUMENT", "message": "API key not valid."}
    server.faults.append(failing(400, {"error": error}))

    with pytest.raises(ProviderMisconfigured) as caught:
        await ask(model)

    assert caught.value.key == "engines.gemini.api_key"


@pytest.mark.parametrize("junk", [b"data: {\n\n", b"data: [1]\n\n", b"data: 1\n\n"])
async def test_junk_after_the_first_event_is_a_broken_stream(
    server: GeminiServer, model: GeminiModel, junk: bytes
):
    """Whatever the SDK makes of it, no foreign error comes through."""
    server.faults.append(Raw((event({"text": "hi"}), junk)))

    with pytest.raises(ProviderUnavailable):
        await ask(model)


async def test_a_missing_id_is_made(server: GeminiServer, model: GeminiModel):
    """Gemini gives none to most calls, but a result must know its call."""
    server.brain = saying(Call("a"), Call("a"))

    ids = {d.id for d in await ask(model) if isinstance(d, ToolCall)}

    assert len(ids) == 2
    assert "" not in ids
