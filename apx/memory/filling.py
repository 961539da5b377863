"""Brings a space the vectors that it lacks: the newest first, in steps that last."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from apx.domain.errors import ProviderError
from apx.domain.space import Filling
from apx.domain.text import estimate_tokens
from apx.memory.finish import finished
from apx.memory.recall.codes import Codes, packed
from apx.providers.batches import Batches, Refused
from apx.providers.limits import limits_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from apx.domain.space import Space, Wanted
    from apx.memory.recall.engine import Engine
    from apx.ports import Clock, Embedder, Vectors
    from apx.store.index.vectors import VectorStore

# A step is so many rounds of what a provider takes at once, and is in the database as
# a whole. While it is read, embedded or written, the next ones are under way too.
_ROUNDS: Final = 4
_UNDER_WAY: Final = 2
# The ends of a step that does not move those of its space.
_NO_END: Final = 2**62
_PAID: Final = ("openai:", "gemini:")
_FREE: Final = ("local:", "tf:")


class Budget(Protocol):
    """What the home may still spend today, on anything."""

    @property
    def trouble(self) -> str:
        """Say what a bound keeps from being done."""
        ...

    def may_work_behind(self) -> bool:
        """Whether something may be spent for what nobody waits for."""
        ...

    def may_ask(self) -> bool:
        """Whether anything may be spent at all, as on the vector of a question."""
        ...


class Meter:
    """Counts what is sent to paid providers in a day; 0 tokens is no bound.

    Beside that bound of its own stands that of the home, where there is one.
    """

    def __init__(
        self, store: VectorStore, clock: Clock, most: int, budget: Budget | None = None
    ) -> None:
        self._store = store
        self._clock = clock
        self._most = most
        self._budget = budget

    def stopped(self, identity: str) -> str:
        """Say why an embedder may embed no more messages today; empty if it may."""
        if self._budget is None or identity.startswith(_FREE):
            return ""
        return "" if self._budget.may_work_behind() else self._budget.trouble

    def may_ask(self, identity: str) -> bool:
        """Whether a question may still be embedded."""
        if self._budget is None or identity.startswith(_FREE):
            return True
        return self._budget.may_ask()

    async def admitted(self, identity: str, texts: Sequence[str]) -> int:
        """Count texts as sent, as many of the first as the day still has room for."""
        if not identity.startswith(_PAID):
            return len(texts)
        day = f"{self._clock():%Y-%m-%d}"
        spent = await self._store.spend(day, 0) if self._most else 0
        many = tokens = 0
        for text in texts:
            size = estimate_tokens(text)
            if self._most and spent + tokens + size > self._most:
                break
            many, tokens = many + 1, tokens + size
        if tokens:
            await self._store.spend(day, tokens)
        return many


@dataclass(frozen=True, slots=True)
class _Step:
    """Chunks to be embedded, and how far the space reaches when they are."""

    wanted: Sequence[Wanted]
    low: int
    high: int


class Filler:
    """Embeds the chunks that a space lacks; what broke off is taken up again."""

    def __init__(
        self, store: VectorStore, engine: Engine, embedder: Embedder, meter: Meter
    ) -> None:
        self._store = store
        self._engine = engine
        self._embedder = embedder
        limits = limits_of(embedder.identity)
        self._batches = Batches(embedder, limits)
        self._many = _ROUNDS * limits.items * limits.concurrency
        self._meter = meter
        self._is_ended = False
        self._is_broken = False
        self.is_complete = False
        self.trouble = ""
        self.error: ProviderError | None = None

    def end(self) -> None:
        """Let `fill` end after the steps that it is at."""
        self._is_ended = True

    async def fill(self, space: Space, told: Callable[[int], None]) -> int:
        """Embed until nothing lacks, or the provider fails; gives how many were.

        Steps are embedded side by side, and written one after the other.
        """
        steps: asyncio.Queue[asyncio.Task[Filling] | None] = asyncio.Queue(_UNDER_WAY)
        async with asyncio.TaskGroup() as group:
            writing = group.create_task(self._write_all(space, steps, told))
            async for step in self._steps(space):
                paid = await self._affordable(step)
                await steps.put(group.create_task(self._embedded(paid)))
                if self.trouble or self._is_ended:
                    break
            else:
                self.is_complete = True
            await steps.put(None)
        self.is_complete = self.is_complete and not self._is_broken
        return writing.result()

    async def _write_all(
        self,
        space: Space,
        steps: asyncio.Queue[asyncio.Task[Filling] | None],
        told: Callable[[int], None],
    ) -> int:
        done = 0
        while (step := await steps.get()) is not None:
            many = await finished(self._write(space, await step))
            told(many)
            done += many
        return done

    async def _steps(self, space: Space) -> AsyncIterator[_Step]:
        """Give what is new, then what is older, back to the first chunk."""
        low, high = space.low, space.high
        while True:
            now = replace(space, low=low, high=high)
            if wanted := await self._store.newer(now, self._many):
                high = wanted[-1].chunk
            elif wanted := await self._store.older(now, self._many):
                low = wanted[-1].chunk
            else:
                return
            yield _Step([one for one in wanted if one.is_lacking], low, high)

    async def _affordable(self, step: _Step) -> _Step:
        """Leave out of a step what the day has no room for; then it is the last."""
        texts = [_text(one) for one in step.wanted]
        identity = self._embedder.identity
        if stopped := self._meter.stopped(identity) if texts else "":
            self.trouble, texts = stopped, []
        many = await self._meter.admitted(identity, texts)
        if many == len(step.wanted):
            return step
        self.trouble = self.trouble or (
            "memory.embeddings.daily_tokens is used up: the rest can go on tomorrow"
        )
        return replace(step, wanted=step.wanted[:many], low=_NO_END, high=0)

    async def _embedded(self, step: _Step) -> Filling:
        """Embed a step; what a failing provider leaves out keeps the ends in place."""
        outcomes: dict[int, Vectors | Refused] = {}
        texts = [_text(one) for one in step.wanted]
        try:
            await self._batches.documents(texts, outcomes.__setitem__)
        except ProviderError as error:
            self.trouble, self.error = str(error), error
            step = replace(step, low=_NO_END, high=0)
        return _filling(step, outcomes)

    async def _write(self, space: Space, filling: Filling) -> int:
        # What comes after a gap is kept, but the ends stay before it.
        self._is_broken = self._is_broken or filling.low == _NO_END
        if self._is_broken:
            filling = replace(filling, low=_NO_END, high=0)
        filled = await self._store.fill(space.id, filling)
        await self._engine.take_vectors(space.id, filled)
        return len(filled)


def _filling(step: _Step, outcomes: dict[int, Vectors | Refused]) -> Filling:
    vectors = {p: one for p, one in outcomes.items() if not isinstance(one, Refused)}
    data = packed(Codes.of(np.stack(list(vectors.values())))) if vectors else []
    return Filling(
        vectors=[
            (step.wanted[place].chunk, step.wanted[place].audience, each)
            for place, each in zip(vectors, data, strict=True)
        ],
        refused=[
            (step.wanted[place].chunk, one.reason)
            for place, one in outcomes.items()
            if isinstance(one, Refused)
        ],
        low=step.low,
        high=step.high,
    )


def _text(wanted: Wanted) -> str:
    """Write what is embedded: who said it belongs to what was said."""
    return f"{wanted.speaker}: {wanted.text}" if wanted.speaker else wanted.text
