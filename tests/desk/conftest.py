"""A home whose owner is in this process, in front of a model that can be held up."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from apx.config import Config
from apx.desk import lock
from apx.desk.client import RemoteDesk
from apx.desk.server import listening
from apx.domain.thread import Thread
from apx.wiring import opened
from tests.servers import OpenAIServer

MAIN = Thread("terminal", "main")


class Gate:
    """A brain that answers, but a slow question only once it may."""

    def __init__(self):
        self.opened = asyncio.Event()

    async def __call__(self, request):
        if request.last.text.startswith("slow"):
            await self.opened.wait()
        yield f"answer to {request.last.text}"


@pytest.fixture
def gate():
    return Gate()


@pytest.fixture
async def server(gate):
    async with OpenAIServer(gate) as server:
        yield server


@pytest.fixture
def config(server):
    engine = {"base_url": server.base_url, "api_key": "sk-nobodys"}
    return Config.model_validate(
        {"super_agent": {"model": "openai:tiny"}, "engines": {"openai": engine}}
    )


@asynccontextmanager
async def owner(home, config, drain=10.0):
    """Own a home for the length of the block; gives its house."""
    with lock.held(home, "test") as mine:
        assert mine
        async with (
            opened(config, home, "test") as house,
            listening(home, house),
            house.gateway.open(lambda: drain),
        ):
            yield house


@pytest.fixture
async def house(tmp_path, config):
    async with owner(tmp_path, config) as house:
        yield house


@pytest.fixture
def desk(tmp_path, house):
    """Reach the owner as another process does."""
    del house
    return RemoteDesk(tmp_path)
