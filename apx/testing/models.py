"""Doubles of what thinks and remembers: models, embedders, sources, tools, clocks."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from apx.domain.message import Finish, FinishReason, TextDelta, ToolCall
from apx.domain.recall import Findings
from apx.domain.tool import Effect, ToolOutcome, ToolSpec
from apx.providers import hashing

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from apx.domain.message import Delta, Message, Options
    from apx.domain.recall import Memory, Query
    from apx.domain.tool import Scene
    from apx.ports import Vectors


async def until(condition: Callable[[], object]) -> None:
    """Give the loop its turns until something holds; the test's timeout ends it."""
    while not condition():  # noqa: ASYNC110 -- a condition over anything has no event
        await asyncio.sleep(0)


class TickingClock:
    """A clock that moves one second at each look."""

    def __init__(self, start: datetime = datetime(2030, 1, 1, tzinfo=UTC)) -> None:
        self._next = start

    def __call__(self) -> datetime:
        """Tell the time, then move it."""
        now, self._next = self._next, self._next + timedelta(seconds=1)
        return now


Say = str | ToolCall | Exception | asyncio.Event


class ScriptedModel:
    """A chat model that does what each entry of its script says.

    An entry is a list of: text to stream, a tool call, an error to raise, an event
    to wait for. A function gets the prompt and gives such a list. The last entry is
    used again and again.
    """

    def __init__(
        self,
        *script: Sequence[Say] | Callable[[Sequence[Message]], Sequence[Say]],
        name: str = "scripted:one",
        window: int = 32_000,
    ) -> None:
        self.name = name
        self.window = window
        self.prompts: list[list[Message]] = []
        self.tools: list[list[str]] = []
        self._script = list(script)

    async def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        options: Options,
    ) -> AsyncGenerator[Delta, None]:
        """Play the next entry."""
        del options
        self.prompts.append(list(messages))
        self.tools.append([tool.name for tool in tools])
        entry = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        says = entry(messages) if callable(entry) else entry
        async for delta in _played(says):
            yield delta


async def _played(says: Sequence[Say]) -> AsyncGenerator[Delta, None]:
    called = False
    for say in says:
        if isinstance(say, Exception):
            raise say
        if isinstance(say, str):
            yield TextDelta(say)
        elif isinstance(say, ToolCall):
            called = True
            yield say
        else:
            await say.wait()
    yield Finish(FinishReason.TOOLS if called else FinishReason.STOP)


class FixedSource:
    """A memory source with known answers, which it may give late."""

    def __init__(
        self, name: str, memories: Sequence[Memory], delay: float = 0.0
    ) -> None:
        self.name = name
        self.asked: list[Query] = []
        self._memories = memories
        self._delay = delay

    async def fetch(self, query: Query) -> Findings:
        """Give the answers after the delay."""
        self.asked.append(query)
        await asyncio.sleep(self._delay)
        return Findings(tuple(self._memories))


class WordEmbedder:
    """An embedder that really finds shared words, and fails as told.

    Each error in `failures` spoils one call; while `gate` is not set, calls wait.
    `calls` holds the texts of each call, a query's among them.
    """

    def __init__(self, name: str = "test:words", dims: int = 64) -> None:
        self.identity = f"{name}@{dims}"
        self.dims = dims
        self.calls: list[list[str]] = []
        self.failures: list[Exception] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def documents(self, texts: Sequence[str]) -> Vectors:
        """Embed texts, one row each."""
        await self._asked(texts)
        return hashing.hashed(texts, self.dims)

    async def query(self, text: str) -> Vectors:
        """Embed what is looked for."""
        await self._asked([text])
        return hashing.hashed_query(text, self.dims)

    async def _asked(self, texts: Sequence[str]) -> None:
        self.calls.append(list(texts))
        await self.gate.wait()
        if self.failures:
            raise self.failures.pop(0)


class FunctionTool:
    """A tool that is a function of its arguments."""

    def __init__(
        self,
        name: str,
        act: Callable[[str], Awaitable[str]],
        effect: Effect = Effect.NONE,
        *,
        brings_untrusted: bool = False,
    ) -> None:
        self.spec = ToolSpec(
            name,
            f"does {name}",
            {"type": "object"},
            effect,
            brings_untrusted=brings_untrusted,
        )
        self._act = act

    async def run(self, arguments: str, scene: Scene) -> ToolOutcome:
        """Call the function."""
        del scene
        return ToolOutcome(await self._act(arguments))
