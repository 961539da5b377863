"""Changing the embedder is a non-event: nothing is mixed, refused, or slower."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from apx.domain.text import estimate_tokens
from apx.domain.turn import Inbound, TurnState
from apx.memory.reindexing import Wish
from tests.stories import long_memory
from tests.stories.long_memory import (
    MAIN,
    asked,
    fact,
    house,
    recalled,
    said,
    serving,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from apx.wiring import House
    from tests.servers.embedding import Embedding, EmbeddingServer
    from tests.stories.long_memory import Provider, Timed

KINDS: Final = ("ollama", "openai", "gemini")
MANY: Final = 400
# Of a process that is not one of those that may load a local model.
WHAT: Final = "a test"
# For what is not about being in time: a busy machine is late with a vector, too.
UNHURRIED: Final = 10_000
# No wait for a vector is in it.
SOON: Final = 0.3
_VECTOR: Final = re.compile(r"vector (-?[\d.]+)")


def settings(
    servers: Mapping[str, Provider] | None = None, **embeddings: Any
) -> dict[str, Any]:
    """Give a config.json in which nothing is late."""
    told = long_memory.settings(servers, **embeddings)
    told["memory"]["broker_budget_ms"] = UNHURRIED
    return told


@dataclass
class Language:
    """What a server is asked; its vectors are those of the others, but turned."""

    turn: int
    questions: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)

    def spoil(self, request: Embedding, rows: Any) -> Any:
        """Take note of a request, and turn the answer."""
        if len(request.texts) > 1:
            self.documents += request.texts
        else:
            self.questions += [text for text in request.texts if text[:3] == "who"]
        return [[*row[self.turn :], *row[: self.turn]] for row in rows]


@asynccontextmanager
async def speaking() -> AsyncIterator[
    tuple[dict[str, EmbeddingServer], dict[str, Language]]
]:
    """Start three providers whose vectors are alike in nothing but their length."""
    async with serving(*KINDS) as servers:
        languages = {kind: Language(20 * n) for n, kind in enumerate(KINDS)}
        for kind, server in servers.items():
            server.spoil = languages[kind].spoil
        yield servers, languages


class Talk:
    """A person who goes on talking; each message is a turn, and one asks memory."""

    def __init__(self, languages: dict[str, Language]) -> None:
        self.languages = languages
        self.said = MANY
        self.turns: list[Timed] = []
        self.first: dict[int, float] = {}

    async def until_done(self, found: House, work: asyncio.Future[Any]) -> None:
        """Talk until some work is done, and a little longer."""
        more = 3
        while not work.done() or (more := more - 1):
            await self.say(found)
            await self.ask(found, (7 * self.said) % MANY)
        await work

    async def say(self, found: House) -> None:
        """Say something new, and see that it was answered."""
        text = f"note this: {fact(self.said)}"
        heard = Inbound(MAIN, text, found.memory.clock(), str(self.said))
        self.said += 1
        await found.gateway.hear(heard)
        turn = await found.gateway.settled(MAIN, heard.key)
        assert turn is not None
        assert turn.state is TurnState.COMPLETED

    async def ask(self, found: House, number: int) -> None:
        """Ask for a fact; only who serves now may be asked to embed that."""
        before = await serving_now(found)
        for language in self.languages.values():
            language.questions.clear()
        turn = await recalled(found, asked(number))
        after = await serving_now(found)

        assert turn.recall.missed == ()
        assert turn.has(number)
        who = {kind for kind, one in self.languages.items() if one.questions}
        assert who <= {before, after}
        self.turns.append(turn)
        # Vectors of two languages have nothing in common.
        if vector := _VECTOR.search(turn.why(number)):
            assert float(vector[1]) > 1.5, turn.why(number)


async def serving_now(found: House) -> str:
    """Name the provider whose space serves, or nobody."""
    spaces = await found.memory.recall.spaces.progress()
    return next((s.identity.partition(":")[0] for s in spaces if s.is_serving), "")


async def test_a_switch_back_and_forth_by_config(tmp_path: Path):
    """House after house with another provider, while a person goes on talking."""
    await said(tmp_path, [fact(number) for number in range(MANY)])
    async with speaking() as (servers, languages):
        talk = Talk(languages)
        async with house(tmp_path, settings(servers, provider="ollama"), WHAT) as found:
            await found.memory.recall.keep_up()
        for kind in ("openai", "gemini", "ollama", "openai", "ollama", "gemini"):
            known = set(languages[kind].documents)
            languages[kind].documents.clear()
            async with (
                house(tmp_path, settings(servers, provider=kind), WHAT) as found,
                found.gateway.open(lambda: 0.0),
            ):
                work = asyncio.ensure_future(found.memory.recall.keep_up())
                await talk.until_done(found, work)
                assert await serving_now(found) == kind
                await talk.ask(found, 3)
                assert languages[kind].questions == [asked(3)]
            # What it embedded before it is not asked for again.
            again = known & set(languages[kind].documents)
            assert again == set(), kind

    check(talk)


async def test_a_switch_back_and_forth_by_hand(tmp_path: Path):
    """`apx memory reindex --provider`, again and again, within one life."""
    await said(tmp_path, [fact(number) for number in range(MANY)])
    async with (
        speaking() as (servers, languages),
        house(tmp_path, settings(servers, provider="ollama"), WHAT) as found,
        found.gateway.open(lambda: 0.0),
    ):
        await found.memory.recall.keep_up()
        talk = Talk(languages)
        for kind in ("openai", "gemini", "ollama", "gemini"):
            work = asyncio.ensure_future(reindexed(found, kind))
            await talk.until_done(found, work)
            assert await serving_now(found) == kind

    check(talk)


async def reindexed(found: House, kind: str) -> None:
    """Reindex with a provider, to the end."""
    reindexing = found.memory.recall.reindexing
    await reindexing.start(Wish(provider=kind))
    while reindexing.is_running:  # noqa: ASYNC110 -- as the command does
        await asyncio.sleep(0.01)
    assert (await reindexing.state())["trouble"] == ""


def check(talk: Talk) -> None:
    """See that nobody was kept waiting, and that vectors had a part in most of it."""
    worst = max(talk.turns, key=lambda turn: turn.ours)
    assert worst.ours < SOON, worst
    with_vectors = [
        t for t in talk.turns if any("vector" in m.why for m in t.recall.memories)
    ]
    assert len(with_vectors) > len(talk.turns) / 2


async def test_auto_takes_the_first_that_answers_and_keeps_it(tmp_path: Path):
    """Another one would have to embed everything again, and some are paid for that."""
    await said(tmp_path, [fact(number) for number in range(MANY)])
    async with speaking() as (servers, languages):
        down = servers["ollama"]
        down.faults = deque([down.error(503, "starting")] * 1000)
        told = settings(servers)
        del told["engines"]["gemini"]
        async with house(tmp_path, told, WHAT) as found:
            await found.memory.recall.keep_up()
            assert await serving_now(found) == "openai"
            assert "ollama" in str(found.status.problems())
        down.faults.clear()
        sent = len(languages["openai"].documents)
        async with house(tmp_path, told, WHAT) as found:
            await found.memory.recall.keep_up()
            turn = await recalled(found, asked(3))
            assert await serving_now(found) == "openai"

    assert "vector" in turn.why(3)
    assert len(languages["openai"].documents) == sent
    assert languages["ollama"].documents == []


async def test_a_quota_that_is_used_up_for_good_is_not_asked_in_every_pass(
    tmp_path: Path,
):
    """One look in ten minutes; the old vectors serve, and the status says why."""
    await said(tmp_path, [fact(number) for number in range(MANY)])
    async with speaking() as (servers, _):
        told = settings(servers, provider="ollama")
        async with house(tmp_path, told, WHAT) as found:
            await found.memory.recall.keep_up()
        openai = servers["openai"]
        async with house(tmp_path, settings(servers, provider="openai"), WHAT) as found:
            # It opens, then there is nothing left.
            openai.faults = deque([None, *[no_quota(openai)] * 1000])
            for _ in range(5):
                await found.memory.recall.keep_up()
            asked_for = openai.embeds
            turns = [await recalled(found, asked(number)) for number in range(5)]
            assert openai.embeds == asked_for <= 3
            assert await serving_now(found) == "ollama"
            assert "quota" in str(found.status.problems())

    assert all("vector" in turn.why(number) for number, turn in enumerate(turns))


def no_quota(server: EmbeddingServer) -> Any:
    """Refuse as OpenAI does when nothing is paid any more."""
    answer = server.error(429, "You exceeded your current quota")
    body = answer.body.replace('"type": "x"', '"type": "insufficient_quota"')
    body = body.replace('"code": 429', '"code": "insufficient_quota"')
    return type(answer)(429, body, answer.headers)


async def test_a_day_costs_no_more_than_it_may(tmp_path: Path):
    """What fits is embedded and found, and the status says how far that is."""
    most = 1_500
    await said(tmp_path, [fact(number) for number in range(MANY)])
    async with speaking() as (servers, languages):
        told = settings(servers, provider="openai", daily_tokens=most)
        async with house(tmp_path, told, WHAT) as found:
            for _ in range(3):
                await found.memory.recall.keep_up()
            status = await found.status.told()
            [space] = await found.memory.recall.spaces.progress()
            new = await recalled(found, asked(MANY - 1))

    facts = [text for text in languages["openai"].documents if "cabinet" in text]
    assert 0 < sum(map(estimate_tokens, facts)) <= most
    assert 0 < space.done == len(facts) < MANY == space.total
    assert f"reindex {space.done}/{MANY}" in status
    assert "daily_tokens" in status
    assert "vector" in new.why(MANY - 1)
