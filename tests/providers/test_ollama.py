"""The Ollama adapter's own habits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from apx.domain.errors import (
    ContextOverflow,
    ProviderMisconfigured,
    ProviderUnavailable,
)
from apx.domain.message import (
    Finish,
    FinishReason,
    Image,
    Message,
    Options,
    Role,
    Usage,
)
from apx.providers.ollama import OllamaModel, connect, disconnect
from tests.servers import OllamaServer
from tests.servers.asking import ask, text_of
from tests.servers.faults import failing, lines

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@pytest.fixture
async def server() -> AsyncIterator[OllamaServer]:
    async with OllamaServer() as server:
        yield server


@pytest.fixture
async def model(server: OllamaServer) -> AsyncIterator[OllamaModel]:
    model = OllamaModel(
        "tiny", base_url=server.base_url, num_ctx=4096, keep_alive="30m"
    )
    yield model
    await model.aclose()


def line(content: str = "", **more: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    return {"model": "tiny", "message": message, "done": False, **more}


async def test_every_call_says_its_context_and_how_long_to_stay(
    server: OllamaServer, model: OllamaModel
):
    """Without num_ctx the server cuts the system prompt off, without a word."""
    await ask(model, options=Options(deadline=30, max_tokens=50))

    body = server.requests[0].body
    assert body["options"] == {"num_ctx": 4096, "num_predict": 50}
    assert body["keep_alive"] == "30m"
    assert model.window == 4096


async def test_loading_a_model_for_minutes_is_no_timeout():
    """The first header of a cold model comes when it is loaded."""
    client = connect("http://127.0.0.1:9")

    assert client._client.timeout.read is None
    await disconnect(client)


async def test_an_optional_argument_keeps_its_type(
    server: OllamaServer, model: OllamaModel
):
    """The SDK drops `anyOf`, and a model would not know what to give."""
    await ask(model)

    [tool] = server.requests[0].body["tools"]
    parameters = tool["function"]["parameters"]
    assert parameters["properties"]["about"]["type"] == ["string", "null"]
    assert parameters["required"] == ["text"]


async def test_what_a_model_thinks_is_not_shown(
    server: OllamaServer, model: OllamaModel
):
    """Thoughts come beside the text."""
    thought = line()
    thought["message"]["thinking"] = "hm"
    server.faults.append(lines(thought, line("hi"), line(done=True)))

    assert text_of(await ask(model)) == "hi"


async def test_a_count_that_is_missing_makes_the_usage_unknown(
    server: OllamaServer, model: OllamaModel
):
    """A prompt that was all cached has none; zero would be a lie."""
    server.faults.append(lines(line("hi"), line(done=True, eval_count=4)))

    assert Usage(0, 4, known=False) in await ask(model)


async def test_a_full_context_without_a_word_is_an_overflow(
    server: OllamaServer, model: OllamaModel
):
    """Ollama calls it a mere length; only a shorter prompt helps."""
    full = line(done=True, done_reason="length", prompt_eval_count=4090, eval_count=6)
    server.faults.append(lines(full))

    with pytest.raises(ContextOverflow) as caught:
        await ask(model)

    # It was the estimate of the prompt that was wrong, not that of the window.
    assert caught.value.window == 0


async def test_a_model_that_reads_less_is_full_sooner(
    server: OllamaServer, model: OllamaModel
):
    """Ollama gives it no more context than it can read, whatever was asked for."""
    server.info = {"llama.context_length": 2048}
    full = line(done=True, done_reason="length", prompt_eval_count=2042, eval_count=6)
    server.faults.append(lines(full))
    await model.measure()

    with pytest.raises(ContextOverflow):
        await ask(model)


async def test_a_long_reply_keeps_what_was_said(
    server: OllamaServer, model: OllamaModel
):
    """With text, the same end is only a length."""
    full = line(done=True, done_reason="length", prompt_eval_count=4090, eval_count=6)
    server.faults.append(lines(line("hi"), full))

    assert (await ask(model))[-1] == Finish(FinishReason.LENGTH)


@pytest.mark.parametrize(
    ("error", "status", "cure"),
    [
        ('"tiny" does not support tools', 400, "cannot use tools"),
        ("model requires more system memory (9 GiB) than", 500, "smaller"),
    ],
)
async def test_a_known_complaint_has_a_known_cure(
    server: OllamaServer, model: OllamaModel, error: str, status: int, cure: str
):
    """Neither passes by itself, whatever the status says."""
    server.faults.append(failing(status, {"error": error}))

    with pytest.raises(ProviderMisconfigured, match=cure):
        await ask(model)


async def test_an_error_inside_a_good_stream_is_an_error(
    server: OllamaServer, model: OllamaModel
):
    """The runner of a model may die in the middle."""
    server.faults.append(lines(line("hi"), {"error": "the runner process has died"}))

    with pytest.raises(ProviderUnavailable):
        await ask(model)


@pytest.mark.parametrize("junk", ["<html>\n", "[1]\n", '"x"\n', '{"message": 1}\n'])
async def test_junk_after_the_first_line_is_a_broken_stream(
    server: OllamaServer, model: OllamaModel, junk: str
):
    """A proxy that gives up writes its error page into the stream."""
    server.faults.append(lines(line("hi"), junk))

    with pytest.raises(ProviderUnavailable):
        await ask(model)


@pytest.mark.parametrize("url", ["http://127.0.0.1:nope", "gopher://127.0.0.1:9", "//"])
async def test_an_address_that_is_none_is_named(url: str):
    """The libraries raise half a dozen kinds of errors for it."""
    model = OllamaModel("tiny", base_url=url, num_ctx=4096, keep_alive="30m")

    with pytest.raises((ProviderMisconfigured, ProviderUnavailable)) as caught:
        await ask(model)

    assert "engines.ollama.base_url" in str(caught.value)
    await model.aclose()


@pytest.mark.parametrize(("able", "sees"), [(["vision"], True), (["tools"], False)])
async def test_pictures_go_to_models_that_see(server: OllamaServer, able, sees):
    """One that does not would refuse the whole prompt; it is told of them instead."""
    server.able = able
    model = OllamaModel(
        "tiny", base_url=server.base_url, num_ctx=4096, keep_alive="30m"
    )
    picture = Message(Role.USER, "look", images=(Image("image/png", b"png"),))

    await ask(model, [picture])
    await model.aclose()

    told = server.requests[0].body["messages"][-1]
    assert ("images" in told) is sees
    assert ("cannot see" in told["content"]) is not sees
