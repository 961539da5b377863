"""How a model is asked for its window, over a real connection."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from apx.domain.errors import ContextOverflow
from apx.providers.gemini import GeminiModel
from apx.providers.ollama import OllamaModel
from apx.providers.openai import OpenAIModel
from tests.servers import GeminiServer, OllamaServer, OpenAIServer
from tests.servers.asking import ask, text_of
from tests.servers.faults import Answer, Hang, events, failing, web_page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.servers.faults import Fault

NUM_CTX = 8192

Server = OllamaServer | OpenAIServer | GeminiServer
Model = OllamaModel | OpenAIModel | GeminiModel


@pytest.fixture(params=[OllamaServer, OpenAIServer, GeminiServer])
async def server(request: pytest.FixtureRequest) -> AsyncIterator[Server]:
    async with request.param() as server:
        yield server


@pytest.fixture
async def model(server: Server) -> AsyncIterator[Model]:
    model = model_of(server)
    yield model
    await model.aclose()


@pytest.fixture
async def openai() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as server:
        yield server


def model_of(server: Server, name: str = "tiny") -> Model:
    """Make a model that asks a server."""
    url = server.base_url
    if isinstance(server, OllamaServer):
        return OllamaModel(name, base_url=url, num_ctx=NUM_CTX, keep_alive="30m")
    kind = OpenAIModel if isinstance(server, OpenAIServer) else GeminiModel
    return kind(name, api_key="k", base_url=url)


def tell(server: Server, window: int) -> None:
    """Let a server know how much its models read."""
    if isinstance(server, OllamaServer):
        server.info = {"llama.context_length": window}
    elif isinstance(server, OpenAIServer):
        server.entry = {"max_model_len": window}
    else:
        server.entry = {"inputTokenLimit": window, "outputTokenLimit": 65536}


async def measured(server: Server, name: str = "tiny") -> int:
    """Measure a new model in front of a server."""
    model = model_of(server, name)
    await model.measure()
    await model.aclose()
    return model.window


async def test_a_model_that_was_asked_knows_its_window(server: Server, model: Model):
    """An assumption holds until then, and nobody is asked twice."""
    tell(server, 4096)
    assumed = model.window

    await asyncio.gather(model.measure(), model.measure())
    await model.measure()

    assert (assumed, model.window) == (model_of(server).window, 4096)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "fault",
    [
        failing(401, {"error": {"message": "x", "code": 401}}),
        failing(500),
        web_page(),
        Answer(200, "[]"),
        Answer(200, '{"data": null, "model_info": null}'),
        Answer(200, '{"data": [null], "model_info": [1]}'),
        Answer(200, '{"data": 3, "model_info": 3, "inputTokenLimit": "many"}'),
        Answer(200, "\x00"),
    ],
    ids=repr,
)
async def test_a_server_that_cannot_tell_changes_nothing(
    server: Server, model: Model, fault: Fault
):
    """The assumption stays, no error comes through, and the model answers."""
    assumed = model.window
    server.asides.append(fault)

    await model.measure()

    assert model.window == assumed
    assert text_of(await ask(model, "x")) == "Echo: x"


async def test_a_server_that_hangs_is_given_up(server: Server, model: Model):
    """Two seconds at most, and at the next start again."""
    tell(server, 4096)
    assumed = model.window
    server.asides.append(Hang())

    await model.measure(deadline=0.05)
    await model.measure()

    assert model.window == assumed
    assert text_of(await ask(model, "x")) == "Echo: x"


async def test_nobody_at_the_address_changes_nothing(server: Server, model: Model):
    """The turn itself will say so."""
    assumed = model.window
    await server.__aexit__()

    await model.measure()

    assert model.window == assumed
    await server.__aenter__()


async def test_openai_itself_is_not_asked():
    """Its list does not tell, and the assumption is what its models have at least."""
    model = OpenAIModel("gpt-4o", api_key="k", base_url="")

    await model.measure()

    assert model.window == 128_000
    assert model._client._client is None


@pytest.mark.parametrize("url", ["http://127.0.0.1:nope/v1", "gopher://x/v1", "//"])
async def test_an_address_that_is_none_changes_nothing(url: str):
    """The libraries raise half a dozen kinds of errors for it."""
    openai = OpenAIModel("tiny", api_key="k", base_url=url)
    ollama = OllamaModel("tiny", base_url=url, num_ctx=NUM_CTX, keep_alive="1m")
    gemini = GeminiModel("tiny", api_key="k", base_url=url)
    for model in (openai, ollama, gemini):
        await model.measure()
        await model.aclose()

    assert openai.window == 128_000
    assert ollama.window == NUM_CTX
    assert gemini.window == 1_000_000


async def test_a_key_that_no_header_can_carry_changes_nothing():
    """The turn itself will say so."""
    model = GeminiModel("tiny", api_key="", base_url="http://127.0.0.1:9")

    await model.measure()

    assert model.window == 1_000_000


async def test_a_model_is_found_by_its_name_among_many(openai: OpenAIServer):
    """Another one's window is of no use, nor is llama.cpp asked of an unknown one."""
    openai.models = ["small", "tiny", "large"]
    openai.entry, openai.props = {"context_length": 16384}, {}

    assert await measured(openai) == 16384
    assert await measured(openai, "missing") == 128_000
    assert openai.asked == ["/v1/models"] * 2


async def test_a_server_of_one_model_is_asked_for_that(openai: OpenAIServer):
    """llama.cpp answers to any name and calls its model by the path of a file."""
    openai.models, openai.entry = ["/models/a.gguf"], {"meta": {"n_ctx": 2048}}

    assert await measured(openai) == 2048


@pytest.mark.parametrize("models", [["/models/a.gguf"], []])
async def test_an_older_llama_cpp_tells_it_in_its_props(
    openai: OpenAIServer, models: list[str]
):
    """What the model was trained for, which is all that its list has, is not it."""
    openai.models, openai.entry = models, {"meta": {"n_ctx_train": 32768}}
    openai.props = {"default_generation_settings": {"n_ctx": 4096}, "total_slots": 1}

    assert await measured(openai) == 4096


async def test_ollama_reads_no_more_than_it_is_asked_for():
    """The larger of the two would be cut without a word."""
    async with OllamaServer() as server:
        tell(server, 131_072)
        assert await measured(server) == NUM_CTX

        tell(server, 2048)
        assert await measured(server) == 2048


async def test_ollama_is_asked_for_the_same_context_before_and_after():
    """With another number it would load the model again, for minutes."""
    async with OllamaServer() as server:
        tell(server, 2048)
        model = model_of(server)
        await ask(model)
        await model.measure()
        await ask(model)
        await model.aclose()

    contexts = [request.body["options"]["num_ctx"] for request in server.requests]
    assert contexts == [NUM_CTX, NUM_CTX]


async def test_an_overflow_tells_what_the_server_says_beside_its_text(
    openai: OpenAIServer,
):
    """In a status and in a stream; the SDK shows only the text in its message."""
    error = {
        "message": "too much for the context",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 5000,
        "n_ctx": 4096,
    }
    model = model_of(openai)
    for fault in (failing(400, {"error": error}), events({"error": error}, "\n")):
        openai.faults.append(fault)
        with pytest.raises(ContextOverflow) as caught:
            await ask(model)
        assert caught.value.window == 4096
    await model.aclose()
