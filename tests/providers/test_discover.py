"""What an engine says of its models, and how it fails to."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from apx.domain.errors import ProviderMisconfigured, ProviderUnavailable
from apx.providers.discover import gemini_models, ollama_models, openai_models
from tests.servers import GeminiServer, ModelServer, OllamaServer, OpenAIServer
from tests.servers.faults import Hang, failing, web_page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.servers.faults import Fault


async def ask(server: ModelServer, deadline: float = 10.0) -> list[str]:
    """Ask a server for its models in the way of its vendor."""
    if isinstance(server, OllamaServer):
        return await ollama_models(server.base_url, deadline=deadline)
    ask_vendor = openai_models if isinstance(server, OpenAIServer) else gemini_models
    return await ask_vendor(api_key="k", base_url=server.base_url, deadline=deadline)


def spoil(server: ModelServer, fault: Fault) -> None:
    """Let the list of models meet a fault."""
    faults = server.asides if isinstance(server, OpenAIServer) else server.faults
    faults.append(fault)


@pytest.fixture(params=[OllamaServer, OpenAIServer, GeminiServer])
async def server(request: pytest.FixtureRequest) -> AsyncIterator[ModelServer]:
    async with request.param(models=["b:1", "a:2"]) as server:
        yield server


async def test_models_come_as_they_are_listed(server: ModelServer):
    """The order says something: Ollama's first is the newest."""
    assert await ask(server) == ["b:1", "a:2"]


async def test_gemini_lists_only_what_answers():
    """Embedders are in the same list."""
    async with GeminiServer(models=["gemini-embedding-001", "gemini-x"]) as server:
        assert await ask(server) == ["gemini-x"]


async def test_a_rejected_key_is_the_persons_to_mend(server: ModelServer):
    """The same classes as in a conversation."""
    spoil(server, failing(401, {"error": {"message": "x", "code": 401}}))

    with pytest.raises(ProviderMisconfigured):
        await ask(server)


async def test_a_web_page_is_another_server(server: ModelServer):
    """A wrong port answers with anything."""
    spoil(server, web_page())

    with pytest.raises(ProviderMisconfigured) as caught:
        await ask(server)

    assert caught.value.key.endswith(".base_url")


async def test_an_engine_that_hangs_is_given_up(server: ModelServer):
    """The start of the program waits for this."""
    spoil(server, Hang())

    with pytest.raises(ProviderUnavailable, match="did not list"):
        await ask(server, deadline=0.1)


async def test_nobody_there_is_refused(server: ModelServer):
    """The commonest answer of all: no Ollama on this machine."""
    await server.__aexit__()

    with pytest.raises(ProviderUnavailable) as caught:
        await ask(server)

    assert caught.value.refused
    await server.__aenter__()


def test_no_ollama_on_this_machine_costs_no_import():
    """Every start without one would else pay a third of a second."""
    code = (
        "import asyncio, sys\n"
        "from apx.domain.errors import ProviderUnavailable\n"
        "from apx.providers.discover import ollama_models\n"
        "try: asyncio.run(ollama_models('http://127.0.0.1:9'))\n"
        "except ProviderUnavailable as error: assert error.refused\n"
        "assert 'ollama' not in sys.modules\n"
    )

    subprocess.run([sys.executable, "-c", code], check=True)


def test_importing_the_providers_loads_no_sdk():
    """`apx --help` must not pay for engines that it does not use."""
    code = (
        "import sys, pkgutil, importlib, apx.providers as room\n"
        "mine = {'answer', 'chain', 'choose', 'client', 'discover', 'failure'}\n"
        "mine |= {'gemini', 'ollama', 'openai', 'prompt', 'report', 'retry'}\n"
        "names = {module.name for module in pkgutil.iter_modules(room.__path__)}\n"
        "assert mine <= names, mine - names\n"
        "for name in names: importlib.import_module(f'apx.providers.{name}')\n"
        "heavy = {'openai', 'ollama', 'google.genai', 'httpx', 'httpx2', 'aiohttp'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )

    subprocess.run([sys.executable, "-c", code], check=True)
