"""How every ChatModel fails, asked of each over a real connection."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from apx.domain.errors import (
    ContextOverflow,
    ProviderError,
    ProviderMisconfigured,
    ProviderUnavailable,
)
from apx.domain.message import Options, TextDelta
from tests.servers import OllamaServer, saying
from tests.servers.asking import ask, user
from tests.servers.bench import KINDS, SECRET, Bench, bench_of
from tests.servers.faults import Cut, Drop, Hang, failing, web_page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.servers.faults import Fault

PRIVATE = "my sister is called Ada"


@pytest.fixture(params=KINDS)
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[Bench]:
    async with bench_of(request.param) as bench:
        yield bench


async def test_an_answer_without_a_word_is_an_error(bench: Bench):
    """An empty message is never sent to a person."""
    bench.server.brain = saying("")
    bench.server.faults.clear()

    with pytest.raises(ProviderUnavailable, match="empty answer"):
        await ask(bench.model)


async def test_too_many_requests_say_how_long_to_wait(bench: Bench):
    """The chain decides by it whether to wait or to ask another."""
    bench.spoil(bench.error(429, "slow down", retry_after="70"))

    with pytest.raises(ProviderUnavailable) as caught:
        await ask(bench.model)

    assert caught.value.retry_after == 70


@pytest.mark.parametrize(
    "fault",
    [failing(500), failing(503), Drop(0), Drop(1), Cut(0), Cut(1)],
    ids=lambda fault: repr(fault)[:22],
)
async def test_what_may_pass_is_unavailable(bench: Bench, fault: Fault):
    """A server in trouble, and an answer that was cut off however politely."""
    bench.spoil(fault)

    with pytest.raises(ProviderUnavailable) as caught:
        await ask(bench.model)

    assert not caught.value.refused


async def test_a_rejected_key_names_the_key_to_fix(bench: Bench):
    """`apx doctor` can point at it."""
    bench.server.faults.append(bench.error(401, f"bad key {SECRET}"))

    with pytest.raises(ProviderMisconfigured) as caught:
        await ask(bench.model)

    assert caught.value.key == bench.auth_key


async def test_a_missing_model_names_the_model_to_change(bench: Bench):
    """The commonest slip of all; for Ollama the cure is a command."""
    bench.server.faults.append(bench.error(404, "model 'tiny' not found"))

    with pytest.raises(ProviderMisconfigured) as caught:
        await ask(bench.model)

    assert caught.value.key == "super_agent.model"
    pull = "`ollama pull tiny`" in str(caught.value)
    assert pull == isinstance(bench.server, OllamaServer)


async def test_a_web_page_names_the_address_to_fix(bench: Bench):
    """A wrong port or a hotspot answers 200 with HTML."""
    bench.server.faults.append(web_page())

    with pytest.raises(ProviderMisconfigured) as caught:
        await ask(bench.model)

    assert caught.value.key.endswith(".base_url")


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("the request exceeds the available context size, try increasing it", 0),
        ("This model's maximum context length is 8192 tokens. However, you ...", 8192),
        ("prompt is too long: 200001 tokens > 200000 maximum", 200_000),
        ("prompt too long; exceeded max context length by 1700 tokens", 0),
        ("The input token count (1200000) exceeds the maximum number of tokens", 0),
    ],
)
async def test_a_full_window_is_an_overflow(bench: Bench, text: str, window: int):
    """The caller condenses and asks again, to the size that the server names."""
    bench.server.faults.append(bench.error(400, text))

    with pytest.raises(ContextOverflow) as caught:
        await ask(bench.model)

    assert caught.value.window == window
    assert len(bench.server.requests) == 1


async def test_no_error_repeats_the_prompt_or_the_key(bench: Bench):
    """Vendors quote both in their errors; ours go to logs and to chats."""
    for status in (400, 401, 403, 404, 413, 422, 429, 500):
        bench.server.faults.clear()
        bench.spoil(bench.error(status, f"{PRIVATE} {SECRET}", retry_after="99"))
        with pytest.raises(ProviderError) as caught:
            await ask(bench.model, PRIVATE)
        assert PRIVATE not in str(caught.value)
        assert SECRET not in str(caught.value)


async def test_nobody_at_the_address_is_refused(bench: Bench):
    """Asking again at once is pointless then, and the chain knows."""
    await bench.server.__aexit__()

    with pytest.raises(ProviderUnavailable) as caught:
        await ask(bench.model)

    assert caught.value.refused
    assert "127.0.0.1:" in str(caught.value)
    await bench.server.__aenter__()


@pytest.mark.parametrize("after", [0, 1])
async def test_the_deadline_covers_the_whole_call(bench: Bench, after: int):
    """Neither a server without headers nor a slow drip can hold a turn for ever."""
    await ask(bench.model)  # the SDK is loaded then
    bench.server.faults.extend([Hang(after)] * 9)

    with pytest.raises(ProviderUnavailable, match="did not finish"):
        await ask(bench.model, options=Options(deadline=0.2))

    await bench.server.until_idle()
    assert len(bench.server.requests) <= 2


async def test_a_stream_that_is_left_closes_its_connection(bench: Bench):
    """`/stop` ends the work on the other side too: tokens cost money and heat."""
    bench.server.faults.append(Hang(1))
    stream = bench.model.stream([user("hello")], [], Options(deadline=30))
    async for delta in stream:
        if isinstance(delta, TextDelta):
            break

    await stream.aclose()

    await bench.server.until_idle()


async def test_a_cancelled_call_closes_its_connection(bench: Bench):
    """The same, when the turn is cancelled while it waits for headers."""
    bench.server.faults.append(Hang())
    task = asyncio.ensure_future(ask(bench.model))
    await bench.server.until_busy()

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    await bench.server.until_idle()
