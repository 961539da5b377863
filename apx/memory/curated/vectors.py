"""Owns the vectors of curated memories: kept up to date, compared with questions."""

from __future__ import annotations

import asyncio
import hashlib
import time
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np
import structlog

from apx.domain.errors import ProviderError
from apx.domain.secrets import mask
from apx.domain.usage import Purpose, spending
from apx.memory.finish import finished
from apx.memory.recall.codes import Codes, packed, unpacked
from apx.providers.batches import Batches, Refused
from apx.providers.breaker import Breaker
from apx.providers.limits import limits_of
from apx.store.index.memories import MemoryVector

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from apx.domain.curated import Fact
    from apx.domain.space import Space
    from apx.memory.filling import Meter
    from apx.memory.recall.search import Meaning
    from apx.ports import Embedder, Vectors
    from apx.store.index.memories import MemoryVectors
    from apx.store.index.vectors import VectorStore

log = structlog.get_logger(__name__)

_BODY: Final = 1_000
_DIGITS: Final = 16
# So many are embedded before they are written down.
_STEP: Final = 256


class Embedders(Protocol):
    """Who embedded a space."""

    async def revive(self, identity: str) -> Embedder | None:
        """Give the embedder of a space, or None if it cannot be had now."""
        ...


class FactVectors:
    """What embeds the facts that hold now, in the space that serves and no other."""

    def __init__(
        self,
        store: MemoryVectors,
        spaces: VectorStore,
        embedders: Embedders,
        meter: Meter,
    ) -> None:
        self._store = store
        self._spaces = spaces
        self._embedders = embedders
        self._meter = meter
        self._breaker = Breaker(time.monotonic)
        # What questions are compared with: of one space, as it was read last.
        self._read: tuple[int, list[str], Codes] | None = None
        self._lock = asyncio.Lock()
        self.trouble = ""

    async def fill(self, facts: Mapping[str, Fact]) -> int:
        """Embed what lacks a vector or says something else by now; gives how many.

        Vectors of what holds no more go. A provider that fails ends it until later.
        """
        async with self._lock:
            if gone := await self._store.ids() - facts.keys():
                await self._store.forget(gone)
                self._read = None
            space = await self._serving()
            if space is None or space.identity.startswith("tf:"):
                # Hashed vectors know words only, as the ranking does.
                return 0
            texts = {name: _text(fact) for name, fact in facts.items()}
            have = {one.id: one.digest for one in await self._store.of(space.id)}
            lacking = [n for n, text in texts.items() if have.get(n) != _digest(text)]
            if not lacking:
                self.trouble = ""
                return 0
            with spending(Purpose.EMBEDDING, ""):
                return await self._embed(space, {n: texts[n] for n in lacking})

    async def forget(self, ids: Collection[str]) -> None:
        """Remove the vectors of memories that are forgotten."""
        async with self._lock:
            await self._store.forget(ids)
            self._read = None

    async def cosines(self, meaning: Meaning) -> dict[str, float]:
        """Compare a question with the facts that have a vector in its very space."""
        if meaning.is_hashed:
            return {}
        known = self._read
        if known is None or known[0] != meaning.space:
            found = [one for one in await self._store.of(meaning.space) if one.data]
            if not found:
                return {}
            codes = unpacked([one.data for one in found])
            known = self._read = (meaning.space, [one.id for one in found], codes)
        _, names, codes = known
        if codes.dims != len(meaning.vector):
            return {}
        scores = await asyncio.to_thread(codes.scores, meaning.vector)
        return dict(zip(names, scores.tolist(), strict=True))

    async def _serving(self) -> Space | None:
        spaces = await self._spaces.spaces()
        return next((space for space in spaces if space.is_serving), None)

    async def _embed(self, space: Space, texts: Mapping[str, str]) -> int:
        self.trouble = self._meter.stopped(space.identity)
        if self.trouble or not self._breaker.allows():
            return 0
        embedder = await self._embedders.revive(space.identity)
        if embedder is None:
            return 0
        names, done = list(texts), 0
        try:
            for start in range(0, len(names), _STEP):
                step = names[start : start + _STEP]
                many = await self._embed_step(space, embedder, step, texts)
                done += many
                if many < len(step):
                    break
        except ProviderError as error:
            self.trouble = str(error)
            self._breaker.record(error)
            log.warning("memories_not_embedded", reason=type(error).__name__)
            return done
        self._breaker.record(None)
        return done

    async def _embed_step(
        self,
        space: Space,
        embedder: Embedder,
        names: Sequence[str],
        texts: Mapping[str, str],
    ) -> int:
        said = [texts[name] for name in names]
        many = await self._meter.admitted(space.identity, said)
        if many < len(said):
            self.trouble = "memory.embeddings.daily_tokens is used up"
        if not many:
            return 0
        batches = Batches(embedder, limits_of(space.identity))
        found = await batches.documents(said[:many])
        data = _packed(found)
        rows = [
            MemoryVector(name, _digest(texts[name]), vector)
            for name, vector in zip(names[:many], data, strict=True)
        ]
        await finished(self._store.put(space.id, rows))
        self._read = None
        return many


def _packed(found: Sequence[Vectors | Refused]) -> list[bytes]:
    """Write vectors as memory.db keeps them; nothing for what was refused."""
    vectors = [one for one in found if not isinstance(one, Refused)]
    data = iter(packed(Codes.of(np.stack(vectors))) if vectors else [])
    return [b"" if isinstance(one, Refused) else next(data) for one in found]


def _text(fact: Fact) -> str:
    """Write what is embedded: nobody outside needs passwords for that."""
    parts = (fact.title, fact.abstract, fact.body[:_BODY])
    return mask("\n".join(part for part in parts if part))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_DIGITS]
