"""When the models of a home are asked for their windows."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from apx.config import Config
from apx.wiring.models import Models
from tests.providers.test_measuring import model_of, tell
from tests.servers import GeminiServer, OllamaServer, OpenAIServer
from tests.servers.asking import ask
from tests.servers.faults import Hang
from tests.servers.scripted import Scripted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.providers.test_measuring import Server


@pytest.fixture(params=[OllamaServer, OpenAIServer, GeminiServer])
async def server(request: pytest.FixtureRequest) -> AsyncIterator[Server]:
    async with request.param() as server:
        yield server


def configured(server: Server, *others: Server) -> Config:
    """Give the config of a home in front of servers, the first one's model first."""
    engines = {}
    for one in (server, *others):
        key = {} if isinstance(one, OllamaServer) else {"api_key": "k"}
        engines[engine(one)] = {"base_url": one.base_url, **key}
    agent: dict[str, Any] = {
        "model": f"{engine(server)}:tiny",
        "fallback_models": tuple(f"{engine(other)}:tiny" for other in others),
    }
    return Config.model_validate({"super_agent": agent, "engines": engines})


def engine(server: Server) -> str:
    """Name the engine of a server."""
    return type(server).__name__.removesuffix("Server").lower()


async def settled(models: Models) -> None:
    """Wait until nothing is being measured."""
    while models._measuring:
        await asyncio.gather(*models._measuring)


@pytest.mark.parametrize("is_named", [False, True])
async def test_a_model_that_is_handed_out_is_measured(server: Server, is_named: bool):
    """In the background: whoever gets it waits for nothing."""
    tell(server, 4096)
    async with Models(configured(server)) as models:
        model = await models.get(f"{engine(server)}:tiny" if is_named else "")
        assumed = model.window
        await settled(models)

        assert (assumed, model.window) == (model_of(server).window, 4096)


async def test_to_name_a_model_is_not_to_ask_it(server: Server):
    """`apx status` contacts nobody."""
    async with Models(configured(server)) as models:
        await models.name()
        await settled(models)

    assert server.asked == []


@pytest.mark.parametrize("behind", [OpenAIServer, GeminiServer])
async def test_those_behind_are_measured_for_the_second_turn(behind: type[Server]):
    """One that is never needed would cost the first turn the import of its SDK."""
    async with OllamaServer() as first, behind() as second:
        tell(first, 6000)
        tell(second, 4096)
        async with Models(configured(first, second)) as models:
            model = await models.get()
            await settled(models)
            early, asked = model.window, list(second.asked)
            await models.get()
            await settled(models)

            assert (early, asked) == (6000, [])
            assert model.window == 4096


async def test_leaving_waits_for_no_answer(server: Server):
    """A short command is over when its own answer is there."""
    server.asides.append(Hang())
    async with Models(configured(server)) as models:
        await ask(await models.get(), "x")  # the SDK is loaded then
        while not server.asked:  # noqa: ASYNC110 -- the server tells nobody
            await asyncio.sleep(0)
        [measuring] = models._measuring

    assert measuring.cancelled()


async def test_a_measure_that_breaks_ends_nothing(server: Server):
    """What nobody foresaw in an SDK must not end a daemon."""
    async with Models(configured(server)) as models:
        models._measure(Broken("a:1", []))
        await asyncio.sleep(0)
        model = await models.get()

        assert await ask(model, "x")


class Broken(Scripted):
    """A model whose measure fails in a way of its own."""

    async def measure(self) -> None:
        raise ZeroDivisionError
