"""Whatever an embedder does, a turn has its memories in 0.8 s, found by the words."""

from __future__ import annotations

import asyncio
import socket
import statistics
import threading
from collections import deque
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from apx.domain.thread import Thread
from apx.domain.turn import Inbound
from channels.terminal.signs import Arrived, Shown
from tests.servers.embedding import Drip
from tests.servers.faults import Hang
from tests.stories.long_memory import (
    LONG,
    MOST,
    asked,
    fact,
    house,
    recalled,
    said,
    serving,
    settings,
)
from tests.stories.slow_model import slow_model

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager

    from apx.wiring import House
    from tests.servers.embedding import EmbeddingServer
    from tests.stories.long_memory import Timed

    # Begins the trouble, and gives what counts the sockets that it holds.
    Trouble = Callable[
        [EmbeddingServer], AbstractAsyncContextManager[Callable[[], int]]
    ]

pytestmark = pytest.mark.timeout(1_800 if LONG else 60)

TURNS: Final = 200 if LONG else 25
ROWS: Final = 200_000 if LONG else 20_000
FACTS: Final = 2 + TURNS
# A turn that does not wait for a vector.
FAST: Final = 0.25
# How long a call may live behind its turn, and what closing it takes.
BEHIND: Final = 2.0 + 0.5
VECTORS: Final = "recall: vectors"
HOST: Final = "embedder.test"
_LOOK: Final = 0.01


@asynccontextmanager
async def answered_by(fault: Any, server: EmbeddingServer) -> AsyncIterator[Any]:
    """Have the server do this to every request."""
    server.faults = deque([fault] * 10_000)
    yield lambda: server.active


@asynccontextmanager
async def full_backlog(server: EmbeddingServer) -> AsyncIterator[Any]:
    """Have nobody answer at the server's address, not even to refuse."""
    port = int(server.origin.rpartition(":")[2])
    await server.__aexit__()
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(0)
        with socket.create_connection(("127.0.0.1", port)):
            yield partial(half_open, port)


def half_open(port: int) -> int:
    """Count the connections to a port that are being made."""
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    fields = [line.split() for line in lines]
    return sum(one[2].endswith(f":{port:04X}") and one[3] == "02" for one in fields)


TROUBLES: Final[Mapping[str, tuple[str, Trouble]]] = {
    "never answers": ("openai", partial(answered_by, Hang())),
    "sends a byte a second": ("ollama", partial(answered_by, Drip(1.0))),
    "breaks off in its answer": ("gemini", partial(answered_by, Hang(1))),
    "takes no connection": ("openai", full_backlog),
}


async def test_a_hung_embedder_costs_a_turn_nothing_but_its_vector(tmp_path: Path):
    """On time at the caller, found by words, the late leg named; then it rests."""
    async with asyncio.TaskGroup() as group:
        for name in TROUBLES:
            group.create_task(_endured(tmp_path / name, name))


async def _endured(home: Path, name: str) -> None:
    kind, trouble = TROUBLES[name]
    try:
        async with filled(home, kind) as (found, server), trouble(server) as left:
            await endure(found)
            assert await gone(left) == 0
    except BaseException as error:
        error.add_note(f"an embedder that {name}")
        raise


@asynccontextmanager
async def filled(
    home: Path, kind: str, **config: Any
) -> AsyncIterator[tuple[House, EmbeddingServer]]:
    """Open a home whose messages all have their vectors."""
    await said(home, [fact(number) for number in range(FACTS)])
    async with serving(kind) as servers:
        told = settings(servers, provider=kind) | config
        async with house(home, told) as found:
            await found.memory.recall.keep_up()
            assert "vector" in (await recalled(found, asked(1))).why(1)
            yield found, servers[kind]


async def endure(found: House) -> None:
    """Take turn after turn with an embedder that does not answer."""
    turns = [await recalled(found, asked(number)) for number in range(2, FACTS)]

    check_time(turns)
    assert all(turn.has(number) for number, turn in enumerate(turns, start=2))
    # Until three calls were given up, each turn waits for its own; all say so.
    assert {turn.recall.missed for turn in turns} == {(VECTORS,)}
    check_time(turns[8:], FAST)
    assert "did not embed" in found.status.problems()["questions"]


def check_time(turns: Sequence[Timed], most: float = MOST) -> None:
    """Hold turns to their time, but for what the machine took from us."""
    worst = max(turns, key=lambda turn: turn.ours)
    assert worst.ours <= most, worst


async def gone(left: Callable[[], int]) -> int:
    """Wait as long as a call may live behind its turn; give what is left then."""
    loop = asyncio.get_running_loop()
    end = loop.time() + BEHIND
    while (many := left()) and loop.time() < end:  # noqa: ASYNC110 -- sockets have no event
        await asyncio.sleep(_LOOK)
    return many


