"""Brings a space the vectors that it lacks: the newest first, in steps that last."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from apx.domain.errors import ProviderError
from apx.domain.finish import finished
from apx.domain.space import Filling
from apx.domain.text import estimate_tokens
from apx.memory.recall.codes import Codes, packed
from apx.providers.batches import Batches, Refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from apx.domain.space import Space, Wanted
    from apx.memory.recall.engine import Engine
    from apx.ports import Clock, Embedder, Vectors
    from apx.store.index.vectors import VectorStore

# A step is in the database as a whole; what is embedded meanwhile is the next one.
_STEP: Final = 2_048
_PAID: Final = ("openai:", "gemini:")
_USED_UP: Final = (
    "memory.embeddings.daily_tokens is used up: the rest waits for tomorrow"
)


class Meter:
    """Counts what is sent to paid providers in a day; 0 tokens is no bound."""

    def __init__(self, store: VectorStore, clock: Clock, most: int) -> None:
        self._store = store
        self._clock = clock
        self._most = most

    async def allowed(self, identity: str, texts: Sequence[str]) -> int:
        """Say how many of the texts may be sent today, and count them as sent."""
        if not identity.startswith(_PAID):
            return len(texts)
        day = f"{self._clock():%Y-%m-%d}"
        left = self._most - await self._store.spend(day, 0)
        sums = list(accumulate(map(estimate_tokens, texts)))
        many = bisect_right(sums, left) if self._most else len(texts)
        if many:
            await self._store.spend(day, sums[many - 1])
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
        self._batches = Batches(embedder)
        self._meter = meter
        self._is_ended = False
        self.is_complete = False
        self.trouble = ""

    def end(self) -> None:
        """Let `fill` end after the step that it is at."""
        self._is_ended = True

    async def fill(self, space: Space, told: Callable[[int], None]) -> int:
        """Embed until nothing lacks, or the provider fails; gives how many were.

        One step is written while the next is being embedded.
        """
        done = 0
        writing: asyncio.Task[int] | None = None
        async with asyncio.TaskGroup() as group:
            async for step in self._steps(space):
                filling = await self._embedded(space, step)
                if writing is not None:
                    told(await writing)
                writing = group.create_task(self._write(space, filling))
                done += len(filling.vectors)
                if self.trouble or self._is_ended:
                    break
            else:
                self.is_complete = True
            if writing is not None:
                told(await writing)
        return done

    async def _steps(self, space: Space) -> AsyncIterator[_Step]:
        """Give what is new, then what is older, back to the first chunk."""
        low, high = space.low, space.high
        while True:
            now = replace(space, low=low, high=high)
            if wanted := await self._store.newer(now, _STEP):
                high = wanted[-1].chunk
            elif wanted := await self._store.older(now, _STEP):
                low = wanted[-1].chunk
            else:
                return
            yield _Step([one for one in wanted if one.is_lacking], low, high)

    async def _embedded(self, space: Space, step: _Step) -> Filling:
        """Embed a step; what a failing provider leaves out keeps the ends in place."""
        outcomes: dict[int, Vectors | Refused] = {}
        texts = [_text(one) for one in step.wanted]
        may = await self._meter.allowed(self._embedder.identity, texts)
        if may < len(texts):
            self.trouble = _USED_UP
        try:
            await self._batches.documents(texts[:may], outcomes.__setitem__)
        except ProviderError as error:
            self.trouble = str(error)
        low, high = (space.low, space.high) if self.trouble else (step.low, step.high)
        return _filling(step.wanted, outcomes, low, high)

    async def _write(self, space: Space, filling: Filling) -> int:
        """Keep vectors, to the end: else the arrays would lack what memory.db has."""
        return await finished(self._kept(space, filling))

    async def _kept(self, space: Space, filling: Filling) -> int:
        filled = await self._store.fill(space.id, filling)
        await self._engine.take_vectors(space.id, filled)
        return len(filled)


def _filling(
    wanted: Sequence[Wanted],
    outcomes: dict[int, Vectors | Refused],
    low: int,
    high: int,
) -> Filling:
    vectors = {p: one for p, one in outcomes.items() if not isinstance(one, Refused)}
    data = packed(Codes.of(np.stack(list(vectors.values())))) if vectors else []
    return Filling(
        vectors=[
            (wanted[place].chunk, wanted[place].audience, each)
            for place, each in zip(vectors, data, strict=True)
        ],
        refused=[
            (wanted[place].chunk, one.reason)
            for place, one in outcomes.items()
            if isinstance(one, Refused)
        ],
        low=low,
        high=high,
    )


def _text(wanted: Wanted) -> str:
    """Write what is embedded: who said it belongs to what was said."""
    return f"{wanted.speaker}: {wanted.text}" if wanted.speaker else wanted.text
