"""Owns which embedder queries use, and which one is being brought in behind it."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from apx.domain.errors import ProviderError
from apx.domain.space import Space, SpaceState, Usual
from apx.domain.usage import Purpose, spending
from apx.memory.calibration import calibrated
from apx.memory.embedding import Need
from apx.memory.filling import Filler
from apx.memory.needing import chosen, lacking
from apx.memory.old_spaces import remove_old
from apx.memory.progress import progress_of
from apx.providers.breaker import Breaker

if TYPE_CHECKING:
    from collections.abc import Callable

    from apx.memory.embedding import Embedders, Progress
    from apx.memory.filling import Meter
    from apx.memory.meaning import Meanings
    from apx.memory.recall.engine import Engine
    from apx.memory.recall.search import Meaning
    from apx.ports import Embedder
    from apx.store.index.vectors import VectorStore

log = structlog.get_logger(__name__)

_WORD: Final = "hello"
# The space of a home in which nothing was embedded: it has come to no chunk.
_NONE: Final = Space(0, "", SpaceState.FILLING, Usual(0.0, 0.0), low=1, high=0)


class Spaces:
    """Vectors of two spaces are never compared: a query uses the one that serves."""

    def __init__(
        self,
        store: VectorStore,
        engine: Engine,
        embedders: Embedders,
        meter: Meter,
        meanings: Meanings,
    ) -> None:
        self._store = store
        self._engine = engine
        self._embedders = embedders
        self._meter = meter
        self._meanings = meanings
        # One step at a time: filling, or swapping. Queries wait for neither.
        self._lock = asyncio.Lock()
        self._anew = False
        self._before = ""
        self._breakers: dict[str, Breaker] = {}
        self._asked = ""
        self._filler: Filler | None = None
        self._is_interrupted = False
        self.trouble = ""

    @property
    def failures(self) -> dict[str, str]:
        """Say why providers that were asked do not embed."""
        return dict(self._embedders.failures)

    @property
    def asking(self) -> str:
        """Say why questions are not embedded; empty when all is well."""
        return self._meanings.state

    async def meaning(self, text: str) -> Meaning | None:
        """Embed a question in the space that serves; None if that cannot be."""
        if not self._meter.may_ask(self._asked):
            return None
        return await self._meanings.of(text)

    async def start(self, *, at_once: bool = True) -> None:
        """Find the space that served last; who embeds for it is sent for.

        Not `at_once` is with the first question: a short command may ask none.
        """
        serving = await self._serving()
        if serving is None:
            return
        self._asked = serving.identity
        revive = partial(self._embedders.revive, serving.identity)
        self._meanings.expect_when_asked(serving, revive)
        # Opening one asks it for a word.
        if at_once and self._meter.may_ask(serving.identity):
            self._meanings.send_for()

    async def fill(self, told: Callable[[int], None] = lambda _: None) -> int:
        """Embed what lacks a vector until nothing does; gives how many that were.

        `told` hears of each step. A provider that fails ends it; the rest waits.
        """
        async with self._lock:
            self._is_interrupted = False
            serving = await self._serving()
            if await self._is_idle(serving):
                return 0
            with spending(Purpose.EMBEDDING, ""):
                return await self._filled(serving, told)

    async def _filled(self, serving: Space | None, told: Callable[[int], None]) -> int:
        if self._is_stopped(self._expected(serving)):
            return 0
        embedder = await self._embedders.choose(serving.identity if serving else "")
        if embedder is None or self._is_stopped(embedder.identity):
            return 0
        if not self._breaker_of(embedder).allows():
            return 0
        try:
            return await self._fill(embedder, serving, told)
        except ProviderError as error:
            self.trouble = str(error)
            self._breaker_of(embedder).record(error)
            log.warning("embedding_stopped", reason=type(error).__name__)
            return 0

    def _expected(self, serving: Space | None) -> str:
        """Name who will embed, before they are opened; empty where many may."""
        if serving and self._embedders.is_wanted(serving.identity):
            return serving.identity
        wanted = self._embedders.wanted
        return "" if wanted == "auto" else f"{wanted}:"

    def _is_stopped(self, identity: str) -> bool:
        stopped = self._meter.stopped(identity) if identity else ""
        self.trouble = stopped or self.trouble
        return bool(stopped)

    def wish(self, provider: str, *, anew: bool) -> None:
        """Have the next `fill` use a provider (`` for no change), or embed all anew.

        It asks at once, also a provider that was down: a person may have mended it.
        """
        self._breakers.clear()
        self._embedders.forgive()
        self._before = self._embedders.wanted
        self._embedders.wanted = provider or self._embedders.wanted
        self._anew = self._anew or anew

    def take_back(self) -> None:
        """Want again what was wanted before the last `wish`."""
        self._embedders.wanted = self._before or self._embedders.wanted
        self._anew = False

    async def interrupt(self) -> None:
        """Let a `fill` that is under way end with the step that it is at."""
        # There is no filler yet while an embedder is opened and calibrated.
        self._is_interrupted = True
        if self._filler is not None:
            self._filler.end()
        async with self._lock:
            pass

    async def need(self, provider: str, *, anew: bool) -> Need:
        """Say what the next `fill` would embed."""
        serving = await self._serving()
        if serving and not anew and await self._is_complete(serving, provider):
            return Need(serving.identity, 0, 0)
        embedder = await chosen(self._embedders, serving, provider)
        return await lacking(self._store, embedder, anew=anew)

    def _breaker_of(self, embedder: Embedder) -> Breaker:
        return self._breakers.setdefault(embedder.identity, Breaker(time.monotonic))

    async def _fill(
        self, embedder: Embedder, serving: Space | None, told: Callable[[int], None]
    ) -> int:
        breaker = self._breaker_of(embedder)
        if breaker.is_open:
            # One request is enough to see whether it is up again.
            await embedder.query(_WORD)
        space = await self._wanted(embedder, serving)
        if space.is_serving and not self._meanings.has_embedder:
            # It was down when apx started.
            self._meanings.use(space, embedder)
        if not space.is_serving and await self._may_serve_half_full(serving):
            await self._swap(space, embedder)
        filler = Filler(self._store, self._engine, embedder, self._meter)
        self._filler = filler
        if self._is_interrupted:
            filler.end()
        done = await filler.fill(space, told)
        self._filler, self.trouble = None, filler.trouble
        breaker.record(filler.error)
        if filler.is_complete and not space.is_serving:
            await self._swap(space, embedder)
        await remove_old(self._store, space)
        return done

    async def _wanted(self, embedder: Embedder, serving: Space | None) -> Space:
        name = embedder.identity
        spaces = [s for s in await self._store.spaces() if s.identity == name]
        if self._anew:
            spaces = [s for s in spaces if serving is None or s.id > serving.id]
        space = spaces[-1] if spaces else None
        if space is None:
            space = await self._store.begin(name, await calibrated(embedder))
        self._anew = False
        return space

    async def _may_serve_half_full(self, serving: Space | None) -> bool:
        """Whether some vectors of the new space are more than there are now."""
        if serving is None or self._meanings.cannot_ask:
            return True
        return serving.identity.startswith("tf:")

    async def _swap(self, space: Space, embedder: Embedder) -> None:
        await self._engine.prepare(space.id)
        await self._store.serve(space.id)
        self._meanings.use(space, embedder)
        self._asked = space.identity
        await self._engine.serve(space.id)
        log.info("space_serves", identity=space.identity)

    async def _is_idle(self, serving: Space | None) -> bool:
        """Whether there is nothing to embed: then nobody is asked for anything."""
        if serving is None:
            return not await self._store.lacks(_NONE)
        if self._anew:
            return False
        return not self._meanings.lacks_embedder and await self._is_complete(serving)

    async def _is_complete(self, serving: Space, provider: str = "") -> bool:
        """Whether nothing is to be done, so that nobody need be asked for anything."""
        if not self._embedders.is_wanted(serving.identity, provider):
            return False
        spaces = await self._store.spaces()
        if any(s.identity == serving.identity and s.id > serving.id for s in spaces):
            return False  # it is being embedded anew
        return not await self._store.lacks(serving)

    async def _serving(self) -> Space | None:
        # An embedder that is expected would be opened a second time.
        await self._meanings.arrived()
        spaces = await self._store.spaces()
        return next((space for space in spaces if space.is_serving), None)

    async def progress(self) -> list[Progress]:
        """Say how far each space is."""
        return await progress_of(self._store)