async def test_a_hung_resolver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A thread that asks for an address cannot be stopped; few such are begun."""
    hangs, ended = threading.Event(), threading.Event()
    asking: list[str] = []
    real = socket.getaddrinfo

    def resolve(host: Any, *args: Any, **options: Any) -> Any:
        if host not in {HOST, HOST.encode()}:
            return real(host, *args, **options)
        if hangs.is_set():
            asking.append(HOST)
            ended.wait(60)
        return real("127.0.0.1", *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    await said(tmp_path, [fact(number) for number in range(FACTS)])
    async with serving("openai") as servers:
        told = settings(servers, provider="openai")
        address = servers["openai"].base_url.replace("127.0.0.1", HOST)
        told["engines"]["openai"]["base_url"] = address
        async with house(tmp_path, told) as found:
            await found.memory.recall.keep_up()
            hangs.set()
            await servers["openai"].__aexit__()
            try:
                await endure(found)
                assert 3 <= len(asking) <= 4
                # Of the threads that everything shares some are left.
                assert await asyncio.wait_for(asyncio.to_thread(int, "1"), 1) == 1
            finally:
                ended.set()


async def test_a_model_that_blocks_its_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The local model has a thread of its own; the loop goes on."""
    await said(tmp_path, [fact(number) for number in range(FACTS)])
    with slow_model(tmp_path / "packages", monkeypatch) as model:
        async with house(tmp_path, settings(provider="local")) as found:
            await found.memory.recall.keep_up()
            model.free.clear()
            model.asked = 0
            await endure(found)
            assert model.asked == 1
            model.free.set()


async def test_an_embedder_that_hangs_at_the_start(tmp_path: Path):
    """The house opens all the same; only the first questions wait for it a little."""
    await said(tmp_path, [fact(number) for number in range(FACTS)])
    async with serving("openai") as servers:
        told = settings(servers, provider="openai")
        async with house(tmp_path, told) as found:
            await found.memory.recall.keep_up()
        servers["openai"].faults = deque([Hang()] * 10)
        began = asyncio.get_running_loop().time()
        async with house(tmp_path, told) as found:
            seconds = asyncio.get_running_loop().time() - began
            turns = [await recalled(found, asked(number)) for number in range(2, 12)]

    assert seconds < MOST
    check_time(turns)
    check_time(turns[4:], FAST)
    assert all(turn.has(number) for number, turn in enumerate(turns, start=2))


async def test_an_embedder_that_was_down_at_the_start_is_asked_later(tmp_path: Path):
    """The background finds it again, and questions have vectors from then on."""
    await said(tmp_path, [fact(number) for number in range(FACTS)])
    async with serving("openai") as servers:
        told = settings(servers, provider="openai")
        async with house(tmp_path, told) as found:
            await found.memory.recall.keep_up()
        server = servers["openai"]
        server.faults.append(server.error(503, "starting"))
        async with house(tmp_path, told) as found:
            early = await recalled(found, asked(2))
            await found.memory.recall.keep_up()
            late = await recalled(found, asked(2))

    assert early.has(2)
    assert "vector" not in early.why(2)
    assert "vector" in late.why(2)


async def test_a_late_vector_is_there_for_the_next_turn(tmp_path: Path):
    """An answer after a second is late for this turn, and is asked for once."""
    numbers = range(2, 102 if LONG else 5)
    async with filled(tmp_path, "openai") as (found, server):
        server.delay, server.embeds = 1.0, 0
        turns: list[tuple[Timed, Timed]] = []
        for number in numbers:
            late = await recalled(found, asked(number))
            await server.until_idle()
            await asyncio.sleep(_LOOK)
            turns.append((late, await recalled(found, asked(number))))

    check_time([late for late, _ in turns])
    check_time([later for _, later in turns], FAST)
    assert {late.recall.missed for late, _ in turns} == {(VECTORS,)}
    assert {later.recall.missed for _, later in turns} == {()}
    assert server.embeds == len(numbers)
    for number, (late, later) in zip(numbers, turns, strict=True):
        assert "vector" not in late.why(number)
        assert "vector" in later.why(number)


async def test_a_large_store_is_in_time_from_the_first_moment(tmp_path: Path):
    """While it is loaded too: then the words are looked up in the database."""
    await said(tmp_path, [fact(number) for number in range(ROWS)])
    told = settings(provider="tf")
    async with house(tmp_path, told) as found:
        await found.memory.recall.keep_up()
    turns = []
    async with house(tmp_path, told) as found:
        for number in range(0, ROWS, ROWS // TURNS):
            turns.append(await recalled(found, asked(number)))
            assert turns[-1].has(number), number
        assert turns[-1].recall.missed == ()

    check_time(turns)
    check_time(turns[-TURNS // 2 :], FAST)


async def test_a_hung_recall_delays_no_other_chat(tmp_path: Path):
    """The other chat's answer begins as soon as it always does."""
    model = {"super_agent": {"model": "openai:tiny"}}
    async with (
        filled(tmp_path, "openai", **model) as (found, server),
        found.gateway.open(lambda: 0.0),
    ):
        alone, beside = [], []
        for number in range(2, 5):
            alone.append(await first_byte(found, "alone", number))
            server.faults.append(Hang())
            await found.gateway.hear(message(found, "hung", number))
            await server.until_busy()
            beside.append(await first_byte(found, "beside", number))
            assert server.active

    assert statistics.median(beside) - statistics.median(alone) <= 0.05


async def first_byte(found: House, thread: str, number: int) -> float:
    """Say something in a chat; give the seconds until its answer begins."""
    heard = message(found, thread, number)
    loop = asyncio.get_running_loop()
    with found.terminal.attached(heard.thread) as screen:
        began = loop.time()
        await found.gateway.hear(heard)
        while not isinstance(await screen.signs.get(), Shown):
            pass
        seconds = loop.time() - began
        while not isinstance(sign := await screen.signs.get(), Arrived):
            pass
        screen.has_shown(sign.part)
        await found.gateway.settled(heard.thread, heard.key)
    return seconds


def message(found: House, thread: str, number: int) -> Inbound:
    """Ask for a fact in a chat."""
    text = f"{asked(number)} I ask in {thread}"
    heard_at = found.memory.clock()
    return Inbound(Thread("terminal", thread), text, heard_at, f"{thread}{number}")
