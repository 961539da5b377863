"""What is embedded when the day's tokens are used up, and in a home without news."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apx.memory.filling import Meter
from apx.testing import WordEmbedder
from tests.memory.rooms import NOW, Embedders, rooms, said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

USED_UP = "the 100 tokens of budget.background_daily_tokens are used up"


@dataclass
class Purse:
    """A budget that a test opens and shuts."""

    behind: bool = True
    asking: bool = True

    @property
    def trouble(self) -> str:
        return "" if self.behind else USED_UP

    def may_work_behind(self) -> bool:
        return self.behind

    def may_ask(self) -> bool:
        return self.asking


class Opening(Embedders):
    """Notes whom it is asked for: who is opened is asked for a word."""

    def __init__(self, **known: Any) -> None:
        super().__init__(**known)
        self.opened: list[str] = []

    async def choose(self, serving: str) -> Any:
        self.opened.append(self.wanted)
        return await super().choose(serving)

    async def revive(self, identity: str) -> Any:
        self.opened.append(identity)
        return await super().revive(identity)


@asynccontextmanager
async def memory_of(
    path: Any, history: Any, embedder: WordEmbedder, purse: Purse
) -> AsyncIterator[Any]:
    """Open the rooms of recall with a budget."""
    provider = embedder.identity.partition(":")[0]
    async with rooms(path, history, Opening(**{provider: embedder})) as memory:
        await memory.engine.ready.wait()
        # As wiring does: the meter knows the home's budget beside its own bound.
        memory.spaces._meter = Meter(memory.vectors, lambda: NOW, 0, purse)
        yield memory


async def test_a_home_without_a_message_asks_nobody(tmp_path, history):
    """Not even how alike unrelated texts are: there is nothing to compare yet."""
    embedder = WordEmbedder("openai:small")
    async with memory_of(tmp_path, history, embedder, Purse()) as memory:
        for _ in range(3):
            assert await memory.spaces.fill() == 0
        assert embedder.calls == []

        await memory.put(said("the boat is blue"))
        assert await memory.spaces.fill() == 1
        asked = len(embedder.calls)
        for _ in range(3):
            assert await memory.spaces.fill() == 0
        assert len(embedder.calls) == asked


async def test_at_the_limit_nothing_is_embedded_and_everything_is_after_it(
    tmp_path, history
):
    """The reason is told while it lasts, and words are found all the same."""
    embedder, purse = WordEmbedder("ollama:small"), Purse(behind=False)
    async with memory_of(tmp_path, history, embedder, purse) as memory:
        await memory.put(said("the boat is blue"))

        assert await memory.spaces.fill() == 0
        assert (memory.spaces.trouble, embedder.calls) == (USED_UP, [])
        assert await memory.found("boat") == ["the boat is blue"]

        purse.behind = True
        assert await memory.spaces.fill() == 1
        assert memory.spaces.trouble == ""


async def test_a_limit_that_is_reached_in_the_middle_ends_with_that_step(
    tmp_path, history
):
    """What was embedded stays, and the rest is not forgotten."""
    purse = Purse()

    class Spending(WordEmbedder):
        async def documents(self, texts: Any) -> Any:
            purse.behind = not any("fact" in text for text in texts)
            return await super().documents(texts)

    async with memory_of(tmp_path, history, Spending("openai:s"), purse) as memory:
        many = 10_000
        await memory.put(*(said(f"fact{n}", n) for n in range(many)))

        done = await memory.spaces.fill()

        assert 0 < done < many
        assert memory.spaces.trouble == USED_UP
        purse.behind = True
        while more := await memory.spaces.fill():
            done += more
            purse.behind = True
        assert done == many


async def test_what_costs_nothing_knows_no_limit(tmp_path, history):
    """A model inside apx embeds, and questions too."""
    purse = Purse(behind=False, asking=False)
    embedder = WordEmbedder("local:words")
    async with memory_of(tmp_path, history, embedder, purse) as memory:
        await memory.put(said("the boat is blue"))

        assert await memory.spaces.fill() == 1
        assert await memory.spaces.meaning("which boat?") is not None


async def test_a_question_goes_by_words_alone_once_nothing_may_be_spent(
    tmp_path, history
):
    """Memory goes on, without a vector."""
    purse, embedder = Purse(), WordEmbedder("openai:small")
    async with memory_of(tmp_path, history, embedder, purse) as memory:
        await memory.put(said("the boat is blue"))
        await memory.spaces.fill()
        assert await memory.spaces.meaning("which boat?") is not None
        asked = len(embedder.calls)

        purse.asking = False

        assert await memory.spaces.meaning("which colour?") is None
        assert await memory.found("boat") == ["the boat is blue"]
        assert len(embedder.calls) == asked


async def test_a_start_at_the_limit_opens_nobody(tmp_path, history):
    """It would cost a word each time; after midnight they are sent for."""
    purse, embedder = Purse(), WordEmbedder("openai:small")
    async with memory_of(tmp_path, history, embedder, purse) as memory:
        await memory.put(said("the boat is blue"))
        await memory.spaces.fill()
        await memory.put(said("the car is red", 1))
        memory.meanings._embedder, opened = None, memory.spaces._embedders.opened
        opened.clear()
        purse.asking = purse.behind = False

        await memory.spaces.start()
        assert await memory.spaces.meaning("which boat?") is None
        assert await memory.spaces.fill() == 0
        assert (opened, memory.spaces.trouble) == ([], USED_UP)

        purse.asking = purse.behind = True
        assert await memory.spaces.meaning("which boat?") is not None
        assert opened == [embedder.identity]
