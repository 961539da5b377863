"""How every remote Embedder fails, asked of each over a real connection."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from apx.domain.errors import (
    ProviderError,
    ProviderMisconfigured,
    ProviderUnavailable,
    TextsRefused,
)
from tests.servers.embedders import (
    REMOTE,
    SECRET,
    SERVERS,
    EmbedderBench,
    embedder_bench,
    opened,
)
from tests.servers.embedding import Drip
from tests.servers.faults import Answer, Drop, Hang, Raw, failing, web_page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.servers.embedding import Embedding
    from tests.servers.faults import Fault

PRIVATE = "my sister is called Ada"
SILENT = [Hang(0), Hang(1), Drip(0.02)]


def told(fault: object) -> str:
    return repr(fault)[:22]


@pytest.fixture(params=REMOTE)
async def bench(request: pytest.FixtureRequest) -> AsyncIterator[EmbedderBench]:
    async with embedder_bench(request.param) as bench:
        yield bench


@pytest.mark.parametrize("fault", SILENT, ids=told)
@pytest.mark.parametrize("kind", REMOTE)
async def test_the_deadline_covers_the_whole_call(kind: str, fault: Fault):
    """Neither silence nor a slow drip holds an index for ever, nor its socket."""
    async with embedder_bench(kind, seconds=0.2) as bench:
        bench.server.faults.append(fault)

        with pytest.raises(ProviderUnavailable, match="did not embed within"):
            await bench.embedder.documents(["a", "b"])

        await bench.server.until_idle()


@pytest.mark.parametrize("fault", SILENT, ids=told)
async def test_a_cancelled_query_closes_its_connection(
    bench: EmbedderBench, fault: Fault
):
    """The turn goes on without it at its deadline; nothing may pile up behind."""
    bench.server.faults.append(fault)
    task = asyncio.ensure_future(bench.embedder.query("where?"))
    await bench.server.until_busy()

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    await bench.server.until_idle()
    assert (await bench.embedder.query("where?")).any()


@pytest.mark.parametrize(
    "fault",
    [
        web_page(),
        Raw((b"{}",)),
        Raw((b"[1]",)),
        Raw((b'{"embeddings": "no", "data": "no"}',)),
        Raw((b'{"embeddings": [["x"]], "data": [{"index": 0, "embedding": ["x"]}]}',)),
        Raw((b'{"embeddings": [[1,2],[1]], "data": [{"embedding": "%%"}]}',)),
        Raw((b"\x00\xff",)),
        Drop(0),
        Drop(1),
        failing(500),
        failing(503),
    ],
    ids=told,
)
async def test_junk_is_one_of_our_errors(bench: EmbedderBench, fault: Fault):
    """Whatever the SDK makes of it, no foreign error comes through."""
    bench.server.faults.append(fault)

    with pytest.raises(ProviderError):
        await bench.embedder.documents(["a"])

    assert (await bench.embedder.documents(["a"])).shape == (1, 64)


def without_one(_asked: Embedding, rows: list[list[float]]) -> list[list[float]]:
    return rows[1:]


def shortened(_asked: Embedding, rows: list[list[float]]) -> list[list[float]]:
    return [row[:48] for row in rows]


def with_nan(_asked: Embedding, rows: list[list[float]]) -> list[list[float]]:
    return [*rows[:-1], [float("nan"), *rows[-1][1:]]]


def with_zero(_asked: Embedding, rows: list[list[float]]) -> list[list[float]]:
    return [*rows[:-1], [0.0] * len(rows[-1])]


async def test_a_wrong_count_may_be_cured_by_fewer_texts(bench: EmbedderBench):
    """Some servers answer only one of several; with one text it is a plain fault."""
    bench.server.spoil = without_one

    with pytest.raises(TextsRefused):
        await bench.embedder.documents(["a", "b"])
    with pytest.raises(ProviderUnavailable):
        await bench.embedder.documents(["a"])


async def test_other_dimensions_mean_another_model(bench: EmbedderBench):
    """Such vectors would be compared with those of the old one."""
    bench.server.spoil = shortened

    with pytest.raises(ProviderMisconfigured, match="48 numbers") as caught:
        await bench.embedder.documents(["a", "b"])

    assert caught.value.key == f"memory.embeddings.{bench.kind}.model"


@pytest.mark.parametrize("spoil", [with_nan, with_zero])
async def test_a_vector_of_nothing_is_refused(bench: EmbedderBench, spoil):
    """Divided by its length it would poison every comparison."""
    bench.server.spoil = spoil

    with pytest.raises(TextsRefused):
        await bench.embedder.documents(["a", "b"])


@pytest.mark.parametrize(
    "refusal",
    [
        failing(400, {"error": {"message": "batch size 65 > maximum 10", "code": 400}}),
        failing(400, {"error": "批次大小超出限制\uff0c不应大于10"}),
        failing(422, {"detail": "too large"}),
        Answer(413),
        Answer(400),
    ],
    ids=told,
)
async def test_too_much_is_refused_in_any_language(
    bench: EmbedderBench, refusal: Answer
):
    """The status tells; the words are Chinese as often as English, or missing."""
    bench.server.most_items = 10
    bench.server.refusal = refusal

    with pytest.raises(TextsRefused):
        await bench.embedder.documents(["a"] * 11)


async def test_too_many_requests_say_how_long_to_wait(bench: EmbedderBench):
    """The queue waits as long, and no longer."""
    bench.server.faults.append(bench.server.error(429, "slow down", retry_after="7"))

    with pytest.raises(ProviderUnavailable) as caught:
        await bench.embedder.documents(["a"])

    assert caught.value.retry_after == 7


@pytest.mark.parametrize(("status", "text"), [(401, "bad key"), (403, "no")])
async def test_a_rejected_key_names_the_key_to_fix(
    bench: EmbedderBench, status: int, text: str
):
    """No other text and no other size would help."""
    bench.server.faults.append(bench.server.error(status, text))

    with pytest.raises(ProviderMisconfigured) as caught:
        await bench.embedder.documents(["a", "b"])

    assert caught.value.key.startswith(f"engines.{bench.kind}.")


async def test_a_quota_that_is_used_up_lasts(bench: EmbedderBench):
    """It says 429 and is not a matter of seconds."""
    error: dict[str, object] = {"message": "You exceeded", "code": "insufficient_quota"}
    if bench.kind == "gemini":
        spent = {"quotaId": "EmbedContentRequestsPerDayPerProjectPerModel-FreeTier"}
        error = {"code": 429, "details": [{"violations": [spent]}]}
    bench.server.faults.append(failing(429, {"error": error}))

    with pytest.raises(ProviderMisconfigured, match=r"no credit|quota of today"):
        await bench.embedder.documents(["a"])


@pytest.mark.parametrize("kind", REMOTE)
async def test_a_missing_model_is_known_at_once(kind: str):
    """The commonest slip; for Ollama the cure is a command."""
    async with SERVERS[kind]() as server:
        with pytest.raises(ProviderMisconfigured) as caught:
            await opened(kind, server, model="nomic-embed-text")

    assert caught.value.key == f"memory.embeddings.{kind}.model"
    pull = "`ollama pull nomic-embed-text`" in str(caught.value)
    assert pull == (kind == "ollama")


@pytest.mark.parametrize("kind", REMOTE)
async def test_a_server_that_refuses_one_word_has_no_embedder(kind: str):
    """A wrong model is often just a bad request; batches would halve for ever."""
    async with SERVERS[kind]() as server:
        server.most_items = 0
        with pytest.raises(ProviderMisconfigured) as caught:
            await opened(kind, server)

    assert caught.value.key == f"memory.embeddings.{kind}.model"


@pytest.mark.parametrize("kind", REMOTE)
async def test_a_web_page_names_the_address_to_fix(kind: str):
    """A wrong port or a hotspot answers 200 with HTML."""
    async with SERVERS[kind]() as server:
        server.faults.append(web_page())
        with pytest.raises(ProviderMisconfigured) as caught:
            await opened(kind, server)

    assert caught.value.key == f"engines.{kind}.base_url"


async def test_nobody_at_the_address_is_refused(bench: EmbedderBench):
    """Asking again at once is pointless then."""
    await bench.server.__aexit__()

    with pytest.raises(ProviderUnavailable) as caught:
        await bench.embedder.query("a")

    assert caught.value.refused
    await bench.server.__aenter__()


async def test_no_error_repeats_the_text_or_the_key(bench: EmbedderBench):
    """Vendors quote both in their errors; ours go to logs."""
    for status in (400, 401, 403, 404, 413, 422, 429, 500):
        error = bench.server.error(status, f"{PRIVATE} {SECRET}", retry_after="9")
        bench.server.faults.append(error)
        with pytest.raises(ProviderError) as caught:
            await bench.embedder.documents([PRIVATE])
        assert PRIVATE not in str(caught.value)
        assert SECRET not in str(caught.value)
