"""Every call to a model is counted once, however it ends."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest

from apx.config import Config
from apx.domain.budget import cost, tools_cost
from apx.domain.errors import ProviderError, ProviderUnavailable
from apx.domain.message import Options, TextDelta, Usage
from apx.domain.text import estimate_tokens
from apx.domain.usage import Account, Call, Purpose, spending
from apx.providers.chain import Chain
from apx.providers.metered import Metered
from apx.providers.windows import Measurable
from apx.wiring.models import Models
from tests.servers import OllamaServer, OpenAIServer
from tests.servers.asking import REMEMBER, ask, text_of, user
from tests.servers.bench import bench_of
from tests.servers.faults import Cut, Drop, Hang, failing
from tests.servers.scripted import Clockwork, Scripted, away, refused, wrong

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.servers.bench import Bench

VENDORS = ["ollama", "openai", "gemini"]
ANA = Account(Purpose.CHAT, "ana")
PROMPT = "what did I say of the boat?"
# What the servers report of it, and what we believe of it when they do not.
TOLD = Usage(prompt=11, completion=7, cached=3)
LIKELY = cost([user(PROMPT)]) + tools_cost([REMEMBER])


@pytest.fixture(params=VENDORS)
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    async with bench_of(request.param) as bench:
        yield bench


@pytest.fixture
def calls() -> list[Call]:
    return []


async def asked(model: Any, options: Options | None = None) -> str:
    """Ask a model on Ana's account."""
    with spending(Purpose.CHAT, "ana"):
        return text_of(await ask(model, PROMPT, options=options))


async def test_what_the_provider_told_is_counted_once(bench: Bench, calls: list[Call]):
    """With its cached share, for whom and for what; Ollama does not tell that."""
    model = Metered(bench.model, calls.append)
    told = Usage(11, 7) if bench.model.name.startswith("ollama") else TOLD

    await asked(model)
    await asked(model)

    assert calls == [Call(ANA, bench.model.name, told)] * 2
    assert len(bench.server.requests) == 2


async def test_what_nobody_told_is_estimated(bench: Bench, calls: list[Call]):
    """Rather too much than nothing; and it is marked."""
    bench.server.usage = None

    said = await asked(Metered(bench.model, calls.append))

    likely = Usage(LIKELY, estimate_tokens(said), known=False)
    assert calls == [Call(ANA, bench.model.name, likely)]


async def test_who_leaves_in_the_middle_pays_for_what_was_said(
    bench: Bench, calls: list[Call]
):
    """A reader that closes the stream, as a turn that is stopped does."""
    bench.server.faults.append(Hang(after=2))
    model = Metered(bench.model, calls.append)

    with spending(Purpose.CHAT, "ana"):
        stream = model.stream([user(PROMPT)], [REMEMBER], Options())
    async with aclosing(stream):
        first = await anext(stream)

    assert isinstance(first, TextDelta)
    heard = Usage(LIKELY, estimate_tokens(first.text), known=False)
    assert calls == [Call(ANA, bench.model.name, heard)]


@pytest.mark.parametrize("after", [0, 2])
async def test_a_cancelled_call_is_paid_for(
    bench: Bench, calls: list[Call], after: int
):
    """The model had the prompt, whether or not it had begun to speak."""
    bench.server.faults.append(Hang(after=after))
    task = asyncio.ensure_future(asked(Metered(bench.model, calls.append)))
    await bench.server.until_busy()
    if after:
        await asyncio.sleep(0)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    [one] = calls
    assert one.account == ANA
    assert (one.usage.prompt, one.usage.known) == (LIKELY, False)


@pytest.mark.parametrize("fault", [Cut(after=2), Drop(after=2)])
async def test_an_error_after_some_text_costs_that(
    bench: Bench, calls: list[Call], fault: Any
):
    """Half an answer is paid for, though nobody can use it."""
    bench.server.faults.append(fault)

    with pytest.raises(ProviderError):
        await asked(Metered(bench.model, calls.append))

    [one] = calls
    assert one.usage.prompt == LIKELY
    assert one.usage.completion > 0
    assert not one.usage.known


@pytest.mark.parametrize("status", [400, 401, 429, 503])
async def test_who_refuses_to_begin_is_not_paid(
    bench: Bench, calls: list[Call], status: int
):
    """Else a vendor that is down all day would use up the budget."""
    bench.server.faults.append(failing(status))

    with pytest.raises(ProviderError):
        await asked(Metered(bench.model, calls.append))

    assert calls == [Call(ANA, bench.model.name, Usage())]


async def test_a_call_that_was_too_slow_is_paid_for(bench: Bench, calls: list[Call]):
    """We gave up; the model worked."""
    bench.server.faults.append(Hang())

    with pytest.raises(ProviderUnavailable, match="did not finish"):
        await asked(Metered(bench.model, calls.append), Options(deadline=0.2))

    assert calls == [Call(ANA, bench.model.name, Usage(LIKELY, known=False))]


