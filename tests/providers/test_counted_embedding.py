"""Every call to an embedder that leaves the process is counted once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from apx.config import Config
from apx.domain.errors import ProviderError, ProviderUnavailable
from apx.domain.message import Usage
from apx.domain.text import estimate_tokens
from apx.domain.usage import Account, Purpose, spending
from apx.providers.client import LazyClient
from apx.providers.embedding import RemoteEmbedder
from apx.providers.failure import Asked
from apx.providers.preparation import preparation_of
from apx.wiring.embedders import Embedders
from tests.servers.embedders import REMOTE, embedder_bench, opened
from tests.servers.faults import Hang, failing

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from apx.domain.usage import Call
    from tests.servers.embedders import EmbedderBench

TEXTS = ["a boat", "a bicycle"]
BEHIND = Account(Purpose.EMBEDDING)


@pytest.fixture(params=REMOTE)
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[EmbedderBench]:
    async with embedder_bench(request.param) as bench:
        yield bench


@pytest.fixture
def calls(bench: EmbedderBench) -> list[Call]:
    """Begin to count once the embedder is open; give what comes then."""
    counted: list[Call] = []
    bench.embedder.counted(counted.append)
    counted.clear()
    return counted


async def test_documents_and_questions_are_told_apart(
    bench: EmbedderBench, calls: list[Call]
):
    """What is embedded behind has a bound of its own; a person waits for a question."""
    await bench.embedder.documents(TEXTS)
    with spending(Purpose.CHAT, "ana"):
        await bench.embedder.query("the boat?")
    with spending(Purpose.EMBEDDING, ""):
        await bench.embedder.query("calibration")

    assert [one.account for one in calls] == [
        BEHIND,
        Account(Purpose.QUESTION, "ana"),
        BEHIND,
    ]
    assert {one.model for one in calls} == {f"{bench.kind}:tiny"}
    assert all(one.usage.prompt > 0 for one in calls)
    assert len(calls) == bench.server.embeds


async def test_nothing_to_embed_is_no_call(bench: EmbedderBench, calls: list[Call]):
    """Nobody is asked."""
    await bench.embedder.documents([])

    assert calls == []


async def test_who_refuses_is_not_paid(bench: EmbedderBench, calls: list[Call]):
    """A failure gave no vectors."""
    bench.server.faults.append(failing(503))

    with pytest.raises(ProviderError):
        await bench.embedder.documents(TEXTS)

    assert [(one.account, one.usage) for one in calls] == [(BEHIND, Usage())]


async def test_a_call_that_is_given_up_is_paid_for(
    bench: EmbedderBench, calls: list[Call]
):
    """The server had the texts."""
    bench.server.faults.append(Hang())
    task = asyncio.ensure_future(bench.embedder.documents(TEXTS))
    await bench.server.until_busy()

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    [one] = calls
    assert not one.usage.known
    assert one.usage.prompt >= sum(map(estimate_tokens, TEXTS))


@pytest.mark.parametrize("kind", REMOTE)
async def test_what_was_asked_to_open_it_is_counted_too(kind: str):
    """It is a word; but it left this process."""
    async with embedder_bench(kind) as bench:
        counted: list[Call] = []
        another = await opened(kind, bench.server)
        another.counted(counted.append)
        await another.aclose()

    assert len(counted) == bench.server.embeds == 1


class Telling(RemoteEmbedder):
    """An embedder that says what each call cost, and answers out of order."""

    def __init__(self) -> None:
        client: LazyClient[Any] = LazyClient("json", lambda: None, _nothing)
        super().__init__(Asked("openai", "x"), preparation_of("x"), client, seconds=1)
        self._dims = 1
        self.gates: dict[str, asyncio.Event] = {}

    async def _ask(self, texts: list[str], *, query: bool) -> Any:
        del query
        if texts[0] == "broken":
            raise ProviderUnavailable("no", provider="x")
        await self.gates.setdefault(texts[0], asyncio.Event()).wait()
        self._costs(int(texts[0]) if texts[0].isdigit() else None)
        return [[1.0]]


async def _nothing(_client: Any) -> None:
    pass


async def test_what_the_provider_tells_goes_to_its_own_call():
    """Calls that are under way together do not take each other's numbers."""
    embedder, counted = Telling(), list[Any]()
    embedder.counted(counted.append)
    tasks = [
        asyncio.ensure_future(embedder.documents([text]))
        for text in ("700", "x", "300")
    ]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    while len(embedder.gates) < 3:  # noqa: ASYNC110 -- the tasks tell nobody
        await asyncio.sleep(0)
    for text in ("300", "x", "700"):
        embedder.gates[text].set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    with pytest.raises(ProviderUnavailable):
        await embedder.documents(["broken"])

    told = sorted((one.usage.prompt, one.usage.known) for one in counted)
    assert told == [(0, True), (1, False), (300, True), (700, True)]


async def test_a_home_counts_who_asks_a_server_and_not_who_does_not():
    """Hashing costs nothing, and a model inside apx neither."""
    counted: list[Call] = []
    async with embedder_bench("openai") as bench:
        engines = {"openai": {"base_url": bench.server.base_url, "api_key": "k"}}
        model = {"openai": {"model": "tiny"}}
        config = Config.model_validate(
            {"engines": engines, "memory": {"embeddings": model}}
        )
        embedders = Embedders(config, loads_models=False, count=counted.append)
        for provider in ("tf", "openai"):
            embedder = await embedders.named(provider)
            assert embedder is not None
            await embedder.documents(TEXTS)
        await embedders.aclose()

    assert [one.model for one in counted] == ["openai:tiny"] * 2
