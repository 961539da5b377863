"""The source that finds, among everything ever said, what fits a question."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from apx.domain.errors import DamagedStore
from apx.domain.recall import Findings
from apx.domain.secrets import mask
from apx.memory.recall.asking import Question, question
from apx.memory.recall.search import Answer, Scored
from apx.memory.recall.showing import Judging, Showing, memories

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apx.domain.recall import Memory, Query
    from apx.memory.indexer import Indexer
    from apx.memory.recall.engine import Engine
    from apx.memory.recall.search import Asked, Meaning
    from apx.memory.spaces import Spaces
    from apx.store.index.chunks import Chunks

# So many are looked at by what they say, of which a few are given.
_LOOKED_AT: Final = 40


@dataclass(frozen=True, slots=True)
class Patience:
    """How long, in seconds from the question on, is waited for what may be late."""

    loading: float = 0.4
    vector: float = 0.65


class Recalled:
    """What the index finds; the words never wait for the vector."""

    name = "recall"

    def __init__(
        self,
        chunks: Chunks,
        engine: Engine,
        indexer: Indexer,
        spaces: Spaces,
        showing: Showing,
        patience: Patience = Patience(),
    ) -> None:
        self._chunks = chunks
        self._engine = engine
        self._indexer = indexer
        self._spaces = spaces
        self._showing = showing
        self._patience = patience

    async def fetch(self, query: Query) -> Findings:
        """Give the best hits of the audiences, but not what the prompt holds."""
        here = query.at.astimezone(self._showing.zone)
        asking = question(query.text, here, self._engine.keys)
        if asking is None:
            return Findings()
        began = asyncio.get_running_loop().time()
        meaning = asyncio.ensure_future(self._spaces.meaning(mask(query.text)))
        try:
            await self._indexer.freshen()
            if not await self._is_loaded(began):
                return await self._by_full_text(query, asking)
            return await self._by_arrays(query, asking, meaning, began)
        except DamagedStore:
            self._chunks.condemn()
            raise
        finally:
            meaning.cancel()

    async def _is_loaded(self, began: float) -> bool:
        if self._engine.has_failed:
            return False
        try:
            async with asyncio.timeout_at(began + self._patience.loading):
                await self._engine.ready.wait()
        except TimeoutError:
            return False
        return True

    async def _by_arrays(
        self,
        query: Query,
        asking: Question,
        meaning: asyncio.Future[Meaning | None],
        began: float,
    ) -> Findings:
        asked = replace(asking.asked, known=query.known_turns, limit=_LOOKED_AT)
        answer = None
        if not meaning.done():
            answer = await self._engine.find(asked, query.audiences)
            left = began + self._patience.vector - asyncio.get_running_loop().time()
            await asyncio.wait([meaning], timeout=max(left, 0))
        missed = () if meaning.done() else ("recall: vectors",)
        found = meaning.result() if meaning.done() else None
        if found is None and self._spaces.asking:
            missed = ("recall: vectors",)
        if found is not None:
            asked = replace(asked, meaning=found)
            answer = await self._engine.find(asked, query.audiences)
        if answer is None:
            answer = await self._engine.find(asked, query.audiences)
        shown = await self._shown(query, asking, answer)
        withheld = await self._withheld(query, asking, asked)
        return Findings(tuple(shown), missed, withheld)

    async def _withheld(self, query: Query, asking: Question, asked: Asked) -> int:
        """Count what the person could be told in private; nothing of it goes on."""
        if not query.withheld:
            return 0
        answer = await self._engine.find(asked, query.withheld)
        return len(await self._shown(query, asking, answer))

    async def _shown(
        self, query: Query, asking: Question, answer: Answer
    ) -> Sequence[Memory]:
        chunks = await self._chunks.read(hit.chunk for hit in answer.hits)
        hits = [(chunks[h.chunk], h) for h in answer.hits if h.chunk in chunks]
        weights = dict(zip(asking.words, answer.weights.tolist(), strict=True))
        judging = Judging(weights, answer.floor)
        return memories(hits, judging, query, self._showing)

    async def _by_full_text(self, query: Query, asking: Question) -> Findings:
        """Search as well as can be while the arrays are still being loaded."""
        words = asking.words[: len(asking.asked.strong) + len(asking.asked.weak)]
        if not words:
            return Findings(missed=("recall: loading",))
        shown = await self._full_text(query, words, query.audiences)
        withheld = 0
        if query.withheld:
            withheld = len(await self._full_text(query, words, query.withheld))
        return Findings(tuple(shown), ("recall: loading",), withheld)

    async def _full_text(
        self, query: Query, words: Sequence[str], audiences: Sequence[str]
    ) -> Sequence[Memory]:
        found = await self._chunks.search(words, audiences, _LOOKED_AT)
        hits = [
            (one.chunk, Scored(one.id, 0.0, 1.0, 1.0, 0.0, 0.0, 0))
            for one in found
            if one.chunk.turn not in query.known_turns
        ]
        judging = Judging(dict.fromkeys(words, 1.0))
        return memories(hits, judging, query, self._showing)