async def test_each_attempt_is_a_call_and_all_but_the_first_are_retries(
    bench: Bench, calls: list[Call]
):
    """Two failures and an answer: three calls left this process."""
    bench.server.faults += [failing(503), failing(429)]
    clock = Clockwork()
    chain = Chain([Metered(bench.model, calls.append)], sleep=clock.sleep, clock=clock)

    await asked(chain)

    purposes = [one.account.purpose for one in calls]
    assert purposes == [Purpose.CHAT, Purpose.RETRY, Purpose.RETRY]
    assert {one.account.person for one in calls} == {"ana"}
    assert [one.usage.prompt for one in calls] == [0, 0, 11]
    assert len(bench.server.requests) == 3


async def test_another_model_after_a_failure_is_a_retry(calls: list[Call]):
    """And a summary's stays on the background's side of the budget."""
    first = Scripted("a:1", [wrong(), wrong()])
    second = Scripted("b:2", [])
    chain = Chain([Metered(one, calls.append) for one in (first, second)])

    await asked(chain)
    with spending(Purpose.SUMMARY, "ana"):
        await ask(chain, PROMPT)

    assert [(one.model, one.account.purpose) for one in calls] == [
        ("a:1", Purpose.CHAT),
        ("b:2", Purpose.RETRY),
        ("a:1", Purpose.SUMMARY),
        ("b:2", Purpose.BACKGROUND_RETRY),
    ]


async def test_one_that_rests_is_not_asked_and_makes_no_retry(calls: list[Call]):
    """Who is asked first is asked for the first time."""
    clock = Clockwork()
    first, second = Scripted("a:1", [refused()]), Scripted("b:2", [])
    chain = Chain(
        [Metered(one, calls.append) for one in (first, second)],
        sleep=clock.sleep,
        clock=clock,
    )

    await asked(chain)
    await asked(chain)

    assert [(one.model, one.account.purpose) for one in calls] == [
        ("a:1", Purpose.CHAT),
        ("b:2", Purpose.RETRY),
        ("b:2", Purpose.CHAT),
    ]


async def test_the_account_is_that_of_who_asked_not_of_who_reads(calls: list[Call]):
    """A stream runs in its reader's place, and leaves nothing behind there."""
    model = Metered(Scripted("a:1", [away()]), calls.append)
    clock = Clockwork()
    chain = Chain([model], sleep=clock.sleep, clock=clock)
    with spending(Purpose.WORKER, "ana"):
        stream = chain.stream([user(PROMPT)], (), Options())
        # The chain asks when it is read first.
        await anext(stream)
    with spending(Purpose.CHAT, "bob"):
        async for _ in stream:
            pass
        assert calls[-1].account == Account(Purpose.RETRY, "ana")
        await ask(model, PROMPT)

    assert calls[-1].account == Account(Purpose.CHAT, "bob")


async def test_a_metered_model_is_measured_as_before(calls: list[Call]):
    """Its window is known once it was asked, and to ask is no call."""
    async with bench_of("ollama") as bench:
        assert isinstance(bench.server, OllamaServer)
        bench.server.info = {"llama.context_length": 2048}
        model = Metered(bench.model, calls.append)
        assert isinstance(model, Measurable)

        await model.measure()

        assert (model.window, calls) == (2048, [])
    await Metered(Scripted("a:1", []), calls.append).measure()


@asynccontextmanager
async def wired(
    server: OpenAIServer, calls: list[Call], **agent: Any
) -> AsyncIterator[Models]:
    """Open the models of a home in front of a server."""
    engines = {"openai": {"base_url": server.base_url, "api_key": "k"}}
    config = Config.model_validate({"super_agent": agent, "engines": engines})
    async with Models(config, count=calls.append) as models:
        yield models


async def test_a_home_counts_every_model_but_the_offline_one(calls: list[Call]):
    """By name, as the usual one, in a chain, and among those of a role."""
    async with (
        OpenAIServer(models=["tiny", "other"]) as server,
        wired(
            server, calls, model="openai:gone", fallback_models=("openai:tiny",)
        ) as models,
    ):
        server.faults.append(server.error(404, "no such model"))
        await asked(await models.get())
        await asked(await models.get("openai:other"))
        await asked(await models.get("offline"))
        server.faults.append(server.error(401, "no"))
        await asked(await models.among(["openai:tiny", "offline"]))

    assert [(one.model, one.account.purpose) for one in calls] == [
        ("openai:gone", Purpose.CHAT),
        ("openai:tiny", Purpose.RETRY),
        ("openai:other", Purpose.CHAT),
        ("openai:tiny", Purpose.CHAT),
    ]
    assert [one.usage.prompt for one in calls] == [0, 11, 11, 0]
